import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../../core/Failure.ts"
import { parse } from "../../../../core/record/log/checkpoint.ts"
import * as merkle from "../../../../core/record/log/merkle.ts"
import * as proofs from "../../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { recomputed } from "../../../../core/record/log/signCheckpoint.ts"
import * as hasher from "../../../runtime/node/hasher.ts"
import { findEngine } from "../../engine/Dialect.ts"
import type { StoreError } from "../../engine/opening.ts"
import type { Transactions } from "../../engine/Transactions.ts"
import * as recordLog from "../../record/RecordLog.ts"
import { inPostgres, inSqlite } from "../damage.ts"
import { type Opened, refuse } from "./Opened.ts"

export interface Checked {
  /** Wallets that equal their postings. */
  readonly wallets: number
  /** Charges of the trail, and those of them that are not yet folded into SQLite's wallets. */
  readonly charges: number
  readonly unfolded: number
  /** Leaves whose text has the recorded hash. */
  readonly leaves: number
  /** The size and root of the last checkpoint, which the leaves' texts reproduce. */
  readonly checkpoint?: { readonly size: number; readonly root: string }
  /** Settled rows, of which the scoreboard is made. */
  readonly settled: number
}

/** A ledger's balance is its credits minus its debits; a wallet's ledger is named by its account. */
const ledgers = `
  SELECT ledger, sum(micros) AS micros FROM (
    SELECT credit AS ledger, micros FROM postings UNION ALL SELECT debit AS ledger, -micros AS micros FROM postings
  ) AS sides GROUP BY ledger`

/** Checks that every wallet, minus its unfolded charges, equals its postings, and that all ledgers together are zero. */
const checkWallets = ({ sql }: Opened): Effect.Effect<number, StoreError | SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* sql.unsafe<{ wallets: number; wrong: string | null; total: number }>(`
        WITH ledgers AS (${ledgers}), tail AS (${unfoldedSql(charges[findEngine(sql)])})
        SELECT (SELECT count(*) FROM wallets) AS wallets,
          (SELECT min(w.account_id) FROM wallets w LEFT JOIN ledgers l ON l.ledger = 'wallet:' || w.account_id
            LEFT JOIN tail t ON t.account_id = w.account_id
            WHERE w.balance_micros - coalesce(t.micros, 0) <> coalesce(l.micros, 0)) AS wrong,
          (SELECT coalesce(sum(micros), 0) FROM ledgers) AS total`)
    const { wallets, wrong: account, total } = row!
    if (account !== null) return yield* refuse(`The wallet of ${account} does not equal its postings.`)
    if (total !== 0) return yield* refuse(`All ledgers together are ${total} micros, not 0.`)
    return wallets
  })

/** SQL: charges of the trail, each with whether it has a row of the journal, whether it must have one, and whether it is folded. */
const charges = {
  sqlite: `
    SELECT a.request_id AS id, c.account_id, a.charged_micros AS micros, j.id IS NOT NULL AS posted,
      a.seq <= (SELECT seq FROM places WHERE name = 'posted') AS is_old,
      a.seq <= max((SELECT seq FROM places WHERE name = 'folded'), coalesce(w.folded, 0)) AS folded
    FROM audit_rows a JOIN audit_callers c ON c.id = a.caller LEFT JOIN wallets w ON w.account_id = c.account_id
    LEFT JOIN journal j ON j.account_id = c.account_id AND j.id = a.request_id AND j.kind = 'charge' AND j.micros = a.charged_micros
    WHERE a.charged_micros > 0 AND a.seq >= (SELECT seq FROM places WHERE name = 'kept')`,
  postgres: `
    SELECT a.request_id AS id, a.account_id, a.charged_micros AS micros, (j.id IS NOT NULL)::integer AS posted, 1 AS is_old, 1 AS folded
    FROM audit a
    LEFT JOIN journal j ON j.account_id = a.account_id AND j.id = a.request_id AND j.kind = 'charge' AND j.micros = a.charged_micros
    WHERE a.month IN (SELECT month FROM audit_months WHERE dropping = 0) AND a.charged_micros > 0`,
} as const

