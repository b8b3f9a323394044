import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readBaseball } from "../../../adapters/lanes/baseball/benchFiles.ts"
import { baseballTask } from "../../../core/lanes/baseball/bench/task.ts"
import { common, run } from "./run.ts"

export const baseball = Command.make(
  "baseball",
  {
    odds: Options.file("odds").pipe(Options.withDescription("Games with starters and moneylines, CSV or gzip.")),
    innings: Options.file("innings").pipe(
      Options.optional,
      Options.withDescription("The same games with runs by inning; without it starters have no history."),
    ),
    retrosheet: Options.directory("retrosheet").pipe(
      Options.optional,
      Options.withDescription("A folder of Retrosheet game logs, GL2022.TXT: games after those with moneylines."),
    ),
    ...common,
  },
  ({ odds, innings, retrosheet, ...given }) =>
    Effect.flatMap(
      readBaseball({
        odds,
        innings: Option.getOrUndefined(innings),
        retrosheet: Option.getOrUndefined(retrosheet),
      }),
      (data) => run(baseballTask(data), given),
    ),
).pipe(Command.withDescription("Winners of MLB games, beside the closing market."))
