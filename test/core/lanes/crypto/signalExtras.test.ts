import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { distribution, type PriceModel } from "../../../../core/lanes/crypto/distribution.ts"
import type { Window } from "../../../../core/lanes/crypto/ports.ts"
import { makeExtras, pAboveOf, type SignalParts } from "../../../../core/lanes/crypto/signalExtras.ts"

/** Normal returns as wide as a number of times the tape's whole move. */
const modelOf = (version: string, times: number): PriceModel => ({
  version,
  at: ({ closes }) =>
    distribution(closes.at(-1)!, times * Math.log(closes.at(-1)! / closes[0]!), Number.POSITIVE_INFINITY),
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
    const rows = pAboveOf(answer, strikes)
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

  it.effect("ask the model for a tenth more volatility, and for a price that is higher by the expected move", () =>
    Effect.gen(function* () {
      const { from, to, result, delta } = (yield* makeExtras(parts).counterfactual!) as unknown as Record<
        "from" | "to",
        Record<"volatility" | "spot", number>
      > &
        Record<"result" | "delta", Record<"volatility" | "spot", Record<string, number>>>
      const sigma = answer.sigmaLn
      assert.deepStrictEqual(from, { volatility: 0.01, spot: 110 })
      assert.approximately(to.volatility, 0.011, 1e-12)
      assert.approximately(to.spot, 110 * (1 + sigma), 1e-9)
      assert.approximately(result.volatility["spot"]!, 110, 1e-9)
      assert.approximately(result.volatility["sigma_ln"]!, 1.1 * sigma, 1e-9)
      assert.approximately(result.spot["spot"]!, 110 * (1 + sigma), 1e-9)
      assert.approximately(delta.volatility["sigma_ln"]!, 0.1 * sigma, 1e-9)
      assert.approximately(delta.spot["sigma_ln"]!, 0, 1e-9)
      assert.isAbove(delta.spot["max_change_p_above"]!, delta.volatility["max_change_p_above"]!)
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
      assert.deepStrictEqual((yield* extras.counterfactual!).result, {})
      assert.deepStrictEqual(asked, [
        [60, 60_000],
        [60, 60_000],
        [60, 60_000],
      ])
      assert.deepStrictEqual(extras.suggestions?.at(-1)?.params, { asset: "BTC" })
    }),
  )
})
