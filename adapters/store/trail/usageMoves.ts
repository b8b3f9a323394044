import { oldestKept, retentionDays, type Span, spans, type UsageGroup } from "../../../core/account/Usage.ts"
import * as Step from "../../../core/Step.ts"
import { day } from "../../../core/time.ts"
import { dialects } from "../engine/Dialect.ts"
import type { Queries } from "../engine/Transactions.ts"

/*
 * A call is in the sum of one span: for some weeks in that of its hour, then of its day, at last of its month. Sums that are
 * old enough are moved account by account, in slices, each a transaction. Of a span's sums that start before `done` all are
 * moved, of those before `goal` the ones of accounts before `account_id`, and some of its own. A call that is counted late
 * goes where the others of its time will be.
 */

/** The column of a row of the trail that names its group. */
const groupColumns: Readonly<Record<UsageGroup, string>> = {
  endpoint: "endpoint",
  agent: "agent_id",
  key: "key_id",
  status: "status",
}

/** In the order of the key. The sums of the last kind are moved last. */
export const kinds = (Object.keys(groupColumns) as ReadonlyArray<UsageGroup>).toSorted()
const lastKind = kinds.at(-1)!

const moves = [
  { from: "hour", into: "day" },
  { from: "day", into: "month" },
] as const satisfies ReadonlyArray<{ readonly from: Span; readonly into: Span }>

/** A row of `usage_moves`. */
interface Progress {
  readonly span: number
  readonly done: number
  readonly goal: number
  readonly account_id: string
}

export const goalsSql = "SELECT span, goal FROM usage_moves"

/** The span in whose sum a call is counted. */
export const spanAt = (goals: ReadonlyArray<Pick<Progress, "span" | "goal">>, time: number): Span =>
  moves.findLast(({ from }) => goals.some(({ span, goal }) => span === spans[from] && time < goal))?.into ?? "hour"

/** The same as SQL: the length of the span, by a column. */
const spanSql = (time: string): string => {
  const cases = moves
    .toReversed()
    .map(
      ({ from, into }) =>
        `WHEN ${time} < (SELECT goal FROM usage_moves WHERE span = ${spans[from]}) THEN CAST(${spans[into]} AS BIGINT)`,
    )
  return `CASE ${cases.join(" ")} ELSE CAST(${spans.hour} AS BIGINT) END`
}

/** The beginning of a span, as SQL of a time. */
const startSql = (dialect: Queries["dialect"], span: Span, time: string): string =>
  span === "month" ? dialects[dialect].monthStart(time) : `${time} - ${time} % ${spans[span]}`

const key = "account_id, span, kind, start, name, livemode"

/** Of what follows, as values or by SELECT. */
export const insertSums = `INSERT INTO usage_sums (${key}, calls, charged_micros)`

/** Adds to the sums that are there. */
export const orAdded = `
  ON CONFLICT (${key}) DO UPDATE SET
    calls = usage_sums.calls + excluded.calls,
    charged_micros = usage_sums.charged_micros + excluded.charged_micros`

const nameOfKind = Object.entries(groupColumns)
  .map(([kind, column]) => `WHEN '${kind}' THEN ${column}`)
  .join(" ")

const startOfSpan = (Object.keys(spans) as ReadonlyArray<Span>)
  .map((span) => `WHEN ${spans[span]} THEN ${startSql("postgres", span, "at")}`)
  .join(" ")

/** Moves, and calls that they might pass, follow each other: a sum that is moved must not get another call. */
const lockKey = "hashtextextended('usage', 0)"

/** A row that has the lock of such a call where one is; `at` is the earliest beginning. No goal is younger than those days. */
export const lockLateSql = (at: string): string => `
  SELECT CASE WHEN ${at} < greatest((SELECT max(goal) FROM usage_moves) + ${day}, now_ms() - ${(retentionDays.hour - 1) * day})
    THEN CAST(pg_advisory_xact_lock_shared(${lockKey}) AS TEXT) END`

/**
 * Adds rows of the trail to the sums of PostgreSQL, in the order of keys, so that two batches never wait in a ring.
 *
 * @param rows has the columns of groups, `account_id`, `at`, `livemode`, `calls` and `charged_micros`
 */
export const addSql = (rows: string): string => `
  ${insertSums} SELECT account_id, span, kind, CASE span ${startOfSpan} END, name, livemode, sum(calls), sum(charged_micros)
  FROM (
    SELECT *, ${spanSql("at")} AS span, CASE kind ${nameOfKind} END AS name
    FROM (${rows}) r CROSS JOIN (VALUES ${kinds.map((kind) => `('${kind}')`).join(", ")}) k (kind)) s
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6 ${orAdded}`

export interface State {
  /** Changes whenever sums of the account are moved. */
  readonly version: string
  /** Calls before this are in the sums of longer spans. */
  readonly goal: (span: Span) => number
  /** No sum of a span starts before this. */
  readonly done: (span: Span) => number
}

/** As seen from an account: the moves are before it, past it, or among its sums. */
interface Seen extends Omit<Progress, "account_id"> {
  readonly slices: number
  readonly place: "before" | "here" | "past"
}

const toState = (rows: ReadonlyArray<Seen>): State => {
  const of = (span: Span) => rows.find((row) => row.span === spans[span])
  return {
    version: rows
      .map(({ done, goal, place, slices }) =>
        [goal, ...(goal === done ? [] : [place, ...(place === "here" ? [slices] : [])])].join(" "),
      )
      .join(", "),
    goal: (span) => of(span)?.goal ?? 0,
    done: (span) => of(span)?.done ?? 0,
  }
}

