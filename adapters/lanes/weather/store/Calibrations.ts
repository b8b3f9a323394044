import type { SqlError } from "@effect/sql/SqlError"
import { groupBy } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { keepByVersion } from "../../../../core/kept.ts"
import {
  type ArchivedForecast,
  CalibrationStore,
  Calibrations,
  EarlierForecasts,
  ForecastArchive,
  type ForecastKey,
  type ForecastOutcome,
  type NewState,
  type Residual,
} from "../../../../core/lanes/weather/signal/Calibrations.ts"
import {
  type Corrections,
  type ErrorStats,
  initialStation,
  type Published,
  type StationStates,
} from "../../../../core/lanes/weather/signal/calibration.ts"
import {
  type ExtremeStep as Extreme,
  measureStep,
  type StepDay,
  StepStore,
  sumSteps,
} from "../../../../core/lanes/weather/signal/steps.ts"
import type { Variable } from "../../../../core/lanes/weather/signal/temperature.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, dayOf } from "../../../../core/time.ts"
import { columns, type RowOf } from "../../../store/engine/columns.ts"
import { makeSerialiseStep } from "../../../store/engine/locks.ts"
import { makeInserts } from "../../../store/engine/manyRows.ts"
import { type Queries, Transactions } from "../../../store/engine/Transactions.ts"

const key = ["station", "day", "variable", "bucket"] as const
const storedNames = { day: "target_day" } as const
/** Issued laws are stored as JSON. */
interface StoredForecast extends Omit<ArchivedForecast, "issued"> {
  readonly issued?: string
}
const forecast = columns<StoredForecast>()([...key, "takenAt", "forecastF", "source", "issued"], { own: storedNames })
const residual = columns<Residual>()([...key, "productId", "officialF", "residualF", "counted"], {
  own: storedNames,
  flags: ["counted"],
})
const step = columns<Extreme>()(["station", "day", "variable", "readF", "expectedF", "officialF", "productId"])

/** The first forecast per lead bucket. */
export const layerForecasts: Layer.Layer<ForecastArchive, never, Transactions> = Layer.effect(
  ForecastArchive,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const insert = makeInserts(store, "temperature_forecasts", forecast.names, "ON CONFLICT DO NOTHING")
    const between = prepare<RowOf<typeof forecast>>(`
      SELECT * FROM temperature_forecasts WHERE target_day BETWEEN ? AND ?
      ORDER BY target_day, station, variable, bucket`)
    return {
      append: (snapshots) =>
        snapshots.length === 0
          ? Effect.succeed(0)
          : write(() =>
              insert.run(
                snapshots.map(({ issued, ...rest }) =>
                  forecast.toValues(issued === undefined ? rest : { ...rest, issued: JSON.stringify(issued) }),
                ),
              ),
            ),
      between: (first, last) =>
        Effect.map(
          read(() => between.all(first, last)),
          (rows) =>
            rows.map((row): ArchivedForecast => {
              const { issued, ...rest } = forecast.fromRow(row)
              return issued === undefined ? rest : { ...rest, issued: JSON.parse(issued) }
            }),
        ),
    }
  }),
)

/** The archived forecasts of other days. */
export const layerEarlier: Layer.Layer<EarlierForecasts, never, Transactions> = Layer.effect(
  EarlierForecasts,
  Effect.map(Transactions, ({ prepare, read }) => {
    const one = prepare<{ readonly forecast_f: number }>(`
      SELECT forecast_f FROM temperature_forecasts
      WHERE target_day = ? AND station = ? AND variable = ? AND bucket = ? AND source = ?`)
    const of = Step.fn(function* ({ day, station, variable, bucket }: ForecastKey, source: string) {
      return (yield* one.get(day, station, variable, bucket, source))?.forecast_f
    })
    return { of: (key, source) => read(() => of(key, source)) }
  }),
)

/** Each subquery is one step down an index. */
export const newestRevisionSql = `
  SELECT MAX(revision) AS revision FROM (
    SELECT coalesce(MAX(revision), 0) AS revision FROM temperature_residuals
    UNION ALL SELECT coalesce(MAX(revision), 0) FROM temperature_calibrations
    UNION ALL SELECT coalesce(MAX(revision), 0) FROM temperature_steps
    UNION ALL SELECT coalesce(MAX(revision), 0) FROM weather_voids
  ) AS newest`

