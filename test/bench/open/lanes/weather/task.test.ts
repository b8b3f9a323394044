import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { compare, entered } from "../../../../../bench/open/compare/compare.ts"
import type { WeatherRow } from "../../../../../bench/open/lanes/weather/data.ts"
import { readWeather } from "../../../../../bench/open/lanes/weather/files.ts"
import { lawOf, medianOf, type WeatherForecast } from "../../../../../bench/open/lanes/weather/laws.ts"
import { type WeatherTask, weatherTask } from "../../../../../bench/open/lanes/weather/task.ts"
import { calibrate, initialStation, leadBucket } from "../../../../../core/lanes/weather/signal/calibration.ts"
import { forecastDistribution } from "../../../../../core/lanes/weather/signal/extremes.ts"
import { learnDays } from "../../../../../core/lanes/weather/signal/recalibration.ts"
import { addDays } from "../../../../../core/time.ts"
import { assertNoLookAhead, assertRefusesLater, type BadForecast } from "../../../../support/noLookAhead.ts"
import { describeRealData } from "../../../../support/realData.ts"

const fixture = fileURLToPath(new URL("../../../../fixtures/bench/weather.csv", import.meta.url))
const data = await Effect.runPromise(readWeather(fixture))
const task = weatherTask(data)

const changedFrom = (rows: ReadonlyArray<WeatherRow>, day: string): ReadonlyArray<WeatherRow> =>
  rows.map((row) => (row.day >= day ? { ...row, actualF: row.actualF + 7 + (row.day.charCodeAt(9) % 3) } : row))

describe("weather's task", () => {
  it("asks after the first 30 days of a station, when a forecast was issued", () => {
    assert.deepStrictEqual(task.groups, ["all stations", "KNYC", "KNYC low", "XFLD"])
    assert.strictEqual(task.cases.length, 3 * 45)
    const rows = new Map(data.rows.map((row) => [`${row.station}/${row.variable}/${row.day}`, row]))
    for (const [place, { id, at, question, outcome, cluster }] of task.cases.entries()) {
      const { actualF, ...asked } = rows.get(id.slice(0, id.lastIndexOf("/")))!
      const { leadDays, dayBeforeF, ...same } = question
      assert.strictEqual(
        dayBeforeF,
        rows.get(`${asked.station}/${asked.variable}/${addDays(asked.day, -1)}`)?.forecastF,
      )
      assert.deepStrictEqual([same, outcome, at], [asked, actualF, question.issuedAt])
      assert.isTrue(question.day >= addDays("2025-03-01", 30), id)
      // To 15:00 (high) or 06:00 (low) of local standard time, 18:00 UTC of the day before being 13:00 in the east.
      assert.approximately(
        leadDays,
        (question.variable === "low" ? 17 : question.station === "KNYC" ? 26 : 28) / 24,
        1e-9,
      )
      assert.isAtMost(task.cases[place - 1]?.at ?? 0, at)
      assert.strictEqual(new Date(`${cluster}T00:00:00Z`).getUTCDay(), 1)
      assert.isTrue(cluster <= question.day && question.day < addDays(cluster, 7))
      assert.notProperty(question, "actualF")
    }
  })

  it("knows a day's value six hours after its end in local standard time", () => {
    assert.strictEqual(task.facts.length, data.rows.length)
    for (const { at, fact } of task.facts) {
      const hour = fact.station === "KNYC" ? 11 : 13
      assert.strictEqual(at, Date.parse(`${addDays(fact.day, 1)}T${hour}:00:00Z`), fact.station)
    }
  })

  it.effect("walks the served law as the lane recalibrates it, day by day", () =>
    Effect.gen(function* () {
      const [served] = yield* entered(task)
      assert.strictEqual(served!.forecasts.size, task.cases.length)
      for (const [station, standardOffset] of [
        ["KNYC", -5],
        ["XFLD", -7],
      ] as const) {
        const site = { id: station, standardOffset }
        const own = data.rows.filter((row) => row.station === station && row.variable === "high")
        for (const { id, question } of task.cases) {
          if (question.station !== station || question.variable !== "high") continue
          const { day, issuedAt, forecastF, leadDays } = question
          // At 18:00 UTC of the day before, the report of the day before that is there.
          const lessons = own
            .filter((row) => row.day < addDays(day, -1))
            .map((row) => ({
              snapshot: { day: row.day, bucket: leadBucket(leadDays), takenAt: row.issuedAt, source: row.source },
              residual: { residualF: row.actualF - row.forecastF },
            }))
          const states = learnDays(
            site,
            "high",
            initialStation.high.map(({ state }) => state),
            lessons,
          )
          const calibration = calibrate(
            site,
            "high",
            day,
            leadDays,
            states.map((state) => ({ state, revision: 1 })),
          )
          const { mean, sigma } = forecastDistribution(forecastF, calibration)
          assert.deepStrictEqual(
            served!.forecasts.get(id),
            { mean, sigma, skew: calibration.skew },
            `${id} ${issuedAt}`,
          )
        }
      }
    }),
  )

  it.effect("does not look ahead: other values from a day on change no forecast up to the next day's", () =>
    Effect.gen(function* () {
      for (const day of ["2025-04-12", "2025-04-28"]) {
        const other = weatherTask({ ...data, rows: changedFrom(data.rows, day) })
        const entrants = <A extends WeatherTask>(all: A) => ({
          ...all,
          // The prior learns nothing, and must not.
          entrants: all.entrants.filter((each) => !("model" in each && each.model.name === "published prior")),
        })
        yield* assertNoLookAhead(entrants(task), entrants(other), Date.parse(`${addDays(day, 1)}T10:59:59Z`))
      }
    }),
  )

  it.effect("refuses a model that asks for later facts", () => assertRefusesLater(task))

  it.effect("counts the first forecast of a bucket of leads, as the archive keeps it", () =>
    Effect.gen(function* () {
      const high = data.rows.filter(({ station, variable }) => station === "KNYC" && variable === "high")
      const later = high.map((row) => ({ ...row, issuedAt: row.issuedAt + 3_600_000, forecastF: row.forecastF + 9 }))
      const forecasts = (rows: ReadonlyArray<WeatherRow>) =>
        Effect.map(entered(weatherTask({ rows, inputs: [] })), ([served]) => served!.forecasts)
      const [alone, both] = [yield* forecasts(high), yield* forecasts([...later, ...high])]
      assert.strictEqual(both.size, 2 * alone.size)
      for (const [id, forecast] of alone) assert.deepStrictEqual(both.get(id), forecast, id)
    }),
  )
})

