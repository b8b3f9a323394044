import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../../core/Failure.ts"
import { keepByVersion } from "../../../../core/kept.ts"
import {
  type AppendOutcome,
  ClimateArchive,
  ClimateReports,
  type Issuance,
  isCorrection,
  newestFirst,
  type ReceivedReport,
  type Versions,
} from "../../../../core/lanes/weather/ports.ts"
import type { ClimateReport, QualityFlag } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { listDays } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { columns as columnsOf } from "../../../store/engine/columns.ts"
import { makeSerialiseStep } from "../../../store/engine/locks.ts"
import { makeInserts } from "../../../store/engine/manyRows.ts"
import { mapStorageErrors } from "../../../store/engine/storage.ts"
import { type Queries, Transactions } from "../../../store/engine/Transactions.ts"

const issuance = columnsOf<Issuance>()(["station", "productId", "issuedAt", "source"])
const report = columnsOf<ClimateReport>()(
  [
    ...(["station", "day", "status", "correction", "validAsOf", "highF", "lowF"] as const),
    ...(["highTimeLocal", "lowTimeLocal", "precipIn", "snowIn"] as const),
  ],
  { own: { station: "headline" }, flags: ["correction"] },
)

const toRow = (issued: Issuance) =>
  issuance.toRow(issued, report.toRow(issued.report, { flags: issued.report.flags.join(",") }))
type Row = ReturnType<typeof toRow>

const toIssuance = (row: Row): Issuance => {
  const flags = row.flags === "" ? [] : (row.flags.split(",") as ReadonlyArray<QualityFlag>)
  return issuance.fromRow(row, { report: report.fromRow(row, { flags }) })
}

/** All columns but the text, which is large and only for audits. */
const columns = [...issuance.names, ...report.names, "flags"] as const
const list = columns.join(", ")

/** Rows in order of days, as one list of versions per day. */
const byDay = (rows: ReadonlyArray<Row>): ReadonlyArray<Versions> => {
  const days: Array<[Issuance, ...Array<Issuance>]> = []
  for (const row of rows) {
    const last = days.at(-1)
    if (last?.[0].report.day === row.day) last.push(toIssuance(row))
    else days.push([toIssuance(row)])
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

export const layerReports: Layer.Layer<ClimateReports, never, Transactions> = Layer.effect(
  ClimateReports,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      between: prepare<Row>(
        `SELECT ${list} FROM standing_reports WHERE station = ? AND day BETWEEN ? AND ? ORDER BY day`,
      ),
      version: prepare<{ readonly version: number }>("SELECT version FROM climate_stations WHERE station = ?"),
      latestFinal: prepare<{ readonly day: string }>(
        "SELECT day FROM standing_reports WHERE station = ? AND status = 'final' AND day < ? ORDER BY day DESC LIMIT 1",
      ),
      // Each subquery stops at the first row of an index; MIN and MAX would read every row.
      coverage: prepare<Coverage>(`
        SELECT (SELECT day FROM standing_reports WHERE station = ? AND status = 'final' ORDER BY day LIMIT 1) AS first,
               (SELECT day FROM standing_reports WHERE station = ? AND status = 'final' ORDER BY day DESC LIMIT 1) AS last,
               (SELECT MAX(day) FROM standing_reports WHERE station = ? AND day = ?) AS open`),
    }
    const between = Step.fn(function* (station: string, start: string, end: string) {
      return byDay(yield* sql.between.all(station, start, end))
    })
    const ranges = keepByVersion<ReadonlyArray<Versions>, SqlError>(rangesKept)
    const range = Step.fn(function* (station: string, start: string, end: string) {
      const version = (yield* sql.version.get(station))?.version ?? 0
      return yield* ranges(`${station}/${start}/${end}`, version, () => between(station, start, end))
    })
    const versions = Step.fn(function* (station: string, day: string) {
      return (yield* between(station, day, day))[0] ?? []
    })
    const latestFinal = Step.fn(function* (station: string, today: string) {
      return (yield* sql.latestFinal.get(station, today))?.day
    })
    const coverage = Step.fn(function* (station: string, today: string) {
      const row = (yield* sql.coverage.get(station, station, station, today))!
      const [first, last] = [row.first ?? row.open, row.open ?? row.last]
      return first !== null && last !== null ? { first, last } : undefined
    })
    return {
      freshness: "live",
      versions: (station, day) => read(() => versions(station, day)),
      range: (station, start, end) => read(() => range(station, start, end)),
      latestFinalDay: (station, today) => read(() => latestFinal(station, today)),
      coverage: (station, today) => read(() => coverage(station, today)),
    }
  }),
)

const content = (row: Row): object => Data.struct(row)

/** The values of a row that do not depend on its source. */
const values = ({ issued_at, status, high_f, low_f, precip_in, snow_in }: Row): object =>
  Data.struct({ issued_at, status, high_f, low_f, precip_in, snow_in })

/** Whether two rows agree: if one is from a text and one from a row of values, only the values have to. */
const agree = (a: Row, b: Row): boolean =>
  a.source === b.source ? Equal.equals(content(a), content(b)) : Equal.equals(values(a), values(b))

