import { assert, describe, it } from "@effect/vitest"
import { figure, signedFigure, verdict } from "../../../core/bench/table.ts"

describe("a figure", () => {
  it.each([
    [100, "100.0"],
    [99.994, "99.99"],
    [10, "10.00"],
    [9.9994, "9.999"],
    [1, "1.000"],
    [0.99994, "0.9999"],
    [0.01, "0.0100"],
    [0.0099994, "0.01000"],
    [0, "0.00000"],
    [Number.NaN, "–"],
    [Number.NEGATIVE_INFINITY, "–"],
  ])("of %d has the decimals that its size needs, also below zero: %s", (value, text) => {
    assert.strictEqual(figure(value), text)
    if (value > 0) assert.strictEqual(figure(-value), `-${text}`)
  })

  it("of a difference has a sign, unless it is 0", () => {
    assert.deepStrictEqual([2, 0, -2].map(signedFigure), ["+2.000", "0.00000", "-2.000"])
  })
})

describe("the verdict on a difference", () => {
  const of = (better: string | undefined) =>
    verdict({ of: "a", minus: "b", better, value: 0.1, low: -0.1, high: 0.3, standardError: 0.1 })

  it("is for the first, for the other, or for none", () => {
    assert.deepStrictEqual(["a", "b", undefined].map(of), ["better", "worse", "no difference shown"])
  })
})
