import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeDistribution, type PriceModel } from "../../../../core/lanes/crypto/distribution.ts"
import { makeExtras, type SignalParts, toRows } from "../../../../core/lanes/crypto/endpoints.ts"
import type { Window } from "../../../../core/lanes/crypto/ports.ts"
import * as normal from "../../../../core/math/normal.ts"

/** Normal returns as wide as a number of times the tape's whole move. */
const modelOf = (version: string, times: number): PriceModel => ({
  version,
  at: ({ closes }) =>
    makeDistribution(closes.at(-1)!, times * Math.log(closes.at(-1)! / closes[0]!), Number.POSITIVE_INFINITY),
})
const model = modelOf("served", 1)
const window: Window = { closes: Float64Array.of(100, 110), lastMinute: 1, source: "tape", flags: [] }
const strikes = [100, 110, 121]
const answer = model.at(window, 60, 0)!
const parts: SignalParts = {
  ...{ asset: "BTC", model, window, horizonMinutes: 60, now: 90_500, strikes, sigma1h: 0.01, answer },
  baseline: modelOf("textbook", 2),
}

describe("the rows of a signal", () => {
  it("have the probability above each strike, in the order of the strikes", () => {
    const rows = toRows(answer, strikes)
    assert.deepStrictEqual(
      rows.map(({ strike }) => strike),
      strikes,
    )
    assert.approximately(rows[1]!.p_above, 0.5, 1e-12)
    assert.isAbove(rows[0]!.p_above, 0.5)
    assert.isBelow(rows[2]!.p_above, 0.5)
  })
})

describe("the extras of a signal", () => {
  it.effect("have the textbook model, with how far it is away at most", () =>
    Effect.gen(function* () {
      const [other, ...more] = yield* makeExtras(parts).alternatives!
      assert.isEmpty(more)
      assert.strictEqual(other?.id, "textbook")
      assert.match(other!.label, /: sigma_ln 0\.191$/)
      // One standard deviation of the served law is half of one of the other: 0.841 against 0.691.
      assert.match(other!.why, /by more than 0\.150\.$/)
    }),
  )

  it.effect("have no textbook model where it has no answer", () =>
    Effect.map(makeExtras({ ...parts, baseline: { version: "none", at: () => undefined } }).alternatives!, (found) =>
      assert.deepStrictEqual(found, []),
    ),
  )

  it.effect("ask the model for a tenth more volatility alone", () =>
    Effect.gen(function* () {
      const { input, from, to, result, delta } = yield* makeExtras(parts).counterfactual!
      const sigma = answer.sigmaLn
      assert.deepStrictEqual([input, from], ["realized_vol.sigma_1h", 0.01])
      assert.approximately(to, 0.011, 1e-12)
      assert.deepStrictEqual(
        [Object.keys(result), Object.keys(delta)],
        [["sigma_ln"], ["sigma_ln", "max_change_p_above"]],
      )
      assert.approximately(result["sigma_ln"]!, 1.1 * sigma, 1e-9)
      assert.approximately(delta["sigma_ln"]!, 0.1 * sigma, 1e-9)
      // The farthest strikes are one standard deviation of the served law away, 1 / 1.1 of one of the other.
      assert.approximately(delta["max_change_p_above"]!, normal.cdf(1) - normal.cdf(1 / 1.1), 1e-9)
    }),
  )

  it.effect("ask as of the minute that has begun", () =>
    Effect.gen(function* () {
      const asked: Array<readonly [number, number]> = []
      const seen: PriceModel = {
        version: "seen",
        at: (_, horizon, now) => {
          asked.push([horizon, now])
          return undefined
        },
      }
      const extras = makeExtras({ ...parts, model: seen, baseline: seen })
      yield* extras.alternatives!
      const { result, delta } = yield* extras.counterfactual!
      assert.deepStrictEqual([result, delta], [{}, {}])
      assert.deepStrictEqual(asked, [
        [60, 60_000],
        [60, 60_000],
      ])
      assert.deepStrictEqual(extras.suggestions?.at(-1)?.params, { asset: "BTC" })
    }),
  )
})
