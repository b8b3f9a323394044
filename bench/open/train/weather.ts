// Fits the same-day rule of the temperature signal on hourly readings and prints its tables:
// npm run train:weather -- --data DIR [--out FILE] [--seeds 2] [--world varying,still]
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { summarizeReadings, toSolarHour } from "../../../core/lanes/weather/signal/sameDay.ts"
import type { Variable } from "../../../core/lanes/weather/signal/temperature.ts"
import { studentT8, unitSd } from "../../../core/math/studentT8.ts"
import { readHourly } from "../backtest/weatherData.ts"
import { type Drawn, draw, stationDays } from "../backtest/weatherDays.ts"
import { folderOf, present } from "../inputs.ts"
import { minimise } from "./nelderMead.ts"

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    out: { type: "string" },
    seeds: { type: "string", default: "2" },
    world: { type: "string", default: "varying,still" },
  },
})
const seeds = Number(values.seeds)
if (values.data === undefined || !Number.isInteger(seeds) || seeds < 1) {
  process.stderr.write("train:weather -- --data DIR [--out FILE] [--seeds N]\n")
  process.exit(2)
}

const hours: Readonly<Record<Variable, ReadonlyArray<number>>> = {
  high: Array.from({ length: 16 }, (_, at) => at + 7),
  low: Array.from({ length: 23 }, (_, at) => at),
}

/** One case of the fit: everything signed so that it is a maximum that is looked for. */
interface Case {
  readonly month: number
  /** T − R, F − R, T − N, D, and the final extreme less R. */
  readonly last: number
  readonly ahead: number
  readonly off: number
  readonly trend: number
  readonly rise: number
}

const caseOf = (day: Drawn, variable: Variable, hour: number): ReadonlyArray<Case> => {
  const sign = variable === "high" ? 1 : -1
  const { readings, earlier, start, station, grid } = day
  const index = readings.findIndex(({ at }) => Math.round(toSolarHour(station, at)) === hour)
  if (index < 0 || index === readings.length - 1) return []
  const running = summarizeReadings([...earlier, ...readings.slice(0, index + 1)], start)!
  const reached = sign * (variable === "high" ? day.highs : day.lows)[index]!
  const extreme = Math.max(...grid.hourly.slice(index + 1).map(({ tempF }) => sign * tempF))
  return [
    {
      month: Number(day.day.slice(5, 7)),
      last: sign * running.tempF - reached,
      ahead: extreme - reached,
      off: sign * (running.tempF - grid.hourly[index]!.tempF),
      trend: sign * running.trendF,
      rise: sign * (variable === "high" ? day.high : day.low) - reached,
    },
  ]
}

type Vector = ReadonlyArray<number>
/** a, b₊, b₋, c, d, e and ln s, where all is signed to a maximum. */
const begin: Vector = [0.2, 0.7, 0.5, 0.4, 0.1, 0.1, 0.6]
/** A pull to the hour before: late in the day few cases say anything of some coefficients. */
const pull = 4

const lossOf =
  (cases: ReadonlyArray<Case>, from: Vector) =>
  (x: Vector): number => {
    const [a = 0, up = 0, down = 0, c = 0, d = 0, e = 0, lnS = 0] = x
    const scale = Math.exp(lnS) * unitSd
    let loss = 0
    for (const { last, ahead, off, trend, rise } of cases) {
      const mean = a + (ahead > 0 ? up : down) * ahead + c * last + d * trend + e * off
      const at = (y: number): number => (y - mean) / scale
      const p = rise <= 0 ? studentT8.cdf(at(0.5)) : studentT8.sf(at(rise - 0.5)) - studentT8.sf(at(rise + 0.5))
      loss -= Math.log(Math.max(1e-9, p))
    }
    return loss / seeds + x.reduce((sum, value, at) => sum + pull * (value - from[at]!) ** 2, 0)
  }

const { rows, sha256 } = readHourly(
  present("--data", join(folderOf("weather", values.data), "nycflights13_weather.csv.gz")),
)
const days = stationDays(rows)
const fitOf = (cases: ReadonlyArray<Case>, from: Vector): Vector => {
  const loss = lossOf(cases, from)
  const once = minimise(loss, from, 0.15, 500)
  return minimise(loss, once, 0.1, 400)
}

const lines: Array<string> = [
  `nycflights13_weather.csv.gz, ${rows.length} rows, sha256 ${sha256}, ${days.length} days, ${seeds} seeds`,
]
const worlds = values.world.split(",")
for (const world of worlds) {
  const drawn = Array.from({ length: seeds }, (_, at) => draw(days, 1001 + at, world === "varying"))
  for (const variable of ["high", "low"] as const) {
    lines.push(`${world} ${variable}`)
    let from = begin
    for (const hour of hours[variable]) {
      from = fitOf(
        drawn.flatMap((one) => one.flatMap((day) => caseOf(day, variable, hour))),
        from,
      )
      const [a = 0, up = 0, down = 0, c = 0, d = 0, e = 0, lnS = 0] = from
      // Of a low F − R below 0 is what is ahead: the two slopes change sides.
      const [signedA, rising, falling] = variable === "high" ? [a, up, down] : [-a, down, up]
      const row = [hour, signedA, rising, falling, c, d, e, Math.exp(lnS)]
      lines.push(`  [${row.map((value, at) => (at === 0 ? value : Number(value.toFixed(3)))).join(", ")}],`)
      process.stderr.write(`${world} ${variable} ${lines.at(-1)}\n`)
    }
  }
}
const text = `${lines.join("\n")}\n`
if (values.out === undefined) process.stdout.write(text)
else writeFileSync(values.out, text)
