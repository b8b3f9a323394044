import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as changes from "../../../../adapters/store/engine/changes.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { ChangeLog, CurrentChange } from "../../../../core/people/Change.ts"
import { suggestionsOf } from "../../../support/accounts.ts"
import { inMemory } from "../../../support/ledger.ts"
import { type Spender, spender } from "../../../support/spender.ts"

const setLow = ({ accountId }: Pick<Spender, "accountId">, micros: number | undefined) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.setLowBalance(accountId, micros === undefined ? undefined : MicroUsd(micros)),
  )

const payer = (name: string, balance: number, low: number | undefined, caps: Parameters<typeof spender>[1] = {}) =>
  Effect.tap(spender(name, caps, balance), (who) => setLow(who, low))

describe("the threshold of a wallet", () => {
  it.effect("is above zero, of an account that exists, and there is none at first", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { accountId } = yield* spender("bot", {})
        assert.isUndefined(yield* accounts.lowBalance(accountId))
        for (const micros of [0, -1]) {
          const failure = yield* Effect.flip(accounts.setLowBalance(accountId, MicroUsd(micros)))
          assert.strictEqual(suggestionsOf(failure), "threshold_micros must be above 0.")
        }
        assert.strictEqual((yield* Effect.flip(accounts.setLowBalance("nobody", MicroUsd(1)))).code, "not_found")
        assert.strictEqual((yield* Effect.flip(accounts.lowBalance("nobody"))).code, "not_found")
        assert.isUndefined(yield* accounts.lowBalance(accountId))
      }),
    ),
  )

  it.effect("is not negative or zero in the store either", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const who = yield* payer("bot", 100, 50)
        for (const micros of [0, -1]) {
          const error = yield* Effect.flip(sql`UPDATE wallets SET low_micros = ${micros}`)
          assert.match(String(error.cause), /check constraint/i)
        }
        assert.strictEqual(yield* (yield* Accounts).lowBalance(who.accountId), 50)
      }),
    ),
  )

  it.effect("is changed with its line in the log", () =>
    inMemory(
      Effect.gen(function* () {
        const { accountId } = yield* spender("bot", {})
        const change = { at: 5, who: "command line", verb: "wallet_threshold", subject: accountId, accountId }
        yield* Effect.provideService(setLow({ accountId }, 50), CurrentChange, change)
        const lines = yield* Effect.provide(
          Effect.flatMap(ChangeLog, ({ page }) => page({ limit: 10 })),
          changes.layer,
        )
        assert.deepStrictEqual(
          lines.map(({ seq: _, ...line }) => line),
          [change],
        )
      }),
    ),
  )
})
