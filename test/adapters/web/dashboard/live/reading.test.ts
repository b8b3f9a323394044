import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as calls from "../../../../../adapters/store/audit/Calls.ts"
import * as usage from "../../../../../adapters/store/audit/Usage.ts"
import * as Reading from "../../../../../adapters/web/dashboard/live/reading.ts"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { day, minute } from "../../../../../core/time.ts"
import { anyAccounts } from "../../../../support/anyStore.ts"
import { spend, spender } from "../../../../support/spender.ts"

const store = Layer.merge(calls.layer, usage.layer).pipe(Layer.provideMerge(anyAccounts))

/** Shortly before the last midnight of a month. */
const evening = Date.UTC(2026, 10, 30, 23, 59)

describe("a reading", () => {
  it.effect("follows balance, calls, agents and keys over midnight and a month's end", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(evening)
      const who = yield* spender("bot", { monthlyCap: 100_000 }, 1_000_000)
      yield* spender("elsewhere", {})
      const read = yield* Reading.make
      /** Texts by name, those of the agent and the key without their ids. */
      const now = Effect.map(read(who.accountId), (values) =>
        Object.fromEntries(
          values.map(({ name, shown }) => [name.replace(who.agentId, "agent").replace(who.keyId, "key"), shown.text]),
        ),
      )
      const first = yield* now
      assert.deepStrictEqual(first, {
        suspended: "no",
        balance: "1.00 USD",
        month: "0.00 USD",
        calls: "0",
        attention: "",
        "newest.call": "none",
        "newest.posting": first["newest.posting"]!,
        "agent.state": "active",
        "agent.live.month": "0.00 USD of 0.10 USD",
        "agent.live.total": "0.00 USD, no cap",
        "agent.test.month": "0.00 USD of 0.10 USD",
        "agent.test.total": "0.00 USD, no cap",
        "key.state": "active",
        "key.used": "never",
      })
      assert.match(first["newest.posting"]!, /^txn_/)

      const call = { requestId: "req_000000001", at: evening }
      yield* spend(who, 10_000, call)
      assert.deepInclude(yield* now, {
        balance: "0.99 USD",
        month: "0.01 USD",
        calls: "1",
        "newest.call": call.requestId,
        "agent.live.month": "0.01 USD of 0.10 USD",
        "agent.live.total": "0.01 USD, no cap",
        "key.used": "30 Nov 2026, 23:59 UTC",
      })

      const { suspend, resume } = yield* Accounts
      yield* suspend(who.accountId)
      assert.deepInclude(yield* now, { suspended: "30 Nov 2026, 23:59 UTC" })
      yield* resume(who.accountId)
      assert.deepInclude(yield* now, { suspended: "no" })

      // The next day is the next month.
      yield* TestClock.adjust(minute)
      assert.deepInclude(yield* now, { balance: "0.99 USD", month: "0.00 USD", calls: "0" })
      assert.deepInclude(yield* now, { "agent.live.month": "0.00 USD of 0.10 USD" })
      yield* spend(who, 20_000, { requestId: "req_000000002", at: evening + minute })
      assert.deepInclude(yield* now, { month: "0.02 USD", calls: "1", "agent.live.month": "0.02 USD of 0.10 USD" })

      // A day later the month has a day before today. A call that began then and ended now is there within a minute.
      yield* TestClock.adjust(day)
      assert.deepInclude(yield* now, { month: "0.02 USD", calls: "0" })
      yield* spend(who, 5_000, { requestId: "req_000000003", at: evening + minute + 1 })
      assert.deepInclude(yield* now, { balance: "0.965 USD", month: "0.02 USD", calls: "0" })
      yield* TestClock.adjust(minute + 1)
      assert.deepInclude(yield* now, { month: "0.025 USD", calls: "0" })
    }).pipe(Effect.provide(store)),
  )

  it.effect("of an account that does not exist fails", () =>
    Effect.gen(function* () {
      const { code } = yield* Effect.flip((yield* Reading.make)("acct_none"))
      assert.strictEqual(code, "not_found")
    }).pipe(Effect.provide(store)),
  )
})
