import type { Issuance } from "../../core/lanes/weather/ports.ts"
import type { ClimateReport } from "../../core/lanes/weather/reports/ClimateReport.ts"

/** When it was issued unless told otherwise, epoch milliseconds. */
export const issuedAt = Date.UTC(2026, 6, 9)

/** A final report of a day at Central Park. */
export const issuance = (
  day: string,
  changes: Partial<Issuance> = {},
  report: Partial<ClimateReport> = {},
): Issuance => ({
  station: "KNYC",
  productId: `${day}-final`,
  issuedAt,
  source: "NWS",
  ...changes,
  report: {
    station: "CENTRAL PARK NY",
    day,
    status: "final",
    correction: false,
    highF: 85,
    lowF: 64,
    flags: [],
    ...report,
  },
})

/** The one before it, of the same day. */
export const preliminary = (day: string): Issuance =>
  issuance(
    day,
    { productId: `${day}-preliminary`, issuedAt: issuedAt - 500 },
    { status: "preliminary", flags: ["preliminary"] },
  )
