import * as Either from "effect/Either"
import { ifDefined } from "../../../ifDefined.ts"
import { addDays, hour } from "../../../time.ts"
import type { ArchivedDay, ArchivedValue, Issuance } from "../ports.ts"
import { climateDayStart, type Station } from "../stations.ts"
import { isHighBelowLow, makeReport } from "./ClimateReport.ts"
import { isClock } from "./climateHeading.ts"
import {
  maxPrecipIn,
  maxSnowIn,
  maxTemperatureF,
  minTemperatureF,
  missingReading,
  type Reading,
} from "./climateTable.ts"

interface ArchivedReport {
  readonly issuance: Issuance
  /** True if only the product's text tells whether the report is final. */
  readonly isStatusUnclear: boolean
}

const productIdPattern =
  /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})-([A-Z0-9]{4})-([A-Z0-9]{6})-([A-Z0-9]{3,6})(?:-([A-Z0-9]{3}))?$/

interface Product {
  readonly issuedAt: number
  readonly awipsId: string
  readonly amendment: string | undefined
}

const parseProductId = (id: string): Product | undefined => {
  const match = productIdPattern.exec(id)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, , , awipsId, amendment] = match
  const issuedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(issuedAt) ? undefined : { issuedAt, awipsId: awipsId!, amendment }
}

const isMissing = (printed: ArchivedValue): boolean => printed === null || printed === "M" || printed === "MM"

const readTemperature = (what: string, printed: ArchivedValue): Either.Either<Reading<"missing">, string> => {
  if (isMissing(printed)) return Either.right(missingReading)
  if (typeof printed !== "number" || !Number.isInteger(printed)) {
    return Either.left(`the ${what} ${JSON.stringify(printed)} is not a whole degree.`)
  }
  return printed < minTemperatureF || printed > maxTemperatureF
    ? Either.left(`the ${what} ${printed} is outside ${minTemperatureF} to ${maxTemperatureF} °F.`)
    : Either.right({ value: printed, marks: [] })
}

const readAmount = (
  what: string,
  printed: ArchivedValue,
  max: number,
): Either.Either<Reading<"missing" | "trace">, string> => {
  if (isMissing(printed)) return Either.right(missingReading)
  // Archives store a trace as a number below the smallest measurable amount.
  if (printed === "T" || (typeof printed === "number" && printed > 0 && printed < 0.005)) {
    return Either.right({ value: 0, marks: ["trace"] })
  }
  if (typeof printed !== "number") return Either.left(`the ${what} ${JSON.stringify(printed)} is not an amount.`)
  return printed < 0 || printed > max
    ? Either.left(`the ${what} ${printed} is outside 0 to ${max} inches.`)
    : Either.right({ value: printed, marks: [] })
}

const readTime = (what: string, printed: string | null): Either.Either<string | undefined, string> => {
  const text = printed?.trim() ?? ""
  if (text === "" || text === "M" || text === "MM") return Either.right(undefined)
  const [clock, suffix, ...rest] = text.split(/ +/)
  return isClock(clock!) && (suffix === "AM" || suffix === "PM") && rest.length === 0
    ? Either.right(`${clock} ${suffix}`)
    : Either.left(`the time of the ${what}, ${JSON.stringify(text.slice(0, 40))}, is not a 12-hour time.`)
}

/**
 * Reads an archived row by the same rules as a report's text: whole degrees and inches within the network's range, the
 * high not below the low, 12-hour times. A row that breaks a rule is rejected.
 *
 * The archive has the newest report of a day but not its kind: one that was issued after the end of the climate day is
 * final. In summer offices work by daylight time, so a report of either kind can be issued in the last hour of the climate
 * day; such a row has `isStatusUnclear`. The archive does not distinguish a report without a snowfall block from one whose
 * snowfall is missing, so an absent snowfall has no flag.
 *
 * @returns the issuance, or the reason for the rejection
 */
export const readArchivedRow = (
  row: ArchivedDay,
  station: Station,
  source: string,
): Either.Either<ArchivedReport, string> =>
  Either.gen(function* () {
    const product = row.productId === null ? undefined : parseProductId(row.productId)
    if (product === undefined) return yield* Either.left("it has no valid product id.")
    if (product.awipsId !== station.cliProduct) {
      return yield* Either.left(`its product is ${product.awipsId}, not ${station.cliProduct}.`)
    }
    const high = yield* readTemperature("high", row.high)
    const low = yield* readTemperature("low", row.low)
    if (isHighBelowLow(high, low)) return yield* Either.left("its high is below its low.")
    const precip = yield* readAmount("precipitation", row.precip, maxPrecipIn)
    const snow = yield* readAmount("snowfall", row.snow, maxSnowIn)
    const highTime = yield* readTime("high", row.highTime)
    const lowTime = yield* readTime("low", row.lowTime)
    const dayEnd = climateDayStart(station, addDays(row.day, 1))
    const isFinal = product.issuedAt >= dayEnd
    const withTime = (reading: typeof high, time: string | undefined) =>
      reading.value === undefined ? reading : { ...reading, ...ifDefined("time", time) }
    const report = makeReport({
      station: row.name,
      day: row.day,
      isFinal,
      precip,
      correction: product.amendment?.startsWith("CC") === true,
      high: withTime(high, highTime),
      low: withTime(low, lowTime),
      snow: snow === missingReading ? undefined : snow,
    })
    return {
      issuance: { station: station.id, productId: row.productId!, issuedAt: product.issuedAt, source, report },
      isStatusUnclear: !isFinal && product.issuedAt >= dayEnd - hour,
    }
  })
