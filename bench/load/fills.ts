// Stores that statements fill before a server starts, with what years of an installation would leave.
import type { Database } from "../../adapters/store/engine/sqlite/client.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import type { Leaf } from "../../core/record/log/leaf.ts"

/** Works in a store that no server has, in one transaction. */
export const changed = (file: string, work: (db: Database) => void): void => {
  const db = open(file)
  db.exec("BEGIN")
  work(db)
  db.exec("COMMIT")
  db.close()
}

/** A table `each` of the numbers `i`. */
export const each = (count: number, from = 0): string =>
  `WITH RECURSIVE each(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM each WHERE i + 1 < ${count})`

/** Accounts `acct_0…`, the newest first, each with a wallet. */
export const manyAccounts = (count: number, micros: number, now: number): string => `
  INSERT INTO accounts (id, name, created_at)
    ${each(count)} SELECT 'acct_0' || printf('%025d', i), 'account ' || i, ${now} - i FROM each;
  INSERT INTO wallets (account_id, balance_micros)
    SELECT id, ${micros} FROM accounts WHERE id LIKE 'acct_0%' AND name LIKE 'account %';`

/** A capture of eleven strikes. */
export const capture = (n: number): Leaf => ({
  id: `01K0BENCH${String(n).padStart(17, "0")}`,
  kind: "capture",
  at: 1_783_468_800_000 + n,
  lane: "crypto",
  subject: "BTC/60",
  body: {
    endpoint: "crypto_signal",
    model_version: "blend-t-2",
    output: {
      p_above: Array.from({ length: 11 }, (_, at) => ({ strike: 60_000 + at * 250, p_above: 1 / (at + 1.5) })),
    },
    inputs_hash: n.toString(16).padStart(64, "0"),
  },
})