/** Sums that one transaction moves, and the accounts that it looks at, two at least. */
export interface Size {
  readonly sums: number
  readonly accounts: number
}

/** Some milliseconds on SQLite, whose thread has the calls too. */
const slice: Size = { sums: 1_000, accounts: 40 }

const prepareMove = ({ dialect, prepare }: Queries, into: Span) => {
  const earlierSums = "FROM usage_sums WHERE account_id = ? AND span = ? AND kind = ? AND start < ?"
  const upTo = `${earlierSums} AND (start, name, livemode) <= (?, ?, ?)`
  return {
    /** The last sum of a full slice. */
    end: prepare<{ start: number; name: string; livemode: number }>(
      `SELECT start, name, livemode ${earlierSums} ORDER BY start, name, livemode LIMIT 1 OFFSET ?`,
    ),
    add: prepare(`
      ${insertSums}
      SELECT account_id, CAST(${spans[into]} AS BIGINT), kind, ${startSql(dialect, into, "start")}, name, livemode,
        CAST(sum(calls) AS BIGINT), CAST(sum(charged_micros) AS BIGINT)
      ${upTo} GROUP BY 1, 2, 3, 4, 5, 6 ${orAdded}`),
    remove: prepare(`DELETE ${upTo}`),
  }
}

const prepareAll = (queries: Queries, size: Size) => {
  const { dialect, prepare } = queries
  return {
    all: prepare<Progress>("SELECT span, done, goal, account_id FROM usage_moves"),
    lock: dialect === "postgres" ? prepare(`SELECT pg_advisory_xact_lock(${lockKey})`) : undefined,
    seen: prepare<Seen>(`
      SELECT span, done, goal, slices,
        CASE WHEN account_id = ? THEN 'here' WHEN account_id > ? THEN 'past' ELSE 'before' END AS place
      FROM usage_moves ORDER BY span`),
    accounts: prepare<{ account_id: string; waits: number }>(`
      WITH RECURSIVE who(account_id, n) AS (
        SELECT (SELECT min(account_id) FROM usage_sums WHERE account_id >= ?), 1
        UNION ALL
        SELECT (SELECT min(account_id) FROM usage_sums WHERE account_id > who.account_id), n + 1 FROM who
        WHERE n < ${size.accounts} AND who.account_id IS NOT NULL)
      SELECT account_id, CASE WHEN EXISTS (
        SELECT 1 FROM usage_sums u WHERE u.account_id = who.account_id AND span = ? AND kind = '${lastKind}' AND start < ?
      ) THEN 1 ELSE 0 END AS waits FROM who WHERE account_id IS NOT NULL ORDER BY n`),
    begin: prepare("UPDATE usage_moves SET goal = ?, account_id = '', slices = 0 WHERE span = ?"),
    moved: prepare("UPDATE usage_moves SET account_id = ?, slices = slices + 1 WHERE span = ?"),
    end: prepare("UPDATE usage_moves SET done = goal WHERE span = ?"),
    hour: prepareMove(queries, "day"),
    day: prepareMove(queries, "month"),
  }
}

export const make = (queries: Queries, size: Size = slice) => {
  const sql = prepareAll(queries, size)

  /** Moves sums of an account, up to a number; returns how many more there is room for. */
  const moveSome = Step.fn(function* (from: "hour" | "day", goal: number, accountId: string, most: number) {
    const { end, add, remove } = sql[from]
    let left = most
    for (const kind of kinds) {
      const values = [accountId, spans[from], kind, goal]
      const last = yield* end.get(...values, left - 1)
      const upTo = [...values, ...(last === undefined ? [goal, "", 0] : [last.start, last.name, last.livemode])]
      yield* add.run(...upTo)
      left -= yield* remove.run(...upTo)
      if (left === 0) break
    }
    return left
  })

  return {
    state: (accountId: string) => Step.map(sql.seen.all(accountId, accountId), toState),
    /** The next slice, in the transaction of its caller. Returns whether there was one. */
    slice: Step.fn(function* (now: number) {
      const readNext = () =>
        Step.map(sql.all.all(), (all) =>
          moves
            .map(({ from }) => {
              const { done, goal, account_id: place } = all.find(({ span }) => span === spans[from])!
              const isNew = goal === done
              return { from, done, isNew, ...(isNew ? { goal: oldestKept(from, now), place: "" } : { goal, place }) }
            })
            .find(({ goal, done }) => goal > done),
        )
      let next = yield* readNext()
      if (next !== undefined && sql.lock !== undefined) {
        yield* sql.lock.get()
        next = yield* readNext()
      }
      if (next === undefined) return false
      const { from, goal, isNew, place } = next
      if (isNew) yield* sql.begin.run(goal, spans[from])
      const accounts = yield* sql.accounts.all(place, spans[from], goal)
      let [left, last] = [size.sums, ""]
      for (const { account_id, waits } of accounts) {
        if (left === 0) break
        last = account_id
        if (Number(waits) === 1) left = yield* moveSome(from, goal, account_id, left)
      }
      if (left > 0 && accounts.length < size.accounts) yield* sql.end.run(spans[from])
      else yield* sql.moved.run(last, spans[from])
      return true
    }),
  }
}
