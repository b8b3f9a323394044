import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { layerForecasts, readingsBetween } from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import { drawBeyond } from "../../../../../bench/open/backtest/weatherDays.ts"
import { Forecasts } from "../../../../../core/lanes/weather/ports.ts"
import {
  bucketName,
  calibrate,
  calibrationStage,
  errorParameters,
  initialErrors,
  leadBucket,
  learnError,
} from "../../../../../core/lanes/weather/signal/calibration.ts"
import {
  coversPart,
  cutToDay,
  findBackedHours,
  findExtremeAhead,
  interpolateForecast,
  projectHigh,
  projectLow,
} from "../../../../../core/lanes/weather/signal/projection.ts"
import { dayBounds, estimateOfficial } from "../../../../../core/lanes/weather/signal/runningExtreme.ts"
import {
  hasSameDayRule,
  maxRoundingError,
  predictRest,
  summarizeReadings,
  toSolarHour,
} from "../../../../../core/lanes/weather/signal/sameDay.ts"
import { expectStep, measureStep } from "../../../../../core/lanes/weather/signal/steps.ts"
import { leadDays, priorSigma, variables } from "../../../../../core/lanes/weather/signal/temperature.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays, hour } from "../../../../../core/time.ts"
import { digest } from "../../../../support/digest.ts"

const days = ["2026-01-15", "2026-04-20", "2026-07-09", "2026-10-30"]

/** Errors of a warm and a cold spell, from two sources. */
const taught = (count: number, inherited = 0) =>
  Array.from({ length: count }, (_, at) => ({
    day: addDays("2024-01-01", at),
    error: 2 * Math.sin(at / 30) + (((at * 7) % 13) - 5) * (at % 50 === 0 ? 4 : 0.5),
    sigma: 2 + (at % 3),
    source: at > 100 ? "new" : "old",
  })).reduce((state, error) => learnError(state, error, inherited), initialErrors)

// A change of these is a new version of the model: it belongs into CHANGELOG.md.
describe("the parts of the weather signal are the same in each release", () => {
  it("what errors teach", () => {
    const states = [0, 9, 10, 59, 60, 399, 400].map((count) => taught(count, 0.5))
    const leads = [-1, 0, 0.49, 0.5, 1.5, 4.4, 5.5, 7, 9]
    assert.deepStrictEqual(
      {
        stages: states.map(calibrationStage),
        buckets: leads.map(leadBucket),
        names: [0, 1, 6].map(bucketName),
        states: digest(states),
        parameters: digest(errorParameters(states)),
        calibrations: digest(
          variables.flatMap((variable) =>
            leads.slice(1).map((lead) =>
              calibrate(
                stations[0]!,
                variable,
                "2026-07-09",
                lead,
                states.map((state, revision) => ({ state, revision })),
              ),
            ),
          ),
        ),
        sigmas: digest(
          stations.map((station) =>
            days.map((day) =>
              variables.map((variable) => [0, 1, 3.3, 8].map((lead) => priorSigma(station, variable, day, lead))),
            ),
          ),
        ),
        leads: digest(
          stations.map((station) =>
            variables.map((each) => leadDays(station, each, "2026-07-09", Date.UTC(2026, 6, 8))),
          ),
        ),
      },
      {
        buckets: [0, 0, 0, 1, 2, 4, 6, 6, 6],
        calibrations: "57aafbe5",
        leads: "a4ed8ed0",
        names: ["0–0.5 days", "0.5–1.5 days", "5.5–7 days"],
        parameters: "60723332",
        sigmas: "7f1cb354",
        stages: ["prior", "prior", "partial", "partial", "calibrated", "calibrated", "calibrated"],
        states: "e0e07ef5",
      },
    )
  })

  it.effect("what a grid says of its days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-07-09T07:20:00Z"))
      const forecasts = yield* Forecasts
      const found = yield* Effect.forEach(stations, (station) =>
        Effect.map(forecasts.grid(station), (grid) =>
          ["2026-07-08", "2026-07-09", "2026-07-11", "2026-07-16"].map((on) => {
            const day = cutToDay(grid, station, on)
            const hours = findBackedHours(
              day,
              readingsBetween(station, day.start, day.start + 5 * hour),
              day.start + 5.5 * hour,
            )
            return {
              ...{ day, high: projectHigh(day), low: projectLow(day) },
              later: [projectLow(day, day.start + 6.5 * hour, 60), projectLow(day, day.start + 19 * hour, 90)],
              ahead: [0, 5.5, 20, 24].map((at) => [
                findExtremeAhead(day, day.start + at * hour, 1),
                findExtremeAhead(day, day.start + at * hour, -1),
              ]),
              at: [-0.5, 0, 7.25, 23.75, 25].map((at) => interpolateForecast(day, day.start + at * hour)),
              hours,
              covers: (["morning", "afternoon", "evening"] as const).map((stretch) => coversPart(hours, stretch)),
            }
          }),
        ),
      )
      assert.strictEqual(digest(found), "02e8ad73")
    }).pipe(Effect.provide(layerForecasts)),
  )

  it("what observations say of a day", () => {
    const found = stations.map((station) =>
      days.map((on) => {
        const [start, end] = dayBounds(station, on)
        const until = (hours: number) => readingsBetween(station, start - 3 * hour, start + hours * hour)
        const whole = until(24)
        const running = [2, 8, 14, 23].map((hours) => summarizeReadings(until(hours), start))
        return {
          ...{
            length: (end - start) / hour,
            running,
            error: maxRoundingError(whole),
            solar: toSolarHour(station, start + 13 * hour),
          },
          ruled: running.map((each) => each && hasSameDayRule(station, each)),
          official: variables.map((variable) =>
            estimateOfficial(station, variable, {
              ...{ readings: until(14), read: 60, start, scale: 0.7 },
              spans: [{ from: start, to: start + 6 * hour, high: 61, low: 55 }],
            }),
          ),
          beyond: variables.map((variable) => expectStep(station, on, variable, whole)),
          gaps: variables.map((variable) => drawBeyond(station, whole[5]!, whole[6]!, variable, 0.3)),
          rest: variables.map((variable) => {
            const { mean, sigma } = predictRest(station, variable, running[2]!, { extreme: 66, now: 64 }, 0.7)(62)
            return [mean, sigma]
          }),
        }
      }),
    )
    assert.strictEqual(digest(found), "c9052920")
  })

  it("a day with observations in fewer than 22 hours proves nothing", () => {
    const [start] = dayBounds(stations[0]!, "2026-07-09")
    const first = (count: number) =>
      expectStep(stations[0]!, "2026-07-09", "high", readingsBetween(stations[0]!, start, start + count * hour))
    assert.isUndefined(first(21))
    assert.isDefined(first(22))
  })

  it("what observations missed is none where the final does not reach them, and at most four degrees", () => {
    const missed = (variable: "high" | "low", official: number) => measureStep(variable, 70, official)
    assert.deepStrictEqual(
      [69, 70, 72].map((official) => missed("high", official)),
      [0, 0, 2],
    )
    assert.deepStrictEqual(
      [71, 70, 67].map((official) => missed("low", official)),
      [0, 0, 3],
    )
    assert.deepStrictEqual([missed("high", 200), missed("low", -60)], [4, 4])
  })
})
