import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { buildChallenge, scoreInvented } from "../../../../../adapters/lanes/markets/mock/challenge.ts"
import { challengerScores } from "../../../../../core/record/scoreboard/challengers.ts"
import { settledRow } from "../../../../support/settledRows.ts"

const day = 86_400_000
const [one, two, void_] = [
  settledRow({ ticker: "A", event: "E1", model: 900_000, quotes: { yesBid: 6_900, yesAsk: 7_100, noAsk: 3_100 } }),
  settledRow({
    ticker: "B",
    event: "E2",
    model: 300_000,
    result: "no",
    quotes: { yesBid: 4_900, yesAsk: 5_100, noAsk: 5_100 },
  }),
  settledRow({ ticker: "C", event: "E3", result: "void" }),
].map((row) => ({ ...row, earlier: [] }))
const settledAt = one!.closeTime + day

describe("the invented challengers", () => {
  it.effect("are scored on what is scored for the model: one is even always, the other between model and market", () =>
    Effect.gen(function* () {
      const { challengers } = yield* scoreInvented([one!, two!, void_!] as never, settledAt)
      const [toss, midway] = challengers.map(({ sums }) => challengerScores(sums)!)
      assert.deepStrictEqual([toss!.shared, midway!.shared], [2, 2])
      assert.approximately(toss!.challenger, 0.25, 1e-12)
      // 0.8 of what came, and 0.4 of what did not.
      assert.approximately(midway!.challenger, (0.2 ** 2 + 0.4 ** 2) / 2, 1e-12)
      assert.approximately(midway!.model, (0.1 ** 2 + 0.3 ** 2) / 2, 1e-12)
    }),
  )

  it.effect("began with the first capture, and the one that is always even has withdrawn", () =>
    Effect.gen(function* () {
      const { challengers } = yield* scoreInvented([one!, { ...two!, capturedAt: 7 }] as never, settledAt)
      assert.deepStrictEqual(
        challengers.map(({ model, since, withdrawnAt }) => [model, since, withdrawnAt]),
        [
          ["coin-toss", 7, settledAt],
          ["midway", 7, undefined],
        ],
      )
    }),
  )
})

describe("the contract for practice", () => {
  it("is open until the next midnight of UTC, at any time", () => {
    const { practiceContracts } = buildChallenge(Effect.succeed({ challengers: [] }), Effect.succeed([]))
    for (const now of [0, 1, day - 1, 20_000.5 * day]) {
      const { closeTime } = practiceContracts(now)[0]!
      assert.strictEqual(closeTime % day, 0)
      assert.isTrue(closeTime > now && closeTime <= now + day)
    }
  })
})
