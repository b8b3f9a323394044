import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import {
  conditionedHigh,
  conditionedLow,
  fromForecast,
  type Printed,
  pointMass,
  type RunningOfficial,
  runningOfficial,
} from "../../../../core/lanes/weather/signal/extremes.ts"
import type { Running } from "../../../../core/lanes/weather/signal/sameDay.ts"
import { degreesOf, temperatureDistribution } from "../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { byId, climateDayStart, type Station } from "../../../../core/lanes/weather/stations.ts"
import { moments } from "../../../../core/math/discrete.ts"
import { windowOf } from "../../../../core/math/discretise.ts"
import { agrees, isDistribution, model } from "./model.ts"

const day = "2026-07-09"
const factors: Readonly<Record<string, Station>> = {
  1: byId.get("KNYC")!,
  1.3: byId.get("KMDW")!,
  1.4: byId.get("KDEN")!,
}

/** The instant at which mean solar time is `solar` on the day. */
const atSolar = (station: Station, solar: number): number =>
  climateDayStart(station, day) + (solar - station.coordinates.lon / 15 + station.standardOffset) * 3_600_000

const running = (station: Station, solar: number, changes: Partial<Running> = {}): Running => ({
  at: atSolar(station, solar),
  high: 80,
  low: 60,
  highAt: atSolar(station, solar),
  tempF: 79.4,
  trendF: 0.7,
  ...changes,
})

const weighted = ([least, ...more]: ReadonlyArray<number>, read: number, sign: 1 | -1): RunningOfficial => [
  [least!, read],
  ...more.map((weight, at) => [weight, read + sign * (at + 1)] as const),
]

const laws = fc
  .record({
    mean: fc.double({ min: -30, max: 110, noNaN: true }),
    sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
    skew: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
  })
  .map(({ mean, sigma, skew }) => temperatureDistribution(mean, sigma, skew))

