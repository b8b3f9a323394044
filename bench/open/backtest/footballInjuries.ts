// Whether injury reports improve the football model, by one coefficient fitted season by season:
// npm run backtest:injuries -- --games FILE --team-stats DIR --injuries DIR [--seed 1]
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { trained } from "../../../core/lanes/football/model/Model.ts"
import { watched } from "../../../services/progress.ts"
import { type Contender, compare } from "../compare/compare.ts"
import { includes, nameOf, type Seasons } from "../compare/seasons.ts"
import { table } from "../compare/table.ts"
import { walk } from "../compare/walk.ts"
import { present } from "../inputs.ts"
import { filesIn, readInput } from "../lanes/files.ts"
import { readFootball } from "../lanes/football/files.ts"
import { type FootballForecast, served } from "../lanes/football/models.ts"
import { type FootballTask, footballTask } from "../lanes/football/task.ts"
import {
  adjusted,
  advantageOf,
  type Counted,
  changedLate,
  coefficientFor,
  type Reading,
  reported,
  reportsOf,
} from "./footballReports.ts"

const { values } = parseArgs({
  options: {
    games: { type: "string" },
    "team-stats": { type: "string" },
    injuries: { type: "string" },
    seed: { type: "string", default: "1" },
  },
})
const { games: gamesFile, "team-stats": teamStats, injuries } = values
const seed = Number(values.seed)
if (gamesFile === undefined || teamStats === undefined || injuries === undefined || !Number.isInteger(seed)) {
  process.stderr.write("backtest:injuries -- --games FILE --team-stats DIR --injuries DIR [--seed N]\n")
  process.exit(2)
}

/** The first of these chose whether to look further; the second was held back. */
const parts: ReadonlyArray<Seasons> = [
  { from: 2015, to: 2023 },
  { from: 2024, to: 2024 },
]
const readings: ReadonlyArray<Reading> = ["known before kickoff", "as filed"]

const program = Effect.gen(function* () {
  const data = yield* readFootball({
    games: present("--games", gamesFile),
    teamStats: present("--team-stats", teamStats),
  })
  const form = /^injuries_\d{4}\.csv(\.gz)?$/
  const paths = yield* filesIn(present("--injuries", injuries), form, "injury reports (injuries_2024.csv)")
  const files = yield* Effect.forEach(paths, (path) => readInput(reported, path))
  const reports = reportsOf(files.flatMap((file) => file.values))
  const whole = footballTask(data)
  const forecasts = yield* walk(whole, served.start())
  const seasons = new Map(data.games.map(({ id, season }) => [id, season]))
  const task: FootballTask = {
    ...whole,
    inputs: [...whole.inputs, ...files.map(({ input }) => input)],
    cases: whole.cases.map((each) => ({
      ...each,
      groups: parts.filter((part) => includes(part, seasons.get(each.id)!)).map(nameOf),
    })),
    groups: parts.map(nameOf),
    entrants: [{ kind: "served", name: served.name, version: trained.model_version, forecasts }],
  }
  const late = [...changedLate(reports, data.games)].map(
    ([season, { entries, late }]) => `${season} ${late} of ${entries}`,
  )
  const lines = [`Entries of out or doubtful that were changed after kickoff: ${late.join(", ")}`, ""]
  for (const reading of readings) {
    const counted = data.games.flatMap((game): ReadonlyArray<Counted> => {
      const advantage = advantageOf(reports, game, reading)
      return advantage === undefined ? [] : [{ game, advantage }]
    })
    const moved: Contender<FootballForecast> = {
      kind: "own",
      name: `reports, ${reading}`,
      forecasts: adjusted(counted, forecasts),
    }
    const { comparison } = yield* compare(task, [moved], { seed, replicates: 2_000 })
    const fitted = [...new Set(counted.map(({ game }) => game.season))].map((season) => {
      const points = coefficientFor(season, counted, forecasts)
      return points === undefined ? `${season} none` : `${season} ${points.toFixed(3)}`
    })
    lines.push(table(comparison), `Points per player missing, fitted on earlier seasons: ${fitted.join(", ")}`, "")
  }
  return lines.join("\n")
})

process.stdout.write(`${await Effect.runPromise(watched(program))}\n`)