describe("a forecast of a temperature", () => {
  const bad: ReadonlyArray<BadForecast> = [
    ["no spread", { mean: 60 }, /sd[\s\S]*is missing/],
    ["a spread of 0", { mean: 60, sd: 0 }, /sd[\s\S]*a positive number/],
    ["a spread that is no number", { mean: 60, sd: Number.NaN }, /sd/],
    ["a mean that is no number", { mean: Number.NaN, sd: 2 }, /mean/],
    ["a mean without end", { mean: Number.POSITIVE_INFINITY, sd: 2 }, /mean/],
    ["a mean in words", { mean: "60", sd: 2 }, /mean/],
    ["one degree of freedom", { mean: 60, scale: 2, nu: 1 }, /nu[\s\S]*a number above 1/],
    ["a skew of 1", { mean: 60, sigma: 2, skew: 1 }, /skew/],
    ["no degrees", { first: 60, pmf: [] }, /pmf/],
    ["half a degree", { first: 60.5, pmf: [1] }, /first/],
    ["a negative probability", { first: 60, pmf: [1.5, -0.5] }, /pmf/],
    ["a probability that is no number", { first: 60, pmf: [Number.NaN, 1] }, /pmf/],
    ["a law that sums to .9", { first: 60, pmf: [0.5, 0.4] }, /sum to 0\.9, not to 1/],
    ["a law that is off by two millionths", { first: 60, pmf: [0.5, 0.499998] }, /sum to 0\.99999\d*, not to 1/],
    ["nothing", undefined, /Expected/],
  ]
  it.each(bad)("is refused with %s", (_, forecast, message) => {
    const read = Schema.decodeUnknownEither(task.forecast)(forecast)
    if (read._tag === "Right") return assert.fail("The forecast was taken.")
    assert.match(ParseResult.TreeFormatter.formatErrorSync(read.left), message)
  })

  const { question } = task.cases[0]!
  const k = Math.round(question.forecastF)
  const scores = (forecast: WeatherForecast, actual: number) =>
    Object.fromEntries(task.measures.map(({ name, score }) => [name, score(forecast, actual, question)]))

  it("by whole degrees is scored by hand", () => {
    const forecast = { first: k - 1, pmf: [0.25, 0.5, 0.25] }
    const found = scores(forecast, k + 1)
    assert.isUndefined(found["CRPS"])
    // P(at least k) = .75 and of k + 1 = .25, where both came.
    assert.approximately(found["RPS of the whole degree"]!, 0.25 ** 2 + 0.75 ** 2, 1e-12)
    assert.approximately(found["log score of the whole degree"]!, Math.log(4), 1e-12)
    assert.approximately(found["Brier of “at least k”"]!, (0.25 ** 2 + 0.75 ** 2) / 13, 1e-12)
    assert.approximately(found["MAE of the median"]!, 1, 1e-12)
    assert.approximately(scores(forecast, k + 40)["log score of the whole degree"]!, Math.log(1e6), 1e-9)
    assert.approximately(scores(forecast, k + 3)["RPS of the whole degree"]!, 0.25 ** 2 + 0.75 ** 2 + 2, 1e-12)
    assert.approximately(scores(forecast, k - 2)["RPS of the whole degree"]!, 1 + 0.75 ** 2 + 0.25 ** 2, 1e-12)
  })

  it.each([
    ["the served law without skew", { mean: k + 0.3, sigma: 2.5, skew: 0 }],
    ["the served law with skew", { mean: k + 0.3, sigma: 2.5, skew: 0.15 }],
    ["a normal one", { mean: k + 0.3, sd: 2.5 }],
    ["Student's t", { mean: k + 0.3, scale: 2, nu: 4 }],
  ] as const)("as %s is scored as the same law by whole degrees", (_, forecast) => {
    const { first, pmf } = lawOf(forecast).degrees
    for (const actual of [k - 8, k, k + 3]) {
      const { CRPS: crps, ...whole } = scores(forecast, actual)
      const { CRPS: none, ...same } = scores({ first, pmf: [...pmf] }, actual)
      assert.isUndefined(none)
      for (const [name, value] of Object.entries(whole)) assert.approximately(same[name]!, value!, 1e-9, name)
      // Steps of a degree are worth a part of a degree at most.
      assert.approximately(crps!, whole["RPS of the whole degree"]!, 0.3)
    }
  })

  it("has the score of its law: normal, t of eight degrees, median", () => {
    assert.approximately(scores({ mean: k, sd: 2 }, k)["CRPS"]!, 2 * 0.23369497725510913, 1e-12)
    const scale = 2.5 * Math.sqrt(6 / 8)
    const [served, t] = [
      { mean: k, sigma: 2.5, skew: 0 },
      { mean: k, scale, nu: 8 },
    ]
    assert.approximately(scores(served, k + 3)["CRPS"]!, scores(t, k + 3)["CRPS"]!, 1e-9)
    assert.approximately(medianOf(lawOf({ mean: 60.3, sd: 2 }).degrees), 60.3, 0.02)
  })
})

