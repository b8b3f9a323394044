import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Ledger } from "../../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import { database } from "../../../../support/postgres.ts"
import { node } from "../../../../support/postgresNode.ts"
import { settlementOf } from "../../../../support/settlement.ts"
import { count, spend, spender } from "../../../../support/spender.ts"

describe("a charge on PostgreSQL", () => {
  // The journal has no foreign keys there.
  it.scopedLive(
    "is refused if its key is unknown, or its row has another charge; the other charges of the batch are made",
    () =>
      Effect.gen(function* () {
        const own = yield* Effect.flatMap(database, node)
        yield* Effect.provide(
          Effect.gen(function* () {
            const [first, second] = [yield* spender("first", {}), yield* spender("second", {})]
            const at = Date.now()
            const charges = [first, { ...first, keyId: "key_unknown" }, second]
            const ledger = yield* Ledger
            const other = settlementOf({ ...first, requestId: "req_other", micros: 1_000, at })
            const said = yield* Effect.all(
              [
                ...charges.map((who) => Effect.exit(spend(who, 1_000, { at }))),
                Effect.exit(ledger.charge({ ...other, audit: { ...other.audit, charged: MicroUsd(1) } })),
              ],
              { concurrency: "unbounded" },
            )
            assert.deepStrictEqual(said.map(Exit.isSuccess), [true, false, true, false])
            const accounts = yield* Accounts
            for (const { accountId } of [first, second]) {
              assert.strictEqual((yield* accounts.balance(accountId)).balance, 1_000_000_000 - 1_000)
            }
            // Two credits and two charges.
            assert.strictEqual(yield* count("postings"), 4)
            assert.strictEqual(yield* count("audit"), 2)
          }),
          own,
        )
      }),
  )

  it.scopedLive("takes balances below their thresholds in batches with easy accounts, as if each were alone", () =>
    Effect.gen(function* () {
      const own = yield* Effect.flatMap(database, node)
      yield* Effect.provide(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const at = Date.now()
          // Balance, threshold, whether a call has an Idempotency-Key, and the balance in the event. Each pays 5 times 10.
          const kinds = [
            ["crosses", 100, 75, false, 70],
            ["crosses with a stored reply", 100, 51, true, 50],
            ["ends exactly at it", 100, 50, false, undefined],
            ["far above it", 1_000, 50, false, undefined],
            ["below it before", 60, 70, false, undefined],
            ["has none", 100, undefined, false, undefined],
            ["crosses, and cannot pay all", 45, 40, false, 35],
          ] as const
          const payers = yield* Effect.forEach(kinds, ([name, balance, low]) =>
            Effect.tap(spender(name.replaceAll(",", ""), {}, balance), ({ accountId }) =>
              accounts.setLowBalance(accountId, low === undefined ? undefined : MicroUsd(low)),
            ),
          )
          const batches = yield* count("charge_batches")
          yield* Effect.forEach(
            Arr.range(1, 5).flatMap((n) => payers.map((who, each) => [n, who, kinds[each]!] as const)),
            ([n, who, [, , , isKeyed]]) => {
              const key = `3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a3${n}`
              return spend(who, 10, { at, ...(isKeyed ? { remember: { key, requestHash: "h", stored: "{}" } } : {}) })
            },
            { concurrency: "unbounded" },
          )
          // The store's, and those of calls that the node decides: with a key, and near a threshold.
          assert.isAtMost((yield* count("charge_batches")) - batches, 3)
          const found = yield* Effect.forEach(payers, ({ accountId }) => accounts.balance(accountId))
          assert.deepStrictEqual(
            found.map(({ balance }) => balance),
            [50, 50, 50, 950, 10, 50, 5].map((micros) => MicroUsd(micros)),
          )
          const sql = yield* SqlClient.SqlClient
          const written = yield* sql<{ account_id: string; data: string }>`
            SELECT account_id, data FROM outbox WHERE type = 'wallet.low'`
          const expected = kinds.flatMap(([, , low, , balance], each) =>
            balance === undefined
              ? []
              : [
                  {
                    account_id: payers[each]!.accountId,
                    data: JSON.stringify({ balance_micros: balance, threshold_micros: low }),
                  },
                ],
          )
          assert.sameDeepMembers([...written], expected)
        }),
        own,
      )
    }),
  )
})
