import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { isRemembered } from "./settlement.ts"
import { accountsOver } from "./store.ts"

/** A charge of `storeProcess charge`, micro-USD, and how many it has in flight. */
const price = 1_000
export const underWay = 4

/** Opens the store as a restarted service would, does something and closes it. */
export const reopened = async <A>(
  file: string,
  effect: Effect.Effect<A, unknown, Accounts | SqlClient.SqlClient>,
): Promise<A> => Effect.runPromise(Effect.provide(effect, accountsOver(file)))

/** A wallet that outlasts every charge of a test, with a key. */
export const wallet = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("one")
  yield* accounts.credit(id, MicroUsd(1_000_000_000_000))
  const { key } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
  return { id, keyId: key.id }
})

export interface Books {
  readonly charges: ReadonlySet<string>
  readonly credits: number
}

/** Every posting of the wallet, after the store has been checked for what must always be true of it. */
export const audited = (accountId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { balance } = yield* (yield* Accounts).balance(accountId)
    assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`, [{ integrity_check: "ok" }])
    assert.deepStrictEqual(yield* sql`PRAGMA foreign_key_check`, [])
    const postings = yield* sql<{
      id: string
      kind: string
      debit: string
      credit: string
      micros: number
    }>`SELECT id, kind, debit, credit, micros FROM postings`
    const ledgers = new Map<string, number>()
    for (const { debit, credit, micros } of postings) {
      ledgers.set(debit, (ledgers.get(debit) ?? 0) - micros)
      ledgers.set(credit, (ledgers.get(credit) ?? 0) + micros)
    }
    const charges = postings.filter(({ kind }) => kind === "charge").map(({ id }) => id)
    const credits = postings.filter(({ kind }) => kind === "credit")
    const credited = credits.reduce((sum, { micros }) => sum + micros, 0)
    assert.strictEqual(new Set(charges).size, charges.length)
    assert.strictEqual(balance, credited - charges.length * price)
    assert.deepStrictEqual(
      ledgers,
      new Map([
        ["cash", 0 - credited],
        [`wallet:${accountId}`, balance],
        ...(charges.length === 0 ? [] : [["revenue", charges.length * price] as const]),
      ]),
    )
    // A batch writes the sum of each key with its charges.
    assert.deepStrictEqual(yield* sql`SELECT coalesce(SUM(micros), 0) AS micros FROM key_spend`, [
      { micros: charges.length * price },
    ])
    // A charge and its stored reply are there together, and counted once.
    const replies = yield* sql<{ id: string; size: number }>`
      SELECT idempotency_key AS id, 256 + length(stored) AS size FROM idempotency`
    assert.deepStrictEqual(replies.map(({ id }) => id).sort(), charges.filter(isRemembered).sort())
    assert.deepStrictEqual(yield* sql`SELECT coalesce(SUM(charged), 0) AS bytes FROM reply_bytes`, [
      { bytes: replies.reduce((sum, { size }) => sum + size, 0) },
    ])
    return { charges: new Set(charges), credits: credits.length } satisfies Books
  })