/** The newest revision of a store, and the lock for the next writer. */
const revisions = (store: Queries) => {
  const query = store.prepare<{ readonly revision: number }>(newestRevisionSql)
  const lock = makeSerialiseStep(store)
  const newest = Step.fn(function* () {
    return (yield* query.get())!.revision
  })
  const locked = Step.fn(function* () {
    yield* lock("weather/calibrations")
    return yield* newest()
  })
  return { newest, locked }
}

interface LessonRow extends Pick<ArchivedForecast, "bucket" | "source"> {
  readonly variable: Variable
  readonly revision: number
  readonly target_day: string
  readonly taken_at: number
  readonly issued: string | null
  readonly residual_f: number
  /** The revision at which its report was voided. */
  readonly voided: number | null
}

/** Those of a station, in the order in which they were counted. */
const lessonsSql = `
  SELECT r.variable, r.revision, r.target_day, r.bucket, f.taken_at, f.source, f.issued, r.residual_f, v.revision AS voided
  FROM temperature_residuals r JOIN temperature_forecasts f ON f.target_day = r.target_day
    AND f.station = r.station AND f.variable = r.variable AND f.bucket = r.bucket
  LEFT JOIN weather_voids v ON v.source = 'climate_report' AND v.station = r.station AND v.day = r.target_day
    AND v.version = r.product_id
  WHERE r.station = ? AND r.counted = 1 ORDER BY r.revision, r.target_day, r.bucket`

const toOutcome = ({ target_day, bucket, taken_at, source, issued, residual_f }: LessonRow): ForecastOutcome => ({
  snapshot: {
    ...{ day: target_day, bucket, takenAt: taken_at, source },
    ...(issued !== null && { issued: JSON.parse(issued) }),
  },
  residual: { residualF: residual_f },
})

/** Stations whose newest states have learned from a report that was voided since. */
const voidedSql = `
  SELECT DISTINCT r.station FROM weather_voids v
  JOIN temperature_residuals r ON r.target_day = v.day AND r.station = v.station AND r.product_id = v.version
  WHERE v.source = 'climate_report' AND r.counted = 1
    AND v.revision > (SELECT MAX(revision) FROM temperature_calibrations c WHERE c.station = v.station)`

/** Errors and the resulting states; a publication writes both under one revision. */
export const layerStore: Layer.Layer<CalibrationStore, never, Transactions> = Layer.effect(
  CalibrationStore,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const { newest, locked } = revisions(store)
    const sql = {
      residuals: prepare<RowOf<typeof residual>>(`
        SELECT * FROM temperature_residuals WHERE target_day BETWEEN ? AND ?
        ORDER BY target_day, station, variable, bucket, revision`),
      voided: prepare<{ readonly station: string }>(voidedSql),
      lessons: prepare<LessonRow>(lessonsSql),
      note: makeInserts(store, "temperature_residuals", [...residual.names, "revision", "noted_at"]),
      publish: makeInserts(store, "temperature_calibrations", [
        "revision",
        "station",
        "variable",
        "bucket",
        "state",
        "published_at",
      ]),
    }
    const publish = Step.fn(function* (
      revision: number,
      residuals: ReadonlyArray<Residual>,
      states: ReadonlyArray<NewState>,
      at: number,
    ) {
      if ((yield* locked()) !== revision) return false
      const next = revision + 1
      yield* sql.note.run(residuals.map((each) => [...residual.toValues(each), next, at]))
      yield* sql.publish.run(
        states.map(({ station, variable, bucket, state }) => [
          next,
          station,
          variable,
          bucket,
          JSON.stringify(state),
          at,
        ]),
      )
      return true
    })
    return {
      revision: read(newest),
      residuals: (first, last) =>
        Effect.map(
          read(() => sql.residuals.all(first, last)),
          (rows) => rows.map((row) => residual.fromRow(row)),
        ),
      voided: Effect.map(
        read(() => sql.voided.all()),
        (rows) => rows.map(({ station }) => station),
      ),
      lessons: (station) =>
        Effect.map(
          read(() => sql.lessons.all(station)),
          (rows) => rows.flatMap((row) => (row.voided === null ? [{ variable: row.variable, ...toOutcome(row) }] : [])),
        ),
      publish: (revision, residuals, states, at) => write(() => publish(revision, residuals, states, at)),
    }
  }),
)

