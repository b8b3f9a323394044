import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../../Failure.ts"
import { issueDoubt } from "../../../sources/identity.ts"
import { addDays, day, hour } from "../../../time.ts"
import { type AppendOutcome, ClimateArchive, type Issuance, isCorrection } from "../ports.ts"
import { climateDayStart, findByReport, type Station } from "../stations.ts"
import { hasEnd, parse, splitProducts } from "./ClimateReport.ts"

/** The outcome of one report of a text. */
export type Ingested =
  | { readonly _tag: "Stored" | "Known"; readonly issuance: Issuance }
  /** Nothing was stored; `reason` is one sentence. */
  | { readonly _tag: "Foreign" | "Refused"; readonly what: string; readonly reason: string; readonly line?: number }

/** A report that is not marked as a correction is at most this late, milliseconds: an older day is a typing error. */
export const maxIssueLag = 45 * day

/**
 * Why the issue time of a report is impossible: in the future, before its day, before the day's end if final, or long after
 * it without a mark. Undefined if it is possible.
 */
export const whyImpossible = (issuance: Issuance, receivedAt: number, station: Station): string | undefined => {
  const { report, issuedAt } = issuance
  const from = climateDayStart(station, report.day)
  const reason = issueDoubt(
    { time: issuedAt, from, lagMs: maxIssueLag, isCorrection: isCorrection(issuance) },
    receivedAt,
  )
  if (reason !== undefined) return `${reason}.`
  // Offices print local time: in summer a final report may be issued in the hour before standard midnight.
  const over = climateDayStart(station, addDays(report.day, 1))
  return report.status === "final" && issuedAt < over - hour
    ? `it is marked final before the end of ${report.day}.`
    : undefined
}

const refusals: Readonly<Partial<Record<AppendOutcome, string>>> = {
  conflict: "this product id is stored with other values.",
  lacking: "it lacks a temperature that an earlier final report has, and is not marked as a correction.",
}

/** The outcome of one report, from what the archive did with it. */
export const toIngested = (issuance: Issuance, appended: AppendOutcome): Ingested => {
  const reason = refusals[appended]
  return reason === undefined
    ? { _tag: appended === "stored" ? "Stored" : "Known", issuance }
    : { _tag: "Refused", what: `${issuance.productId} ${issuance.report.station}`, reason }
}

/**
 * Reads every climate report of a text and stores those of the registry's stations. Ingesting a text twice changes nothing.
 * A product with an unreadable part, or without its end, is rejected; its complete text is accepted later.
 *
 * @param source the archive or feed that the text comes from; answers cite it
 */
export const ingest = (text: string, source: string): Effect.Effect<ReadonlyArray<Ingested>, Failure, ClimateArchive> =>
  Effect.gen(function* () {
    const archive = yield* ClimateArchive
    const receivedAt = yield* Clock.currentTimeMillis
    const outcomes: Array<Ingested> = []
    for (const product of splitProducts(text)) {
      const parsed = parse(product)
      if (Either.isLeft(parsed)) {
        const { reason, line, text: offending } = parsed.left
        outcomes.push({ _tag: "Refused", what: offending, reason, line })
        continue
      }
      const { productId, issuedAt, awipsId, reports } = parsed.right
      if (!hasEnd(product)) {
        outcomes.push({
          _tag: "Refused",
          what: productId,
          reason: "the text has no end: no $$ follows its last table.",
        })
        continue
      }
      for (const report of reports) {
        const station = findByReport(awipsId, report.station, reports.length === 1)
        const what = `${productId} ${report.station}`
        if (station === undefined) {
          outcomes.push({ _tag: "Foreign", what, reason: "not one of the covered stations." })
          continue
        }
        const issuance: Issuance = { station: station.id, productId, issuedAt, source, report }
        const reason = whyImpossible(issuance, receivedAt, station)
        if (reason !== undefined) {
          outcomes.push({ _tag: "Refused", what, reason })
          continue
        }
        const [appended] = yield* archive.append([{ issuance, text: product }], receivedAt)
        outcomes.push(toIngested(issuance, appended!))
      }
    }
    return outcomes
  })
