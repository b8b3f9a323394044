import * as Effect from "effect/Effect"
import { BenchError } from "../../../core/bench/BenchError.ts"
import { type LeftOut, type WeatherData, weatherFeed } from "../../../core/lanes/weather/bench/data.ts"
import { learntFrom, weatherTask } from "../../../core/lanes/weather/bench/task.ts"
import { plural } from "../../../core/text.ts"
import { readInput } from "../../runtime/bench/files.ts"
import { command } from "../LaneCommand.ts"

/** The forecasts of a file, and the rows that have no possible forecast or official value. */
export interface WeatherFile extends WeatherData {
  readonly leftOut: ReadonlyArray<LeftOut>
}

/**
 * Reads forecasts with official values, CSV or gzip.
 *
 * @returns fails with line and column of the first row that cannot be used
 */
export const readWeather = Effect.fnUntraced(function* (path: string) {
  const leftOut: Array<LeftOut> = []
  const { values, input } = yield* readInput(
    weatherFeed((row) => void leftOut.push(row)),
    path,
  )
  const read: WeatherFile = { rows: values, inputs: [input], leftOut }
  return read
})

/** Daily highs and lows. */
export const bench = command({
  description: "Daily highs and lows of any station, on any file of forecasts with official values.",
  arguments: {
    data: {
      form: "file",
      description:
        "Forecasts with official values, CSV or gzip: station, day, at, forecast, actual; variable and source if there are several; lat, lon and utc_offset of other stations.",
    },
  },
  run: Effect.fnUntraced(function* ({ data }, say) {
    const { leftOut, ...file } = yield* readWeather(data)
    for (const { station, day, column } of leftOut) {
      yield* say(`${station}, ${day}: no ${column} from −80 to 140 °F. The row is left out.`)
    }
    const task = weatherTask(file)
    if (task.cases.length > 0) return task
    const days = `The first ${learntFrom} days of each station are only learnt from`
    return yield* new BenchError({ message: `${data}: ${days}; ${plural(file.rows.length, "row")} leave no question.` })
  }),
})
