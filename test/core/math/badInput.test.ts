import { assert, describe, it } from "@effect/vitest"
import * as math from "../../../core/math/mod.ts"

const { bootstrap, clusters, discrete, discretise, estimate, normal, pit, reliability, score, wilson } = math
const coin = { first: 0, pmf: Float64Array.of(0.5, 0.5), ge: Float64Array.of(1, 0.5) }
const generator = math.xoshiro128.xoshiro128(1)
const sampling = { replicates: 10, level: 0.95, generator }
const one = () => 1
const blocks = (count: number, replicates = 10, level = 0.95) =>
  bootstrap.blockBootstrap(count, one, replicates, generator, level)
const strata = (sums: ReadonlyArray<number>, width = 1, statistics = 1, level = 0.95) =>
  bootstrap.clusterBootstrap([Float64Array.from(sums)], width, statistics, () => {}, 10, generator, level)

/** A call with bad input, and the sentence of its RangeError. The prices of markets are in devig.test.ts. */
const calls: ReadonlyArray<readonly [call: () => unknown, sentence: string]> = [
  [() => score.brier(1.5, true), "The probability 1.5 is not between 0 and 1."],
  [() => score.brier(-1e-9, false), "The probability -1e-9 is not between 0 and 1."],
  [() => score.brier(Number.NaN, true), "The probability NaN is not between 0 and 1."],
  [() => score.logScore(2, true, 0.01), "The probability 2 is not between 0 and 1."],
  [() => score.logScore(Number.NaN, false, 0.01), "The probability NaN is not between 0 and 1."],
  [() => score.logScore(0.5, true, 0.6), "The clip 0.6 is not between 0 and 0.5."],
  [() => score.logScore(0.5, true, Number.NaN), "The clip NaN is not between 0 and 0.5."],
  [() => score.logScoreDiscrete(coin, 0.5, 0), "The outcome 0.5 is not a whole number."],
  [() => score.logScoreDiscrete(coin, 1, -0.1), "The clip -0.1 is not between 0 and 0.5."],
  [() => score.crpsDiscrete(coin, Number.NaN), "The outcome NaN is not a finite number."],
  [() => score.crpsDiscrete(coin, Number.POSITIVE_INFINITY), "The outcome Infinity is not a finite number."],
  [() => score.uniformDistance([0.5, 1.01]), "The probability 1.01 is not between 0 and 1."],
  [() => score.uniformDistance([Number.NaN]), "The probability NaN is not between 0 and 1."],
  [() => reliability.reliability(0), "The number of bins 0 is not a whole number of at least 1."],
  [() => reliability.reliability(2.5), "The number of bins 2.5 is not a whole number of at least 1."],
  [() => reliability.reliability(10).add(1.01, true), "The probability 1.01 is not between 0 and 1."],
  [() => reliability.reliability(10).add(Number.NaN, true), "The probability NaN is not between 0 and 1."],
  [() => pit.pit(coin, 0.5), "The outcome 0.5 is not a whole number."],
  [() => pit.pitHistogram([], 0), "The number of bins 0 is not a whole number of at least 1."],
  [() => pit.pitHistogram([{ low: 0.5, high: 0.4 }], 2), "The step from 0.5 to 0.4 falls."],
  [() => pit.pitHistogram([{ low: 0.5, high: 1.4 }], 2), "The probability 1.4 is not between 0 and 1."],
  [() => wilson.wilson(3, 2, 1.96), "There are 3 hits in 2 trials."],
  [() => wilson.wilson(-1, 2, 1.96), "The number of hits -1 is not a whole number of at least 0."],
  [() => wilson.wilson(1, 2.5, 1.96), "The number of trials 2.5 is not a whole number of at least 0."],
  [() => wilson.wilson(1, 2, -1), "The quantile -1 is not a number of at least 0."],
  [() => wilson.wilson(1, 2, Number.NaN), "The quantile NaN is not a number of at least 0."],
  [() => blocks(-1), "The number of blocks -1 is not a whole number of at least 0."],
  [() => blocks(1.5), "The number of blocks 1.5 is not a whole number of at least 0."],
  [() => blocks(2, 0.5), "The number of replicates 0.5 is not a whole number of at least 0."],
  [() => blocks(2, 10, 1), "The level 1 is not between 0 and 1."],
  [() => blocks(2, 10, Number.NaN), "The level NaN is not between 0 and 1."],
  [() => strata([1, 2, 3], 2), "A stratum of 3 sums does not hold clusters of 2."],
  [() => strata([1, 2], 0), "The width 0 is not a whole number of at least 1."],
  [() => strata([1, 2], 1, -1), "The number of statistics -1 is not a whole number of at least 0."],
  [() => strata([1, 2], 1, 1, 95), "The level 95 is not between 0 and 1."],
  [() => clusters.ratio([], [], [], sampling), "The number of rows 0 is not a whole number of at least 1."],
  [() => clusters.ratio([1], [1, 2], ["a"], sampling), "There are 1 numerators and 2 denominators."],
  [() => clusters.ratio([1], [1], [], sampling), "There are 1 numerators and 0 clusters."],
  [
    () => clusters.ratio([1, Number.NaN], [1, 1], [1, 2], sampling),
    "The numerator of row 2 NaN is not a finite number.",
  ],
  [() => estimate.estimate([1, Number.POSITIVE_INFINITY]), "The value Infinity is not a finite number."],
  [() => discretise.located(normal, 0, -1), "The scale -1 is not a number of at least 0."],
  [() => discretise.located(normal, 0, Number.NaN), "The scale NaN is not a number of at least 0."],
  [() => discretise.discretise(normal, 0, 3, 2), "The last number 2 is below the first, 3."],
  [() => discretise.discretise(normal, 0, 0.5, 2), "The first number 0.5 is not a whole number."],
  [() => discrete.certain(0.5), "The number 0.5 is not a whole number."],
  [() => discrete.mixture([[1, coin]], 3, 2), "The last number 2 is below the first, 3."],
  [() => discrete.mixture([[0.5, coin]], 0, 2), "The probabilities sum to 0.5, not to 1."],
  [() => discrete.mixture([], 0, 2), "The probabilities sum to 0, not to 1."],
  [() => discrete.lesser(coin, discrete.certain(3)), "A distribution over 0 to 1 has no lesser with one over 3 to 3."],
  [() => math.xoshiro128.fromState([0, 0, 0, 0]), "The 4 words of the state are all 0."],
  [() => math.xoshiro128.fromState([1, 2]), "The state has 2 words, not 4."],
]

describe("bad input", () => {
  it.each(calls.map(([call, sentence]) => [sentence, call] as const))("%s", (sentence, call) => {
    try {
      call()
    } catch (error) {
      assert.instanceOf(error, RangeError)
      assert.strictEqual((error as RangeError).message, sentence)
      return
    }
    assert.fail("nothing was thrown")
  })

  it("is none of these: the edges are good", () => {
    assert.strictEqual(score.brier(0, false) + score.brier(1, true) + score.logScore(1, true, 0), 0)
    assert.strictEqual(score.logScore(0.5, true, 0.5), Math.LN2)
    assert.deepStrictEqual(blocks(1, 1, 0.5), { low: Number.NaN, high: Number.NaN, standardError: Number.NaN })
    assert.isNaN(estimate.estimate([]).value)
    assert.deepStrictEqual(estimate.estimate([3]), { value: 3, se: Number.NaN })
    // Weights of binary fractions do not sum to 1 exactly.
    assert.strictEqual(
      discrete.mixture(
        [
          [0.1, coin],
          [0.2, coin],
          [0.7, coin],
        ],
        0,
        1,
      ).ge[0],
      1,
    )
  })
})
