import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClimateReports } from "../../../../core/lanes/weather/ports.ts"
import { pairValues } from "../../../../core/lanes/weather/venue/agreement.ts"
import type { VenueReading } from "../../../../core/lanes/weather/venue/reading.ts"
import {
  makeComparisons,
  VenueReadings,
  VenueSettlement,
} from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import * as Step from "../../../../core/Step.ts"
import { columns, type RowOf } from "../../../store/engine/columns.ts"
import { makeSerialiseStep } from "../../../store/engine/locks.ts"
import { makeInserts } from "../../../store/engine/manyRows.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import { layerReports } from "./ClimateReports.ts"

interface Stored extends VenueReading {
  readonly revision: number
  readonly readAt: number
}
const reading = columns<Stored>()(["station", "day", "revision", "status", "issuedAt", "highF", "lowF", "readAt"])
type Row = RowOf<typeof reading>

const isSame = (a: VenueReading, b: VenueReading): boolean =>
  a.status === b.status &&
  a.highF === b.highF &&
  a.lowF === b.lowF &&
  // The issue time of a day without a report is the time of the reading.
  (a.status === "no_report" || a.issuedAt === b.issuedAt)

export const layerStore: Layer.Layer<VenueReadings, never, Transactions> = Layer.effect(
  VenueReadings,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const insert = makeInserts(store, "venue_readings", reading.names)
    const lock = makeSerialiseStep(store)
    // Newest first. A voided reading is not stored again.
    const stored = prepare<Row & { readonly voided: number }>(`
      SELECT r.*, CASE WHEN v.version IS NULL THEN 0 ELSE 1 END AS voided FROM venue_readings AS r
      LEFT JOIN weather_voids AS v ON v.source = 'venue_reading' AND v.station = r.station AND v.day = r.day
        AND v.version = CAST(r.revision AS TEXT)
      WHERE r.station = ? AND r.day = ? ORDER BY r.revision DESC`)
    const official = prepare<{ readonly day: string }>(
      "SELECT DISTINCT day FROM standing_readings WHERE station = ? AND day BETWEEN ? AND ? AND status = 'official'",
    )
    const append = Step.fn(function* (readings: ReadonlyArray<VenueReading>, readAt: number) {
      yield* lock("weather/venue")
      const rows: Array<Stored> = []
      for (const one of readings) {
        const before = yield* stored.all(one.station, one.day)
        const isKnown = before.some((row, at) => (at === 0 || row.voided === 1) && isSame(reading.fromRow(row), one))
        if (!isKnown) rows.push({ ...one, revision: (before[0]?.revision ?? 0) + 1, readAt })
      }
      if (rows.length > 0) yield* insert.run(rows.map((row) => reading.toValues(row)))
      return rows.length
    })
    return {
      append: (readings, readAt) => write(() => append(readings, readAt)),
      officialDays: (station, start, end) =>
        Effect.map(
          read(() => official.all(station, start, end)),
          (rows) => new Set(rows.map(({ day }) => day)),
        ),
    }
  }),
)

/** The first official readings, and their agreement with the stored reports; asks no source. */
export const layerSettlement: Layer.Layer<VenueSettlement, never, Transactions> = Layer.effect(
  VenueSettlement,
  Effect.gen(function* () {
    const { prepare, read } = yield* Transactions
    const reports = yield* ClimateReports
    const firsts = `
      SELECT * FROM standing_readings AS r WHERE station = ? AND day >= ? AND status = 'official' AND revision = (
        SELECT o.revision FROM standing_readings AS o
        WHERE o.station = r.station AND o.day = r.day AND o.status = 'official'
        ORDER BY o.issued_at, o.revision LIMIT 1)`
    const sql = { one: prepare<Row>(`${firsts} AND day = ?`), all: prepare<Row>(`${firsts} ORDER BY day`) }
    const comparisons = makeComparisons((station) =>
      Effect.gen(function* () {
        const rows = yield* read(() => sql.all.all(station, ""))
        const [first, last] = [rows[0], rows.at(-1)]
        if (first === undefined || last === undefined) return undefined
        const readings = new Map(rows.map((row) => [row.day, reading.fromRow(row)] as const))
        return pairValues(readings, yield* reports.range(station, first.day, last.day))
      }),
    )
    return {
      freshness: "live",
      firstOfficial: (station, day) =>
        Effect.map(
          read(() => sql.one.get(station, day, day)),
          (row) => row && reading.fromRow(row),
        ),
      ...comparisons,
    }
  }),
).pipe(Layer.provide(layerReports))
