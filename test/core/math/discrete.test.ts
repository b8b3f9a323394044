import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { certain, folded, lesser, mixture, moments } from "../../../core/math/discrete.ts"
import { type Discrete, discretise, located } from "../../../core/math/discretise.ts"
import { studentT8 } from "../../../core/math/studentT8.ts"

const made = (first: number, ...pmf: ReadonlyArray<number>): Discrete => ({
  first,
  pmf: Float64Array.from(pmf),
  ge: Float64Array.from(pmf, (_, at) => pmf.slice(at).reduce((sum, p) => sum + p, 0)),
})

const plain = ({ first, pmf, ge }: Discrete) => ({ first, pmf: [...pmf], ge: [...ge] })

/** A distribution around 70 over 40 … 100. */
const laws = fc
  .record({ mean: fc.double({ min: 45, max: 95, noNaN: true }), scale: fc.double({ min: 0.2, max: 8, noNaN: true }) })
  .map(({ mean, scale }) => discretise(located(studentT8, mean, scale), mean, 40, 100))
const degree = fc.integer({ min: 35, max: 105 })

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

describe("distributions over whole numbers", () => {
  const thirds = made(1, 0.25, 0.25, 0.5)

  it("are cut at a floor and at a ceiling, and moved to a wider or narrower range", () => {
    const cases: ReadonlyArray<readonly [first: number, last: number, expected: Discrete]> = [
      [1, 3, thirds],
      [2, 4, made(2, 0.5, 0.5, 0)],
      [0, 2, made(0, 0, 0.25, 0.75)],
      [-1, 5, made(-1, 0, 0, 0.25, 0.25, 0.5, 0, 0)],
      [4, 5, made(4, 1, 0)],
      [-2, 0, made(-2, 0, 0, 1)],
      [2, 2, made(2, 1)],
    ]
    for (const [first, last, expected] of cases) {
      assert.deepStrictEqual(plain(folded(thirds, first, last)), plain(expected), `${first} … ${last}`)
    }
  })

  it("are one number, for certain", () => {
    assert.deepStrictEqual(plain(certain(72)), plain(made(72, 1)))
    assert.throws(() => certain(0.5), RangeError)
  })

  it("are mixed by weight, whatever their ranges", () => {
    const mixed = mixture(
      [
        [0.5, thirds],
        [0.5, certain(5)],
      ],
      1,
      6,
    )
    assert.deepStrictEqual(plain(mixed), plain(made(1, 0.125, 0.125, 0.25, 0, 0.5, 0)))
  })

  it("have the lesser of two by hand", () => {
    const half = made(1, 0.5, 0.25, 0.25)
    assert.deepStrictEqual(plain(lesser(thirds, half)), plain(made(1, 0.625, 0.25, 0.125)))
  })

  it("know mean and standard deviation", () => {
    assert.deepStrictEqual(moments(certain(-7)), { mean: -7, sd: 0 })
    assert.deepStrictEqual(moments(made(10, 0.5, 0, 0.5)), { mean: 11, sd: 1 })
  })

  it("stay distributions under every operation", () => {
    fc.assert(
      fc.property(laws, laws, degree, degree, (x, y, a, b) => {
        const [first, last] = a < b ? [a, b] : [b, a]
        for (const made of [
          folded(x, first, last),
          lesser(x, y),
          mixture(
            [
              [0.55, x],
              [0.35, folded(y, 50, 90)],
              [0.1, certain(a)],
            ],
            first,
            last,
          ),
        ]) {
          sound(made)
        }
      }),
    )
  })

  it("have accurate small probabilities: the lesser's lower tail is the sum of both", () => {
    const x = discretise(located(studentT8, 80, 1), 80, 40, 100)
    assert.approximately(lesser(x, x).pmf[5]! / (2 * x.pmf[5]!), 1, 1e-7)
  })
})
