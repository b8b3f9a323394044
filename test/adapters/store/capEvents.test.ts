import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Agents } from "../../../core/account/Agents.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { inMemory, race, tally, typesOf } from "../../support/ledger.ts"
import { settlementOf } from "../../support/settlement.ts"
import { events, spend, spender } from "../../support/spender.ts"

describe("the events of a cap", () => {
  it.effect("1,000 concurrent calls: one warning, then one exceeded, per agent and month", () =>
    inMemory(
      Effect.gen(function* () {
        const one = yield* spender("one", { monthlyCap: 500_000 })
        const two = yield* spender("two", { monthlyCap: 100_000 })
        for (const day of ["2026-11-30", "2026-12-01"]) {
          const at = { at: Date.parse(day) }
          yield* Effect.all([race(one, 1_000, 1_000, at), race(two, 1_000, 1_000, at)], { concurrency: "unbounded" })
        }
        const all = yield* events
        for (const { agentId } of [one, two]) {
          for (const period of ["2026-11", "2026-12"]) {
            const own = all.filter(({ data }) => data["agent_id"] === agentId && data["period"] === period)
            assert.deepStrictEqual(
              own.map(({ type, data }) => [type, data["percent"]]),
              [
                ["agent.budget_warning", 80],
                ["agent.budget_exceeded", 100],
              ],
            )
          }
        }
        assert.strictEqual(all.length, 8)
        assert.deepStrictEqual(
          { ...all[0], data: Object.keys(all[0]!.data) },
          {
            type: "agent.budget_warning",
            livemode: 1,
            data: ["agent_id", "agent_name", "period", "cap_micros", "spent_micros", "percent", "resets_at"],
          },
        )
      }),
    ),
  )

  const rows: ReadonlyArray<
    readonly [name: string, cap: number, charges: ReadonlyArray<number>, ReadonlyArray<string>]
  > = [
    ["below 80 %: no event", 1_000, [799], []],
    ["exactly 80 %", 1_000, [799, 1], ["warning"]],
    ["just below 80 % of a cap not divisible by five", 999, [799], []],
    ["just above 80 % of that cap", 999, [800], ["warning"]],
    ["one charge past both thresholds", 1_000, [1_000], ["warning", "exceeded"]],
    ["each event once", 1_000, [900, 50, 50, 1, 1], ["warning", "exceeded"]],
    ["the first rejected call, spend below the cap", 1_000, [900, 200, 200], ["warning", "exceeded"]],
    ["the first rejected call, spend below the warning", 1_000, [1_001, 1_001], ["exceeded"]],
    ["a free call causes no event", 1_000, [1_000, 0], ["warning", "exceeded"]],
    ["a cap of 0 is exceeded by the first call", 0, [1, 1], ["exceeded"]],
  ]
  for (const [name, cap, charges, expected] of rows) {
    it.effect(name, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", { monthlyCap: cap })
          yield* Effect.forEach(charges, (micros) => spend(who, micros))
          assert.deepStrictEqual(yield* typesOf, expected)
        }),
      ),
    )
  }

  it.effect("a rejection by the precheck causes its event too, once", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 10 })
        const { caller } = settlementOf({ ...who, requestId: "req", micros: 100, at: 0 })
        const ledger = yield* Ledger
        const look = ledger.precheck(caller, MicroUsd(100), MicroUsd(100), 0)
        const said = yield* Effect.all(
          Arr.makeBy(100, () => look),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(tally(said), { Capped: 100 })
        assert.deepStrictEqual(yield* typesOf, ["exceeded"])
      }),
    ),
  )

  it.effect("a lifetime cap causes no event and suppresses none of the monthly cap", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 1_000, budgetCap: 500 })
        yield* Effect.forEach([500, 100, 100], (micros) => spend(who, micros))
        assert.deepStrictEqual(yield* typesOf, [])
        yield* (yield* Agents).setCaps(who.agentId, { budgetCap: null })
        yield* spend(who, 500)
        assert.deepStrictEqual(yield* typesOf, ["warning", "exceeded"])
      }),
    ),
  )

  const changes: ReadonlyArray<readonly [name: string, cap: number | null, charge: number, ReadonlyArray<string>]> = [
    ["raised far: both events again", 10_000, 9_000, ["warning", "exceeded"]],
    ["raised a little: already past the warning", 1_100, 100, ["exceeded"]],
    ["raised and not reached", 10_000, 1, []],
    ["set to the same value", 1_000, 1, []],
    ["lowered", 900, 1, []],
    ["removed", null, 1_000_000, []],
  ]
  for (const [name, cap, charge, expected] of changes) {
    it.effect(`a cap that is used up is ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", { monthlyCap: 1_000 })
          yield* spend(who, 1_000)
          yield* (yield* Agents).setCaps(who.agentId, { monthlyCap: cap === null ? null : MicroUsd(cap) })
          yield* spend(who, charge)
          assert.deepStrictEqual(yield* typesOf, ["warning", "exceeded", ...expected])
        }),
      ),
    )
  }
})
