import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fail } from "../../../../core/Failure.ts"
import { mayDecide } from "../../../../core/lanes/weather/contracts.ts"
import { type Void, Voids } from "../../../../core/lanes/weather/ports.ts"
import * as Time from "../../../../core/time.ts"
import { runChange } from "../../../store/engine/changes.ts"
import { serialise } from "../../../store/engine/locks.ts"
import { hasWritten } from "../../../store/engine/storage.ts"
import { newestRevisionSql } from "./Calibrations.ts"

interface SettledRow {
  readonly venue: string
  readonly ticker: string
  readonly event: string
  readonly close_time: number
  readonly venue_source: string
}

/** Contracts on a day close within this time of its midnight UTC. */
const maxDistanceMs = 3 * Time.day

const readVersions = (sql: SqlClient.SqlClient, { source, station, day }: Void) =>
  source === "climate_report"
    ? sql<{ version: string }>`
        SELECT product_id AS version FROM climate_reports WHERE station = ${station} AND day = ${day}
        ORDER BY issued_at, product_id`
    : sql<{ version: string }>`
        SELECT CAST(revision AS TEXT) AS version FROM venue_readings WHERE station = ${station} AND day = ${day}
        ORDER BY revision`

/** The settled contracts that a value may have decided by the model's own source. */
const readDecided = (sql: SqlClient.SqlClient, one: Void) => {
  const midnight = Date.parse(one.day)
  return Effect.map(
    sql<SettledRow>`
      SELECT venue, ticker, event, close_time, venue_source FROM settled_rows AS s
      WHERE instrument = ${one.station} AND close_time BETWEEN ${midnight - maxDistanceMs} AND ${midnight + maxDistanceMs}
        AND domain = 'weather' AND source_result IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM settled_rows AS n
          WHERE n.venue = s.venue AND n.ticker = s.ticker AND n.revision > s.revision
        )`,
    (rows) => rows.filter(({ event, venue_source }) => mayDecide(one, { event, settlesOn: venue_source })),
  )
}

/** Appends a void, has reports read again, and makes settlement check the contracts again, however old they are. */
const append = (sql: SqlClient.SqlClient, one: Void, id: string) =>
  Effect.gen(function* () {
    // The locks of settlement and recalibration, so that this sees their writes, and they see this.
    yield* serialise(sql, "settled rows", "weather/calibrations")
    const versions = (yield* readVersions(sql, one)).map(({ version }) => version)
    if (!versions.includes(one.version)) {
      const suggestion = versions.length === 0 ? "Nothing is stored of this day." : `Stored: ${versions.join(", ")}.`
      const field = versions.length === 0 ? "day" : "version"
      return yield* fail("not_found", {
        detail: `There is no ${id}.`,
        hints: [{ field, action: "change", suggestion }],
      })
    }
    const now = yield* Clock.currentTimeMillis
    const [newest] = yield* sql.unsafe<{ readonly revision: number }>(newestRevisionSql)
    const revision = newest!.revision + 1
    const isNew = yield* hasWritten(
      sql`INSERT INTO weather_voids ${sql.insert({ ...one, at: now, revision })} ON CONFLICT DO NOTHING RETURNING at`,
    )
    if (!isNew) return yield* fail("not_found", { detail: `${id} is voided already.` })
    if (one.source === "climate_report") {
      yield* sql`UPDATE climate_stations SET version = version + 1 WHERE station = ${one.station}`
    }
    const contracts = yield* readDecided(sql, one)
    if (contracts.length > 0) {
      const tracked = contracts.map(({ venue, ticker, close_time }) => ({
        ...{ venue, ticker, domain: "weather", close_time, source_voided: `${id}: ${one.reason}` },
      }))
      yield* sql`
        INSERT INTO tracked_contracts ${sql.insert(tracked)} ON CONFLICT (venue, ticker)
        DO UPDATE SET settled_at = NULL, source_voided = excluded.source_voided`
    }
    return contracts.length
  })

export const layer: Layer.Layer<Voids, never, SqlClient.SqlClient> = Layer.effect(
  Voids,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    append: (one) => {
      const id = `${one.source}/${one.station}/${one.day}/${one.version}`
      return runChange(sql, append(sql, one, id), undefined, id)
    },
  })),
)
