import { basename } from "node:path"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { readCandles } from "../../../adapters/lanes/crypto/benchFiles.ts"
import { BenchError } from "../../../core/bench/BenchError.ts"
import { cryptoTask } from "../../../core/lanes/crypto/bench.ts"
import { common, run } from "./run.ts"

export const crypto = Command.make(
  "crypto",
  {
    data: Options.file("data").pipe(
      Options.withDescription("Candles of one or five minutes, CSV or gzip: ts_ms or timestamp, and close."),
    ),
    asset: Options.text("asset").pipe(Options.withDefault("BTC"), Options.withDescription("Default BTC.")),
    ...common,
  },
  ({ data, asset, ...given }) =>
    Effect.gen(function* () {
      const { sha256, rows, ...tape } = yield* Effect.try({
        try: () => readCandles(data),
        catch: (error) => new BenchError({ message: `${data}: ${error instanceof Error ? error.message : error}` }),
      })
      const task = cryptoTask({ ...tape, asset, input: { name: basename(data), sha256, rows } })
      yield* run(task, given)
    }),
).pipe(Command.withDescription("Prices 5 minutes to 24 hours ahead, on any file of candles."))
