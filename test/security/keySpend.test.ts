import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import { monthOf } from "../../core/account/Agent.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { charge, settlementOf } from "../support/settlement.ts"
import { spender } from "../support/spender.ts"
import { accountsOver } from "../support/store.ts"

const first = Date.UTC(2026, 10, 30, 23, 59, 59, 999)

interface Charge {
  readonly key: 0 | 1
  readonly micros: number
  readonly later: number
  readonly livemode: boolean
}

const someCharge: fc.Arbitrary<Charge> = fc.record({
  key: fc.constantFrom(0 as const, 1 as const),
  micros: fc.integer({ min: 0, max: 300 }),
  /** Around the turn of a month, in any order. */
  later: fc.integer({ min: -3, max: 3 }),
  livemode: fc.boolean(),
})

/** @param together in one batch, as far as they fit */
const charged = (charges: ReadonlyArray<Charge>, together = false) =>
  Effect.gen(function* () {
    const who = [yield* spender("one", {}, 1_500), yield* spender("two", {}, 1_500)]
    yield* Effect.forEach(
      charges,
      ({ key, micros, later, livemode }, n) => {
        const { accountId, keyId } = who[key]!
        return charge({ accountId, keyId, requestId: `req_${n}`, micros, at: first + later, livemode })
      },
      { concurrency: together ? "unbounded" : 1 },
    )
    return who
  })

describe("what a key was charged in a month", () => {
  it("is the sum of its charges in the journal, whatever was refused, free or out of order", { timeout: 60_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(someCharge, { maxLength: 30 }), fc.boolean(), (charges, together) =>
        Effect.gen(function* () {
          const who = yield* charged(charges, together)
          const sql = yield* SqlClient.SqlClient
          const postings = yield* sql<{ key_id: string; at: number; micros: number }>`
            SELECT key_id, at, micros FROM postings WHERE kind = 'charge'`
          const sums = new Map<string, number>()
          for (const { key_id, at, micros } of postings) {
            const name = `${key_id} ${monthOf(at)}`
            sums.set(name, (sums.get(name) ?? 0) + micros)
          }
          const kept = yield* sql<{ key_id: string; month: string; micros: number }>`SELECT * FROM key_spend`
          assert.deepStrictEqual(new Map(kept.map((row) => [`${row.key_id} ${row.month}`, row.micros])), sums)
          const ledger = yield* Ledger
          for (const { accountId, keyId } of who) {
            for (const at of [first, first + 1]) {
              const { caller } = settlementOf({ accountId, keyId, requestId: "", micros: 0, at })
              const { monthSpent } = yield* ledger.spendStatus(caller, at)
              assert.strictEqual(monthSpent, sums.get(`${keyId} ${monthOf(at)}`) ?? 0)
            }
          }
        }).pipe(Effect.provide(accountsOver(":memory:")), Effect.runPromise),
      ),
      { numRuns: Number(process.env["MODEL_RUNS"] ?? 20) },
    ),
  )

  it.effect("is read without the journal", () =>
    Effect.gen(function* () {
      const [who] = yield* charged([{ key: 0, micros: 5, later: 0, livemode: true }])
      const { accountId, keyId } = who!
      // A journal that cannot be read: whoever adds it up fails.
      const { db } = yield* Sqlite
      db.exec("ALTER TABLE journal RENAME TO journal_away")
      const { caller } = settlementOf({ accountId, keyId, requestId: "", micros: 0, at: first })
      assert.strictEqual((yield* (yield* Ledger).spendStatus(caller, first)).monthSpent, 5)
    }).pipe(Effect.provide(accountsOver(":memory:"))),
  )
})