/** Whether a final report lacks a temperature without being a correction. */
const mayLack = (issuance: Issuance): boolean => {
  const { status, highF, lowF } = issuance.report
  return status === "final" && (highF === undefined || lowF === undefined) && !isCorrection(issuance)
}

const prepareArchive = (store: Queries) => ({
  insert: makeInserts(store, "climate_reports", [...columns, "received_at", "text"], "ON CONFLICT DO NOTHING"),
  stored: store.prepare<Row>(`SELECT ${list} FROM climate_reports WHERE station = ? AND day = ? AND product_id = ?`),
  fuller: store.prepare<{ readonly product_id: string }>(`
    SELECT product_id FROM standing_reports
    WHERE station = ? AND day = ? AND status = 'final' AND issued_at < ?
      AND ((high_f IS NOT NULL AND ? = 1) OR (low_f IS NOT NULL AND ? = 1)) LIMIT 1`),
  changed: store.prepare(`
    INSERT INTO climate_stations (station, version) VALUES (?, 1)
    ON CONFLICT (station) DO UPDATE SET version = climate_stations.version + 1`),
  answered: store.prepare<{ readonly day: string }>(`
    SELECT day FROM standing_reports
    WHERE station = ? AND status = 'final' AND day BETWEEN ? AND ?
    UNION
    SELECT day FROM climate_days_no_report
    WHERE station = ? AND day BETWEEN ? AND ? AND asked_at >= ?`),
  noteAsked: makeInserts(
    store,
    "climate_days_no_report",
    ["station", "day", "source", "asked_at"],
    "ON CONFLICT DO NOTHING",
  ),
})

export const layerArchive: Layer.Layer<ClimateArchive, never, Transactions> = Layer.effect(
  ClimateArchive,
  Effect.map(Transactions, (store) => {
    const { read, write } = store
    const sql = prepareArchive(store)
    const lock = makeSerialiseStep(store)
    const compareOne = Step.fn(function* ({ issuance }: ReceivedReport) {
      const row = toRow(issuance)
      const previous = yield* sql.stored.get(row.station, row.day, row.product_id)
      if (previous !== undefined) return agree(previous, row) ? ("known" as const) : ("conflict" as const)
      if (!mayLack(issuance)) return "stored" as const
      const lacks = [row.high_f, row.low_f].map((value) => Number(value === null)) as [number, number]
      const fuller = yield* sql.fuller.get(row.station, row.day, row.issued_at, ...lacks)
      return fuller === undefined ? ("stored" as const) : ("lacking" as const)
    })
    const appendOne = Step.fn(function* (each: ReceivedReport, receivedAt: number) {
      const row = toRow(each.issuance)
      const outcome = mayLack(each.issuance) ? yield* compareOne(each) : "stored"
      if (outcome !== "stored") return outcome
      const inserted = yield* sql.insert.run([[...columns.map((column) => row[column]), receivedAt, each.text]])
      return inserted > 0 ? ("stored" as const) : yield* compareOne(each)
    })
    /** Stores reports, and raises the version of every station with a new one. */
    const append = Step.fn(function* (received: ReadonlyArray<ReceivedReport>, receivedAt: number) {
      yield* lock(...received.map(({ issuance: { station } }) => `weather/reports/${station}`))
      const outcomes: Array<AppendOutcome> = []
      for (const each of received) outcomes.push(yield* appendOne(each, receivedAt))
      const changed = received.flatMap(({ issuance: { station } }, index) =>
        outcomes[index] === "stored" ? [station] : [],
      )
      for (const station of new Set(changed)) yield* sql.changed.run(station)
      return outcomes
    })
    const compare = Step.fn(function* (received: ReadonlyArray<ReceivedReport>) {
      const outcomes: Array<AppendOutcome> = []
      for (const each of received) outcomes.push(yield* compareOne(each))
      return outcomes
    })
    const unasked = Step.fn(function* (station: string, start: string, end: string, since: number) {
      const rows = yield* sql.answered.all(station, start, end, station, start, end, since)
      const days = new Set(rows.map(({ day }) => day))
      return listDays(start, end).filter((day) => !days.has(day))
    })
    return {
      append: (received, receivedAt) =>
        received.length === 0 ? Effect.succeed([]) : write(() => append(received, receivedAt)),
      compare: (received) => read(() => compare(received)),
      unasked: (station, start, end, since) => read(() => unasked(station, start, end, since)),
      noteAsked: (station, days, source, askedAt) =>
        days.length === 0
          ? Effect.void
          : Effect.asVoid(write(() => sql.noteAsked.run(days.map((day) => [station, day, source, askedAt])))),
    }
  }),
)

/** Number of climate days with a report, over all stations; corrections do not count. */
export const stationDays: Effect.Effect<number, Failure, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    mapStorageErrors(
      Effect.map(
        sql<{ days: number }>`SELECT COUNT(*) AS days FROM (SELECT DISTINCT station, day FROM climate_reports)`,
        ([row]) => row!.days,
      ),
    ),
)
