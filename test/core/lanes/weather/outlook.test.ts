import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { type ErrorStats, step, untaught, untaughtStation } from "../../../../core/lanes/weather/signal/calibration.ts"
import { calibrationText, type Inputs, type Outlook, outlook } from "../../../../core/lanes/weather/signal/outlook.ts"
import { reasoningOf } from "../../../../core/lanes/weather/signal/signalTexts.ts"
import { climateDayStart, stations } from "../../../../core/lanes/weather/stations.ts"
import { windowOf } from "../../../../core/math/discretise.ts"
import { addDays } from "../../../../core/time.ts"
import { isDistribution } from "./model.ts"
import { day, grid, hour, hourly, nyc, readings, start, usualAt } from "./world.ts"

const inputs = (atHour: number, changes: Partial<Inputs> = {}): Inputs => {
  const now = start + atHour * hour
  return { station: nyc, day, now, grid: grid(), readings: readings(now), states: untaughtStation, ...changes }
}
const found = (atHour: number, changes: Partial<Inputs> = {}): Outlook =>
  Either.getOrThrowWith(outlook(inputs(atHour, changes)), ({ hoursCovered }) => new Error(`${hoursCovered} hours`))

const taught = (n: number, error: number): ErrorStats =>
  Array.from({ length: n }, (_, at) => addDays("2026-04-01", at)).reduce(
    (state, of) => step(state, { day: of, error, sigma: 2, source: "grid" }),
    untaught,
  )

const Case = Schema.Struct({
  station: Schema.Literal(0, 1, 2, 3, 4, 5, 6, 7, 8),
  /** Of local standard time, from six days before the day on. */
  atHour: Schema.Number.pipe(Schema.between(-144, 23.9)),
  warmer: Schema.Number.pipe(Schema.between(-90, 35)),
  /** How much warmer it was read than forecast. */
  off: Schema.Number.pipe(Schema.between(-9, 9)),
  preliminary: Schema.Boolean,
  errors: Schema.Int.pipe(Schema.between(0, 70)),
})

