import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Agents } from "../../../core/account/Agents.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { inMemory, tally, typesOf } from "../../support/ledger.ts"
import { settlementOf } from "../../support/settlement.ts"
import { spend, spender } from "../../support/spender.ts"

describe("the events of a cap", () => {
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
