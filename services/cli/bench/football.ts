import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readFootball } from "../../../adapters/lanes/football/benchFiles.ts"
import { footballTask } from "../../../core/lanes/football/bench/task.ts"
import { common, run } from "./run.ts"

export const football = Command.make(
  "football",
  {
    games: Options.file("games").pipe(Options.withDescription("nflverse's games file, CSV or gzip.")),
    teamStats: Options.directory("team-stats").pipe(
      Options.optional,
      Options.withDescription(
        "A folder of nflverse's stats_team_week files; without it models learn from points alone.",
      ),
    ),
    ...common,
  },
  ({ games, teamStats, ...given }) =>
    Effect.flatMap(readFootball({ games, teamStats: Option.getOrUndefined(teamStats) }), (data) =>
      run(footballTask(data), given),
    ),
).pipe(Command.withDescription("Margins, totals and winners of NFL games, beside the closing market."))
