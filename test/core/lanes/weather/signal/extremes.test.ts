import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import {
  afterFinalReport,
  combineLows,
  conditionOnReadings,
  toExtreme,
} from "../../../../../core/lanes/weather/signal/extremes.ts"
import {
  estimateOfficial,
  type RunningOfficial,
  type Span,
} from "../../../../../core/lanes/weather/signal/runningExtreme.ts"
import { hasSameDayRule, predictRest, type Running } from "../../../../../core/lanes/weather/signal/sameDay.ts"
import { temperatureDistribution, toDegrees } from "../../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { byId, climateDayStart, type Station } from "../../../../../core/lanes/weather/stations.ts"
import { moments } from "../../../../../core/math/discrete.ts"
import { windowOf } from "../../../../../core/math/discretise.ts"
import { agrees, isDistribution, model } from "../model.ts"

const day = "2026-07-09"
const hour = 3_600_000
const factors: Readonly<Record<string, Station>> = {
  1: byId.get("KNYC")!,
  1.3: byId.get("KMDW")!,
  1.4: byId.get("KDEN")!,
}

/** The instant at which mean solar time is `solar` on the day. */
const atSolar = (station: Station, solar: number): number =>
  climateDayStart(station, day) + (solar - station.coordinates.lon / 15 + station.standardOffset) * hour

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
      const { centre, sigma: published, degrees } = toExtreme(temperatureDistribution(mean, sigma))
      assert.deepStrictEqual([centre, published], [mean, sigma])
      agrees(degrees, pmf)
    }
  })

  it("agrees with an independent calculation: skew changes neither mean nor spread", () => {
    for (const { mean, sigma, skew, pmf } of model.skewed) {
      agrees(toExtreme(temperatureDistribution(mean, sigma, skew)).degrees, pmf, 1e-7)
    }
    for (const skew of [-0.2, -0.05, 0, 0.1, 0.2]) {
      const { cdf, sf, pivot } = temperatureDistribution(70, 3, skew)
      for (let x = 40; x < 100; x += 0.37) assert.approximately(cdf(x) + sf(x), 1, 1e-14)
      assert.approximately(cdf(pivot), (1 - skew) / 2, 1e-14)
      const { mean, sd } = moments(toDegrees(temperatureDistribution(70, 3, skew), -80, 220))
      assert.approximately(mean, 70, 1e-4)
      // Rounding to whole degrees adds a twelfth.
      assert.approximately(sd, Math.sqrt(9 + 1 / 12), 2e-3)
    }
  })

  it("agrees with an independent calculation: the extremes of a day that has begun", () => {
    for (const { variable, hour, factor, projected, read, temp, trend, now, weights, pmf } of model.sameDay) {
      const station = factors[factor]!
      const state = running(station, hour, { tempF: temp, trendF: trend })
      const rest = predictRest(station, variable, state, { extreme: projected, now }, 1)
      const { degrees } =
        variable === "high"
          ? conditionOnReadings("high", weighted(weights, read, 1), rest)
          : conditionOnReadings("low", weighted(weights, read, -1), rest)
      agrees(degrees, pmf)
    }
  })

  it("agrees with an independent calculation: the low before its day", () => {
    for (const { laws: rows, pmf } of model.low) {
      agrees(combineLows(rows.map(([mean, sigma]) => temperatureDistribution(mean, sigma))).degrees, pmf)
    }
  })

  it("is a distribution over a window around its centre, for any parameters", () => {
    const station = byId.get("KNYC")!
    fc.assert(
      fc.property(
        laws,
        laws,
        fc.integer({ min: -20, max: 105 }),
        fc.double({ min: 0, max: 24, noNaN: true }),
        fc.boolean(),
        (a, b, read, solar, printed) => {
          const state = running(station, solar, { high: read, low: read, tempF: read - 1.2 })
          const soFar = (variable: "high" | "low"): RunningOfficial =>
            estimateOfficial(station, variable, {
              readings: [
                { at: state.at - hour, tempF: read },
                { at: state.at, tempF: read - 1.2 },
              ],
              read,
              spans: printed ? [{ from: state.at - 9 * hour, to: state.at, high: read, low: read }] : [],
              start: state.at - 9 * hour,
              scale: 1,
            })
          const rest = (variable: "high" | "low") => predictRest(station, variable, state, { extreme: a.mean }, 1)
          for (const [name, { centre, sigma, degrees }] of Object.entries({
            unconditioned: toExtreme(a),
            high: conditionOnReadings("high", soFar("high"), rest("high")),
            highBefore: conditionOnReadings("high", soFar("high"), () => a),
            highAlone: conditionOnReadings("high", soFar("high"), undefined),
            low: combineLows([a, b]),
            lowSoFar: conditionOnReadings("low", soFar("low"), rest("low")),
            lowAlone: conditionOnReadings("low", soFar("low"), undefined),
            final: afterFinalReport(read, undefined, () => true),
          })) {
            isDistribution(degrees, name)
            const { first, last } = windowOf(centre, sigma)
            assert.deepStrictEqual([degrees.first, degrees.pmf.length], [first, last - first + 1], name)
          }
        },
      ),
    )
  })

  it("gives nothing to a high below the one that was reached, nor to a low above it", () => {
    const station = byId.get("KMDW")!
    fc.assert(
      fc.property(
        laws,
        fc.integer({ min: -20, max: 105 }),
        fc.double({ min: 0, max: 24, noNaN: true }),
        (law, read, solar) => {
          const state = running(station, solar, { high: read, tempF: read - 2 })
          const { degrees: high } = conditionOnReadings(
            "high",
            [[1, read]],
            predictRest(station, "high", state, { extreme: law.mean }, 1),
          )
          assert.isTrue(high.pmf.every((p, at) => high.first + at >= read || p === 0))
          const { degrees: low } = conditionOnReadings(
            "low",
            [[1, read]],
            predictRest(station, "low", state, { extreme: law.mean }, 1),
          )
          assert.isTrue(low.pmf.every((p, at) => low.first + at <= read || p === 0))
        },
      ),
    )
  })

  it("says before 7 h solar time what the forecast says, and no less than what was read", () => {
    const station = byId.get("KNYC")!
    assert.isFalse(hasSameDayRule(station, running(station, 6.99)))
    assert.isTrue(hasSameDayRule(station, running(station, 7.01)))
    const before = temperatureDistribution(80.5, 2)
    const { first, pmf } = conditionOnReadings("high", [[1, 80]], () => before).degrees
    assert.approximately(pmf[80 - first]!, before.cdf(80.5), 1e-15)
    assert.approximately(pmf[81 - first]!, before.cdf(81.5) - before.cdf(80.5), 1e-15)
  })
})

