import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { listLaneDays, recordCheck } from "../../../../adapters/store/upkeep/laneDays.ts"
import { anyStore } from "../../../support/anyStore.ts"

const day = 86_400_000

describe("days of checks", () => {
  it.effect("are counted by lane and UTC day, oldest first, and kept for 120 days", () =>
    Effect.gen(function* () {
      const [up, down] = [
        { lane: "weather", isGood: true },
        { lane: "crypto", isGood: false },
      ]
      yield* recordCheck([up, down], 1_000 * day)
      yield* recordCheck([up], 1_001 * day - 1)
      yield* recordCheck([{ ...up, isGood: false }], 1_001 * day - 1)
      yield* recordCheck([up], 1_001 * day)
      const first = [
        { lane: "crypto", day: 1_000, checks: 1, good: 0 },
        { lane: "weather", day: 1_000, checks: 3, good: 2 },
      ]
      const second = { lane: "weather", day: 1_001, checks: 1, good: 1 }
      const rows = (days: Effect.Effect.Success<typeof listLaneDays>) =>
        days.map((each) => ({ ...each })).sort((a, b) => a.day - b.day || (a.lane < b.lane ? -1 : 1))
      assert.deepStrictEqual(rows(yield* listLaneDays), [...first, second])
      yield* recordCheck([up], 1_120 * day)
      assert.strictEqual((yield* listLaneDays)[0]!.day, 1_000)
      yield* recordCheck([up], 1_121 * day)
      assert.deepStrictEqual(
        (yield* listLaneDays).map(({ day }) => day),
        [1_001, 1_120, 1_121],
      )
    }).pipe(Effect.provide(anyStore)),
  )
})
