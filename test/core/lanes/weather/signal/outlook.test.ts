import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { explain } from "../../../../../core/endpoint/explain.ts"
import {
  type ErrorStats,
  initialErrors,
  initialStation,
  learnError,
} from "../../../../../core/lanes/weather/signal/calibration.ts"
import {
  calibrationText,
  makeOutlook,
  type Outlook,
  type OutlookInputs,
} from "../../../../../core/lanes/weather/signal/outlook.ts"
import { explainSignal } from "../../../../../core/lanes/weather/signal/signalTexts.ts"
import { climateDayStart, stations } from "../../../../../core/lanes/weather/stations.ts"
import { windowOf } from "../../../../../core/math/discretise.ts"
import { addDays } from "../../../../../core/time.ts"
import { isDistribution } from "../model.ts"
import { day, grid, hour, hourly, nyc, readings, start } from "../world.ts"

const inputs = (atHour: number, changes: Partial<OutlookInputs> = {}): OutlookInputs => {
  const now = start + atHour * hour
  return { station: nyc, day, now, grid: grid(), readings: readings(now), states: initialStation, ...changes }
}
const found = (atHour: number, changes: Partial<OutlookInputs> = {}): Outlook =>
  Either.getOrThrowWith(makeOutlook(inputs(atHour, changes)), ({ hoursCovered }) => new Error(`${hoursCovered} hours`))

