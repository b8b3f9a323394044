import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { crpsOfPercentiles } from "../../../../../core/lanes/weather/guidance/percentiles.ts"
import type { IssuedLaws } from "../../../../../core/lanes/weather/guidance/stack.ts"
import {
  addGain,
  bucketCount,
  bucketName,
  calibrate,
  calibrationStage,
  type ErrorStats,
  errorParameters,
  type GainSums,
  initialErrors,
  initialStation,
  isWithdrawn,
  leadBucket,
  learnError,
  meanGain,
} from "../../../../../core/lanes/weather/signal/calibration.ts"
import { learnDays } from "../../../../../core/lanes/weather/signal/recalibration.ts"
import { leadDays, priorSigma } from "../../../../../core/lanes/weather/signal/temperature.ts"
import { crpsUnskewed } from "../../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../../core/time.ts"
import { model } from "../model.ts"

const station = stations[0]
const day = "2026-07-09"

/** A state after so many errors, all of one size unless told otherwise. */
const taught = (
  n: number,
  error: number | ((at: number) => number),
  from: ErrorStats = initialErrors,
  source = "grid",
): ErrorStats =>
  Array.from({ length: n }, (_, at) => at).reduce(
    (state, at) =>
      learnError(state, {
        day: addDays(day, at),
        error: typeof error === "number" ? error : error(at),
        sigma: 2.5,
        source,
      }),
    from,
  )

const alone = (state: ErrorStats, bucket = 0) =>
  errorParameters(Array.from({ length: bucketCount }, (_, at) => (at === bucket ? state : initialErrors)))

describe("the gain by bias and spread", () => {
  const withGain = (n: number, difference: (at: number) => number): ErrorStats => ({
    ...taught(n, 2),
    gain: Array.from({ length: n }, (_, at) => difference(at)).reduce<GainSums | undefined>(addGain, undefined)!,
  })

  it("is a mean with its interval, once there are 20 days", () => {
    assert.isUndefined(meanGain(initialErrors))
    assert.isUndefined(meanGain(withGain(20, () => 1)))
    const { estimate, low, high } = meanGain(withGain(100, (at) => (at % 2 === 0 ? -0.3 : 0.1)))!
    // By hand: the mean is −.1, the standard deviation of a day .2, of the mean of 100 .02.
    assert.closeTo(estimate, -0.1, 1e-3)
    assert.closeTo((high - low) / 2, 1.959964 * 0.0201, 2e-4)
  })

  it("withdraws both where the interval says that they do harm, and lets a shorter lead's bias and the prior's spread serve", () => {
    const [helpful, open, harmful] = [-0.1, 0.01, 0.1].map((mean) =>
      withGain(100, (at) => mean + (at % 2 === 0 ? 0.2 : -0.2)),
    ) as [ErrorStats, ErrorStats, ErrorStats]
    assert.deepStrictEqual([helpful, open, harmful].map(isWithdrawn), [false, false, true])
    assert.strictEqual(calibrationStage(open), "calibrated")
    assert.strictEqual(calibrationStage(harmful), "prior")
    const shorter = taught(100, 0.5)
    const [, served] = errorParameters([shorter, harmful])
    assert.deepStrictEqual(served, { bias: errorParameters([shorter])[0]!.bias, scale: 1, skew: 0 })
    // It is learned on, so that it can come back.
    assert.isAbove(errorParameters([shorter, harmful], true)[1]!.bias, 1.5)
    const published = [shorter, harmful, ...initialStation.high.slice(2).map(({ state }) => state)]
    const states = published.map((state, at) => ({ state, revision: state.n === 0 ? 0 : at + 1 }))
    const { stage, sigma, revision } = calibrate(station, "high", day, 1, states)
    assert.deepStrictEqual([stage, revision], ["prior", 2])
    assert.isAtLeast(sigma, priorSigma(station, "high", day, 1))
  })

  it("is counted of laws as they were issued, from the first that differs from the prior on", () => {
    const takenAt = Date.parse("2026-07-09T12:00:00Z")
    const sigma = priorSigma(station, "high", day, leadDays(station, "high", day, takenAt))
    const taughtBy = (
      issued: Pick<IssuedLaws, "learned" | "mean" | "sigma"> & Partial<IssuedLaws>,
      from = taught(20, 2),
    ) =>
      learnDays(
        station,
        "high",
        [from],
        [
          {
            snapshot: {
              ...{ day, bucket: 0, takenAt, source: "grid" },
              issued: { forecastF: 80, differences: {}, guidance: [], stacked: issued, ...issued },
            },
            residual: { residualF: 2 },
          },
        ],
      )[0]!
    const prior = { mean: 80, sigma }
    const learned = { mean: 82, sigma }
    assert.isUndefined(taughtBy(prior).gain)
    const difference = crpsUnskewed(learned, 82) - crpsUnskewed(prior, 82)
    assert.isBelow(difference, 0)
    assert.deepStrictEqual(taughtBy(learned).gain, [1, 1, difference, difference ** 2])
    // A law that is withdrawn goes on being judged.
    assert.deepStrictEqual(taughtBy({ ...prior, learned }).gain, taughtBy(learned).gain)
    assert.isUndefined(taughtBy(learned).stack)
    assert.isUndefined(taughtBy(learned).percentiles)
    // Beside the blend's percentiles: the law's score, and what it is more than theirs.
    const percentilesF = [79, 81, 82, 84, 86]
    const guidance = [
      { source: "nbm", issuedAt: 1, tempF: 82 },
      { source: "nbp", issuedAt: 1, tempF: 82, percentilesF },
    ] as const
    const own = crpsUnskewed(learned, 82)
    const less = own - crpsOfPercentiles(percentilesF, 82)
    assert.deepStrictEqual(taughtBy({ ...learned, guidance }).percentiles, [
      [1, 1, own, own ** 2],
      [1, 1, less, less ** 2],
    ])
    const once = taughtBy({ ...learned, guidance })
    assert.strictEqual(once.stack?.weights.length, 3)
    assert.deepStrictEqual(taughtBy({ ...learned, guidance }, once).percentiles, [
      addGain(once.percentiles![0], own),
      addGain(once.percentiles![1], less),
    ])
  })
})

