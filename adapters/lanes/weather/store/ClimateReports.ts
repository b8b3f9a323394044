import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import {
  type Appended,
  ClimateArchive,
  ClimateReports,
  type Issuance,
  newestFirst,
  type Received,
  type Versions,
} from "../../../../core/lanes/weather/ports.ts"
import type { ClimateReport, QualityFlag } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { daysFrom } from "../../../../core/lanes/weather/stations.ts"
import { Sqlite } from "../../../sql/client.sqlite.ts"
import { reader } from "../../../sql/reader.ts"
import { inTransaction } from "../../../sql/storage.ts"

const toRow = ({ station, productId, issuedAt, source, report }: Issuance) => ({
  station,
  day: report.day,
  product_id: productId,
  issued_at: issuedAt,
  status: report.status,
  source,
  headline: report.station,
  correction: report.correction ? 1 : 0,
  valid_as_of: report.validAsOf ?? null,
  high_f: report.highF ?? null,
  low_f: report.lowF ?? null,
  high_time_local: report.highTimeLocal ?? null,
  low_time_local: report.lowTimeLocal ?? null,
  precip_in: report.precipIn ?? null,
  snow_in: report.snowIn ?? null,
  flags: report.flags.join(","),
})
type Row = ReturnType<typeof toRow>

/** Maps null to absent. Assigns fields one by one for speed: a range has a thousand reports. */
const toReport = (row: Row): ClimateReport => {
  const report: { -readonly [K in keyof ClimateReport]: ClimateReport[K] } = {
    station: row.headline,
    day: row.day,
    status: row.status,
    correction: row.correction === 1,
    flags: row.flags === "" ? [] : (row.flags.split(",") as ReadonlyArray<QualityFlag>),
  }
  if (row.valid_as_of !== null) report.validAsOf = row.valid_as_of
  if (row.high_f !== null) report.highF = row.high_f
  if (row.low_f !== null) report.lowF = row.low_f
  if (row.high_time_local !== null) report.highTimeLocal = row.high_time_local
  if (row.low_time_local !== null) report.lowTimeLocal = row.low_time_local
  if (row.precip_in !== null) report.precipIn = row.precip_in
  if (row.snow_in !== null) report.snowIn = row.snow_in
  return report
}

const toIssuance = (row: Row): Issuance => ({
  station: row.station,
  productId: row.product_id,
  issuedAt: row.issued_at,
  source: row.source,
  report: toReport(row),
})

/** All columns but the text, which is large and only for audits. */
const columns =
  "station, day, product_id, issued_at, status, source, headline, correction, valid_as_of, high_f, low_f, " +
  "high_time_local, low_time_local, precip_in, snow_in, flags"

/** Rows in order of days, as one list of versions for each. */
const byDay = (rows: ReadonlyArray<Row>): ReadonlyArray<Versions> => {
  const days: Array<[Issuance, ...Array<Issuance>]> = []
  for (const row of rows) {
    const issuance = toIssuance(row)
    const last = days.at(-1)
    if (last?.[0].report.day === row.day) last.push(issuance)
    else days.push([issuance])
  }
  for (const versions of days) if (versions.length > 1) versions.sort(newestFirst)
  return days
}

interface Coverage {
  readonly first: string | null
  readonly last: string | null
  readonly open: string | null
}

/** Number of cached ranges: agents repeat requests for the same season. */
const rangesKept = 64

