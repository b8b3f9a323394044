import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MicroUsd } from "../../core/account/Money.ts"
import { mostSpans, spans, Usage, type UsageGroup, type UsageQuery, type UsageSum } from "../../core/account/Usage.ts"
import { breath } from "../../core/breath.ts"
import { type Failure, invalid } from "../../core/Failure.ts"
import * as Step from "../../core/Step.ts"
import { tableOf } from "./schema/audit.ts"
import { Transactions, type Value } from "./Transactions.ts"

/** Rows of one fold. */
const slice = 1_000

const columns = "account_id, span, start, key_id, agent_id, endpoint, livemode, status, calls, charged_micros"

const groups: Readonly<Record<UsageGroup, string>> = {
  endpoint: "endpoint",
  agent: "agent_id",
  key: "key_id",
  status: "status",
}

/** The end of the rows that are folded, as parameters of a month's statements. */
type Place = ReadonlyArray<Value>

interface Bound {
  readonly rows: number
  readonly place: Place
}

/** Rows with the columns of the sums, still without `span` and `start`; `a` is the audit trail of one month. */
const rowsOf = (dialect: "sqlite" | "postgres", month: string) =>
  dialect === "sqlite"
    ? `SELECT c.account_id, a.at, c.key_id, coalesce(c.agent_id, '') AS agent_id, e.endpoint,
        coalesce(k.environment = 'live', 0) AS livemode, e.status / 100 AS status, coalesce(a.calls, 1) AS calls,
        a.charged_micros
      FROM ${tableOf(month)} a CROSS JOIN audit_callers c ON c.id = a.caller CROSS JOIN audit_ends e ON e.id = a.ended
        LEFT JOIN api_keys k ON k.id = c.key_id`
    : `SELECT a.account_id, a.at, a.key_id, coalesce(a.agent_id, '') AS agent_id, a.endpoint,
        CASE WHEN k.environment = 'live' THEN 1 ELSE 0 END AS livemode, a.status / 100 AS status, a.calls, a.charged_micros
      FROM audit a LEFT JOIN api_keys k ON k.id = a.key_id`

const isAfter = {
  sqlite: (_: string) => "a.seq > ?",
  postgres: (month: string) => `a.month = '${month}' AND (a.tx, a.seq) > (CAST(CAST(? AS TEXT) AS XID8), ?)`,
} as const

const isUpTo = {
  sqlite: "a.seq <= ?",
  postgres: "(a.tx, a.seq) <= (CAST(CAST(? AS TEXT) AS XID8), ?)",
} as const

/** Folds of all nodes follow each other. */
const lock = "SELECT pg_advisory_xact_lock(hashtextextended('usage', 0))"

