import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { readWeather } from "../../../adapters/lanes/weather/benchFiles.ts"
import { BenchError } from "../../../core/bench/BenchError.ts"
import { learntFrom, weatherTask } from "../../../core/lanes/weather/bench/task.ts"
import { plural } from "../../../core/text.ts"
import { common, run } from "./run.ts"

export const weather = Command.make(
  "weather",
  {
    data: Options.file("data").pipe(
      Options.withDescription(
        "Forecasts with official values, CSV or gzip: station, day, at, forecast, actual; variable and source if there are several; lat, lon and utc_offset of other stations.",
      ),
    ),
    ...common,
  },
  ({ data, ...given }) =>
    Effect.gen(function* () {
      const { leftOut, ...found } = yield* readWeather(data)
      for (const { station, day, column } of leftOut) {
        yield* Console.error(`${station}, ${day}: no ${column} from −80 to 140 °F. The row is left out.`)
      }
      const task = weatherTask(found)
      if (task.cases.length === 0) {
        const days = `The first ${learntFrom} days of each station are only learnt from`
        yield* new BenchError({ message: `${data}: ${days}; ${plural(found.rows.length, "row")} leave no question.` })
      }
      yield* run(task, given)
    }),
).pipe(Command.withDescription("Daily highs and lows of any station, on any file of forecasts with official values."))