describe("the official extreme behind the readings", () => {
  const station = byId.get("KNYC")!
  const start = climateDayStart(station, day)
  /** Readings on the hour. */
  const read = (from: number, temperatures: ReadonlyArray<number>) =>
    temperatures.map((tempF, at) => ({ at: start + (from + at) * hour, tempF }))
  const beyond = (official: RunningOfficial): number => official.slice(1).reduce((sum, [weight]) => sum + weight, 0)
  const soFar = (
    temperatures: ReadonlyArray<number>,
    { from = 12, spans = [], scale = 1 }: { from?: number; spans?: ReadonlyArray<Span>; scale?: number } = {},
  ) =>
    estimateOfficial(station, "high", {
      readings: read(from, temperatures),
      read: Math.round(Math.max(...temperatures)),
      spans,
      start,
      scale,
    })

  it("lies a degree or two beyond hourly readings about as often as they are known to miss it", () => {
    const official = soFar([78, 79, 80, 79, 77])
    assert.deepStrictEqual(official[0]![1], 80)
    assert.isTrue(beyond(official) > 0.25 && beyond(official) < 0.55)
    assert.approximately(
      official.reduce((sum, [weight]) => sum + weight, 0),
      1,
      1e-12,
    )
  })

  it("is what a report prints, and leaves room only for what came since: the less, the colder it has become", () => {
    const spans = [{ from: start, to: start + 14 * hour, high: 80 }]
    const [near, far, none] = [
      soFar([78, 79, 80, 79, 78], { spans }),
      soFar([78, 79, 80, 74, 70], { spans }),
      soFar([78, 79, 80], { spans }),
    ]
    assert.deepStrictEqual(none, [[1, 80]])
    assert.isTrue(beyond(near) > beyond(far) && beyond(far) < 0.08 && beyond(near) < 0.3)
    // What it prints beyond the readings is what it was.
    assert.deepStrictEqual(soFar([78, 79, 80], { spans: [{ ...spans[0]!, high: 82 }] }), [[1, 82]])
    // A report that says less than was read is in error; nothing is taken back.
    assert.strictEqual(soFar([78, 79, 84], { spans: [{ ...spans[0]!, high: 80 }] })[0]![1], 84)
  })

  it("varies less at night, and as the station's own days have taught", () => {
    assert.isAbove(beyond(soFar([79, 80, 79])), beyond(soFar([79, 80, 79], { from: 1 })))
    assert.isAbove(beyond(soFar([79, 80, 79], { scale: 3 })), beyond(soFar([79, 80, 79])))
    assert.isBelow(beyond(soFar([79, 80, 79], { scale: 0.02 })), 0.02)
  })

  it("is known for the stretches that coded groups speak for", () => {
    const spans = [{ from: start + 6 * hour, to: start + 12 * hour, high: 76 }]
    const official = soFar([70, 72, 73, 73, 72, 70, 69], { from: 6, spans })
    assert.deepStrictEqual(official, [[1, 76]])
  })

  it("may be either of two degrees behind readings in whole degrees Celsius", () => {
    const five = Array.from({ length: 12 }, (_, at) => ({ at: start + 12 * hour + at * 300_000, tempF: 75.2 }))
    const official = estimateOfficial(station, "high", { readings: five, read: 74, spans: [], start, scale: 1 })
    assert.deepStrictEqual(official.map(([, tempF]) => tempF).slice(0, 3), [74, 75, 76])
    assert.isTrue(official[1]![0] > 0.4 && official[2]![0] > 0.2)
  })
})
