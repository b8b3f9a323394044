// Fits the rule of changes of day-ahead highs and scores it walking forward, fitted anew each January, beside the law without it:
// npm run train:changes -- --data DIR [--out core/lanes/weather/signal/change.json]
import { writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { toChangeTerms } from "../../../core/lanes/weather/signal/change.ts"
import { mean } from "../../../core/math/mean.ts"
import { addDays } from "../../../core/time.ts"
import { compare } from "../compare/compare.ts"
import { table } from "../compare/table.ts"
import { walk } from "../compare/walk.ts"
import { folderOf, present } from "../inputs.ts"
import { fitRule } from "../lanes/weather/changes.ts"
import { readWeather } from "../lanes/weather/files.ts"
import type { Served } from "../lanes/weather/laws.ts"
import { changing, recalibrated } from "../lanes/weather/models.ts"
import { weatherTask } from "../lanes/weather/task.ts"

const { values } = parseArgs({ options: { data: { type: "string" }, out: { type: "string" } } })
if (values.data === undefined) {
  process.stderr.write("train:changes -- --data DIR [--out FILE]\n")
  process.exit(2)
}
const path = present("--data", join(folderOf("weather", values.data), "day1_forecast_vs_actual_highs.csv.gz"))

/** To six decimals: published and used values are equal. */
const short = (all: ReadonlyArray<number>): ReadonlyArray<number> => all.map((value) => Number(value.toFixed(6)))

const stationsOf = (cases: ReturnType<typeof weatherTask>["cases"]) => [
  ...new Set(cases.map(({ question }) => question.station)),
]

type Law = typeof Served.Type

const program = Effect.gen(function* () {
  const file = yield* readWeather(path)
  const task = weatherTask(file)
  const before = yield* walk(task, recalibrated.start())
  const after = yield* walk(task, changing.start())
  const rules = stationsOf(task.cases).map((station) => {
    const days = task.cases.flatMap(({ id, question, outcome }) => {
      const { mean: center, sigma } = before.get(id) as Law
      const { day, forecastF, dayBeforeF } = question
      if (question.station !== station || dayBeforeF === undefined) return []
      return [{ mean: center, sigma, terms: toChangeTerms(day, forecastF - dayBeforeF), actualF: outcome }]
    })
    const rule = fitRule(days)
    return [station, { mean: short(rule.mean), logSigma: short(rule.logSigma) }] as const
  })
  const [input] = file.inputs
  const artefact = { inputs: [{ name: basename(path), sha256: input!.sha256 }], stations: Object.fromEntries(rules) }
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(artefact, undefined, 2)}\n`)

  // From a station's third year on: the first two are only fitted on.
  const begins = new Map(
    stationsOf(task.cases).map((station) => {
      const first = task.cases.find(({ question }) => question.station === station)!.question.day
      return [station, addDays(first, 730)]
    }),
  )
  const judged = task.cases.filter(({ question }) => question.day >= begins.get(question.station)!)
  const isBig = ({ question: { forecastF, dayBeforeF = forecastF } }: (typeof judged)[number]): boolean =>
    Math.abs(forecastF - dayBeforeF) >= 8
  const big = "changes of 8 °F and more"
  const cases = judged.map((one) => (isBig(one) ? { ...one, groups: [...one.groups, big] } : one))
  const entrants = [
    { kind: "served" as const, name: changing.name, forecasts: after },
    { kind: "baseline" as const, name: recalibrated.name, forecasts: before },
  ]
  const groups = [...task.groups, big]
  const { comparison } = yield* compare({ ...task, cases, groups, entrants }, [], { seed: 1, replicates: 2000 })
  const spreads = entrants.map(({ name, forecasts }) => {
    const scores = cases.filter(isBig).map(({ id, outcome }) => {
      const { mean: center, sigma } = forecasts.get(id) as Law
      return (outcome - center) / sigma
    })
    const middle = mean(scores)
    return `${name} ${Math.sqrt(mean(scores.map((z) => (z - middle) ** 2))).toFixed(3)}`
  })
  return `${table(comparison)}\n\nStandard deviation of (report − mean) / sigma, ${big}: ${spreads.join(", ")}`
})

process.stdout.write(`${await Effect.runPromise(program)}\n`)
