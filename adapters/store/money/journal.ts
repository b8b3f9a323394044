import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type { DayTransfers, JournalPart, Posting, Reversal, Reversed } from "../../../core/account/AccountStore.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { decodeTime } from "../../../core/account/Ulid.ts"
import { day } from "../../../core/time.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { dialects, findEngine } from "../engine/Dialect.ts"
import type { Folds } from "./folds.ts"

const walletLedger = (accountId: string): string => `wallet:${accountId}`

const posting = columns<Posting>()(["id", "at", "micros", "kind", "endpoint", "reverses", "provider", "receipt"])
type JournalRow = RowOf<typeof posting>

const toPosting = (row: JournalRow): Posting => ({
  ...posting.fromRow(row),
  micros: row.kind === "credit" ? row.micros : -row.micros,
})

/** Prefixes of a posting's id, newest first for equal rests: a charge that was given back has both. */
const prefixes = ["txn_", "req_"] as const

/** The rest of an id is a ULID, which begins with the time. */
const toUlid = (id: string): string => id.slice(4)

const newestFirst = (a: JournalRow, b: JournalRow): number =>
  toUlid(a.id) === toUlid(b.id) ? (a.id < b.id ? 1 : -1) : toUlid(a.id) < toUlid(b.id) ? 1 : -1

/**
 * The newest postings of one prefix, by the primary key. `~` sorts after every character of an id.
 *
 * @param cursor id of a posting: only those that follow it in the order of all postings
 */
export const readPage = (
  sql: SqlClient.SqlClient,
  accountId: string,
  prefix: string,
  cursor: string | undefined,
  limit: number,
): Statement<JournalRow> => {
  const last = `${prefix}${cursor === undefined ? "~" : toUlid(cursor)}`
  const isLast = sql.literal(cursor !== undefined && last < cursor ? "<=" : "<")
  return sql<JournalRow>`
    SELECT id, at, kind, micros, endpoint, reverses,
      (SELECT o.provider FROM orders o WHERE o.id = journal.id) AS provider,
      (
        SELECT MIN(f.reference) FROM order_facts f
        WHERE f.order_id = journal.id AND f.kind = 'paid' AND f.micros = journal.micros
      ) AS receipt
    FROM journal
    WHERE account_id = ${accountId} AND id > ${prefix} AND id ${isLast} ${last} ORDER BY id DESC LIMIT ${limit}`
}

/** The longest time between the making of a call's id and its begin, milliseconds. */
const maxBeginMs = 100

/** The newest charges that are only in SQLite's trail, by the index of accounts, with those that began right after them. */
const readCharges = (sql: SqlClient.SqlClient, accountId: string, cursor: string | undefined, limit: number) =>
  Effect.suspend(() => {
    if (findEngine(sql) === "postgres") return Effect.succeed([])
    const last = `req_${cursor === undefined ? "~" : toUlid(cursor)}`
    const isLast = cursor !== undefined && last < cursor ? "<=" : "<"
    const begun = cursor === undefined ? undefined : decodeTime(toUlid(cursor))
    const latest = begun === undefined ? Number.MAX_SAFE_INTEGER : begun + maxBeginMs
    const values = [accountId, latest, last]
    const own = `FROM audit_index i CROSS JOIN audit_charges a ON a.seq = i.seq
      WHERE i.account = (SELECT id FROM audit_accounts WHERE account_id = ?) AND i.at <= ? AND a.id ${isLast} ?`
    return sql.unsafe<JournalRow>(
      `SELECT a.id, a.at, a.kind, a.micros, a.endpoint, a.reverses, NULL AS provider, NULL AS receipt
      ${own} AND i.at >= ${-maxBeginMs} + (SELECT coalesce(min(at), 0) FROM (SELECT i.at ${own} ORDER BY i.at DESC LIMIT ?))`,
      [...values, ...values, limit],
    )
  })

/** Postings newest first; with `cursor`, those that follow it. Fold the account's rows first. */
export const readPostings = (
  sql: SqlClient.SqlClient,
  accountId: string,
  limit: number,
  cursor?: string,
  part?: JournalPart,
): Effect.Effect<ReadonlyArray<Posting>, SqlError> =>
  Effect.zipWith(
    Effect.forEach(part === undefined ? prefixes : prefixes.slice(0, 1), (prefix) =>
      readPage(sql, accountId, prefix, cursor, limit),
    ),
    part === undefined ? readCharges(sql, accountId, cursor, limit) : Effect.succeed([]),
    (rows, ofTrail) => [...rows.flat(), ...ofTrail].sort(newestFirst).slice(0, limit).map(toPosting),
  )