describe("lead buckets", () => {
  it("are half a day, then a day each, then the rest", () => {
    const table = [
      [0, 0],
      [0.49, 0],
      [0.5, 1],
      [1.49, 1],
      [1.5, 2],
      [5.49, 5],
      [5.5, 6],
      [7, 6],
      [9, 6],
    ] as const
    for (const [lead, bucket] of table) assert.strictEqual(leadBucket(lead), bucket, `${lead}`)
    assert.deepStrictEqual([0, 1, 6].map(bucketName), ["0–0.5 days", "0.5–1.5 days", "5.5–7 days"])
  })
})

describe("one more error", () => {
  it("moves bias and scale as an independent calculation says, outliers cut", () => {
    const { errors, sigmas, cases } = model.recalibration
    for (const { inherited, parameters } of cases) {
      let state = initialErrors
      const shorter = { ...initialErrors, n: 10, weight: 1e9, sum: 1e9 * inherited }
      errors.forEach((error, at) => {
        state = learnError(state, { day: addDays(day, at), error, sigma: sigmas[at]!, source: "grid" }, inherited)
        if (state.n < 10) return
        const [bias, scale] = parameters[at + 1]!
        const found = errorParameters([shorter, state])[1]!
        assert.approximately(found.bias, bias, 1e-6, `bias after ${at}`)
        assert.approximately(found.scale, scale, 1e-12, `scale after ${at}`)
      })
      assert.deepInclude(state, { n: errors.length, first: day, last: addDays(day, errors.length - 1) })
    }
  })

  it("counts for nothing before the tenth, and in full from the sixtieth", () => {
    for (const [n, stage] of [
      [0, "prior"],
      [9, "prior"],
      [10, "partial"],
      [59, "partial"],
      [60, "calibrated"],
    ] as const) {
      const state = taught(n, 3)
      assert.strictEqual(calibrationStage(state), stage)
      assert.strictEqual(alone(state)[0]!.bias !== 0, n >= 10, `${n}`)
    }
    assert.deepStrictEqual(alone(taught(9, 3))[0], { bias: 0, scale: 1, skew: 0 })
  })

  it("limits bias to 6 °F and scale to 0.6 to 1.8 for any errors", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -400, max: 400, noNaN: true }), { minLength: 10, maxLength: 120 }),
        (errors) => {
          const { bias, scale } = alone(taught(errors.length, (at) => errors[at]!))[0]!
          assert.isTrue(bias >= -6 && bias <= 6)
          assert.isTrue(scale >= 0.6 && scale <= 1.8)
        },
      ),
    )
    assert.strictEqual(alone(taught(400, (at) => 20 + 0.1 * (at % 3)))[0]!.bias, 6)
    assert.strictEqual(alone(taught(900, 0))[0]!.scale, 0.6)
    assert.strictEqual(alone(taught(900, (at) => (at % 2 === 0 ? 30 : -30)))[0]!.scale, 1.8)
  })

  it("learns a skew from 400 errors on, within 0.2", () => {
    /** Three errors a degree too cold for one that is three too warm. */
    const lopsided = (size: number) => (at: number) => (at % 4 === 0 ? 3 * size : -size)
    assert.strictEqual(alone(taught(399, lopsided(1)))[0]!.skew, 0)
    // Its skewness is 2 / √3: half of that is more than the bound.
    assert.strictEqual(alone(taught(400, lopsided(1)))[0]!.skew, 0.2)
    assert.strictEqual(alone(taught(400, lopsided(-1)))[0]!.skew, -0.2)
    const even = alone(taught(400, (at) => (at % 2 === 0 ? 2 : -2)))[0]!.skew
    assert.approximately(even, 0, 0.03)
    const { skew } = alone(taught(1000, (at) => [-1, -1, 0.8, 0.1, 1.3][at % 5]!))[0]!
    // Mean .04, variance .856², third moment of those five values.
    const values = [-1, -1, 0.8, 0.1, 1.3].map((value) => value - 0.04)
    const moment = (power: number) => values.reduce((sum, value) => sum + value ** power, 0) / 5
    assert.approximately(skew, (0.5 * moment(3)) / moment(2) ** 1.5, 0.02)
  })

  it("forgets half of a bias in 20 errors", () => {
    const biased = taught(200, 3)
    const after = taught(20, 0, biased)
    const [before, now] = [alone(biased)[0]!.bias, alone(after)[0]!.bias]
    assert.approximately(now / before, 0.5, 0.01)
  })

  it("weighs a quarter when the forecasts come from another source", () => {
    const biased = taught(60, 2)
    const other = taught(1, 2, biased, "another grid")
    assert.approximately(other.weight, 2 ** (-1 / 20) * 0.25 * biased.weight + 1, 1e-12)
    assert.strictEqual(other.source, "another grid")
    const back = taught(1, 2, other, "another grid")
    assert.approximately(back.weight, 2 ** (-1 / 20) * other.weight + 1, 1e-12)
  })
})

