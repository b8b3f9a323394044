import type { SqlError } from "@effect/sql/SqlError"
import { type Span, spans } from "../../../core/account/Usage.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import * as Step from "../../../core/Step.ts"
import { hour } from "../../../core/time.ts"
import type { Queries, Value } from "../engine/Transactions.ts"
import * as Moves from "../trail/usageMoves.ts"

/* Rows of PostgreSQL's audit trail that are added to the sums of usage, month by month and in the order of commits. */

/** A month of the audit trail and the number of its rows that are folded. */
export interface Month {
  readonly month: string
  readonly folded: number
}

/** The months of the trail that are not being dropped. */
export const foldedMonths = `
  SELECT m.month, coalesce(u.folded, 0) AS folded FROM audit_months m LEFT JOIN usage_months u ON u.month = m.month
  WHERE m.dropping = 0 ORDER BY m.month`

/** The end of the rows that are folded, as parameters of a month's statements. */
export type Place = ReadonlyArray<Value>

/** Rows of the trail, `a`, with the names of their groups. */
export const rowsSql = `
  SELECT a.account_id, a.at, a.key_id, coalesce(a.agent_id, '') AS agent_id, a.endpoint,
    CASE WHEN k.environment = 'live' THEN 1 ELSE 0 END AS livemode, (a.status / 100) || 'xx' AS status, a.calls, a.charged_micros
  FROM audit a LEFT JOIN api_keys k ON k.id = a.key_id`

export const isAfter = (month: string): string =>
  `a.month = '${month}' AND (a.tx, a.seq) > (CAST(CAST(? AS TEXT) AS XID8), ?)`

const isUpTo = "(a.tx, a.seq) <= (CAST(CAST(? AS TEXT) AS XID8), ?)"

/** Most rows that a read adds by itself. */
export const slice = 1_000

/** Most rows of one fold. */
export const longSlice = 10_000

/** Folds and moves of all nodes follow each other. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('usage', 0))"

const nameOfKind = Object.entries(Moves.groupColumns)
  .map(([kind, column]) => `WHEN '${kind}' THEN ${column}`)
  .join(" ")

const startOfSpan = (Object.keys(spans) as ReadonlyArray<Span>)
  .map((span) => `WHEN ${spans[span]} THEN ${Moves.startSql("postgres", span, "hour")}`)
  .join(" ")

/** The statements of the fold. Those of a month are prepared when it is first folded. */
const statements = ({ prepare }: Queries, isAlone: boolean) => {
  const sql = {
    months: prepare<Month>(foldedMonths),
    folded: prepare(`
      INSERT INTO usage_months (month, folded) VALUES (?, ?)
      ON CONFLICT (month) DO UPDATE SET folded = excluded.folded`),
    // Nodes fold rows in turn, in the order of commits.
    lock: prepare(lock),
    place: prepare<{ tx: string; seq: number }>("SELECT CAST(tx AS TEXT) AS tx, seq FROM usage_places WHERE month = ?"),
    numbered: prepare<{ tx: string; seq: number }>(
      "SELECT CAST(tx AS TEXT) AS tx, seq FROM audit WHERE month = ? ORDER BY audit.tx, seq LIMIT 1 OFFSET ?",
    ),
    placed: prepare(`
      INSERT INTO usage_places (month, tx, seq) VALUES (?, CAST(CAST(? AS TEXT) AS XID8), ?)
      ON CONFLICT (month) DO UPDATE SET tx = excluded.tx, seq = excluded.seq`),
  }

  // Rows that are alike are added once, and most are.
  const alikeSql = (month: string): string => `
    WITH alike AS MATERIALIZED (
      SELECT account_id, at - at % ${hour} AS hour, ${Object.values(Moves.groupColumns).join(", ")}, livemode, sum(calls) AS calls,
        sum(charged_micros) AS charged_micros
      FROM (${rowsSql} WHERE ${isAfter(month)} AND ${isUpTo}) new
      GROUP BY 1, 2, 3, 4, 5, 6, 7)`
  const sumsOfAlike = `
    SELECT account_id, span, kind, CASE span ${startOfSpan} END, name,
      livemode, CAST(sum(calls) AS BIGINT), CAST(sum(charged_micros) AS BIGINT)
    FROM (
      SELECT *, ${Moves.spanSql("hour")} AS span, CASE kind ${nameOfKind} END AS name
      FROM alike CROSS JOIN (VALUES ${Moves.kinds.map((kind) => `('${kind}')`).join(", ")}) kinds (kind)) new_sums
    GROUP BY 1, 2, 3, 4, 5, 6`

  const prepareMonth = (month: string) => {
    return {
      /** How many rows follow a place, and the last of them. */
      bound: prepare<{ n: number; tx: string; seq: number }>(`
        SELECT n, CAST(tx AS TEXT) AS tx, seq FROM (
          SELECT a.tx, a.seq, row_number() OVER (ORDER BY a.tx, a.seq) AS n FROM audit a WHERE ${isAfter(month)}
            ${isAlone ? "" : "AND a.tx < pg_snapshot_xmin(pg_current_snapshot())"}
          ORDER BY a.tx, a.seq LIMIT ?) numbered
        ORDER BY n DESC LIMIT 1`),
      /** Rows that take a charge back have no call: their charge is negative. */
      add: prepare(`
        ${alikeSql(month)} ${Moves.insertSums} ${sumsOfAlike} ORDER BY 1, 2, 3, 4, 5, 6 ${Moves.orAdded}`),
    }
  }
  const prepared = new Map<string, ReturnType<typeof prepareMonth>>()
  const of = (month: string) => getOrMake(prepared, month, prepareMonth)
  return { sql, of }
}

