import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { plural } from "../../../../core/text.ts"
import { BenchError } from "../../compare/BenchError.ts"
import { readInput } from "../files.ts"
import { type LeftOut, type WeatherData, weatherFeed } from "./data.ts"
import { learntFrom, weatherTask } from "./task.ts"

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

/**
 * The task of a file of forecasts. Rows that are left out are named on the error output.
 *
 * @returns fails where no day is left after those that are learnt from
 */
export const readWeatherTask = Effect.fnUntraced(function* (path: string) {
  const { leftOut, ...file } = yield* readWeather(path)
  for (const { station, day, column } of leftOut) {
    yield* Console.error(`${station}, ${day}: no ${column} from −80 to 140 °F. The row is left out.`)
  }
  const task = weatherTask(file)
  if (task.cases.length > 0) return task
  const days = `The first ${learntFrom} days of each station are only learnt from`
  return yield* new BenchError({ message: `${path}: ${days}; ${plural(file.rows.length, "row")} leave no question.` })
})
