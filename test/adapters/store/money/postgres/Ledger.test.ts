import { assert, describe, it } from "@effect/vitest"
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
})
