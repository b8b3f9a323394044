import { assert, describe, it } from "@effect/vitest"
import {
  computePercentiles,
  crpsOfPercentiles,
  percentileLevels,
} from "../../../../../core/lanes/weather/guidance/percentiles.ts"
import {
  crpsUnskewed,
  temperatureDistribution,
  toDegrees,
} from "../../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { studentT8, unitSd } from "../../../../../core/math/studentT8.ts"

const [mean, sigma] = [71.3, 2.4]
const exact = percentileLevels.map((level) => mean + sigma * unitSd * studentT8.quantile(level))

describe("the score of percentiles", () => {
  it.each([60, 68, 71.3, 73, 80, 95])("is that of the law whose percentiles they are, at %d °F", (actual) => {
    assert.closeTo(crpsOfPercentiles(exact, actual), crpsUnskewed({ mean, sigma }, actual), 0.004)
  })

  it("is the distance where all are one degree", () => {
    assert.closeTo(crpsOfPercentiles([70, 70, 70, 70, 70], 73), 3, 1e-12)
    assert.closeTo(crpsOfPercentiles([70, 70, 70, 70, 70], 70), 0, 1e-12)
  })

  it("leaves a chance beyond an outer percentile that whole degrees make equal to the one before it", () => {
    // Without any, each degree farther away would cost a degree.
    const score = (actual: number) => crpsOfPercentiles([97, 98, 99, 100, 100], actual)
    assert.isBelow(score(102) - score(101), 0.995)
  })

  it("is proper: on average no shifted or widened law scores better than the right one", () => {
    const truths = Array.from({ length: 999 }, (_, at) => mean + sigma * unitSd * studentT8.quantile((at + 1) / 1_000))
    const score = (by: number, times: number) =>
      truths.reduce(
        (sum, actual) =>
          sum +
          crpsOfPercentiles(
            exact.map((each) => mean + by + times * (each - mean)),
            actual,
          ),
        0,
      ) / truths.length
    for (const [by, times] of [
      [0.5, 1],
      [-0.5, 1],
      [0, 1.3],
      [0, 0.7],
    ] as const)
      assert.isAbove(score(by, times), score(0, 1))
  })
})

describe("percentiles of a law of whole degrees", () => {
  it("are the degrees that are not exceeded with at least the level", () => {
    const { first, ge } = toDegrees(temperatureDistribution(mean, sigma), 50, 92)
    const percentiles = computePercentiles(first, ge)
    for (const [at, level] of percentileLevels.entries()) {
      const degree = percentiles[at]!
      assert.isAtLeast(1 - ge[degree + 1 - first]!, level)
      assert.isBelow(1 - ge[degree - first]!, level)
    }
    assert.deepStrictEqual(computePercentiles(40, Float64Array.from([1])), [40, 40, 40, 40, 40])
  })
})
