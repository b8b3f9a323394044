import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as changes from "../../../../adapters/store/engine/changes.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { types } from "../../../../core/events/Event.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { ChangeLog, CurrentChange } from "../../../../core/people/Change.ts"
import { suggestionsOf } from "../../../support/accounts.ts"
import { delivered, deliveriesOf, endOf, inStore, start, states, turn } from "../../../support/deliveryQueue.ts"
import { inMemory } from "../../../support/ledger.ts"
import { count, type Spender, spend, spender } from "../../../support/spender.ts"

const setLow = ({ accountId }: Pick<Spender, "accountId">, micros: number | undefined) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.setLowBalance(accountId, micros === undefined ? undefined : MicroUsd(micros)),
  )

const credit = ({ accountId }: Pick<Spender, "accountId">, micros: number) =>
  Effect.flatMap(Accounts, (accounts) => accounts.credit(accountId, MicroUsd(micros)))

const payer = (name: string, balance: number, low: number | undefined, caps: Parameters<typeof spender>[1] = {}) =>
  Effect.tap(spender(name, caps, balance), (who) => setLow(who, low))

describe("the event of a low balance", () => {
  it.effect("is delivered to the webhooks that are subscribed to it, and to no other", () =>
    inStore(
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const who = yield* payer("bot", 100, 50)
        const stranger = yield* spender("stranger", {})
        const hook = (owner: Spender, host: string, names: ReadonlyArray<string>) =>
          Effect.map(webhooks.create(owner.accountId, `https://${host}.example/`, names), ({ webhook: { id } }) => id)
        const own = yield* hook(who, "low", ["wallet.low"])
        const all = yield* hook(who, "all", types)
        const budget = yield* hook(who, "budget", ["agent.budget_warning", "agent.budget_exceeded"])
        const others = yield* hook(stranger, "stranger", types)
        yield* spend(who, 60, { at: start })
        assert.strictEqual(yield* count("webhook_deliveries"), 2)
        for (const id of [budget, others]) assert.deepStrictEqual(yield* deliveriesOf(id), [])
        // Two events of one moment do not wait for each other: they have no agent in common.
        yield* credit(who, 60)
        yield* spend(who, 60, { at: start })
        const leased = yield* turn("w", start, { [own]: 5, [all]: 5 })
        assert.deepStrictEqual(leased.map(({ webhookId }) => webhookId).toSorted(), [own, own, all, all].toSorted())
        const { id, ...body } = JSON.parse(leased[0]!.body)
        assert.strictEqual(id, leased[0]!.eventId)
        assert.deepStrictEqual(body, {
          type: "wallet.low",
          timestamp: new Date(start).toISOString(),
          api_version: "v1",
          livemode: true,
          data: { balance_micros: 40, threshold_micros: 50 },
        })
        yield* turn(
          "w",
          start + 100,
          {},
          leased.map((each) => endOf(each, delivered)),
        )
        assert.deepStrictEqual(states(yield* deliveriesOf(own)), ["Delivered", "Delivered"])
      }),
    ),
  )
})

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