export const layerSteps: Layer.Layer<StepStore, never, Transactions> = Layer.effect(
  StepStore,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const { locked } = revisions(store)
    const noted = prepare<{ readonly station: string; readonly day: string; readonly variable: Variable }>(
      "SELECT station, day, variable FROM temperature_steps WHERE day BETWEEN ? AND ?",
    )
    const insert = makeInserts(
      store,
      "temperature_steps",
      [...step.names, "revision", "noted_at"],
      "ON CONFLICT DO NOTHING",
    )
    const known = Step.fn(function* (first: string, last: string) {
      const rows = yield* noted.all(first, last)
      return new Set(rows.map(({ station, day, variable }) => `${station}/${day}/${variable}`))
    })
    const append = Step.fn(function* (steps: ReadonlyArray<Extreme>, at: number) {
      const revision = (yield* locked()) + 1
      yield* insert.run(steps.map((each) => [...step.toValues(each), revision, at]))
    })
    return {
      known: (first, last) => read(() => known(first, last)),
      append: (steps, at) => write(() => append(steps, at)),
    }
  }),
)

interface StepRow {
  readonly day: string
  readonly variable: Variable
  readonly read_f: number
  readonly expected_f: number
  readonly official_f: number
  readonly revision: number
}

/** Days of the archive whose final reports are checked for corrections. */
const correctionDays = 365
/** Days that count: a station's error changes with its season and its thermometer. */
const stepsCounted = 400

const toStepDay = ({ variable, day, read_f, expected_f, official_f }: StepRow): StepDay => ({
  day,
  missedF: measureStep(variable, read_f, official_f),
  expectedF: expected_f,
})

const toSteps = (rows: ReadonlyArray<StepRow>): StationStates["steps"] => {
  const steps = Object.entries(groupBy(rows, ({ variable }) => variable)).map(([variable, ofVariable]) => [
    variable,
    sumSteps(ofVariable.map(toStepDay).reverse(), Math.max(...ofVariable.map(({ revision }) => revision))),
  ])
  return rows.length === 0 ? undefined : Object.fromEntries(steps)
}

interface StateRow {
  readonly variable: Variable
  readonly bucket: number
  readonly state: string
  readonly revision: number
}

const toStates = (rows: ReadonlyArray<StateRow>): StationStates => {
  const states: Record<Variable, Array<Published>> = { high: [...initialStation.high], low: [...initialStation.low] }
  for (const { variable, bucket, state, revision } of rows) {
    states[variable][bucket] = { state: JSON.parse(state) as ErrorStats, revision }
  }
  return states
}

/** The newest publication, read again only after a newer one. */
export const layerCalibrations: Layer.Layer<Calibrations, never, Transactions> = Layer.effect(
  Calibrations,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      revision: prepare<{ readonly revision: number }>(newestRevisionSql),
      // A join, because only SQLite takes a group's bare columns from the row of the MAX.
      states: prepare<StateRow>(`
        SELECT c.variable, c.bucket, c.state, c.revision FROM temperature_calibrations c
        JOIN (
          SELECT variable, bucket, MAX(revision) AS revision FROM temperature_calibrations
          WHERE station = ? GROUP BY variable, bucket
        ) newest ON newest.variable = c.variable AND newest.bucket = c.bucket AND newest.revision = c.revision
        WHERE c.station = ?`),
      steps: prepare<StepRow>(`
        SELECT day, variable, read_f, expected_f, official_f, revision FROM standing_steps
        WHERE station = ? ORDER BY day DESC, variable LIMIT ${2 * stepsCounted}`),
      corrections: prepare<Corrections>(`
        SELECT COUNT(*) AS days, COALESCE(SUM(CASE WHEN highs > 1 OR lows > 1 THEN 1 ELSE 0 END), 0) AS changed
        FROM (
          SELECT COUNT(DISTINCT high_f) AS highs, COUNT(DISTINCT low_f) AS lows FROM standing_reports
          WHERE station = ? AND status = 'final' AND day >= ? GROUP BY day
        ) finals`),
    }
    const states = keepByVersion<StationStates, SqlError>()
    const statesAt = Step.fn(function* (station: string, now: number) {
      const steps = toSteps(yield* sql.steps.all(station))
      const lastYear = addDays(dayOf(now), -correctionDays)
      const corrections = (yield* sql.corrections.get(station, lastYear))!
      return {
        ...toStates(yield* sql.states.all(station, station)),
        ...ifDefined("steps", steps),
        ...(corrections.days === 0 ? {} : { corrections }),
      } satisfies StationStates
    })
    const newest = Step.fn(function* (station: string, now: number) {
      return yield* states(station, (yield* sql.revision.get())!.revision, () => statesAt(station, now))
    })
    return {
      current: Step.method(function* (station: string) {
        const now = yield* Step.now
        return yield* read(() => newest(station, now))
      }),
    }
  }),
)
