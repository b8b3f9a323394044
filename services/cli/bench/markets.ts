import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { readMarkets } from "../../../adapters/lanes/markets/benchFiles.ts"
import { marketsTask } from "../../../core/lanes/markets/bench.ts"
import { common, run } from "./run.ts"

export const markets = Command.make(
  "markets",
  {
    data: Options.file("data").pipe(
      Options.withDescription("The scoreboard's settled rows: settled.csv, .ndjson or .json, or gzip."),
    ),
    ...common,
  },
  ({ data, ...given }) => Effect.flatMap(readMarkets(data), (read) => run(marketsTask(read), given)),
).pipe(Command.withDescription("Results of contracts, on the public export of settled rows."))
