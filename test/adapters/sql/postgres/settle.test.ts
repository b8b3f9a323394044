import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import { count, spend, spender } from "../../../support/spender.ts"

describe("a charge on PostgreSQL", () => {
  // The journal has no foreign keys there.
  it.scopedLive("is refused if its key is unknown; the other charges of the batch are made", () =>
    Effect.gen(function* () {
      const own = yield* Effect.flatMap(database, node)
      yield* Effect.provide(
        Effect.gen(function* () {
          const [first, second] = [yield* spender("first", {}), yield* spender("second", {})]
          const at = Date.now()
          const charges = [first, { ...first, keyId: "key_unknown" }, second]
          const said = yield* Effect.all(
            charges.map((who) => Effect.exit(spend(who, 1_000, { at }))),
            { concurrency: "unbounded" },
          )
          assert.deepStrictEqual(said.map(Exit.isSuccess), [true, false, true])
          const accounts = yield* Accounts
          for (const { accountId } of [first, second]) {
            assert.strictEqual((yield* accounts.balance(accountId)).balance, 1_000_000_000 - 1_000)
          }
          // Two credits and two charges.
          assert.strictEqual(yield* count("journal"), 4)
          assert.strictEqual(yield* count("audit"), 2)
        }),
        own,
      )
    }),
  )
})
