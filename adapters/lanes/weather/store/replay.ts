import { groupBy } from "effect/Array"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import type { ArchivedForecast } from "../../../../core/lanes/weather/signal/Calibrations.ts"
import {
  bucketName,
  type ErrorStats,
  learningVersion,
  untaughtStation,
} from "../../../../core/lanes/weather/signal/calibration.ts"
import { type ForecastOutcome, foldDays } from "../../../../core/lanes/weather/signal/recalibration.ts"
import type { Variable } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import { plural } from "../../../../core/text.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"

/** A published state does not follow from the errors that it was learned from. The message names it. */
export class LearnedDiffers extends Data.TaggedError("LearnedDiffers")<{ readonly message: string }> {}

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

interface LessonRow extends Pick<ArchivedForecast, "bucket" | "source"> {
  readonly revision: number
  readonly target_day: string
  readonly taken_at: number
  readonly issued: string | null
  readonly residual_f: number
}

const outcomeOf = ({ target_day, bucket, taken_at, source, issued, residual_f }: LessonRow): ForecastOutcome => ({
  snapshot: {
    ...{ day: target_day, bucket, takenAt: taken_at, source },
    ...(issued !== null && { issued: JSON.parse(issued) }),
  },
  residual: { residualF: residual_f },
})

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
  let before: ReadonlyArray<ErrorStats> = untaughtStation[variable].map(({ state }) => state)
  let [replayed, skipped] = [0, 0]
  for (const revision of Object.keys({ ...published, ...outcomes }).sort((a, b) => Number(a) - Number(b))) {
    const rows = published[revision] ?? []
    const stored = before.slice()
    for (const { bucket, state } of rows) stored[bucket] = JSON.parse(state)
    const isOther = rows.some(({ bucket }) => stored[bucket]!.version !== learningVersion)
    if (site === undefined || isOther) skipped += rows.length
    else {
      const learned = foldDays(site, variable, before, (outcomes[revision] ?? []).map(outcomeOf))
      const wrong = learned.findIndex((state, bucket) => JSON.stringify(state) !== JSON.stringify(stored[bucket]))
      if (wrong !== -1)
        return `The state of ${station}, ${variable}, leads of ${bucketName(wrong)} in publication ${revision} does not follow from its errors.`
      replayed += rows.length
    }
    before = stored
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
    lessons: prepare<LessonRow>(`
      SELECT r.revision, r.target_day, r.bucket, f.taken_at, f.source, f.issued, r.residual_f
      FROM temperature_residuals r JOIN temperature_forecasts f ON f.target_day = r.target_day
        AND f.station = r.station AND f.variable = r.variable AND f.bucket = r.bucket
      WHERE r.station = ? AND r.variable = ? AND r.counted = 1 ORDER BY r.revision, r.target_day, r.bucket`),
  }
  let [states, skipped] = [0, 0]
  for (const series of yield* read(() => sql.series.all())) {
    const key = [series.station, series.variable] as const
    const found = replaySeries(
      series,
      yield* read(() => sql.states.all(...key)),
      yield* read(() => sql.lessons.all(...key)),
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
