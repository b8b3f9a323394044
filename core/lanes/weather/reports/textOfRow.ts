import * as Either from "effect/Either"
import type { Issuance } from "../ports.ts"
import { ofReport } from "../stations.ts"
import { parse } from "./ClimateReport.ts"

/** The issuance with the report read from the product's text, where both have the same values. */
export const fromText = (text: string, issuance: Issuance): Either.Either<Issuance, string> => {
  const parsed = parse(text)
  if (Either.isLeft(parsed)) return Either.left(`its text was rejected: ${parsed.left.reason}`)
  const { awipsId, productId, reports } = parsed.right
  const report = reports.find(
    (each) =>
      ofReport(awipsId, each.station, reports.length === 1)?.id === issuance.station &&
      each.day === issuance.report.day,
  )
  const isSame =
    productId === issuance.productId &&
    report?.highF === issuance.report.highF &&
    report?.lowF === issuance.report.lowF &&
    report?.precipIn === issuance.report.precipIn
  return isSame && report !== undefined
    ? Either.right({ ...issuance, report })
    : Either.left("its text contradicts its row.")
}