const make = ({ dialect, prepare, read, write }: Transactions["Type"]) => {
  const sql = {
    months: prepare<{ month: string; folded: number }>(`
      SELECT m.month, coalesce(u.folded, 0) AS folded FROM audit_months m LEFT JOIN usage_months u ON u.month = m.month
      WHERE m.dropping = 0 ORDER BY m.month`),
    folded: prepare(`
      INSERT INTO usage_months (month, folded) VALUES (?, ?)
      ON CONFLICT (month) DO UPDATE SET folded = excluded.folded`),
    lock: dialect === "sqlite" ? undefined : prepare(lock),
    share: dialect === "sqlite" ? undefined : prepare(lock.replace("xact_lock", "xact_lock_shared")),
    place:
      dialect === "sqlite"
        ? undefined
        : prepare<{ tx: string; seq: number }>(`
        SELECT CAST(tx AS TEXT) AS tx, seq FROM usage_places WHERE month = ?`),
    numbered:
      dialect === "sqlite"
        ? undefined
        : prepare<{ tx: string; seq: number }>(`
        SELECT CAST(tx AS TEXT) AS tx, seq FROM audit WHERE month = ? ORDER BY audit.tx, seq LIMIT 1 OFFSET ?`),
    placed:
      dialect === "sqlite"
        ? undefined
        : prepare(`
        INSERT INTO usage_places (month, tx, seq) VALUES (?, CAST(CAST(? AS TEXT) AS XID8), ?)
        ON CONFLICT (month) DO UPDATE SET tx = excluded.tx, seq = excluded.seq`),
  }

  const prepareMonth = (month: string) => {
    const after = isAfter[dialect](month)
    return {
      /** How many rows follow a place, and the last of them. */
      bound:
        dialect === "sqlite"
          ? prepare<{ n: number; tx: null; seq: number | null }>(`
              SELECT count(*) AS n, NULL AS tx, max(seq) AS seq FROM (
                SELECT a.seq FROM ${tableOf(month)} a WHERE ${after} ORDER BY a.seq LIMIT ?)`)
          : prepare<{ n: number; tx: string; seq: number }>(`
              SELECT n, CAST(tx AS TEXT) AS tx, seq FROM (
                SELECT tx, seq, row_number() OVER (ORDER BY tx, seq) AS n FROM (
                  SELECT a.tx, a.seq FROM audit a WHERE ${after} AND a.tx < pg_snapshot_xmin(pg_current_snapshot())
                  ORDER BY a.tx, a.seq LIMIT ?) next) numbered
              ORDER BY n DESC LIMIT 1`),
      add: Object.values(spans).map((span) =>
        prepare(`
          INSERT INTO usage_sums (${columns})
          SELECT account_id, ${span}, at - at % ${span}, key_id, agent_id, endpoint, livemode, status,
            CAST(sum(calls) AS BIGINT), CAST(sum(charged_micros) AS BIGINT)
          FROM (${rowsOf(dialect, month)} WHERE ${after} AND ${isUpTo[dialect]}) new
          WHERE true GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
          ON CONFLICT (account_id, span, start, key_id, agent_id, endpoint, livemode, status) DO UPDATE SET
            calls = usage_sums.calls + excluded.calls,
            charged_micros = usage_sums.charged_micros + excluded.charged_micros`),
      ),
    }
  }
  const prepared = new Map<string, ReturnType<typeof prepareMonth>>()
  const of = (month: string) => {
    const known = prepared.get(month) ?? prepareMonth(month)
    prepared.set(month, known)
    return known
  }

  const placeOf = Step.fn(function* (month: string, folded: number) {
    if (sql.place === undefined) return [folded]
    if (folded === 0) return ["0", 0]
    const place = (yield* sql.place.get(month)) ?? (yield* sql.numbered!.get(month, folded - 1))
    return place === undefined ? ["0", 0] : [place.tx, place.seq]
  })

  const nextOf = Step.fn(function* (month: string, place: Place) {
    const found = yield* of(month).bound.get(...place, slice)
    if (found === undefined || found.n === 0 || found.seq === null) return undefined
    const bound: Bound = { rows: found.n, place: found.tx === null ? [found.seq] : [found.tx, found.seq] }
    return bound
  })

  /** The sums and how far they go change in one transaction. */
  const fold = Step.fn(function* () {
    if (sql.lock !== undefined) yield* sql.lock.get()
    for (const { month, folded } of yield* sql.months.all()) {
      const place = yield* placeOf(month, folded)
      const next = yield* nextOf(month, place)
      if (next === undefined) continue
      for (const add of of(month).add) yield* add.run(...place, ...next.place)
      yield* sql.folded.run(month, folded + next.rows)
      if (sql.placed !== undefined) yield* sql.placed.run(month, ...next.place)
      return { rows: next.rows, more: true }
    }
    return { rows: 0, more: false }
  })

  /** Whether so many rows wait to be folded that a read should not add them. */
  const isBehind = Step.fn(function* () {
    for (const { month, folded } of yield* sql.months.all()) {
      const next = yield* nextOf(month, yield* placeOf(month, folded))
      if (next !== undefined && next.rows >= slice) return true
    }
    return false
  })

  const caughtUp: Effect.Effect<void, Failure> = Effect.flatMap(read(isBehind), (behind) =>
    behind ? Effect.zipRight(Effect.zipRight(write(fold), breath), caughtUp) : Effect.void,
  )

  const sumsOf = Step.fn(function* (accountId: string, { from, to, span, group, livemode }: UsageQuery) {
    // No fold comes between the places and the sums, but other readers do; SQLite has one connection.
    if (sql.share !== undefined) yield* sql.share.get()
    const column = groups[group]
    const tails: Array<string> = []
    const size = spans[span]
    const [begin, end] = [from - (from % size), Math.ceil(to / size) * size]
    const params: Array<Value> = [accountId, size, begin, end]
    for (const { month, folded } of yield* sql.months.all()) {
      const after = isAfter[dialect](month)
      tails.push(`
        UNION ALL SELECT at - at % ${size} AS at, ${column} AS name, livemode, calls, charged_micros
        FROM (${rowsOf(dialect, month)} WHERE ${after} AND ${dialect === "sqlite" ? "c" : "a"}.account_id = ?) tail
        WHERE at >= ? AND at < ?`)
      params.push(...(yield* placeOf(month, folded)), accountId, begin, end)
    }
    const mode = livemode === undefined ? null : Number(livemode)
    const found = yield* prepare<{ at: number; name: string | number; calls: number; charged: number }>(`
      SELECT at, name, CAST(sum(calls) AS BIGINT) AS calls, CAST(sum(charged_micros) AS BIGINT) AS charged FROM (
        SELECT start AS at, ${column} AS name, livemode, calls, charged_micros FROM usage_sums
        WHERE account_id = ? AND span = ? AND start >= ? AND start < ? ${tails.join("")}) every_row
      WHERE livemode = coalesce(CAST(? AS INTEGER), livemode) GROUP BY at, name ORDER BY at, name`).all(...params, mode)
    return found.map(
      ({ at, name, calls, charged }): UsageSum => ({
        at,
        group: group === "status" ? `${name}xx` : String(name),
        calls,
        charged: MicroUsd(charged),
      }),
    )
  })

  const run = dialect === "sqlite" ? read : write

  return {
    fold: write(fold),
    sums: (accountId: string, query: UsageQuery) => {
      const most = mostSpans[query.span]
      if (!(query.from >= 0 && query.to >= query.from && query.to - query.from <= most * spans[query.span])) {
        return invalid("to", `to must not be before from, nor more than ${most} ${query.span}s after it.`)
      }
      return Effect.zipRight(
        caughtUp,
        run(() => sumsOf(accountId, query)),
      )
    },
  }
}

export const layer: Layer.Layer<Usage, never, Transactions> = Layer.effect(Usage, Effect.map(Transactions, make))