/** Sums of credits and reversals by day, without refunds of lost batches. */
export const readTransfers = (
  sql: SqlClient.SqlClient,
  accountId: string,
): Effect.Effect<ReadonlyArray<DayTransfers>, SqlError> =>
  Effect.map(
    sql<DayTransfers>`
      SELECT at - at % ${sql.literal(String(day))} AS at, kind, CAST(count(*) AS BIGINT) AS lines,
        CAST(SUM(micros) AS BIGINT) AS micros
      FROM journal
      WHERE account_id = ${accountId} AND id > 'txn_' AND id < 'txn_~' AND 'cash' IN (debit, credit)
      GROUP BY 1, kind ORDER BY 1, kind`,
    (rows) => rows.map((row) => ({ ...row, micros: row.kind === "credit" ? row.micros : -row.micros })),
  )

/** Money from outside that goes into a wallet. */
export interface Credit {
  readonly id: string
  readonly accountId: string
  readonly micros: MicroUsd
  readonly at: number
}

/** Credits a wallet, in a transaction. Undefined: nothing was written, as the balance would not be a safe integer. */
export const credit = (sql: SqlClient.SqlClient, { charges }: Folds, { id, accountId, micros, at }: Credit) =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ balance_micros: number }>`
      UPDATE wallets SET balance_micros = balance_micros + ${micros}
      WHERE account_id = ${accountId} AND balance_micros <= ${Number.MAX_SAFE_INTEGER - micros}
      RETURNING balance_micros`
    if (row === undefined) return undefined
    yield* sql`INSERT INTO journal ${sql.insert({
      id,
      at,
      kind: "credit",
      account_id: accountId,
      debit: "cash",
      credit: walletLedger(accountId),
      micros,
    })}`
    return MicroUsd(row.balance_micros - charges(accountId))
  })

/**
 * The part of a credit that was taken back so far. SQLite needs to be told the index: it would read all of an account's postings.
 *
 * @param accountId a value, or a column of the query around this one
 */
export const sumTakenBack = (
  sql: SqlClient.SqlClient,
  accountId: string | Fragment,
  credit: string | Fragment,
): Statement<{ readonly sum: number }> => sql<{ readonly sum: number }>`
  SELECT CAST(coalesce(SUM(j.micros), 0) AS BIGINT) AS sum
  FROM journal j ${sql.literal(sql.onDialectOrElse({ sqlite: () => "INDEXED BY journal_reverses", orElse: () => "" }))}
  WHERE j.account_id = ${accountId} AND j.reverses = ${credit}`

/** Takes a credit back, as far as the balance allows, in a transaction. */
export const reverse = (
  sql: SqlClient.SqlClient,
  { charges }: Folds,
  { id, accountId, credit, micros, at }: Reversal,
): Effect.Effect<Reversed | undefined, SqlError> =>
  Effect.gen(function* () {
    // The wallet's row is the account's lock, so that charges and other reversals wait. SQLite already has the write lock.
    const [wallet] = yield* sql<{ balance_micros: number }>`
      SELECT balance_micros FROM wallets WHERE account_id = ${accountId}
      ${sql.literal(dialects[findEngine(sql)].lockClause("NO KEY UPDATE"))}`
    // Only payments, not refunds of lost batches.
    const [paid] = yield* sql<{ micros: number }>`
      SELECT micros FROM journal
      WHERE account_id = ${accountId} AND id = ${credit} AND kind = 'credit' AND debit = 'cash'`
    if (wallet === undefined || paid === undefined) return undefined
    const balance = wallet.balance_micros - charges(accountId)
    const [before] = yield* sql<{ micros: number }>`
      SELECT micros FROM journal WHERE account_id = ${accountId} AND id = ${id} AND reverses = ${credit}`
    const [back] = yield* sumTakenBack(sql, accountId, credit)
    const left = paid.micros - back!.sum
    const taken = before === undefined ? Math.min(micros ?? left, left, balance) : 0
    if (taken > 0) {
      yield* sql`UPDATE wallets SET balance_micros = balance_micros - ${taken} WHERE account_id = ${accountId}`
      yield* sql`INSERT INTO journal ${sql.insert({
        id,
        at,
        kind: "reversal",
        account_id: accountId,
        debit: walletLedger(accountId),
        credit: "cash",
        micros: taken,
        reverses: credit,
      })}`
    }
    return {
      taken: MicroUsd(before?.micros ?? taken),
      left: MicroUsd(left - taken),
      balance: MicroUsd(balance - taken),
    }
  })
