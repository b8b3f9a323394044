import { assert, describe, it } from "@effect/vitest"
import { checkedInteger, distribution, finite, integer, probability, sameLength } from "../../../core/math/checks.ts"

describe("the checks of arguments", () => {
  it("take the ends of a probability's range and nothing beyond them", () => {
    assert.strictEqual(probability(0), 0)
    assert.strictEqual(probability(1), 1)
    for (const bad of [-1e-12, 1 + 1e-12, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => probability(bad), RangeError, `The probability ${bad} is not between 0 and 1.`)
    }
  })

  it("take every finite number, and name another with its value", () => {
    assert.strictEqual(finite("mean", -1.5), -1.5)
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.throws(() => finite("mean", bad), RangeError, `The mean ${bad} is not a finite number.`)
    }
  })

  it("take whole numbers that a double holds exactly", () => {
    assert.strictEqual(integer("seed", -3), -3)
    assert.strictEqual(integer("seed", Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    for (const bad of [0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN]) {
      assert.throws(() => integer("seed", bad), RangeError, `The seed ${bad} is not a whole number.`)
    }
  })

  it("take the least whole number and not the one before it", () => {
    assert.strictEqual(checkedInteger("count", 2, 2), 2)
    for (const bad of [1, 2.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN]) {
      assert.throws(
        () => checkedInteger("count", bad, 2),
        RangeError,
        `The count ${bad} is not a whole number of at least 2.`,
      )
    }
  })

  it("compare each length with the first one", () => {
    sameLength()
    sameLength(["forecasts", 3])
    sameLength(["forecasts", 3], ["outcomes", 3], ["weights", 3])
    assert.throws(
      () => sameLength(["forecasts", 3], ["outcomes", 3], ["weights", 2]),
      RangeError,
      "There are 3 forecasts and 2 weights.",
    )
  })

  it("take probabilities that sum to 1 but for rounding", () => {
    distribution([1])
    distribution([0.1, 0.2, 0.7])
    distribution([0.5, 0.5 + 0.9e-9])
    distribution([0.5, 0.5 - 0.9e-9])
    for (const bad of [[0.5, 0.5 + 1.1e-9], [0.5, 0.5 - 1.1e-9], []]) {
      assert.throws(() => distribution(bad), RangeError, /^The probabilities sum to .*, not to 1\.$/)
    }
    assert.throws(() => distribution([1.5, -0.5]), RangeError, "The probability 1.5 is not between 0 and 1.")
  })
})
