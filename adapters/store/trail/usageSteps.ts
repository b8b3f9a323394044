import { oldestKept, type Span, spanStart, spans, type UsageGroup } from "../../../core/account/Usage.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import * as Step from "../../../core/Step.ts"
import { day, hour } from "../../../core/time.ts"
import { dialects } from "../engine/Dialect.ts"
import type { Queries } from "../engine/Transactions.ts"

/** The column that names the group of a row. */
export const groupColumns: Readonly<Record<UsageGroup, string>> = {
  endpoint: "endpoint",
  agent: "agent_id",
  key: "key_id",
  status: "status",
}

/** A row for each kind of group, as a part of a statement. */
export const eachKind: string = Object.keys(groupColumns)
  .map((kind) => `SELECT '${kind}' AS kind`)
  .join(" UNION ALL ")

/** A row for each span, as a part of a statement. */
export const eachSpan: string = Object.values(spans)
  .map((span) => `SELECT CAST(${span} AS BIGINT) AS span`)
  .join(" UNION ALL ")

/*
 * Sums of usage are made of shorter spans in steps. A step passes over the accounts in slices, each in a transaction, and
 * its row in `usage_steps` says which sums are done: their calls are in the longer span, or not in the shorter one any more.
 * A call that is folded late goes where the others of its hour are, so that each state adds up.
 */

interface Change {
  readonly from: Span
  readonly into?: Span
  /** The sums that were read are deleted. */
  readonly deletes: boolean
}

const changes = {
  /** Hours of past days are added to their days, and stay. */
  days: { from: "hour", into: "day", deletes: false },
  hours: { from: "hour", deletes: true },
  /** Days of past months become months. */
  months: { from: "day", into: "month", deletes: true },
} as const satisfies Readonly<Record<string, Change>>
type Name = keyof typeof changes
const names = Object.keys(changes) as ReadonlyArray<Name>

/** A row of `usage_steps`. */
interface Progress {
  readonly step: Name
  readonly done: number
  readonly goal: number
  readonly account_id: string
  readonly kind: string
  readonly start: number
}

type Dialect = Queries["dialect"]

/** Sums that one transaction reads, and the accounts that it looks at, two at least. */
export interface Size {
  readonly sums: number
  readonly accounts: number
}

/** Some milliseconds on SQLite, whose thread has the calls too. */
const sizes: Readonly<Record<Dialect, Size>> = {
  sqlite: { sums: 2_000, accounts: 40 },
  postgres: { sums: 10_000, accounts: 200 },
}

/** Follows every kind in the order of the key. */
const lastKind = "z"

const startIn = (dialect: Dialect, span: Span, start: string): string =>
  span === "month" ? dialects[dialect].monthStart(start) : `${start} - ${start} % ${spans[span]}`

/** The steps as rows that are joined, each by its name. */
export const everyStep: string = names
  .map((name) => `(SELECT * FROM usage_steps WHERE step = '${name}') ${name}`)
  .join(" CROSS JOIN ")

const isDone = (name: Name, start: string): string =>
  `(${start} < ${name}.done OR (${start} < ${name}.goal AND (new_sums.account_id, new_sums.kind, ${start}) <= (${name}.account_id, ${name}.kind, ${name}.start)))`

const ofDay = `hour - hour % ${day}`

/** Whether `new_sums` of an account, kind and hour belong to a span. */
export const belongs: string = `CASE span
  WHEN ${spans.hour} THEN NOT ${isDone("hours", "hour")}
  WHEN ${spans.day} THEN ${isDone("days", "hour")} AND NOT ${isDone("months", ofDay)}
  ELSE ${isDone("months", ofDay)} END`

/** The beginning of their span. */
export const newStart = (dialect: Dialect): string =>
  `CASE span WHEN ${spans.hour} THEN hour WHEN ${spans.day} THEN ${ofDay} ELSE ${dialects[dialect].monthStart("hour")} END`

/** Adds to the sums that are there. */
export const orAdded = `
  ON CONFLICT (account_id, span, kind, start, name, livemode) DO UPDATE SET
    calls = usage_sums.calls + excluded.calls,
    charged_micros = usage_sums.charged_micros + excluded.charged_micros`

/** Where a step is, as seen from an account: before it, past it, or in the middle of it. */
interface Seen extends Pick<Progress, "step" | "done" | "goal" | "kind" | "start"> {
  readonly place: "before" | "here" | "past"
}

export interface State {
  /** Changes with each change of the account's sums by a step. */
  readonly version: string
  /** The first instant that a span's sums are complete from. */
  readonly oldest: (span: Span) => number
  /** The first hour that is not in its day's sum. */
  readonly since: (kind: string) => number
}

const toState = (rows: ReadonlyArray<Seen>): State => {
  const of = (name: Name) => rows.find(({ step }) => step === name)
  return {
    version: rows
      .map(({ step, done, goal, place, kind, start }) =>
        [step, done, goal, ...(goal === done ? [] : place === "here" ? [kind, start] : [place])].join(" "),
      )
      .join(", "),
    oldest: (span) => (span === "month" ? 0 : (of(span === "hour" ? "hours" : "months")?.goal ?? 0)),
    since: (kind) => {
      const step = of("days")
      if (step === undefined) return 0
      const { done, goal, place } = step
      if (goal === done || place === "before" || (place === "here" && step.kind < kind)) return done
      return place === "past" || step.kind > kind ? goal : Math.max(done, step.start + hour)
    },
  }
}

