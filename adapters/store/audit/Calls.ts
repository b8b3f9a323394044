import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CallFilter, type CallPage, Calls, mostRows } from "../../../core/account/Calls.ts"
import { invalid } from "../../../core/Failure.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import * as Step from "../../../core/Step.ts"
import { type Queries, Transactions, type Value } from "../engine/Transactions.ts"
import { folded } from "../money/sqlite/folded.ts"
import { accountsTable, byAccount, selectSql, tableOf } from "../trail/months.ts"
import { type AuditRow, toAudit } from "./auditReads.ts"

/** Most rows that a page looks at: a millisecond or two. Others of the filter are on the next page. */
const looked = 2_500

/** A row's place: the next page begins after it. */
interface Place {
  readonly month: string
  readonly at: number
  readonly seq: number
}

const newest = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER } as const

const cursorOf = ({ month, at, seq }: Place): string => `${month}.${at}.${seq}`

const cursorForm = /^(\d{4}-\d{2})\.(\d{1,15})\.(\d{1,15})$/

const parseCursor = (cursor: string): Place | undefined => {
  const match = cursorForm.exec(cursor)
  return match === null ? undefined : { month: match[1]!, at: Number(match[2]), seq: Number(match[3]) }
}

/** An account's rows of a month that were begun in a span of time, after a place, by the index of accounts, `i`. */
const inRange = (account: string, i: string): string =>
  `${account} AND ${i}.at BETWEEN ? AND ? AND (${i}.at, ${i}.seq) < (?, ?)`

/** The endpoint, the key, the agent, the span of status codes, the error, the key's environment and the call itself. */
const passes = (of: { readonly end: string; readonly caller: string }): string => `
  ${of.end}.endpoint = coalesce(?, ${of.end}.endpoint) AND ${of.caller}.key_id = coalesce(?, ${of.caller}.key_id)
  AND (CAST(? AS TEXT) IS NULL OR ${of.caller}.agent_id = ?) AND ${of.end}.status BETWEEN ? AND ?
  AND (CAST(? AS TEXT) IS NULL OR ${of.end}.code = ?) AND a.request_id = coalesce(?, a.request_id)
  AND (CAST(? AS TEXT) IS NULL OR (SELECT k.environment FROM api_keys k WHERE k.id = ${of.caller}.key_id) = ?)`

const inOrder = (i: string): string => `ORDER BY ${i}.at DESC, ${i}.seq DESC`

const statusRange = (status: CallFilter["status"]): readonly [number, number] =>
  status === undefined
    ? [0, 999]
    : status === "failed"
      ? [400, 999]
      : status < 10
        ? [status * 100, status * 100 + 99]
        : [status, status]

const filterValues = (filter: CallFilter): ReadonlyArray<Value> => {
  const { endpoint = null, keyId = null, agentId = null, code = null, requestId = null, environment = null } = filter
  const status = statusRange(filter.status)
  return [endpoint, keyId, agentId, agentId, ...status, code, code, requestId, environment, environment]
}

const isFiltered = ({ from: _, to: __, ...others }: CallFilter): boolean =>
  Object.values(others).some((value) => value !== undefined)

/** Where the statements read a month: `select` has all columns, `numbers` those of the index of accounts. */
const sources = (dialect: Queries["dialect"], month: string) => {
  if (dialect === "postgres") {
    const account = `a.month = '${month}' AND a.account_id = ?`
    return { i: "a", numbers: "audit a", select: "SELECT a.* FROM audit a", account, end: "a", caller: "a" }
  }
  // On SQLite the account's rows come first: a filter must not lead to all rows of an endpoint.
  const select = selectSql(month, "CROSS JOIN").replace(`FROM ${tableOf(month)} a`, `FROM ${byAccount(month)}`)
  return { i: "i", numbers: `${accountsTable(month)} i`, select, account: "i.account = ?", end: "e", caller: "c" }
}

/** The statements of a page over one month. */
export const statements = (dialect: Queries["dialect"], month: string) => {
  const { i, numbers, select, account, ...of } = sources(dialect, month)
  const range = inRange(account, i)
  return {
    count: `SELECT count(*) AS n FROM (SELECT 1 FROM ${numbers} WHERE ${range} ${inOrder(i)} LIMIT ?) looked`,
    last: `SELECT ${i}.at, ${i}.seq FROM ${numbers} WHERE ${range} ${inOrder(i)} LIMIT 1 OFFSET ?`,
    page: `${select} WHERE ${range} AND (${i}.at, ${i}.seq) >= (?, ?) AND ${passes(of)} ${inOrder(i)} LIMIT ?`,
  }
}

