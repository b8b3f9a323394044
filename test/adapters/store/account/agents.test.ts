import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { callerOf } from "../../../support/accounts.ts"
import { complete, inMemory, refusal } from "../../../support/agents.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { spend, spender } from "../../../support/spender.ts"

describe("an agent", () => {
  it.effect("is found by id, and by a name that only one has", () =>
    inMemory(
      Effect.gen(function* () {
        const [accounts, agents] = [yield* Accounts, yield* Agents]
        for (const name of ["one", "two"]) yield* accounts.create(name)
        const bot = yield* agents.create("one", "bot", { monthlyCap: MicroUsd(5), budgetCap: MicroUsd(0) })
        assert.match(bot.id, /^agt_[0-9A-HJKMNP-TV-Z]{26}$/)
        for (const name of [bot.id, "bot"]) assert.deepStrictEqual((yield* agents.get(name)).agent, bot)
        assert.deepStrictEqual(yield* refusal(agents.create("one", "bot", {})), ["invalid_parameter", "name"])
        const other = yield* agents.create("two", "bot", {})
        assert.deepStrictEqual(yield* refusal(agents.get("bot")), ["not_found", "agent"])
        assert.deepStrictEqual(
          [yield* agents.list("one", { limit: 10 }), yield* agents.list("two", { limit: 10 })],
          [[bot], [other]],
        )
        // Within its account the name is enough.
        const { key } = yield* accounts.issueKey({ account: "two", environment: "live", tier: "pro", agent: "bot" })
        assert.strictEqual(key.agentId, other.id)
        for (const name of ["", "agt_1", " a", "a\n", "x".repeat(65)]) {
          assert.deepStrictEqual(yield* refusal(agents.create("one", name, {})), ["invalid_parameter", "name"])
        }
      }),
    ),
  )

  it.effect("is paused, goes on, and is revoked for good", () =>
    inMemory(
      Effect.gen(function* () {
        const [accounts, agents] = [yield* Accounts, yield* Agents]
        yield* accounts.create("one")
        yield* agents.create("one", "bot", {})
        const key = yield* accounts.issueKey({ account: "one", environment: "live", tier: "pro", agent: "bot" })
        for (const [turn, status, paused] of [
          ["pause", "paused", true],
          ["pause", "paused", true],
          ["resume", "active", false],
          ["revoke", "revoked", undefined],
          ["revoke", "revoked", undefined],
        ] as const) {
          assert.strictEqual((yield* agents[turn]("bot")).status, status)
          assert.strictEqual((yield* agents.get("bot")).agent.status, status)
          assert.strictEqual((yield* callerOf(key))?.agent?.paused, paused)
        }
        for (const turn of ["pause", "resume"] as const) {
          assert.deepStrictEqual(yield* refusal(agents[turn]("bot")), ["invalid_parameter", "agent"])
        }
        assert.isUndefined(yield* callerOf(key))
      }),
    ),
  )

  it.effect("reads on from a call that ended, and never misses one that began before it and ended after it", () =>
    inMemory(
      Effect.gen(function* () {
        const [agents, ledger] = [yield* Agents, yield* Ledger]
        const [who, other] = [yield* spender("bot", {}), yield* spender("other", {})]
        // In the order of their ends; the ids are in the order of their beginnings.
        yield* spend(who, 1, { requestId: "req_5" })
        yield* spend(other, 1, { requestId: "req_6" })
        const read = Effect.map(Effect.zipRight(complete, agents.audit("bot", 10)), (rows) =>
          rows.map(({ requestId }) => requestId),
        )
        assert.deepStrictEqual(yield* read, ["req_5"])
        yield* spend(who, 2, { requestId: "req_1" })
        // A call that failed is on the trail too, a moment after its answer.
        yield* ledger.appendAudit(settlementOf({ ...who, requestId: "req_3", micros: 0, at: 0 }).audit)
        yield* spend(who, 3, { requestId: "req_7" })
        const trail = ["req_5", "req_1", "req_3", "req_7"]
        assert.deepStrictEqual(yield* read, trail)
        const page = yield* agents.audit("bot", 2, "req_5")
        assert.deepStrictEqual(
          page.map(({ requestId }) => requestId),
          trail.slice(1, 3),
        )
        for (const [at, since] of trail.entries()) {
          const rows = yield* agents.audit("bot", 10, since)
          assert.deepStrictEqual(
            rows.map(({ requestId }) => requestId),
            trail.slice(at + 1),
            since,
          )
        }
        // An unknown request id and another agent's are both rejected as `since`.
        for (const since of ["req_6", "req_2", ""]) {
          assert.deepStrictEqual(yield* refusal(agents.audit("bot", 10, since)), ["invalid_parameter", "since"])
        }
      }),
    ),
  )
})
