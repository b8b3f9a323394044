import { assert, describe, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { fitLogistic, logistic, logit } from "../../../core/math/logistic.ts"

describe("log-odds", () => {
  it("are the inverse of the logistic function", () => {
    for (const p of [1e-9, 0.03, 0.5, 0.97]) assert.approximately(logistic(logit(p)) / p, 1, 1e-12)
    assert.deepStrictEqual([logistic(Number.NEGATIVE_INFINITY), logistic(Number.POSITIVE_INFINITY)], [0, 1])
  })
})

describe("fitLogistic", () => {
  it("finds the odds of a plain share, with its binomial standard error", () => {
    const { coefficients, standardErrors } = fitLogistic(
      Array.from({ length: 80 }, () => [1]),
      Array.from({ length: 80 }, (_, at) => at % 4 !== 0),
    )
    assert.approximately(coefficients[0]!, Math.log(3), 1e-12)
    assert.approximately(standardErrors[0]!, 1 / Math.sqrt(80 * 0.75 * 0.25), 1e-12)
  })

  it("makes the residuals orthogonal to every regressor: the first-order condition of the maximum", () => {
    const generator = new PCGRandom(1)
    const rows = Array.from({ length: 400 }, () => [1, generator.number() - 0.5, 3 * generator.number()])
    const happened = rows.map(([, a, b]) => generator.number() < logistic(0.3 + 2 * a! - b!))
    const { coefficients, standardErrors } = fitLogistic(rows, happened)
    for (const k of [0, 1, 2]) {
      const moment = rows.reduce((sum, row, at) => {
        const p = logistic(row.reduce((total, value, j) => total + value * coefficients[j]!, 0))
        return sum + row[k]! * ((happened[at] ? 1 : 0) - p)
      }, 0)
      assert.approximately(moment, 0, 1e-9)
      assert.approximately(coefficients[k]!, [0.3, 2, -1][k]!, 4 * standardErrors[k]!)
    }
  })

  it("has no unit: regressors of any scale are fitted alike", () => {
    const generator = new PCGRandom(2)
    const rows = Array.from({ length: 300 }, () => [1, generator.number() - 0.5])
    const happened = rows.map(([, a]) => generator.number() < logistic(0.2 + 3 * a!))
    const { coefficients, standardErrors } = fitLogistic(rows, happened)
    for (const scale of [1e-12, 1e-9, 1e9]) {
      const found = fitLogistic(
        rows.map(([one, a]) => [one!, a! * scale]),
        happened,
      )
      assert.approximately(found.coefficients[0]!, coefficients[0]!, 1e-11)
      assert.approximately((found.coefficients[1]! * scale) / coefficients[1]!, 1, 1e-11)
      assert.approximately((found.standardErrors[1]! * scale) / standardErrors[1]!, 1, 1e-11)
    }
  })

  it("fits on top of log-odds that are given", () => {
    const generator = new PCGRandom(3)
    const rows = Array.from({ length: 300 }, () => [generator.number() - 0.5])
    const offsets = rows.map(() => 4 * generator.number() - 2)
    const happened = rows.map(([a], at) => generator.number() < logistic(offsets[at]! + 2 * a!))
    const { coefficients, standardErrors } = fitLogistic(rows, happened, [], offsets)
    assert.approximately(coefficients[0]!, 2, 3 * standardErrors[0]!)
    const moment = rows.reduce((sum, [a], at) => {
      return sum + a! * ((happened[at] ? 1 : 0) - logistic(offsets[at]! + coefficients[0]! * a!))
    }, 0)
    assert.approximately(moment, 0, 1e-9)
  })

  it("says so when there is no maximum", () => {
    for (const [rows, happened] of [
      [
        [[1], [1]],
        [true, true],
      ],
      [
        [
          [1, 2],
          [2, 4],
          [3, 6],
        ],
        [true, false, true],
      ],
      [
        [[-1], [-2], [1], [2]],
        [false, false, true, true],
      ],
    ] as const) {
      assert.isTrue(fitLogistic(rows, happened).coefficients.every(Number.isNaN), JSON.stringify(rows))
    }
  })
})
