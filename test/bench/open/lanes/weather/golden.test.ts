import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { WeatherRow } from "../../../../../bench/open/lanes/weather/data.ts"
import { readWeather } from "../../../../../bench/open/lanes/weather/files.ts"
import {
  atLeast,
  crpsOf,
  exactly,
  lawOf,
  medianOf,
  rankedScore,
  servedLaw,
  type WeatherForecast,
} from "../../../../../bench/open/lanes/weather/laws.ts"
import { weatherTask } from "../../../../../bench/open/lanes/weather/task.ts"
import { addDays } from "../../../../../core/time.ts"
import { benchDigest } from "../../../../support/benchDigest.ts"
import { digest } from "../../../../support/digest.ts"

const fixture = fileURLToPath(new URL("../../../../fixtures/bench/weather.csv", import.meta.url))

/** Two years of a station's highs, two forecasts of each day. */
const years: ReadonlyArray<WeatherRow> = Array.from({ length: 800 }, (_, at) => {
  const day = addDays("2023-06-01", at >> 1)
  const forecastF = 60 + 25 * Math.sin(at / 232) + ((at * 7) % 11) / 5
  return {
    station: "KNYC",
    lat: 40.78,
    lon: -73.97,
    utcOffset: -5,
    variable: "high",
    day,
    issuedAt: Date.parse(`${day}T18:00:00Z`) - (at % 2 === 0 ? 3 : 1) * 86_400_000,
    source: "test",
    forecastF,
    actualF: Math.round(forecastF + ((at * 13) % 17) / 3 - 2.5),
  }
})

// The published scores are of these forecasts: a change belongs into CHANGELOG.md, with new scores.
describe("weather's bench finds the same in each release", () => {
  it.effect("of a file", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* benchDigest(weatherTask(yield* readWeather(fixture))), {
        cases: "557dc61e",
        comparison: "2519f910",
        facts: "a8b83da1",
        forecasts: "b61ee86f",
        scores: "49f0bcdf",
        text: "0d33b900",
      })
    }),
  )

  it.effect("of years, of which the climatology takes the nearest days", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* benchDigest(weatherTask({ rows: years, inputs: [] })), {
        cases: "e1b66323",
        comparison: "2a9b11f2",
        facts: "63f5c7d8",
        forecasts: "a1a4d053",
        scores: "d41c8898",
        text: "3e358ce5",
      })
    }),
  )
})

describe("a law in whole degrees", () => {
  const whole = lawOf({ first: 70, pmf: [0.25, 0, 0.5, 0.25] }).degrees

  it("has the sums of its probabilities, 1 below it and 0 beyond", () => {
    assert.deepStrictEqual(
      [68, 69, 70, 71, 72, 73, 74].map((k) => [atLeast(whole, k), exactly(whole, k)]),
      [
        [1, 0],
        [1, 0],
        [1, 0.25],
        [0.75, 0],
        [0.75, 0.5],
        [0.25, 0.25],
        [0, 0],
      ],
    )
  })

  it("is scored by the squares of its steps' errors, also where the value lies beyond it", () => {
    // Steps at 71, 72 and 73 with .75, .75 and .25.
    assert.strictEqual(rankedScore(whole, 72), 0.25 ** 2 + 0.25 ** 2 + 0.25 ** 2)
    assert.strictEqual(rankedScore(whole, 70), 0.75 ** 2 + 0.75 ** 2 + 0.25 ** 2)
    assert.strictEqual(rankedScore(whole, 68), 1 + 1 + 0.75 ** 2 + 0.75 ** 2 + 0.25 ** 2)
    assert.strictEqual(rankedScore(whole, 75), 0.25 ** 2 + 0.25 ** 2 + 0.75 ** 2 + 1 + 1)
  })

  it("has its median within the degree that has the half", () => {
    assert.strictEqual(medianOf(whole), 72)
    assert.strictEqual(medianOf({ ...whole, pmf: Float64Array.of(0.5, 0, 0.5) }), 70.5)
    assert.throws(() => medianOf({ ...whole, pmf: Float64Array.of(0.25, 0.125) }), RangeError)
  })
})

it("the laws by a mean have the same degrees and scores in each release", () => {
  const laws: ReadonlyArray<WeatherForecast> = [
    { mean: 70.3, sd: 2.5 },
    { mean: -4, scale: 2, nu: 3 },
    { mean: 70.3, sigma: 2.5, skew: 0 },
    { mean: 70.3, sigma: 2.5, skew: 0.4 },
    { mean: 70.3, sigma: 2.5, skew: -0.4 },
  ]
  const actual = [-10, 66, 70, 71, 80]
  assert.deepStrictEqual(
    laws.map(lawOf).map(({ degrees, crps }) => [digest(degrees), digest(actual.map((each) => crps?.(each)))]),
    [
      ["6e680000", "10118eb8"],
      ["2057a1cd", "67336ae2"],
      ["9da9d52d", "6a12d6bd"],
      ["d0d0a5fb", "362106bd"],
      ["c3985607", "59d8fd32"],
    ],
  )
  // The closed form without skew is the integral that a small skew has.
  const at = (skew: number) => crpsOf(servedLaw({ mean: 70.3, sigma: 2.5, skew }), 73)
  assert.approximately(at(0), at(1e-9), 1e-4)
})