export const make = ({ dialect, prepare }: Queries, size: Size = sizes[dialect]) => {
  const who = `
    WITH RECURSIVE who(account_id, n) AS (
      SELECT (SELECT min(account_id) FROM usage_sums WHERE account_id >= ?), 1
      UNION ALL
      SELECT (SELECT min(account_id) FROM usage_sums WHERE account_id > who.account_id), n + 1 FROM who
      WHERE n < ${size.accounts} AND who.account_id IS NOT NULL)`
  const kinds = `(${eachKind}) kinds`

  const prepareStep = (name: Name) => {
    const { from, into, deletes }: Change = changes[name]
    const own = `u.account_id = who.account_id AND u.span = ${spans[from]} AND u.kind = kinds.kind AND u.start >= ? AND u.start < ?`
    // Seeks by account and kind, in this order: most rows of an account are of other spans.
    const rows =
      dialect === "sqlite"
        ? `FROM who CROSS JOIN ${kinds} CROSS JOIN usage_sums u WHERE ${own} AND`
        : `FROM who CROSS JOIN ${kinds} CROSS JOIN LATERAL (
            SELECT ctid AS place, * FROM usage_sums u WHERE ${own} OFFSET 0) u WHERE`
    const after = `${rows} (u.account_id, u.kind, u.start) > (?, ?, ?)`
    const upTo = `${after} AND (u.account_id, u.kind, u.start) <= (?, ?, ?)`
    const key = "account_id, span, kind, start, name, livemode"
    return {
      /** The last sum of a full slice. */
      end: prepare<Pick<Progress, "account_id" | "kind" | "start">>(`${who}
        SELECT u.account_id, u.kind, u.start ${after} ORDER BY 1, 2, 3 LIMIT 1 OFFSET ${size.sums - 1}`),
      add:
        into === undefined
          ? undefined
          : prepare(`
        INSERT INTO usage_sums (${key}, calls, charged_micros)
        ${who} SELECT u.account_id, CAST(${spans[into]} AS BIGINT), u.kind, ${startIn(dialect, into, "u.start")}, u.name,
          u.livemode, CAST(sum(u.calls) AS BIGINT), CAST(sum(u.charged_micros) AS BIGINT)
        ${upTo} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6 ${orAdded}`),
      remove: !deletes
        ? undefined
        : dialect === "sqlite"
          ? prepare(`DELETE FROM usage_sums WHERE (${key}) IN (${who} SELECT ${key.replace(/\w+/g, "u.$&")} ${upTo})`)
          : prepare(`DELETE FROM usage_sums WHERE ctid = ANY (ARRAY(${who} SELECT u.place ${upTo}))`),
    }
  }
  const prepared = new Map<Name, ReturnType<typeof prepareStep>>()
  const of = (name: Name) => getOrMake(prepared, name, prepareStep)
  const sql = {
    all: prepare<Progress>("SELECT step, done, goal, account_id, kind, start FROM usage_steps"),
    seen: prepare<Seen>(`
      SELECT step, done, goal, kind, start,
        CASE WHEN account_id = ? THEN 'here' WHEN account_id > ? THEN 'past' ELSE 'before' END AS place
      FROM usage_steps ORDER BY step`),
    accounts: prepare<{ last: string | null; n: number }>(
      `${who} SELECT max(account_id) AS last, count(account_id) AS n FROM who`,
    ),
    moved: prepare("UPDATE usage_steps SET done = ?, goal = ?, account_id = ?, kind = ?, start = ? WHERE step = ?"),
  }

  return {
    state: (accountId: string) => Step.map(sql.seen.all(accountId, accountId), toState),
    /** The next slice of a step, in the transaction of its caller. Returns whether there was one. */
    slice: Step.fn(function* (now: number) {
      const all = yield* sql.all.all()
      const made = all.find(({ step }) => step === "days")?.done ?? 0
      const goals: Readonly<Record<Name, number>> = {
        days: spanStart("day", Math.max(0, now - hour)),
        hours: Math.min(made, oldestKept("hour", now)),
        months: Math.min(made, oldestKept("day", now)),
      }
      for (const name of names) {
        const progress = all.find(({ step }) => step === name)
        if (progress === undefined) continue
        const { done, account_id, kind, start } = progress
        const goal = progress.goal > done ? progress.goal : goals[name]
        if (goal <= done) continue
        const { end, add, remove } = of(name)
        const { last, n } = (yield* sql.accounts.get(account_id))!
        const after = [account_id, done, goal, account_id, kind, start]
        const full = last === null ? undefined : yield* end.get(...after)
        const to = full === undefined ? [last ?? "", lastKind, goal] : [full.account_id, full.kind, full.start]
        if (last !== null) {
          if (add !== undefined) yield* add.run(...after, ...to)
          if (remove !== undefined) yield* remove.run(...after, ...to)
        }
        if (full === undefined && Number(n) < size.accounts) yield* sql.moved.run(goal, goal, "", "", 0, name)
        else yield* sql.moved.run(done, goal, ...to, name)
        return true
      }
      return false
    }),
  }
}
