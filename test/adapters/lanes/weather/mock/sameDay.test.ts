import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as mock from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import { ClimateReports } from "../../../../../core/lanes/weather/ports.ts"
import { climateDayStart, stations } from "../../../../../core/lanes/weather/stations.ts"
import { Weather } from "../../../../../core/lanes/weather/Weather.ts"
import { addDays } from "../../../../../core/time.ts"
import { clockAt } from "../../../../support/clock.ts"

const hour = 3_600_000
const days = 12

/** Set a thousand times: a test clock waits in real time at every step. */
const clock = clockAt(0)

interface Case {
  /** Probability that the final report says more (high) or less (low) than the preliminary one, and whether it did. */
  readonly probability: number
  readonly came: boolean
}

/** What was answered at a local standard time of twelve days at nine stations, against the final reports of that world. */
const casesAt = (first: string, atHour: number, variable: "high" | "low") =>
  Effect.gen(function* () {
    const weather = yield* Weather
    const reports = yield* ClimateReports
    const cases: Array<Case> = []
    for (let ahead = 0; ahead < days; ahead++) {
      const day = addDays(first, ahead)
      for (const station of stations) {
        clock.set(climateDayStart(station, day) + atHour * hour)
        const field = variable === "high" ? "highF" : "lowF"
        const printed = (yield* reports.versions(station.id, day))[0]?.report[field]
        if (printed === undefined) continue
        const { probabilities } = (yield* weather.signal({ station: station.id, target: day })).results
        const probability =
          variable === "high" ? (probabilities.ge[printed + 1] ?? 0) : (probabilities.low.le[printed - 1] ?? 0)
        clock.set(climateDayStart(station, addDays(day, 3)))
        const final = (yield* reports.versions(station.id, day))[0]!.report[field]
        if (final === undefined) continue
        cases.push({ probability, came: variable === "high" ? final > printed : final < printed })
      }
    }
    return cases
  })

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe("the same-day signal of the generated world", () => {
  for (const [month, first] of [
    ["November", "2026-11-08"],
    ["July", "2026-07-06"],
  ] as const) {
    for (const variable of ["high", "low"] as const) {
      it.effect(
        `${month}, ${variable}: says what becomes of the report that it cites`,
        () =>
          Effect.gen(function* () {
            for (const atHour of [17 + 40 / 60, 22 + 40 / 60]) {
              const cases = yield* casesAt(first, atHour, variable)
              const served = mean(cases.map(({ probability }) => probability))
              const came = mean(cases.map((one) => (one.came ? 1 : 0)))
              const brier = mean(cases.map((one) => (one.probability - (one.came ? 1 : 0)) ** 2))
              const text = `${month} ${variable} ${atHour.toFixed(2)} h, ${cases.length} cases: served ${served.toFixed(3)}, came ${came.toFixed(3)}, Brier ${brier.toFixed(4)}, constant ${(came * (1 - came)).toFixed(4)}`
              assert.isAbove(cases.length, 100, text)
              assert.isAtMost(Math.abs(served - came), 0.12, text)
              assert.isAtMost(brier, came * (1 - came) + 0.001, text)
            }
          }).pipe(
            Effect.provide(
              Layer.merge(mock.layerReports, Weather.layer.pipe(Layer.provide([mock.layer, Feeds.layerNone]))),
            ),
            Effect.withClock(clock),
          ),
        120_000,
      )
    }
  }
})
