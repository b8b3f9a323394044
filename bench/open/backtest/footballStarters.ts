// The worth of knowing the starting quarterbacks, and how early the schedule names them:
// npm run backtest:starters -- --games FILE --team-stats DIR [--earlier FILE] [--played FILE] [--seed 1]
// --earlier: the games file of a day in the past; --played: quarterbacks' weeks (player_id, season, week).
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FileFormat } from "../../../core/csv/FileFormat.ts"
import { integerIn, requiredText } from "../../../core/csv/row.ts"
import { formats } from "../../../core/lanes/football/data/formats.ts"
import { beforehand } from "../../../core/lanes/football/data/Game.ts"
import { parameters } from "../../../core/lanes/football/model/parameters.ts"
import { plural } from "../../../core/text.ts"
import { watched } from "../../../services/progress.ts"
import { compare } from "../compare/compare.ts"
import { table } from "../compare/table.ts"
import { walk } from "../compare/walk.ts"
import { present } from "../inputs.ts"
import { readInput } from "../lanes/files.ts"
import { readFootball } from "../lanes/football/files.ts"
import { forecastOf, served } from "../lanes/football/models.ts"
import { type FootballTask, footballTask } from "../lanes/football/task.ts"
import { fitModel } from "../train/footballWalk.ts"
import { namedAhead, unlisted, unnamed } from "./footballNamed.ts"

const { values } = parseArgs({
  options: {
    games: { type: "string" },
    "team-stats": { type: "string" },
    earlier: { type: "string" },
    played: { type: "string" },
    seed: { type: "string", default: "1" },
  },
})
const { games: gamesFile, "team-stats": teamStats, earlier, played } = values
const seed = Number(values.seed)
if (gamesFile === undefined || teamStats === undefined || !Number.isInteger(seed)) {
  process.stderr.write(
    "backtest:starters -- --games FILE --team-stats DIR [--earlier FILE] [--played FILE] [--seed N]\n",
  )
  process.exit(2)
}

const weeks: FileFormat<"weeks", { readonly season: number; readonly week: number; readonly player: string }> = {
  name: "weeks",
  source: "nflverse player stats",
  columns: ["player_id", "season", "week"],
  read: (row) =>
    Either.all({
      season: integerIn(row, "season", 1999, 2100),
      week: integerIn(row, "week", 1, 22),
      player: requiredText(row, "player_id"),
    }),
  seasonOf: ({ season }) => season,
  keyOf: ({ season, week, player }) => `${season}/${week}/${player}`,
}

const program = Effect.gen(function* () {
  const data = yield* readFootball({
    games: present("--games", gamesFile),
    teamStats: present("--team-stats", teamStats),
  })
  const whole = footballTask(data)
  const task: FootballTask = { ...whole, entrants: whole.entrants.filter(({ kind }) => kind === "served") }
  const forecaster = served.start()
  const forecasts = yield* walk(task, (question, history) => forecaster(unnamed(question), history))
  const options = { seed, replicates: 2_000 }
  const { comparison } = yield* compare(task, [{ kind: "own", name: "last starters", forecasts }], options)
  const asked = new Set(task.cases.map(({ id }) => id))
  const refitted = fitModel(data.games, {
    parameters,
    weeks: data.weeks,
    known: (game) => unnamed(beforehand(game)),
  }).predictions.flatMap(({ game: { id }, line }) => (asked.has(id) ? [[id, forecastOf(line)] as const] : []))
  const blends = yield* compare(
    { ...task, entrants: [{ kind: "served", name: "last starters", forecasts }] },
    [{ kind: "own", name: "last starters, blends fitted on them", forecasts: new Map(refitted) }],
    options,
  )
  const lines = [table(comparison), "", table(blends.comparison)]
  if (earlier !== undefined) {
    const { values: rows, input } = yield* readInput(formats.games, present("--earlier", earlier))
    lines.push(
      `${input.name}, sha256 ${input.sha256}: starters of games without a result then`,
      ...namedAhead(
        rows.map(({ game }) => game),
        data.games,
      ).map(
        ({ season, week, sides, named, same, lastSame }) =>
          `${season} week ${week}: ${named} of ${sides} named, ${same} of them as in the later file; the last starter is as there for ${lastSame}`,
      ),
    )
  }
  if (played !== undefined) {
    const { values: rows, input } = yield* readInput(weeks, present("--played", played))
    lines.push(
      `${input.name}, sha256 ${input.sha256}: listed starters without statistics of the week`,
      ...unlisted(data.games, new Set(rows.map(weeks.keyOf))).map(
        ({ season, sides, without }) => `${season}: ${without} of ${plural(sides, "start")}`,
      ),
    )
  }
  return lines.join("\n")
})

process.stdout.write(`${await Effect.runPromise(watched(program))}\n`)
