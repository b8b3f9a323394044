import type * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import type { Coverage } from "../../../../core/feeds/Due.ts"
import { keepByVersion } from "../../../../core/kept.ts"
import { calibrationCoverage, firstCoveredDay, lastDueDay, reportCoverage } from "../../../../core/lanes/weather/due.ts"
import { lateDays } from "../../../../core/lanes/weather/signal/recalibration.ts"
import type { Station } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, dayOf } from "../../../../core/time.ts"
import type { Transactions } from "../../../store/engine/Transactions.ts"
import { newestRevisionSql } from "./Calibrations.ts"

type ReadCoverage = (now: number) => Effect.Effect<Coverage, Failure>

interface Day {
  readonly day: string
}

/** The stored final reports of a station, against its days whose report is due. */
export const makeReportCoverage = ({ prepare, read }: Transactions["Type"]): ((station: Station) => ReadCoverage) => {
  const version = prepare<{ readonly version: number }>("SELECT version FROM climate_stations WHERE station = ?")
  const finals = prepare<Day>(
    "SELECT DISTINCT day FROM standing_reports WHERE station = ? AND status = 'final' AND day >= ? ORDER BY day",
  )
  const newest = prepare<Day>(
    "SELECT day FROM standing_reports WHERE station = ? AND status = 'final' ORDER BY day DESC LIMIT 1",
  )
  const coverage = Step.fn(function* (station: Station, now: number) {
    const days = yield* read(() => finals.all(station.id, firstCoveredDay(station, now)))
    const last = days.at(-1)?.day ?? (yield* read(() => newest.get(station.id)))?.day
    return reportCoverage(
      station,
      days.map(({ day }) => day),
      last,
      now,
    )
  })
  const coverages = keepByVersion<Coverage, Failure>()
  return (station) =>
    Step.method(function* (now: number) {
      const at = (yield* read(() => version.get(station.id)))?.version ?? 0
      return yield* coverages(station.id, `${lastDueDay(station, now)}/${at}`, () => coverage(station, now))
    })
}

/** The counted errors of archived forecasts, against the days with final reports. */
export const makeCalibrationCoverage = ({ prepare, read }: Transactions["Type"]): ReadCoverage => {
  const revision = prepare<{ readonly revision: number }>(newestRevisionSql)
  const days = prepare<Day & { readonly counted: number }>(`
    SELECT f.target_day AS day, MAX(CASE WHEN r.product_id IS NULL THEN 0 ELSE 1 END) AS counted
    FROM temperature_forecasts f
    JOIN standing_reports c ON c.station = f.station AND c.day = f.target_day AND c.status = 'final'
      AND CASE WHEN f.variable = 'high' THEN c.high_f ELSE c.low_f END IS NOT NULL
    LEFT JOIN temperature_residuals r
      ON r.target_day = f.target_day AND r.station = f.station AND r.variable = f.variable AND r.bucket = f.bucket
    WHERE f.target_day >= ?
    GROUP BY f.target_day ORDER BY f.target_day`)
  const coverage = Step.fn(function* (today: string) {
    const rows = yield* read(() => days.all(addDays(today, -lateDays)))
    const counted = new Set(rows.flatMap((row) => (row.counted === 1 ? [row.day] : [])))
    return calibrationCoverage(
      rows.map(({ day }) => day),
      counted,
      today,
    )
  })
  const coverages = keepByVersion<Coverage, Failure>()
  return Step.method(function* (now: number) {
    const today = dayOf(now)
    const at = (yield* read(() => revision.get()))?.revision ?? 0
    return yield* coverages("", `${today}/${at}`, () => coverage(today))
  })
}
