import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { anchored, negateSpan, type QuotedSpan, type Span, strikeSpan } from "../../../core/contracts/anchored.ts"
import { pays } from "../../../core/contracts/strikes.ts"
import { shin } from "../../../core/math/devig.ts"
import { type Discrete, discretise, located } from "../../../core/math/discretise.ts"
import { studentT8 } from "../../../core/math/studentT8.ts"

const made = (first: number, ...pmf: ReadonlyArray<number>): Discrete => ({
  first,
  pmf: Float64Array.from(pmf),
  ge: Float64Array.from(pmf, (_, at) => pmf.slice(at).reduce((sum, p) => sum + p, 0)),
})

const massOf = ({ first, pmf }: Discrete, { from, to }: Span): number =>
  pmf.reduce((sum, p, at) => (first + at >= from && first + at <= to ? sum + p : sum), 0)

const sound = ({ pmf, ge }: Discrete): void => {
  assert.strictEqual(ge[0], 1)
  let tail = 0
  for (let at = pmf.length - 1; at >= 0; at--) {
    tail += pmf[at]!
    assert.isAtLeast(pmf[at]!, 0)
    assert.approximately(ge[at]!, tail, 1e-12)
    if (at > 0) assert.isAtMost(ge[at]!, ge[at - 1]!)
  }
  assert.approximately(tail, 1, 1e-12)
}

const atLeast = (from: number, probability: number): QuotedSpan => ({ from, to: Number.POSITIVE_INFINITY, probability })
const atMost = (to: number, probability: number): QuotedSpan => ({ from: Number.NEGATIVE_INFINITY, to, probability })
const between = (from: number, to: number, probability: number): QuotedSpan => ({ from, to, probability })

/** Around 45 to 95 over 40 … 100. */
const laws = fc
  .record({ mean: fc.double({ min: 45, max: 95, noNaN: true }), scale: fc.double({ min: 0.2, max: 8, noNaN: true }) })
  .map(({ mean, scale }) => discretise(located(studentT8, mean, scale), mean, 40, 100))
const price = fc.double({ min: 0.005, max: 0.995, noNaN: true })
const strike = fc.integer({ min: 35, max: 105 })
const threshold = fc
  .record({ k: strike, probability: price, up: fc.boolean() })
  .map(({ k, probability, up }) => (up ? atLeast(k, probability) : atMost(k, probability)))
const bucket = fc
  .record({ from: strike, width: fc.integer({ min: 0, max: 6 }), probability: price })
  .map(({ from, width, probability }) => between(from, from + width, probability))
const quotes = fc.array(fc.oneof(threshold, bucket), { minLength: 1, maxLength: 8 })
/** Quoted buckets of all whole numbers whose prices sum to 1. */
const partition = fc
  .record({
    strikes: fc.uniqueArray(strike, { minLength: 2, maxLength: 6 }),
    weights: fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 }),
  })
  .map(({ strikes, weights }) => {
    const cuts = [Number.NEGATIVE_INFINITY, ...strikes.sort((a, b) => a - b), Number.POSITIVE_INFINITY]
    const some = weights.slice(0, cuts.length - 1)
    const sum = some.reduce((total, weight) => total + weight, 0)
    return some.map((weight, at): QuotedSpan => between(cuts[at]!, cuts[at + 1]! - 1, weight / sum))
  })

const isHalf = ({ from, to }: Span): boolean => !Number.isFinite(from) || !Number.isFinite(to)

const check = <Ts extends [unknown, ...Array<unknown>]>(
  arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  body: (...values: Ts) => void,
): void => fc.assert(fc.property(...(arbitraries as unknown as [fc.Arbitrary<unknown>]), body as never), { seed: 7 })