describe("longer leads", () => {
  it("inherit the bias of the shorter one, and leave it as they learn their own", () => {
    const states = Array.from({ length: bucketCount }, (_, at) => (at === 1 ? taught(80, 2) : initialErrors))
    const parameters = errorParameters(states)
    assert.strictEqual(parameters[0]!.bias, 0)
    assert.isAbove(parameters[1]!.bias, 1.4)
    for (const inherited of parameters.slice(2)) {
      assert.deepStrictEqual(inherited, { bias: parameters[1]!.bias, scale: 1, skew: 0 })
    }
    states[2] = taught(80, -2)
    const learned = errorParameters(states)
    assert.isBelow(learned[2]!.bias, -0.9)
    assert.strictEqual(learned[6]!.bias, learned[2]!.bias)
  })
})

describe("what to expect of a forecast", () => {
  it("is the prior of revision 0 while nothing was learned", () => {
    const found = calibrate(station, "high", day, 1.2, initialStation.high)
    assert.deepInclude(found, { bias: 0, skew: 0, stage: "prior", bucket: 1, revision: 0 })
    assert.strictEqual(found.sigma, priorSigma(station, "high", day, 1.2))
  })

  it("depends on the newest revision of the states that it uses, and on no other", () => {
    const states = initialStation.high.map((published, at) =>
      at === 1 ? { state: taught(30, 1), revision: 7 } : at === 2 ? { state: taught(9, 1), revision: 9 } : published,
    )
    for (const [lead, revision] of [
      [0.3, 0],
      [1, 7],
      // The ninth error changes nothing yet; the bias is inherited.
      [2, 7],
      [6, 7],
    ] as const) {
      assert.strictEqual(calibrate(station, "high", day, lead, states).revision, revision, `${lead}`)
    }
  })

  it("never narrows as the lead grows past a bucket that is calibrated", () => {
    const n = fc.constantFrom(0, 60, 90)
    const spread = fc.double({ min: 0, max: 8, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(n, spread), { minLength: bucketCount, maxLength: bucketCount }), (buckets) => {
        const states = buckets.map(([count, size]) => ({
          state: taught(count, (at) => (at % 2 === 0 ? size : -size)),
          revision: 1,
        }))
        let bound = 0
        for (let lead = 0; lead <= 7; lead += 0.05) {
          const { sigma, bucket } = calibrate(station, "high", day, lead, states)
          assert.isAtLeast(sigma, bound * (1 - 1e-12), `${lead}`)
          if (buckets[bucket]![0] >= 60) bound = sigma
        }
      }),
      { numRuns: 30 },
    )
  })
})