describe("the distribution of an official extreme", () => {
  it("agrees with an independent calculation: a day to come", () => {
    for (const { mean, sigma, pmf } of model.laws) {
      const { centre, sigma: published, degrees } = fromForecast(temperatureDistribution(mean, sigma))
      assert.deepStrictEqual([centre, published], [mean, sigma])
      agrees(degrees, pmf)
    }
  })

  it("agrees with an independent calculation: a skewed law keeps its mean and its spread", () => {
    for (const { mean, sigma, skew, pmf } of model.skewed) {
      agrees(fromForecast(temperatureDistribution(mean, sigma, skew)).degrees, pmf, 1e-7)
    }
    for (const skew of [-0.2, -0.05, 0, 0.1, 0.2]) {
      const { cdf, sf, pivot } = temperatureDistribution(70, 3, skew)
      for (let x = 40; x < 100; x += 0.37) assert.approximately(cdf(x) + sf(x), 1, 1e-14)
      assert.approximately(cdf(pivot), (1 - skew) / 2, 1e-14)
      const { mean, sd } = moments(degreesOf(temperatureDistribution(70, 3, skew), -80, 220))
      assert.approximately(mean, 70, 1e-4)
      // Rounding to whole degrees adds a twelfth.
      assert.approximately(sd, Math.sqrt(9 + 1 / 12), 2e-3)
    }
  })

  it("agrees with an independent calculation: the high of a day that has begun", () => {
    for (const { hour, factor, projected, read, temp, trend, weights, pmf } of model.sameDay) {
      const station = factors[factor]!
      const state = running(station, hour, { high: read, tempF: temp, trendF: trend })
      const { prediction, ruled } = conditionedHigh(
        station,
        state,
        weighted(weights, read, 1),
        projected,
        temperatureDistribution(0, 1),
      )
      assert.isTrue(ruled)
      agrees(prediction.degrees, pmf)
    }
  })

  it("agrees with an independent calculation: the low, before and on its day", () => {
    const of = (rows: ReadonlyArray<readonly [mean: number, sigma: number]>) =>
      rows.map(([mean, sigma]) => temperatureDistribution(mean, sigma))
    for (const { laws: rows, pmf } of model.low) agrees(conditionedLow(of(rows), undefined).degrees, pmf)
    for (const { laws: rows, read, weights, pmf } of model.lowSoFar) {
      agrees(conditionedLow(of(rows), weighted(weights, read, -1)).degrees, pmf)
    }
  })

  it("is a distribution over the window of its centre and spread, for any law", () => {
    const station = byId.get("KNYC")!
    fc.assert(
      fc.property(
        laws,
        laws,
        fc.integer({ min: -20, max: 105 }),
        fc.double({ min: 0, max: 24, noNaN: true }),
        fc.boolean(),
        (a, b, read, solar, printed) => {
          const official = runningOfficial(read, printed ? { tempF: read } : undefined, 1)
          const state = running(station, solar, { high: read, tempF: read - 1.2 })
          for (const [name, { centre, sigma, degrees }] of Object.entries({
            unconditioned: fromForecast(a),
            high: conditionedHigh(station, state, official, a.mean, a).prediction,
            low: conditionedLow([a, b], undefined),
            lowSoFar: conditionedLow([a, b], runningOfficial(read, undefined, -1)),
            lowAlone: conditionedLow([], runningOfficial(read, undefined, -1)),
            certain: pointMass(read),
          })) {
            isDistribution(degrees, name)
            const { first, last } = windowOf(centre, sigma)
            assert.deepStrictEqual([degrees.first, degrees.pmf.length], [first, last - first + 1], name)
          }
        },
      ),
    )
  })

  it("gives nothing to a high below the one that was read, nor to a low above it", () => {
    const station = byId.get("KMDW")!
    fc.assert(
      fc.property(
        laws,
        fc.integer({ min: -20, max: 105 }),
        fc.double({ min: 0, max: 24, noNaN: true }),
        (law, read, solar) => {
          const state = running(station, solar, { high: read, tempF: read - 2 })
          const { degrees: high } = conditionedHigh(
            station,
            state,
            runningOfficial(read, undefined, 1),
            law.mean,
            law,
          ).prediction
          assert.isTrue(high.pmf.every((p, at) => high.first + at >= read || p === 0))
          const { degrees: low } = conditionedLow([law], runningOfficial(read, undefined, -1))
          assert.isTrue(low.pmf.every((p, at) => low.first + at <= read || p === 0))
        },
      ),
    )
  })

  it("leaves room beyond the readings, and beyond what a report prints only for the readings since", () => {
    const table: ReadonlyArray<
      readonly [read: number, printed: Printed | undefined, sign: 1 | -1, official: ReadonlyArray<number>]
    > = [
      [80, undefined, 1, [80, 81, 82]],
      [60, undefined, -1, [60, 59, 58]],
      [80, { tempF: 81 }, 1, [81]],
      [80, { tempF: 80 }, 1, [80]],
      [60, { tempF: 59 }, -1, [59]],
      // It has cooled since.
      [80, { tempF: 81, since: 76 }, 1, [81, 81, 81]],
      [60, { tempF: 60, since: 71 }, -1, [60, 60, 60]],
      // It is as warm as then, or warmer.
      [80, { tempF: 80, since: 80 }, 1, [80, 81, 82]],
      [80, { tempF: 81, since: 80 }, 1, [81, 81, 82]],
      [84, { tempF: 80, since: 84 }, 1, [84, 85, 86]],
      [58, { tempF: 60, since: 58 }, -1, [58, 57, 56]],
      // A report that says less than was read before it was closed is in error; nothing is taken back.
      [84, { tempF: 80, since: 70 }, 1, [84, 84, 84]],
    ]
    for (const [read, printed, sign, official] of table) {
      const weights = official.length === 1 ? [1] : [0.55, 0.35, 0.1]
      assert.deepStrictEqual(
        runningOfficial(read, printed, sign),
        official.map((tempF, at) => [weights[at]!, tempF] as const) as never,
      )
    }
  })

  it("says before 7 h solar time what the forecast says, and no less than what was read", () => {
    const station = byId.get("KNYC")!
    const before = temperatureDistribution(80.5, 2)
    const { prediction, ruled } = conditionedHigh(station, running(station, 6.99), [[1, 80]], 99, before)
    assert.isFalse(ruled)
    const { first, pmf } = prediction.degrees
    assert.approximately(pmf[80 - first]!, before.cdf(80.5), 1e-15)
    assert.approximately(pmf[81 - first]!, before.cdf(81.5) - before.cdf(80.5), 1e-15)
  })
})