describe("a law anchored to a market's prices", () => {
  it("is a law, whatever the prices and the weight", () =>
    check<[Discrete, ReadonlyArray<QuotedSpan>, number]>(
      [laws, quotes, fc.double({ min: 0, max: 1, noNaN: true })],
      (law, some, weight) => {
        const found = anchored(law, some, weight)!
        sound(found.law)
        assert.isAtLeast(found.used.length, 1)
      },
    ))

  it("has the prices of a whole partition at weight 0, and those of buckets that leave something", () =>
    check<[Discrete, ReadonlyArray<QuotedSpan>, number]>(
      [laws, partition, fc.integer({ min: 1, max: 7 })],
      (law, whole, count) => {
        const some = whole.slice(0, count)
        for (const each of [whole, some]) {
          const { law: found, used } = anchored(law, each)!
          assert.lengthOf(used, each.length)
          // What has no quote and cannot be for the model is nothing: the quoted are then everything.
          const rest = whole.slice(each.length).some((one) => massOf(law, one) > 0)
          const all = each.every(isHalf) || rest ? 1 : each.reduce((sum, { probability }) => sum + probability, 0)
          for (const one of each) assert.approximately(massOf(found, one), one.probability / all, 1e-12)
        }
      },
    ))

  it("has the prices of thresholds that fall", () =>
    check<[Discrete, ReadonlyArray<number>, ReadonlyArray<number>]>(
      [laws, fc.uniqueArray(strike, { minLength: 1, maxLength: 8 }), fc.array(price, { minLength: 8, maxLength: 8 })],
      (law, strikes, prices) => {
        const falling = [...prices].sort((a, b) => b - a)
        const some = [...strikes]
          .sort((a, b) => a - b)
          .map((k, at) => (at % 2 === 0 ? atLeast(k, falling[at]!) : atMost(k - 1, 1 - falling[at]!)))
        const { law: found } = anchored(law, some)!
        for (const one of some) assert.approximately(massOf(found, one), one.probability, 1e-12)
      },
    ))

  it("is the model at weight 1", () =>
    check<[Discrete, ReadonlyArray<QuotedSpan>]>([laws, quotes], (law, some) => {
      const { law: found } = anchored(law, some, 1)!
      for (let k = 30; k <= 110; k++) {
        assert.approximately(found.pmf[k - found.first] ?? 0, law.pmf[k - law.first] ?? 0, 1e-12, String(k))
      }
    }))

  it("keeps the model's shape inside an interval, and shares evenly what the model thinks impossible", () => {
    const law = made(1, 0.2, 0.6, 0.2)
    const close = (found: Discrete, expected: Discrete) => {
      assert.strictEqual(found.first, expected.first)
      assert.lengthOf(found.pmf, expected.pmf.length)
      found.pmf.forEach((p, at) => {
        assert.approximately(p, expected.pmf[at]!, 1e-15)
      })
    }
    close(anchored(law, [atLeast(2, 0.4)])!.law, made(1, 0.6, 0.3, 0.1))
    // Two numbers beyond the model's, and the five next to an open end.
    close(anchored(law, [between(4, 5, 0.1)])!.law, made(1, 0.18, 0.54, 0.18, 0.05, 0.05))
    close(anchored(law, [atLeast(4, 0.1)])!.law, made(1, 0.18, 0.54, 0.18, 0.02, 0.02, 0.02, 0.02, 0.02))
  })

  it("pools thresholds out of order, takes the mean of two quotes of one, and the margin from buckets", () => {
    const law = made(1, 0.25, 0.25, 0.25, 0.25)
    const at = (some: ReadonlyArray<QuotedSpan>, k: number) => massOf(anchored(law, some)!.law, atLeast(k, 0.5))
    const crossed = [atLeast(2, 0.5), atLeast(3, 0.6), atLeast(4, 0.1)]
    assert.deepStrictEqual(
      [2, 3, 4].map((k) => Number(at(crossed, k).toFixed(12))),
      [0.55, 0.55, 0.1],
    )
    assert.approximately(at([atLeast(3, 0.4), atMost(2, 0.5)], 3), 0.45, 1e-15)
    // By Shin's model, of which long shots lose more than in proportion; what lacks is added in proportion.
    const book = (...prices: readonly [number, number, number]) => {
      const [low, middle, high] = prices
      const of = [atMost(1, low), between(2, 3, middle), atLeast(4, high)]
      return [1 - at(of, 2), at(of, 2) - at(of, 4), at(of, 4)]
    }
    const fair = shin([0.1, 0.7, 0.3]).probabilities
    assert.isBelow(fair[0]!, 0.99 * (0.1 / 1.1))
    for (const [place, p] of book(0.1, 0.7, 0.3).entries()) assert.approximately(p, fair[place]!, 1e-15)
    for (const [place, p] of book(0.1, 0.6, 0.2).entries()) assert.approximately(p, [1, 6, 2][place]! / 9, 1e-15)
    // The model's .5 is the price of the unquoted: the book is 1.6.
    assert.approximately(
      massOf(anchored(law, [between(2, 2, 0.6), between(3, 3, 0.5)])!.law, between(2, 2, 0.5)),
      0.375,
      1e-15,
    )
  })

  it("pools log-odds of one threshold between the model's and the market's", () => {
    const law = made(1, 0.5, 0.5)
    const { law: found } = anchored(law, [atLeast(2, 0.9)], 0.5)!
    // Odds of 1 and 9 meet at 3.
    assert.approximately(found.ge[1]!, 0.75, 1e-15)
  })

  it("is nothing without quotes, and refuses what is no price and no weight", () => {
    const law = made(1, 0.5, 0.5)
    assert.isUndefined(anchored(law, []))
    for (const bad of [0, 1, -0.1, Number.NaN]) {
      assert.throws(() => anchored(law, [atLeast(2, bad)]), RangeError, `The price ${bad} is not between 0 and 1.`)
    }
    assert.throws(() => anchored(law, [atLeast(2, 0.5)], 1.5), RangeError, "The weight 1.5 is not between 0 and 1.")
  })
})

describe("the numbers that a contract pays on", () => {
  const terms = fc.record({
    strikeType: fc.constantFrom("greater", "greater_or_equal", "less", "less_or_equal", "between", "sideways"),
    floorStrike: fc.integer({ min: 0, max: 40 }).map((half) => half / 2),
    capStrike: fc.integer({ min: 0, max: 40 }).map((half) => half / 2),
  })

  it("are those that pay, from either side", () =>
    check<[{ strikeType: string; floorStrike: number; capStrike: number }]>([terms], (strikes) => {
      const span = strikeSpan(strikes)
      for (let k = -3; k <= 25; k++) {
        assert.strictEqual(span !== undefined && k >= span.from && k <= span.to, pays(strikes, k) ?? false)
        if (span === undefined) continue
        const other = negateSpan(span)
        assert.strictEqual(k >= span.from && k <= span.to, -k >= other.from && -k <= other.to)
      }
    }))

  it("are unknown for strikes that are missing", () => {
    for (const strikeType of ["greater", "greater_or_equal", "less", "less_or_equal", "between"]) {
      assert.isUndefined(strikeSpan({ strikeType }))
    }
  })
})
