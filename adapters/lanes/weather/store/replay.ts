import { groupBy } from "effect/Array"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import {
  bucketName,
  type ErrorStats,
  initialStation,
  learningVersion,
} from "../../../../core/lanes/weather/signal/calibration.ts"
import { learnDays } from "../../../../core/lanes/weather/signal/recalibration.ts"
import type { Variable } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import { plural } from "../../../../core/text.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import { type LessonRow, lessonsSql, outcomeOf } from "./Calibrations.ts"

/** A published state does not follow from the errors that it was learned from. The message names it. */
class LearnedDiffers extends Data.TaggedError("LearnedDiffers")<{ readonly message: string }> {}

/** The counts of a replay. */
export interface Replayed {
  /** Published states that follow to the byte from the ones before them and their errors. */
  readonly states: number
  /** Those of other rules of learning or of stations that are not configured, which are taken as they are. */
  readonly skipped: number
}

interface Series {
  readonly station: string
  readonly variable: Variable
}

interface StateRow {
  readonly revision: number
  readonly bucket: number
  readonly state: string
}

/**
 * Learns a series of a store again, publication by publication.
 *
 * @returns its counts, or the first state that differs
 */
const replaySeries = (
  { station, variable }: Series,
  states: ReadonlyArray<StateRow>,
  lessons: ReadonlyArray<LessonRow>,
): Replayed | string => {
  const site = byId.get(station)
  const byRevision = <Row extends { readonly revision: number }>(
    rows: ReadonlyArray<Row>,
  ): Readonly<Record<string, ReadonlyArray<Row>>> => groupBy(rows, ({ revision }) => String(revision))
  const [published, outcomes] = [byRevision(states), byRevision(lessons)]
  const voids = lessons.flatMap(({ voided }) => voided ?? [])
  let before: ReadonlyArray<ErrorStats> = initialStation[variable].map(({ state }) => state)
  let [replayed, skipped, last] = [0, 0, 0]
  for (const revision of Object.keys({ ...published, ...outcomes })
    .map(Number)
    .sort((a, b) => a - b)) {
    const rows = published[revision] ?? []
    const stored = before.slice()
    for (const { bucket, state } of rows) stored[bucket] = JSON.parse(state)
    const isOther = rows.some(({ bucket }) => stored[bucket]!.version !== learningVersion)
    if (site === undefined || isOther) skipped += rows.length
    else {
      // After a void all is learned again without it.
      const isAnew = voids.some((voided) => last < voided && voided < revision)
      const standing = lessons.filter(
        (row) => row.revision <= revision && !(row.voided !== null && row.voided < revision),
      )
      const learned = learnDays(
        site,
        variable,
        isAnew ? initialStation[variable].map(({ state }) => state) : before,
        (isAnew ? standing : (outcomes[revision] ?? [])).filter((row) => row.variable === variable).map(outcomeOf),
      )
      const wrong = learned.findIndex((state, bucket) => JSON.stringify(state) !== JSON.stringify(stored[bucket]))
      if (wrong !== -1)
        return `The state of ${station}, ${variable}, leads of ${bucketName(wrong)} in publication ${revision} does not follow from its errors.`
      replayed += rows.length
    }
    before = stored
    last = revision
  }
  return { states: replayed, skipped }
}

/** Learns all states of the store again from its archive of forecasts and errors. Fails at the first that differs. */
export const replayLearned: Effect.Effect<Replayed, Failure | LearnedDiffers, Transactions> = Effect.gen(function* () {
  const { prepare, read } = yield* Transactions
  const sql = {
    series: prepare<Series>("SELECT DISTINCT station, variable FROM temperature_residuals ORDER BY station, variable"),
    states: prepare<StateRow>(
      "SELECT revision, bucket, state FROM temperature_calibrations WHERE station = ? AND variable = ? ORDER BY revision, bucket",
    ),
    lessons: prepare<LessonRow>(lessonsSql),
  }
  let [states, skipped] = [0, 0]
  for (const series of yield* read(() => sql.series.all())) {
    const key = [series.station, series.variable] as const
    const found = replaySeries(
      series,
      yield* read(() => sql.states.all(...key)),
      yield* read(() => sql.lessons.all(series.station)),
    )
    if (typeof found === "string") return yield* new LearnedDiffers({ message: found })
    states += found.states
    skipped += found.skipped
  }
  return { states, skipped }
})

/** A replay in words. */
export const replayText = ({ states, skipped }: Replayed): string =>
  `Learned: ${plural(states, "published state")} of the weather forecasts follow${states === 1 ? "s" : ""} from the stored errors${skipped === 0 ? "" : `; ${skipped} of other rules or stations are taken as they are`}.`
