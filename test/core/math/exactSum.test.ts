import { assert, describe, it } from "@effect/vitest"
import * as ExactSum from "../../../core/math/exactSum.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const big = 1_000_000_000_000
const most = 2 ** 53 - 2 ** 50

const total = (values: ReadonlyArray<number>): ExactSum.ExactSum => {
  const sum = ExactSum.zero()
  for (const value of values) ExactSum.add(sum, value)
  return sum
}

const exactly = ({ high, low }: ExactSum.ExactSum): bigint => BigInt(high) * 2n ** 50n + BigInt(low)

describe("exactSum", () => {
  const generator = xoshiro128(7)
  const values = Array.from({ length: 30_000 }, () => generator.integer(big))
  const truth = values.reduce((sum, value) => sum + BigInt(value), 0n)

  it("is the sum in whole numbers, where doubles are not", () => {
    assert.strictEqual(exactly(total(values)), truth)
    const odd = values.map((value) => value * 4_000 + 1)
    assert.strictEqual(
      exactly(total(odd)),
      odd.reduce((sum, value) => sum + BigInt(value), 0n),
    )
    assert.notStrictEqual(BigInt(odd.reduce((sum, value) => sum + value, 0)), exactly(total(odd)))
  })

  it("has one form, whatever the order and the grouping", () => {
    const halves = total(values.slice(0, 11_111))
    ExactSum.merge(halves, total(values.slice(11_111)))
    assert.deepStrictEqual(halves, total(values))
    assert.deepStrictEqual(total([...values].reverse()), total(values))
  })

  it("takes away what was added", () => {
    const sum = total(values)
    ExactSum.merge(sum, total(values.slice(0, 20_000)), -1)
    for (const value of values.slice(20_000)) ExactSum.add(sum, -value)
    assert.deepStrictEqual(sum, ExactSum.zero())
  })

  it("divides to the last digits", () => {
    for (const divisor of [1, 3, 30_000, 7e11]) {
      const exact = Number((truth * 10n ** 12n) / BigInt(divisor)) / 1e12
      assert.isAtMost(Math.abs(ExactSum.dividedBy(total(values), divisor) / exact - 1), 1e-15)
    }
    assert.isNaN(ExactSum.dividedBy(ExactSum.zero(), 0))
  })

  it("refuses what it cannot hold", () => {
    for (const value of [most + 2, -most - 2, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => total([value]), RangeError)
    }
    assert.strictEqual(exactly(total([most, most, 2 ** 50 - 1])), BigInt(most) * 2n + 2n ** 50n - 1n)
  })
})
