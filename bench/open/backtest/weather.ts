// Backtest of the temperature signal on recorded data, with the code that serves it:
// npm run backtest:weather -- --data DIR [--out var/backtest] [--seeds 5]
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { aligned } from "../compare/aligned.ts"
import { folderOf, present } from "../inputs.ts"
import { readWeather } from "../lanes/weather/files.ts"
import { reliabilityDiagram } from "./diagram.ts"
import { type Bar, barsOf, verdictOf } from "./weatherBars.ts"
import { climatology } from "./weatherClimatology.ts"
import { type Input, readDaily, readHourly } from "./weatherData.ts"
import { walkForward } from "./weatherForecasts.ts"
import { type ExtremeScores, type HourScores, sameDay, truths } from "./weatherSameDay.ts"

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string", default: "var/backtest" },
    seeds: { type: "string", default: "5" },
  },
})
const { data, out } = values
const seeds = Number(values.seeds)
if (data === undefined || !Number.isInteger(seeds) || seeds < 1) {
  process.stderr.write("backtest:weather -- --data DIR [--out DIR] [--seeds N]\n")
  process.exit(2)
}

const files = {
  forecasts: "day1_forecast_vs_actual_highs.csv.gz",
  hourly: "nycflights13_weather.csv.gz",
  daily: "daily/ghcnd_tmax_4stations_20200101_20241031.csv.gz",
}
const folder = folderOf("weather", data)
const pathOf = (file: string): string => present("--data", join(folder, file))
const archive = await Effect.runPromise(readWeather(pathOf(files.forecasts)))
const inputs = {
  forecasts: { rows: archive.rows, sha256: archive.inputs[0]!.sha256 },
  hourly: readHourly(pathOf(files.hourly)),
  daily: readDaily(pathOf(files.daily)),
}
const forecasts = ["KNYC", "KMIA", "KMDW"].map((station) => walkForward(inputs.forecasts.rows, station))
const sameDayOf = ({ hidden }: (typeof truths)[keyof typeof truths]): ReadonlyArray<HourScores> =>
  sameDay(
    inputs.hourly.rows,
    Array.from({ length: seeds }, (_, at) => at + 1),
    hidden,
  )
const hours = { drawn: sameDayOf(truths.drawn), readings: sameDayOf(truths.readings) }
const climatologies = climatology(inputs.daily.rows)
const bars = barsOf(forecasts, hours.drawn, climatologies)

const described = ({ rows, sha256 }: Input<unknown>, file: string) => ({ file, sha256, rows: rows.length })
const report = {
  inputs: [
    described(inputs.forecasts, files.forecasts),
    described(inputs.hourly, files.hourly),
    described(inputs.daily, files.daily),
  ],
  seeds,
  bars: bars.map((bar) => ({ ...bar, verdict: verdictOf(bar) })),
  forecasts,
  same_day: hours,
  climatology: climatologies,
}

const [priorName, name] = ["prior", "recalibrated"]
mkdirSync(out, { recursive: true })
const path = join(out, "weather-temperature-t8-2")
writeFileSync(`${path}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
writeFileSync(
  `${path}.svg`,
  reliabilityDiagram(
    "the day-ahead high is at least T",
    priorName,
    name,
    forecasts.map(({ station, days, prior, recalibrated }) => ({
      title: station,
      cases: `${days} days`,
      baseline: prior,
      model: recalibrated,
    })),
  ),
)

const three = (value: number): string => value.toFixed(3)
const four = (value: number): string => value.toFixed(4)
const cells = (scores: ExtremeScores): ReadonlyArray<string> => {
  const { rps, rpsBySeed, log, beyond, happened, brier, constant } = scores
  return [
    three(rps),
    rpsBySeed.map(three).join("–"),
    three(log),
    three(beyond),
    three(happened),
    four(brier),
    four(constant),
  ]
}
/** The same-day scores against one of the two truths. */
const sameDayTable = (truth: keyof typeof truths): string =>
  aligned([
    [
      `same day, ${truths[truth].name}`,
      "cases",
      "RPS",
      "by seed",
      "log",
      "P(beyond printed)",
      "came",
      "Brier",
      "constant",
    ],
    ...(["high", "low"] as const).flatMap((variable) =>
      hours[truth].map((one) => [`${variable} ${one.hour}:40`, String(one.cases), ...cells(one[variable])]),
    ),
  ])
const barTable = (title: string, some: ReadonlyArray<Bar>): string =>
  aligned([
    [title, "value", "must", "moonshot", "verdict"],
    ...some.map((bar) => [
      bar.name,
      three(bar.value),
      bound(bar),
      bar.moonshot === undefined ? "" : `≤ ${three(bar.moonshot)}`,
      verdictOf(bar),
    ]),
  ])
const bound = ({ must }: Bar): string => (typeof must === "number" ? `≤ ${three(must)}` : must.map(three).join("–"))

process.stdout.write(
  [
    ...report.inputs.map(({ file, rows, sha256 }) => `${file}, ${rows} rows, sha256 ${sha256}`),
    "",
    aligned([
      ["day-ahead high", "days", "CRPS °F", "c90", "PIT KS", "ECE"],
      ...forecasts.flatMap(({ station, days, prior, recalibrated }) =>
        [[`${station} ${priorName}`, prior] as const, [`${station} ${name}`, recalibrated] as const].map(
          ([title, scores]) => [
            title,
            String(days),
            three(scores.crps),
            three(scores.c90),
            three(scores.ks),
            three(scores.ece),
          ],
        ),
      ),
    ]),
    "",
    aligned([
      ["climatology", "days", "CRPS °F", "bias °F", "c90"],
      ...climatologies.map(({ site, days, crps, bias, c90 }) => [
        site,
        String(days),
        three(crps),
        three(bias),
        three(c90),
      ]),
    ]),
    "",
    barTable(
      "bar",
      bars.filter(({ isSelfConsistency }) => isSelfConsistency === undefined),
    ),
    "",
    `Same day, in-sample: the rule was fitted on these days. Forecasts drawn, ${seeds} seeds; the truth lies between the two tables.`,
    "",
    sameDayTable("readings"),
    "",
    sameDayTable("drawn"),
    "",
    barTable(
      "bar of consistency with itself",
      bars.filter(({ isSelfConsistency }) => isSelfConsistency),
    ),
    "",
    `${path}.json, ${path}.svg`,
    "",
  ].join("\n"),
)
if (bars.some((bar) => verdictOf(bar) === "MISSED")) process.exit(1)
