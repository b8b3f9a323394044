import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CallFilter, type CallPage, Calls, maxRows } from "../../../core/account/Calls.ts"
import { invalid } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"
import { type Queries, Transactions, type Value } from "../engine/Transactions.ts"
import { folds } from "../money/folds.ts"
import { type AuditRow, toAudit } from "./auditReads.ts"

/** Rows that a page examines at most, in a millisecond or two. Further matches are on the next page. */
const maxExamined = 2_500

/** A row's place: the next page begins after it. */
interface Place {
  readonly at: number
  readonly seq: number
}

const newest = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER } as const

const formatCursor = ({ at, seq }: Place): string => `${at}.${seq}`

const cursorPattern = /^(\d{1,15})\.(\d{1,15})$/

const parseCursor = (cursor: string): Place | undefined => {
  const match = cursorPattern.exec(cursor)
  return match === null ? undefined : { at: Number(match[1]), seq: Number(match[2]) }
}

/** SQL: an account's rows that began in a span of time, after a place, by the index of accounts, `i`. */
const isInRange = (account: string, i: string): string =>
  `${account} AND ${i}.at BETWEEN ? AND ? AND (${i}.at, ${i}.seq) < (?, ?)`

/** SQL of the filter. Its parameters are those of `filterValues`. */
const passesFilter = `
  a.endpoint = coalesce(?, a.endpoint) AND a.key_id = coalesce(?, a.key_id)
  AND (CAST(? AS TEXT) IS NULL OR a.agent_id = ?) AND a.status BETWEEN ? AND ?
  AND (CAST(? AS TEXT) IS NULL OR a.code = ?) AND a.request_id = coalesce(?, a.request_id)
  AND (CAST(? AS TEXT) IS NULL OR (SELECT k.environment FROM api_keys k WHERE k.id = a.key_id) = ?)`

const orderBy = (i: string): string => `ORDER BY ${i}.at DESC, ${i}.seq DESC`

const toStatusRange = (status: CallFilter["status"]): readonly [number, number] =>
  status === undefined
    ? [0, 999]
    : status === "failed"
      ? [400, 999]
      : status < 10
        ? [status * 100, status * 100 + 99]
        : [status, status]

const filterValues = (filter: CallFilter): ReadonlyArray<Value> => {
  const { endpoint = null, keyId = null, agentId = null, code = null, requestId = null, environment = null } = filter
  const status = toStatusRange(filter.status)
  return [endpoint, keyId, agentId, agentId, ...status, code, code, requestId, environment, environment]
}

const isFiltered = ({ from: _, to: __, ...others }: CallFilter): boolean =>
  Object.values(others).some((value) => value !== undefined)

/** The tables of the statements: `numbers` has the columns of the index of accounts, `rows` all columns. */
const sources = {
  // CROSS JOIN: the account's rows are read first, not all rows of an endpoint.
  sqlite: {
    i: "i",
    numbers: "audit_index i",
    rows: "audit_index i CROSS JOIN audit a ON a.seq = i.seq",
    account: "i.account = ? AND i.seq >= (SELECT seq FROM places WHERE name = 'kept')",
  },
  postgres: {
    i: "a",
    numbers: "audit a",
    rows: "audit a",
    account: "a.account_id = ? AND a.month IN (SELECT month FROM audit_months WHERE dropping = 0)",
  },
} as const

/** The statements of a page. */
export const statements = (dialect: Queries["dialect"]) => {
  const { i, numbers, rows, account } = sources[dialect]
  const range = isInRange(account, i)
  return {
    count: `SELECT count(*) AS n FROM (SELECT 1 FROM ${numbers} WHERE ${range} ${orderBy(i)} LIMIT ?) looked`,
    last: `SELECT ${i}.at, ${i}.seq FROM ${numbers} WHERE ${range} ${orderBy(i)} LIMIT 1 OFFSET ?`,
    page: `SELECT a.* FROM ${rows} WHERE ${range} AND (${i}.at, ${i}.seq) >= (?, ?) AND ${passesFilter} ${orderBy(i)} LIMIT ?`,
  }
}

const prepareAll = ({ dialect, prepare }: Queries) => {
  const { count, last, page } = statements(dialect)
  return {
    /** On SQLite rows name accounts by numbers. */
    number:
      dialect === "sqlite" ? prepare<{ id: number }>("SELECT id FROM audit_accounts WHERE account_id = ?") : undefined,
    count: prepare<{ n: number }>(count),
    last: prepare<Place>(last),
    page: prepare<AuditRow>(page),
  }
}

const makePage = (queries: Queries) => {
  const sql = prepareAll(queries)
  return Step.fn(function* (accountId: string, filter: CallFilter, limit: number, begin: Place) {
    const { from = 0, to = newest.at } = filter
    const account = sql.number === undefined ? accountId : (yield* sql.number.get(accountId))?.id
    const none: CallPage = { rows: [] }
    if (account === undefined) return none
    // SQLite seeks in the index only by `at`; by the pair it would filter all earlier rows.
    const latest = Math.min(to - 1, begin.at)
    const range = [account, from, latest, begin.at, begin.seq]
    /** The last row that is examined, if there may be more. */
    let stop: Place | undefined
    if (isFiltered(filter)) {
      const { n } = (yield* sql.count.get(...range, maxExamined))!
      if (Number(n) === maxExamined) stop = yield* sql.last.get(...range, maxExamined - 1)
    }
    const { at, seq } = stop ?? { at: 0, seq: 0 }
    const rows = yield* sql.page.all(
      ...[account, Math.max(from, at), latest, begin.at, begin.seq, at, seq],
      ...filterValues(filter),
      limit,
    )
    const next = rows.length === limit ? rows.at(-1) : stop
    const page: CallPage = { rows: rows.map(toAudit), ...(next === undefined ? {} : { next: formatCursor(next) }) }
    return page
  })
}

export const layer: Layer.Layer<Calls, never, Transactions> = Layer.effect(
  Calls,
  Effect.map(Effect.all([Transactions, folds]), ([transactions, { flush }]) => {
    const page = makePage(transactions)
    const fields = transactions.prepare<{ fields: string }>("SELECT fields FROM call_reasons WHERE request_id = ?")
    return {
      fields: (requestId) =>
        Effect.map(
          transactions.read(() => fields.get(requestId)),
          (row) => row?.fields,
        ),
      page: (accountId, filter, limit, cursor) => {
        const after = cursor === undefined ? undefined : parseCursor(cursor)
        if (cursor !== undefined && after === undefined) {
          return invalid("cursor", "Use the next cursor of a page with the same filter, or omit cursor.")
        }
        if (!(Number.isInteger(limit) && limit >= 1 && limit <= maxRows)) {
          return invalid("limit", `limit must be 1 to ${maxRows}.`)
        }
        return Effect.zipRight(
          flush(accountId),
          transactions.read(() => page(accountId, filter, limit, after ?? newest)),
        )
      },
    }
  }),
)