const taught = (n: number, error: number): ErrorStats =>
  Array.from({ length: n }, (_, at) => addDays("2026-04-01", at)).reduce(
    (state, of) => learnError(state, { day: of, error, sigma: 2, source: "grid" }),
    initialErrors,
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
        const station = stations[index]!
        const zero = climateDayStart(station, day)
        const now = zero + atHour * hour
        const read = atHour < 0 ? [] : readings(now, warmer + off, zero)
        const state = { state: taught(errors, off), revision: 3 }
        const { high, low, leadDays, hoursCovered } = Either.getOrThrow(
          makeOutlook({
            station,
            day,
            now,
            grid: grid({ hourly: hourly(-1, 30, warmer, zero) }),
            readings: read,
            states: { high: initialStation.high.map(() => state), low: initialStation.low },
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
    // The rest is the official thermometer's distance beyond hourly observations, 0.52 °F on the mean of fitted days.
    assert.isTrue(before > 0.4 && before < 1, `${before}`)
  })

  it("is centred on the forecast plus the bias of earlier errors", () => {
    const states = {
      high: initialStation.high.map((known, at) => (at === 1 ? { state: taught(80, 2), revision: 12 } : known)),
      low: initialStation.low,
    }
    const [plain, learned] = [found(-10), found(-10, { states })]
    assert.strictEqual(plain.high.centre, 85)
    assert.approximately(learned.high.centre, 85 + learned.calibration.bias, 0.005)
    assert.isAbove(learned.calibration.bias, 1.4)
    assert.deepStrictEqual([plain.version, learned.version], ["temperature-t8-3.0", "temperature-t8-3.12"])
    assert.strictEqual(plain.low.centre, learned.low.centre)
    assert.match(calibrationText(plain), /^prior: published errors by lead, station and season; 0 of 10 own errors$/)
    assert.match(
      calibrationText(learned),
      /^calibrated: 80 errors at leads of 0\.5–1\.5 days, 2026-04-01 to 2026-06-19$/,
    )
    const [, correction] = explain(...explainSignal(inputs(-10, { states }), learned)).reasoning
    assert.match(
      correction!,
      /^Added \+1\.\d\d °F to the forecast high of 85 °F, the weighted mean error of 80 earlier forecasts;/,
    )
  })

  it("names the numbers that moved it: those of the forecast, the observations and the report", () => {
    const official = {
      status: "preliminary",
      highF: 84,
      lowF: 66,
      validAsOf: "0200 PM",
      issuedAt: start + 14.7 * hour,
    } as const
    const later = found(15, { official })
    const { high, low, tempF, at } = later.running!
    assert.strictEqual(later.stage, "intraday")
    const [, correction, observed, printed, ...more] = explain(
      ...explainSignal(inputs(15, { official }), later),
    ).reasoning
    assert.isEmpty(more)
    assert.match(
      correction!,
      /^Left the forecast of the hours left of the day \(forecast high of 85 °F for all of it\) as published: the prior bias is 0;/,
    )
    assert.include(
      observed!,
      `running high ${high} °F, running low ${low} °F, last ${Math.round(tempF * 100) / 100} °F at`,
    )
    assert.include(observed!, new Date(at).toISOString())
    assert.strictEqual(
      printed,
      `The preliminary report up to ${new Date(start + 13 * hour).toISOString()} prints high 84 °F, low 66 °F.`,
    )
    const [, ahead, unchanged, none] = explain(...explainSignal(inputs(-10), found(-10))).reasoning
    assert.match(ahead!, /^Left the forecast high of 85 °F as published: the bias of shorter leads is 0; .*, sigma /)
    assert.match(unchanged!, /^No forecast of the day before is archived at this lead/)
    assert.match(none!, /^No observations/)
  })

  it("is what the final report says, once it is in", () => {
    // In summer an office may issue it in the last hour of the climate day, which is after midnight on the clocks.
    const official = { status: "final", highF: 88, lowF: 64, issuedAt: start + 23.3 * hour } as const
    const { high, low, stage, leadDays, ...rest } = found(23.6, { official })
    assert.deepStrictEqual([high.centre, low.centre, stage, leadDays], [88, 64, "final", 0])
    // One final report of a hundred is corrected, until the station's own archive says more.
    assert.approximately(high.degrees.pmf[88 - high.degrees.first]!, 0.99, 1e-12)
    assert.approximately(low.degrees.pmf[64 - low.degrees.first]!, 0.99, 1e-12)
    const often = found(23.6, {
      official,
      states: { ...initialStation, corrections: { days: 300, changed: 19 } },
    }).high
    assert.approximately(often.degrees.pmf[88 - often.degrees.first]!, 0.95, 1e-12)
    // What the readings rule out no correction brings.
    const below = found(23.6, { official: { ...official, highF: 85 } }).high.degrees
    assert.strictEqual(below.pmf[84 - below.first], 0)
    assert.match(calibrationText({ high, low, stage, leadDays, ...rest }), /^final: /)
    // A value that the report does not have is left to the model.
    const { lowF: _, ...highOnly } = official
    assert.deepStrictEqual(found(23.6, { official: highOnly }).low, found(23.6).low)
  })

  it("takes what a report of the day says for the official running extreme, up to when it holds", () => {
    // Four in the afternoon on the clocks of July is three in standard time.
    const official = {
      status: "preliminary",
      highF: 86,
      lowF: 64,
      validAsOf: "0400 PM",
      issuedAt: start + 15.6 * hour,
    } as const
    const above = ({ high: { degrees } }: Outlook, k: number): number => degrees.ge[k - degrees.first] ?? 0
    const { high, low } = found(19.9, { official })
    assert.strictEqual(high.degrees.pmf[85 - high.degrees.first], 0)
    assert.isAbove(high.degrees.pmf[86 - high.degrees.first]!, 0.9)
    assert.isAbove(above(found(19.9), 86), 0.3)
    assert.strictEqual(low.degrees.ge[65 - low.degrees.first], 0)
    // A higher value becomes less likely with the daylight left, and with the distance of the uncovered observations.
    const printed = { ...official, highF: 85, validAsOf: "0600 PM", issuedAt: start + 17.6 * hour }
    const evening = [17.7, 19.7, 22.7].map((at) => above(found(at, { official: printed }), 86))
    for (let at = 1; at < evening.length; at++) assert.isBelow(evening[at]!, evening[at - 1]!)
    assert.isBelow(evening[0]!, 0.15)
    assert.isBelow(evening[2]!, 0.05)
    // Valid an hour after the hottest one, it leaves the hours at the peak open.
    assert.isAbove(above(found(17.7, { official: { ...official, highF: 85 } }), 86), 0.3)
    // It says nothing of what it was not made for: without the line it holds up to 45 minutes before its issue.
    const { validAsOf: _, ...undated } = official
    assert.isAbove(
      above(found(17.7, { official: { ...undated, highF: 85, issuedAt: start + 13 * hour } }), 86),
      above(found(17.7, { official: { ...undated, highF: 85, issuedAt: start + 17 * hour } }), 86),
    )
  })

  it("does not pull toward a forecast high whose hour has passed", () => {
    // The afternoon has failed to reach what was forecast of it by six degrees.
    const late = (peak: number) =>
      found(18.9, {
        grid: grid({
          hourly: hourly(0, 7 * 24).map((one) => (one.at === start + 15 * hour ? { ...one, tempF: peak } : one)),
        }),
        readings: readings(start + 18.9 * hour, -6),
      }).high.degrees
    const [usual, hot] = [late(85), late(95)]
    assert.deepStrictEqual(hot, usual)
    // Nor towards the maximum that a grid keeps giving for what is left of its day.
    const { high } = found(18.9, {
      grid: grid({
        hourly: hourly(18, 48),
        maxima: [{ from: start + 7 * hour, to: start + 20 * hour, tempF: 92 }],
      }),
    })
    assert.isBelow(high.degrees.ge[90 - high.degrees.first] ?? 0, 0.01)
  })

  it("reads the extremes that are coded with its readings", () => {
    const coded = readings(start + 18.9 * hour).map((one) =>
      one.at === start + 15 * hour + 51 * 60_000 ? { ...one, groups: { sixHours: { high: 88, low: 80 } } } : one,
    )
    const { high } = found(18.9, { readings: coded })
    assert.strictEqual(high.degrees.ge[88 - high.degrees.first], 1)
    // Midnight to midnight, told by the last observation of the day.
    const whole = readings(start + 23.9 * hour).map((one) =>
      one.at === start + 23 * hour + 51 * 60_000 ? { ...one, groups: { day: { high: 88, low: 63 } } } : one,
    )
    const last = found(23.9, { readings: whole })
    assert.deepStrictEqual([last.high.centre, last.high.sigma, last.low.centre, last.low.sigma], [88, 0, 63, 0])
    // Six hours that reach into the day before say nothing of this one.
    const early = readings(start + 10 * hour).map((one) =>
      one.at === start + 2 * hour + 51 * 60_000 ? { ...one, groups: { sixHours: { high: 99, low: 40 } } } : one,
    )
    assert.deepStrictEqual(found(10, { readings: early }), found(10))
  })

  it("holds for a station whose clocks are half an hour off", () => {
    const station = { ...nyc, standardOffset: -4.5, tz: "America/St_Johns" }
    const zero = climateDayStart(station, day)
    const now = zero + 19.9 * hour
    const of = (highF: number) =>
      Either.getOrThrow(
        makeOutlook({
          station,
          day,
          now,
          grid: grid({ hourly: hourly(-1, 30, 0, zero - hour / 2) }),
          readings: readings(now, 0, zero),
          states: initialStation,
          official: { status: "preliminary", highF, lowF: 64, validAsOf: "0400 PM", issuedAt: zero + 16 * hour },
        }),
      )
    const { high, hoursCovered } = of(86)
    assert.strictEqual(hoursCovered, 24)
    // As at a station whose clocks show whole hours.
    assert.isAbove(high.degrees.pmf[86 - high.degrees.first]!, 0.9)
  })

  it("says when the high is expected, or was read", () => {
    assert.strictEqual(found(-10).peakAt, start + 15 * hour)
    assert.strictEqual(found(10).peakAt, start + 15 * hour)
    const warm = readings(start + 20 * hour, 4)
    assert.strictEqual(found(20, { readings: warm }).peakAt, start + 14 * hour + 51 * 60_000)
  })

  it("is refused where a part of the day has neither readings nor forecast", () => {
    const table: ReadonlyArray<readonly [name: string, atHour: number, Partial<OutlookInputs>, covered: number]> = [
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
      const answer = makeOutlook(inputs(atHour, changes))
      assert.deepStrictEqual(answer, Either.left({ hoursCovered }), name)
    }
  })

  it("ignores observations of other days and of the future", () => {
    const plain = readings(start + 10 * hour).filter(({ at }) => at >= start)
    const later = [...plain, { at: start + 10.5 * hour, tempF: 99 }]
    assert.deepStrictEqual(found(10, { readings: later }), found(10, { readings: plain }))
    // The last observation before the day is the beginning of its first hour, and no extreme of the day.
    const earlier = found(10, { readings: [{ at: start - 2 * hour, tempF: 99 }, ...plain] })
    assert.approximately(earlier.high.centre, found(10, { readings: plain }).high.centre, 0.05)
    // Of a day to come nothing was read.
    assert.deepStrictEqual(found(-1, { readings: [{ at: start - 2 * hour, tempF: 99 }] }), found(-1, { readings: [] }))
  })
})
