import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Failure } from "../../../Failure.ts"
import { plural } from "../../../text.ts"
import { ClimateArchive, type Received } from "../ports.ts"
import type { ClimateReport } from "./ClimateReport.ts"
import { ClimateDays } from "./climateSources.ts"
import type { Ingested } from "./ingest.ts"
import { fromText } from "./textOfRow.ts"

/** Rows of a year that may be refused, or differ from stored ones, as a share; and one in any case. */
const mostBad = 0.1

const isTooMany = (bad: number, all: number): boolean => bad > 1 && bad > mostBad * all

const values = ["highF", "lowF", "precipIn"] as const satisfies ReadonlyArray<keyof ClimateReport>

/** How many values of a report differ from those of the days beside it. */
const distinct = (rows: ReadonlyArray<Received>, at: number): number => {
  const valueOf = (index: number, name: (typeof values)[number]) => rows[index]?.issuance.report[name]
  return values.filter(
    (name) => valueOf(at, name) !== valueOf(at - 1, name) && valueOf(at, name) !== valueOf(at + 1, name),
  ).length
}

/** The newest of some rows that are least like their neighbours: a column that is shifted shows there. */
const sampleOf = (
  rows: ReadonlyArray<Received>,
  isOne: (row: Received, at: number) => boolean,
): Received | undefined => {
  let [sample, most]: [Received | undefined, number] = [undefined, 0]
  for (const [at, row] of rows.entries()) {
    const count = isOne(row, at) ? distinct(rows, at) : -1
    if (count >= most) [sample, most] = [row, count]
  }
  return sample
}

/**
 * Why the rows of a year are not to be stored; undefined: they may be. They contradict themselves, the stored reports, or
 * the text of the report that one of them names.
 */
export const yearDoubt = (
  received: ReadonlyArray<Received>,
  refused: ReadonlyArray<Ingested>,
): Effect.Effect<string | undefined, Failure, ClimateArchive | ClimateDays> =>
  Effect.gen(function* () {
    const all = received.length + refused.length
    const [first] = refused
    if (first !== undefined && "reason" in first && isTooMany(refused.length, all)) {
      return `${plural(refused.length, "row")} of ${all} cannot be: ${first.what}, ${first.reason}`
    }
    const compared = yield* Effect.flatMap(ClimateArchive, ({ compare }) => compare(received))
    const conflicts = compared.filter((outcome) => outcome === "conflict").length
    const stored = compared.filter((outcome) => outcome !== "stored").length
    if (isTooMany(conflicts, stored)) {
      const at = compared.indexOf("conflict")
      return `${plural(conflicts, "row")} of ${stored} differ from the stored reports: ${received[at]!.issuance.productId} first.`
    }
    const isNew = ({ issuance: { report } }: Received, at: number) =>
      compared[at] === "stored" && report.status === "final"
    const sample = sampleOf(received, isNew)
    if (sample === undefined) return undefined
    const text = yield* Effect.either(Effect.flatMap(ClimateDays, (source) => source.text(sample.issuance.productId)))
    // Without the text the row stands for itself.
    const read = Either.isRight(text) ? fromText(text.right, sample.issuance) : undefined
    return read !== undefined && Either.isLeft(read) ? `${sample.issuance.productId}: ${read.left}` : undefined
  })