/**
 * Whether any account has ever had a call with an endpoint, a status and a key: SQLite's rows name these by numbers. What
 * nobody has had is in no row, and needs no look at them.
 */
const everUsed = `
  SELECT 1 AS n WHERE EXISTS (SELECT 1 FROM audit_ends WHERE endpoint = coalesce(?, endpoint) AND status BETWEEN ? AND ?
      AND (? IS NULL OR code = ?))
    AND (? IS NULL OR EXISTS (SELECT 1 FROM audit_callers WHERE key_id = ?))
    AND (? IS NULL OR EXISTS (SELECT 1 FROM audit_agents WHERE agent_id = ?))`

const prepareAll = ({ dialect, prepare }: Queries) => {
  const prepareMonth = (month: string) => {
    const texts = statements(dialect, month)
    return {
      count: prepare<{ n: number }>(texts.count),
      last: prepare<{ at: number; seq: number }>(texts.last),
      page: prepare<AuditRow>(texts.page),
    }
  }
  const prepared = new Map<string, ReturnType<typeof prepareMonth>>()
  /** On SQLite rows name accounts by numbers. */
  const numbered =
    dialect === "sqlite"
      ? {
          account: prepare<{ id: number }>("SELECT id FROM audit_accounts WHERE account_id = ?"),
          everUsed: prepare<{ n: number }>(everUsed),
        }
      : undefined
  return {
    months: prepare<{ month: string }>(
      "SELECT month FROM audit_months WHERE dropping = 0 AND month BETWEEN ? AND ? ORDER BY month DESC",
    ),
    numbered,
    ofMonth: (month: string) => getOrMake(prepared, month, prepareMonth),
  }
}

const pages = (queries: Queries) => {
  const { months, numbered, ofMonth } = prepareAll(queries)
  return Step.fn(function* (accountId: string, filter: CallFilter, limit: number, after: Place | undefined) {
    const { from = 0, to = newest.at } = filter
    const account = numbered === undefined ? accountId : (yield* numbered.account.get(accountId))?.id
    const rows: Array<AuditRow> = []
    const ended = (next?: Place): CallPage => ({
      rows: rows.map(toAudit),
      ...(next === undefined ? {} : { next: cursorOf(next) }),
    })
    if (account === undefined) return ended()
    if (numbered !== undefined && isFiltered(filter)) {
      const { endpoint = null, keyId = null, agentId = null, code = null } = filter
      const end = [endpoint, ...statusRange(filter.status), code, code]
      const used = yield* numbered.everUsed.get(...end, keyId, keyId, agentId, agentId)
      if (used === undefined) return ended()
    }
    // A row is in the month in which its call ended, or in a later one.
    const first = from <= 0 ? "" : new Date(from).toISOString().slice(0, 7)
    const all = yield* months.all(first, after?.month ?? "9999-99")
    let left = looked
    for (const { month } of all) {
      const sql = ofMonth(month)
      const begin = month === after?.month ? after : newest
      // The index seeks by `at` alone; a place of two columns would be a filter over all rows before it.
      const latest = Math.min(to - 1, begin.at)
      const range = [account, from, latest, begin.at, begin.seq]
      let end = { at: 0, seq: 0 }
      let stop: Place | undefined
      if (isFiltered(filter)) {
        const { n } = (yield* sql.count.get(...range, left))!
        if (n === left) {
          end = (yield* sql.last.get(...range, left - 1))!
          stop = { month, ...end }
        }
        left -= n
      }
      rows.push(
        ...(yield* sql.page.all(
          account,
          Math.max(from, end.at),
          latest,
          begin.at,
          begin.seq,
          end.at,
          end.seq,
          ...filterValues(filter),
          limit - rows.length,
        )),
      )
      const last = rows.at(-1)
      if (rows.length === limit && last !== undefined) return ended({ month, at: last.at, seq: last.seq })
      if (stop !== undefined) return ended(stop)
    }
    return ended()
  })
}

export const layer: Layer.Layer<Calls, never, Transactions> = Layer.effect(
  Calls,
  Effect.map(Effect.all([Transactions, folded]), ([transactions, tail]) => {
    const page = pages(transactions)
    return {
      page: (accountId, filter, limit, cursor) => {
        const after = cursor === undefined ? undefined : parseCursor(cursor)
        if (cursor !== undefined && after === undefined) {
          return invalid("cursor", "Use the next cursor of a page with the same filter, or omit cursor.")
        }
        if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostRows)) {
          return invalid("limit", `limit must be 1 to ${mostRows}.`)
        }
        return Effect.zipRight(
          tail.account(accountId),
          transactions.read(() => page(accountId, filter, limit, after)),
        )
      },
    }
  }),
)