describe("the outlook of a climate day", () => {
  it("is two distributions over their windows, at any hour and station, whatever was forecast and read", () => {
    fc.assert(
      fc.property(Arbitrary.make(Case), ({ station: index, atHour, warmer, off, preliminary, errors }) => {
        const station = stations[index]
        const zero = climateDayStart(station, day)
        const now = zero + atHour * hour
        const read = atHour < 0 ? [] : readings(now, warmer + off, zero)
        const state = { state: taught(errors, off), revision: 3 }
        const { high, low, leadDays, hoursCovered } = Either.getOrThrow(
          outlook({
            station,
            day,
            now,
            grid: grid({ hourly: hourly(-1, 30, warmer, zero) }),
            readings: read,
            states: { high: untaughtStation.high.map(() => state), low: untaughtStation.low },
            ...(preliminary
              ? { official: { status: "preliminary", highF: Math.round(75 + warmer), issuedAt: now } as const }
              : {}),
          }),
        )
        for (const { centre, sigma, degrees } of [high, low]) {
          isDistribution(degrees)
          const { first, last } = windowOf(centre, sigma)
          assert.deepStrictEqual([degrees.first, degrees.pmf.length], [first, last - first + 1])
        }
        assert.isTrue(leadDays >= 0 && leadDays <= 7)
        assert.isTrue(hoursCovered >= 16 && hoursCovered <= 24)
        const ofDay = read.filter(({ at }) => at >= zero).map(({ tempF }) => tempF)
        if (ofDay.length === 0) return
        const least = Math.round(Math.max(...ofDay) - 0.09)
        const most = Math.round(Math.min(...ofDay) + 0.09)
        assert.isTrue(high.degrees.pmf.every((p, at) => high.degrees.first + at >= least || p === 0))
        assert.isTrue(low.degrees.pmf.every((p, at) => low.degrees.first + at <= most || p === 0))
      }),
      { numRuns: 300 },
    )
  })

  it("narrows as the day comes nearer and goes on, from the prior to the same-day rule", () => {
    let before = Number.POSITIVE_INFINITY
    for (const [atHour, stage] of [
      [-129, "prior"],
      [-57, "prior"],
      [-9, "prior"],
      [3, "prior"],
      [11.9, "intraday"],
      [13.9, "intraday"],
      [16.9, "intraday"],
      [19.9, "intraday"],
    ] as const) {
      const { high, leadDays, stage: own } = found(atHour)
      assert.strictEqual(own, stage, `${atHour}`)
      assert.isBelow(high.sigma, before, `${atHour}`)
      assert.strictEqual(leadDays, stage === "intraday" ? 0 : Math.round((100 * (15 - atHour)) / 24) / 100)
      before = high.sigma
    }
    // What is left is how far the official thermometer may have gone beyond the hourly readings.
    assert.approximately(before, 0.67, 0.01)
  })

  it("is centred on the forecast plus the bias of earlier errors", () => {
    const states = {
      high: untaughtStation.high.map((known, at) => (at === 1 ? { state: taught(80, 2), revision: 12 } : known)),
      low: untaughtStation.low,
    }
    const [plain, learned] = [found(-10), found(-10, { states })]
    assert.strictEqual(plain.high.centre, 85)
    assert.approximately(learned.high.centre, 85 + learned.calibration.bias, 0.005)
    assert.isAbove(learned.calibration.bias, 1.4)
    assert.deepStrictEqual([plain.version, learned.version], ["temperature-t8-1.0", "temperature-t8-1.12"])
    assert.strictEqual(plain.low.centre, learned.low.centre)
    assert.match(calibrationText(plain), /^prior: published errors by lead, station and season; 0 of 10 own errors$/)
    assert.match(
      calibrationText(learned),
      /^calibrated: 80 errors at leads of 0\.5–1\.5 days, 2026-04-01 to 2026-06-19$/,
    )
    const [, correction] = reasoningOf(inputs(-10, { states }), learned)
    assert.match(
      correction!,
      /^Added \+1\.\d\d °F to the forecast high of 85 °F, the weighted mean error of 80 earlier forecasts;/,
    )
  })

  it("is what the final report says, once it is in", () => {
    // In summer an office may issue it in the last hour of the climate day, which is after midnight on the clocks.
    const official = { status: "final", highF: 88, lowF: 64, issuedAt: start + 23.3 * hour } as const
    const { high, low, stage, leadDays, ...rest } = found(23.6, { official })
    assert.deepStrictEqual([high.centre, high.sigma, low.centre, stage, leadDays], [88, 0, 64, "final", 0])
    assert.strictEqual(high.degrees.pmf[88 - high.degrees.first], 1)
    assert.strictEqual(low.degrees.pmf[64 - low.degrees.first], 1)
    assert.match(calibrationText({ high, low, stage, leadDays, ...rest }), /^final: /)
    // A value that the report does not have is left to the model.
    const { lowF: _, ...highOnly } = official
    assert.deepStrictEqual(found(23.6, { official: highOnly }).low, found(23.6).low)
  })

  it("takes what a report of the day says for the official running extreme, up to when it was closed", () => {
    const official = { status: "preliminary", highF: 86, lowF: 64, issuedAt: start + 18.5 * hour } as const
    const { high, low } = found(19.9, { official })
    const without = found(19.9)
    assert.strictEqual(high.degrees.pmf[85 - high.degrees.first], 0)
    assert.isAbove(high.degrees.pmf[86 - high.degrees.first]!, 0.97)
    assert.isAbove(without.high.degrees.pmf[85 - without.high.degrees.first]!, 0.5)
    assert.strictEqual(low.degrees.ge[65 - low.degrees.first], 0)
    // It has not cooled since: the official thermometer may have gone on.
    const open = found(16.9, { official: { ...official, issuedAt: start + 16.5 * hour } }).high
    assert.isTrue(open.degrees.pmf[86 - open.degrees.first]! > 0.7 && open.degrees.pmf[87 - open.degrees.first]! > 0.08)
  })

  it("says when the high is expected, or was read", () => {
    assert.strictEqual(found(-10).peakAt, start + 15 * hour)
    assert.strictEqual(found(10).peakAt, start + 15 * hour)
    const warm = readings(start + 20 * hour, 4)
    assert.strictEqual(found(20, { readings: warm }).peakAt, start + 14 * hour + 51 * 60_000)
  })

  it("takes the evening's forecast for the day's only where the afternoon is still on the grid", () => {
    // The grid has begun anew at six in the evening: what it has left is no forecast of the day's high.
    const late = grid({ hourly: hourly(18, 48) })
    const withMaximum = { ...late, maxima: [{ from: start + 17 * hour, to: start + 20 * hour, tempF: 85 }] }
    const [rest, whole] = [found(18.95, { grid: late }), found(18.95, { grid: withMaximum })]
    assert.strictEqual(rest.forecastHigh, usualAt(18))
    assert.strictEqual(whole.forecastHigh, 85)
    assert.approximately(
      rest.high.degrees.ge[86 - rest.high.degrees.first]!,
      whole.high.degrees.ge[86 - whole.high.degrees.first]!,
      0.01,
    )
  })

  it("is refused where a part of the day has neither readings nor forecast", () => {
    const table: ReadonlyArray<readonly [name: string, atHour: number, Partial<Inputs>, covered: number]> = [
      ["no hours at all", -10, { grid: grid({ hourly: [] }) }, 0],
      ["another day's hours", -10, { grid: grid({ hourly: hourly(30, 54) }) }, 0],
      [
        "a maximum alone",
        -10,
        { grid: grid({ hourly: [], maxima: [{ from: start, to: start + 24 * hour, tempF: 80 }] }) },
        0,
      ],
      ["no evening", -10, { grid: grid({ hourly: hourly(0, 21) }) }, 21],
      ["no afternoon", -10, { grid: grid({ hourly: [...hourly(0, 11), ...hourly(16, 24)] }) }, 19],
      ["a morning that nobody read", 11.9, { readings: readings(start + 11.9 * hour).slice(-2) }, 14],
      ["nothing to come", 11.9, { grid: grid({ hourly: hourly(0, 12) }) }, 12],
    ]
    for (const [name, atHour, changes, hoursCovered] of table) {
      const answer = outlook(inputs(atHour, changes))
      assert.deepStrictEqual(answer, Either.left({ hoursCovered }), name)
    }
  })

  it("leaves readings of other days and of the future aside", () => {
    const odd = [
      { at: start - 2 * hour, tempF: 99 },
      ...readings(start + 10 * hour).filter(({ at }) => at >= start),
      { at: start + 10.5 * hour, tempF: 99 },
    ]
    const plain = readings(start + 10 * hour).filter(({ at }) => at >= start)
    assert.deepStrictEqual(found(10, { readings: odd }), found(10, { readings: plain }))
    // Of a day to come nothing was read.
    assert.deepStrictEqual(found(-1, { readings: [{ at: start - 2 * hour, tempF: 99 }] }), found(-1, { readings: [] }))
  })
})