/**
 * Adds rows of the trail to the sums, in the order of writing; the steps are in a transaction.
 *
 * @param isAlone nobody else writes, so that no row that is older can come yet
 */
export const make = (queries: Queries, isAlone = false) => {
  const { sql, of } = statements(queries, isAlone)

  const readPlace = Step.fn(function* (month: string, folded: number) {
    if (folded === 0) return ["0", 0]
    const place = (yield* sql.place.get(month)) ?? (yield* sql.numbered.get(month, folded - 1))
    return place === undefined ? ["0", 0] : [place.tx, place.seq]
  })

  const readNextPlace = Step.fn(function* (month: string, place: Place, most: number) {
    const last = yield* of(month).bound.get(...place, most)
    if (last === undefined) return undefined
    const next: Place = [last.tx, last.seq]
    return { rows: last.n, place: next }
  })

  /** The sums and how far they go change in one transaction. */
  const addRows = Step.fn(function* (most: number) {
    yield* sql.lock.get()
    const months = yield* sql.months.all()
    for (const [at, { month, folded }] of months.entries()) {
      const place = yield* readPlace(month, folded)
      const next = yield* readNextPlace(month, place, most)
      if (next === undefined) continue
      yield* of(month).add.run(...place, ...next.place)
      yield* sql.folded.run(month, folded + next.rows)
      yield* sql.placed.run(month, ...next.place)
      // A short slice was the last: calls that go on would add rows without end.
      return { rows: next.rows, more: next.rows === most || at < months.length - 1 }
    }
    return { rows: 0, more: false }
  })

  /** Whether so many rows wait to be folded that a read should not add them. */
  const isBehind = Step.fn(function* () {
    for (const { month, folded } of yield* sql.months.all()) {
      const next = yield* readNextPlace(month, yield* readPlace(month, folded), slice)
      if (next !== undefined && next.rows >= slice) return true
    }
    return false
  })

  return { months: () => sql.months.all(), lock: sql.lock, placeOf: readPlace, addRows, isBehind }
}

/** Adds all rows of a store that nobody else writes to, in a transaction. */
export const countAll = (queries: Queries): Step.Step<void, SqlError> => {
  const { addRows } = make(queries, true)
  return Step.fn(function* () {
    while ((yield* addRows(longSlice)).rows > 0);
  })()
}