export const layerReports: Layer.Layer<ClimateReports, never, Sqlite> = Layer.effect(
  ClimateReports,
  Effect.map(Sqlite, (sqlite) => {
    const { db } = sqlite
    const sql = {
      between: db.prepare(
        `SELECT ${columns} FROM climate_reports WHERE station = ? AND day BETWEEN ? AND ? ORDER BY day`,
      ),
      newest: db.prepare("SELECT MAX(rowid) FROM climate_reports").pluck(),
      latestFinal: db
        .prepare("SELECT MAX(day) FROM climate_reports WHERE station = ? AND status = 'final' AND day < ?")
        .pluck(),
      // Each subquery is one index lookup; MIN and MAX together would read every row.
      coverage: db.prepare(`
        SELECT (SELECT MIN(day) FROM climate_reports WHERE station = :station AND status = 'final') AS first,
               (SELECT MAX(day) FROM climate_reports WHERE station = :station AND status = 'final') AS last,
               (SELECT MAX(day) FROM climate_reports WHERE station = :station AND day = :today) AS open`),
    }
    const reading = reader(sqlite)
    const read = (station: string, start: string, end: string): ReadonlyArray<Versions> =>
      byDay(sql.between.all(station, start, end) as ReadonlyArray<Row>)
    const ranges = new Map<string, { readonly newest: number | null; readonly rows: ReadonlyArray<Versions> }>()
    const range = (station: string, start: string, end: string): ReadonlyArray<Versions> => {
      const key = `${station}/${start}/${end}`
      // The number of the newest row. The table is append-only: an unchanged number means unchanged ranges.
      const newest = sql.newest.get() as number | null
      const known = ranges.get(key)
      if (known !== undefined && known.newest === newest) return known.rows
      const rows = read(station, start, end)
      ranges.delete(key)
      if (ranges.size >= rangesKept) ranges.delete(ranges.keys().next().value!)
      ranges.set(key, { newest, rows })
      return rows
    }
    return {
      freshness: "live",
      versions: (station, day) => reading(() => read(station, day, day)[0] ?? []),
      range: (station, start, end) => reading(() => range(station, start, end)),
      latestFinalDay: (station, today) =>
        reading(() => (sql.latestFinal.get(station, today) as string | null) ?? undefined),
      coverage: (station, today) =>
        reading(() => {
          const row = sql.coverage.get({ station, today }) as Coverage
          const [first, last] = [row.first ?? row.open, row.open ?? row.last]
          return first !== null && last !== null ? { first, last } : undefined
        }),
    }
  }),
)

const content = (row: Row): object => Data.struct(row)

/** The values of a row that do not depend on its source. */
const values = ({ issued_at, status, high_f, low_f, precip_in, snow_in }: Row): object =>
  Data.struct({ issued_at, status, high_f, low_f, precip_in, snow_in })

/** Whether two rows agree: from two sources (a text, and a row of values) only the values must. */
const agree = (a: Row, b: Row): boolean =>
  a.source === b.source ? Equal.equals(content(a), content(b)) : Equal.equals(values(a), values(b))

const store = (
  sql: SqlClient.SqlClient,
  { issuance, text }: Received,
  receivedAt: number,
): Effect.Effect<Appended, SqlError> =>
  Effect.gen(function* () {
    const row = toRow(issuance)
    const [inserted] = yield* sql`
      INSERT INTO climate_reports ${sql.insert({ ...row, received_at: receivedAt, text })}
      ON CONFLICT DO NOTHING RETURNING station`
    if (inserted !== undefined) return "stored"
    const [before] = yield* sql<Row>`
      SELECT ${sql.literal(columns)} FROM climate_reports
      WHERE station = ${row.station} AND day = ${row.day} AND product_id = ${row.product_id}`
    return agree(before!, row) ? "known" : "conflict"
  })

export const layerArchive: Layer.Layer<ClimateArchive, never, SqlClient.SqlClient | Sqlite> = Layer.effect(
  ClimateArchive,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sqlite = yield* Sqlite
    const reading = reader(sqlite)
    const known = sqlite.db
      .prepare(`
        SELECT day FROM climate_reports
        WHERE station = :station AND status = 'final' AND day BETWEEN :start AND :end
        UNION
        SELECT day FROM climate_days_no_report
        WHERE station = :station AND day BETWEEN :start AND :end AND asked_at >= :since`)
      .pluck()
    return {
      append: (received, receivedAt) =>
        received.length === 0
          ? Effect.succeed([])
          : inTransaction(
              sql,
              Effect.forEach(received, (each) => store(sql, each, receivedAt)),
            ),
      unasked: (station, start, end, since) =>
        reading(() => {
          const days = new Set(known.all({ station, start, end, since }))
          return daysFrom(start, end).filter((day) => !days.has(day))
        }),
      noteAsked: (station, days, source, askedAt) =>
        days.length === 0
          ? Effect.void
          : inTransaction(
              sql,
              Effect.asVoid(sql`
              INSERT INTO climate_days_no_report ${sql.insert(
                days.map((day) => ({ station, day, source, asked_at: askedAt })),
              )} ON CONFLICT DO NOTHING`),
            ),
    }
  }),
)