describeRealData("weather's bench on the recorded forecasts", (root) => {
  // As `npm run backtest:weather` printed before the bench existed: CRPS and calibration error, by a walk of its own.
  const published = {
    KNYC: {
      "temperature-t8-2": [1740, 1.309062998316135, 0.004640154681736671],
      "published prior": [1740, 1.5379037624519478, 0.09927328073647887],
    },
    KMIA: {
      "temperature-t8-2": [6881, 0.9607595958491516, 0.00779330920958244],
      "published prior": [6881, 1.030486205519863, 0.02856801220266622],
    },
    KMDW: {
      "temperature-t8-2": [5063, 1.925370300097407, 0.00599488549871021],
      "published prior": [5063, 2.069839674353687, 0.06770355856872093],
    },
  }

  it("has the published figures of the served law and of its prior", async () => {
    const read = await Effect.runPromise(readWeather(join(root, "weather/day1_forecast_vs_actual_highs.csv.gz")))
    assert.deepStrictEqual(read.leftOut, [{ station: "KMIA", day: "2020-08-17", column: "forecast_high_f" }])
    const { comparison } = await Effect.runPromise(compare(weatherTask(read), [], { seed: 1, replicates: 2 }))
    for (const [station, contenders] of Object.entries(published)) {
      const { measures, reliability } = comparison.parts.find(({ group }) => group === station)!
      for (const [name, [rows, crps, ece]] of Object.entries(contenders)) {
        assert.deepStrictEqual([measures[0]!.measure, measures[0]!.rows], ["CRPS", rows!])
        const of = <A extends { readonly contender: string }>(all: ReadonlyArray<A>) =>
          all.find(({ contender }) => contender === name)!
        assert.approximately(of(measures[0]!.scores).value, crps!, 1e-9, `${station}, ${name}`)
        assert.approximately(of(reliability).ece, ece!, 1e-9, `${station}, ${name}`)
      }
    }
  }, 120_000)
})
