import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { americanPrice, multiplicative, shin } from "../../../core/math/devig.ts"

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** Probabilities of 2 to 12 outcomes, and prices with a margin on them, none of 1 or more. */
const markets = fc
  .tuple(
    fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 }),
    fc.double({ min: 1, max: 1.3, noNaN: true }),
  )
  .map(([weights, book]) => weights.map((weight) => (weight / sum(weights)) * book))
  .filter((prices) => prices.every((price) => price < 0.999) && sum(prices) >= 1)
const pairs = markets.filter((prices) => prices.length === 2)
const ways = {
  multiplicative,
  shin: (prices: ReadonlyArray<number>) => shin(prices).probabilities,
}

describe("prices of odds", () => {
  it("are those of American odds", () => {
    assert.deepStrictEqual([150, -150, 100, -100, 1900].map(americanPrice), [0.4, 0.6, 0.5, 0.5, 0.05])
  })

  it("of a bet and of the bet against it sum to 1", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 99_999 }), (odds) => {
        assert.approximately(americanPrice(odds) + americanPrice(-odds), 1, 2e-16)
      }),
    )
  })
})

describe("removal of a margin", () => {
  for (const [name, way] of Object.entries(ways)) {
    it(`${name} gives probabilities that sum to 1, each below its price, in the order of the prices`, () => {
      fc.assert(
        fc.property(markets, (prices) => {
          const found = way(prices)
          assert.approximately(sum(found), 1, 1e-14)
          for (const [at, p] of found.entries()) {
            assert.isAbove(p, 0)
            assert.isAtMost(p, prices[at]! + 2e-15)
            for (const [other, q] of found.entries()) {
              if (prices[at]! < prices[other]!) assert.isAtMost(p, q + 2e-15)
            }
          }
        }),
      )
    })

    it(`${name} leaves prices without a margin as they are`, () => {
      for (const fair of [
        [0.5, 0.5],
        [0.25, 0.75],
        [0.125, 0.375, 0.5],
        [0.1, 0.2, 0.7],
      ]) {
        for (const [at, p] of way(fair).entries()) assert.approximately(p, fair[at]!, 2e-16)
      }
    })

    it(`${name} does not depend on the order of the outcomes`, () => {
      fc.assert(
        fc.property(markets, (prices) => {
          const turned = way([...prices].reverse())
          for (const [at, p] of way(prices).entries()) {
            // Without a margin a share of insiders is as near to 0 as the rounding of the sum: the error is absolute.
            assert.approximately(turned[prices.length - 1 - at]!, p, 2e-15)
          }
        }),
      )
    })
  }

  it("by Shin's model takes half of the margin from each of two outcomes", () => {
    fc.assert(
      fc.property(pairs, (prices) => {
        const half = (sum(prices) - 1) / 2
        for (const [at, p] of shin(prices).probabilities.entries()) assert.approximately(p, prices[at]! - half, 3e-16)
      }),
    )
  })

  it("by Shin's model is the fixed point of Jullien and Salanié's iteration", () => {
    fc.assert(
      fc.property(
        markets.filter((prices) => prices.length > 2),
        (prices) => {
          const book = sum(prices)
          const { insiders: z } = shin(prices)
          const roots = sum(prices.map((price) => Math.sqrt(z * z + (4 * (1 - z) * price * price) / book)))
          assert.approximately((roots - 2) / (prices.length - 2), z, 1e-14)
          assert.isAtLeast(z, 0)
          assert.isBelow(z, 1)
        },
      ),
    )
  })

  it("by Shin's model turns his own prices back into probabilities and insiders", () => {
    fc.assert(
      fc.property(markets, fc.double({ min: 0, max: 0.2, noNaN: true }), (weights, z) => {
        // The prices of the model: √(z p + (1 − z) p²), times the sum of these roots.
        const fair = weights.map((weight) => weight / sum(weights))
        const root = sum(fair.map((p) => Math.sqrt(z * p + (1 - z) * p * p)))
        const prices = fair.map((p) => root * Math.sqrt(z * p + (1 - z) * p * p))
        fc.pre(prices.every((price) => price < 1))
        const found = shin(prices)
        assert.approximately(found.insiders, z, 1e-12)
        for (const [at, p] of found.probabilities.entries()) assert.approximately(p, fair[at]!, 1e-13)
      }),
    )
  })

  it("by Shin's model takes a larger share from a long shot than from a favourite", () => {
    const [favourite, shot] = shin([0.9, 0.15]).probabilities
    assert.isAbove(favourite! / 0.9, shot! / 0.15)
  })

  it("refuses what are not prices of a market", () => {
    for (const way of Object.values(ways)) {
      assert.throws(() => way([]), RangeError, "The number of prices 0 is not a whole number of at least 2.")
      assert.throws(() => way([0.4]), RangeError, "The number of prices 1 is not a whole number of at least 2.")
      for (const price of [0, 1, -0.1, 1.2, Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.throws(() => way([0.5, price]), RangeError, `Price 2 is ${price}, not between 0 and 1.`)
      }
    }
    assert.throws(() => shin([0.5, 0.4]), RangeError, "The prices sum to 0.9; Shin's model needs a sum of at least 1.")
    for (const odds of [0, 99.9, -99.9, 1, Number.NaN, Number.NEGATIVE_INFINITY]) {
      assert.throws(() => americanPrice(odds), RangeError, `${odds} is not American odds.`)
    }
  })
})
