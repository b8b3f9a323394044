import { oldestKept, retentionDays, type Span, spans, type UsageGroup } from "../../../core/account/Usage.ts"
import * as Step from "../../../core/Step.ts"
import { day } from "../../../core/time.ts"
import { dialects } from "../engine/Dialect.ts"
import type { Queries } from "../engine/Transactions.ts"

/*
 * Each call is in one sum: for some weeks in that of its hour, then of its day, finally of its month. Sums that are old enough
 * are moved account by account, in slices, each a transaction. Of a span's sums, all that start before `done` are moved; of
 * those that start before `goal`, all of accounts before `account_id`, and some of that account's. A call that is counted late
 * goes to the span to which the others of its time are moved.
 */

/** The column of a row of the trail that names its group. */
const groupColumns: Readonly<Record<UsageGroup, string>> = {
  endpoint: "endpoint",
  agent: "agent_id",
  key: "key_id",
  status: "status",
}

/** In the order of the primary key. Sums of the last kind are moved last. */
export const kinds = (Object.keys(groupColumns) as ReadonlyArray<UsageGroup>).toSorted()
const lastKind = kinds.at(-1)!

const moves = [
  { from: "hour", into: "day" },
  { from: "day", into: "month" },
] as const satisfies ReadonlyArray<{ readonly from: Span; readonly into: Span }>

interface Progress {
  readonly span: number
  readonly done: number
  readonly goal: number
  readonly account_id: string
}

export const goalsSql = "SELECT span, goal FROM usage_moves"

/** The span in whose sum a call is counted. */
export const findSpan = (goals: ReadonlyArray<Pick<Progress, "span" | "goal">>, time: number): Span =>
  moves.findLast(({ from }) => goals.some(({ span, goal }) => span === spans[from] && time < goal))?.into ?? "hour"

/** SQL of `findSpan`: the length of the span, by a column. */
const spanSql = (time: string): string => {
  const cases = moves
    .toReversed()
    .map(
      ({ from, into }) =>
        `WHEN ${time} < (SELECT goal FROM usage_moves WHERE span = ${spans[from]}) THEN CAST(${spans[into]} AS BIGINT)`,
    )
  return `CASE ${cases.join(" ")} ELSE CAST(${spans.hour} AS BIGINT) END`
}

const startSql = (dialect: Queries["dialect"], span: Span, time: string): string =>
  span === "month" ? dialects[dialect].monthStart(time) : `${time} - ${time} % ${spans[span]}`

const key = "account_id, span, kind, start, name, livemode"

/** Inserts sums; VALUES or a SELECT follows. */
export const insertSums = `INSERT INTO usage_sums (${key}, calls, charged_micros)`

/** Adds to existing sums. */
export const orAdd = `
  ON CONFLICT (${key}) DO UPDATE SET
    calls = usage_sums.calls + excluded.calls,
    charged_micros = usage_sums.charged_micros + excluded.charged_micros`

const nameCases = Object.entries(groupColumns)
  .map(([kind, column]) => `WHEN '${kind}' THEN ${column}`)
  .join(" ")

const startCases = (Object.keys(spans) as ReadonlyArray<Span>)
  .map((span) => `WHEN ${spans[span]} THEN ${startSql("postgres", span, "at")}`)
  .join(" ")

/** Serialises moves and late calls: a sum that is being moved must not get another call. */
const lockKey = "hashtextextended('usage', 0)"

/** SQL that takes the lock if a call may be late; `at` is the earliest beginning. No goal is later than those days ago. */
export const lockLateSql = (at: string): string => `
  SELECT CASE WHEN ${at} < greatest((SELECT max(goal) FROM usage_moves) + ${day}, now_ms() - ${(retentionDays.hour - 1) * day})
    THEN CAST(pg_advisory_xact_lock_shared(${lockKey}) AS TEXT) END`

/**
 * Adds rows of the trail to the sums of PostgreSQL, in the order of keys, so that two batches never deadlock.
 *
 * @param rows has the columns of groups, `account_id`, `at`, `livemode`, `calls` and `charged_micros`
 */
export const addSql = (rows: string): string => `
  ${insertSums} SELECT account_id, span, kind, CASE span ${startCases} END, name, livemode, sum(calls), sum(charged_micros)
  FROM (
    SELECT *, ${spanSql("at")} AS span, CASE kind ${nameCases} END AS name
    FROM (${rows}) r CROSS JOIN (VALUES ${kinds.map((kind) => `('${kind}')`).join(", ")}) k (kind)) s
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6 ${orAdd}`

export interface State {
  /** Changes whenever sums of the account are moved. */
  readonly version: string
  /** Calls before this are in the sums of longer spans. */
  readonly goal: (span: Span) => number
  /** No sum of a span starts before this. */
  readonly done: (span: Span) => number
}

/** Moves relative to an account: they are before it, past it, or among its sums. */
interface RelativeProgress extends Omit<Progress, "account_id"> {
  readonly slices: number
  readonly place: "before" | "here" | "past"
}

const toState = (rows: ReadonlyArray<RelativeProgress>): State => {
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

/** Sums that one transaction moves, and accounts that it examines, at least two. */
export interface Size {
  readonly sums: number
  readonly accounts: number
}

/** Takes some milliseconds on SQLite, whose thread also serves the calls. */
const defaultSize: Size = { sums: 1_000, accounts: 40 }

const prepareMove = ({ dialect, prepare }: Queries, into: Span) => {
  const earlierSums = "FROM usage_sums WHERE account_id = ? AND span = ? AND kind = ? AND start < ?"
  const upTo = `${earlierSums} AND (start, name, livemode) <= (?, ?, ?)`
  return {
    end: prepare<{ start: number; name: string; livemode: number }>(
      `SELECT start, name, livemode ${earlierSums} ORDER BY start, name, livemode LIMIT 1 OFFSET ?`,
    ),
    add: prepare(`
      ${insertSums}
      SELECT account_id, CAST(${spans[into]} AS BIGINT), kind, ${startSql(dialect, into, "start")}, name, livemode,
        CAST(sum(calls) AS BIGINT), CAST(sum(charged_micros) AS BIGINT)
      ${upTo} GROUP BY 1, 2, 3, 4, 5, 6 ${orAdd}`),
    remove: prepare(`DELETE ${upTo}`),
  }
}

const prepareAll = (queries: Queries, size: Size) => {
  const { dialect, prepare } = queries
  return {
    all: prepare<Progress>("SELECT span, done, goal, account_id FROM usage_moves"),
    lock: dialect === "postgres" ? prepare(`SELECT pg_advisory_xact_lock(${lockKey})`) : undefined,
    seen: prepare<RelativeProgress>(`
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

export const make = (queries: Queries, size: Size = defaultSize) => {
  const sql = prepareAll(queries, size)

  /** Moves sums of an account, up to a number. Returns how many more may be moved. */
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
    /** Moves the next slice, in the caller's transaction. Returns whether there was one. */
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