const unfoldedSql = (charges: string): string =>
  `SELECT account_id, sum(micros) AS micros FROM (${charges}) AS c WHERE folded = 0 GROUP BY 1`

/** Checks that every charge of the trail has one posting, and that wallets cover their unfolded charges. */
const checkPostings = ({ sql }: Opened) =>
  Effect.gen(function* () {
    const [row] = yield* sql.unsafe<{ folded: number; unfolded: number; wrong: string | null; poor: string | null }>(`
        WITH charges AS (${charges[findEngine(sql)]})
        SELECT coalesce(sum(folded), 0) AS folded, coalesce(sum(1 - folded), 0) AS unfolded,
          min(CASE WHEN posted <> is_old THEN id END) AS wrong,
          (SELECT min(t.account_id) FROM (${unfoldedSql("SELECT * FROM charges")}) t
            LEFT JOIN wallets w ON w.account_id = t.account_id WHERE t.micros > coalesce(w.balance_micros, 0)) AS poor
        FROM charges`)
    const { folded, unfolded, wrong: id, poor } = row!
    if (id !== null) return yield* refuse(`The charge ${id} and its posting do not agree.`)
    if (poor !== null) return yield* refuse(`The wallet of ${poor} has less than its charges that are not folded yet.`)
    return { charges: Number(folded), unfolded: Number(unfolded) }
  })

/** Checks that the leaves' texts reproduce the last checkpoint's root and the stored hashes of the log. */
const checkRecord = Effect.gen(function* () {
  const log = yield* RecordLog
  const [size, last] = [yield* log.size, yield* log.checkpoint()]
  const signed = last === undefined ? undefined : parse(last.note)
  const checkedSize = last?.size ?? 0
  if (checkedSize > size) return yield* refuse(`The record has ${size} leaves; its last checkpoint has ${checkedSize}.`)
  if (signed !== undefined) {
    const root = yield* recomputed(0, checkedSize)
    if (Either.isLeft(signed) || signed.right.size !== checkedSize || !merkle.isEqual(signed.right.root, root)) {
      return yield* refuse(`The first ${checkedSize} leaves do not match the last checkpoint's root.`)
    }
  }
  if (!merkle.isEqual(yield* recomputed(checkedSize, size), yield* proofs.root(size))) {
    return yield* refuse("The record's stored hashes do not match its leaves.")
  }
  return {
    leaves: size,
    ...(signed === undefined || Either.isLeft(signed)
      ? {}
      : { checkpoint: { size: checkedSize, root: Encoding.encodeHex(signed.right.root) } }),
  }
}).pipe(
  Effect.catchTag("NotSigned", ({ message }) => refuse(message)),
  Effect.provide(Layer.provideMerge(recordLog.layer, hasher.layer)),
)

/** Checks that every opinion of a challenger is a leaf of the record, and counts settled rows. */
const checkOpinions = ({ sql }: Opened): Effect.Effect<number, StoreError | SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ settled: number; opinion: string | null }>`
      SELECT (SELECT count(*) FROM settled_rows) AS settled, (SELECT min(o.id) FROM bench_opinions o
        WHERE NOT EXISTS (SELECT 1 FROM record_leaves l WHERE l.id = o.id)) AS opinion`
    const { settled, opinion } = row!
    return opinion === null ? settled : yield* refuse(`The opinion ${opinion} has no leaf on the record.`)
  })

/** Checks the pages of a store, its money and its record. */
export const check = (
  store: Opened,
): Effect.Effect<Checked, Failure | StoreError | SqlError, SqlClient.SqlClient | Transactions> =>
  Effect.gen(function* () {
    const { db } = store
    const damage = db === undefined ? yield* inPostgres : inSqlite(db, "integrity_check")
    if (damage !== undefined) return yield* refuse(`The store is damaged: restore a backup. ${damage}`)
    const wallets = yield* checkWallets(store)
    const postings = yield* checkPostings(store)
    const log = yield* checkRecord
    return { wallets, ...postings, ...log, settled: yield* checkOpinions(store) }
  })
