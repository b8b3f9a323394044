import * as Effect from "effect/Effect"
import { type LeftOut, type WeatherData, weatherFeed } from "../../../core/lanes/weather/bench/data.ts"
import { readInput } from "../../runtime/bench/files.ts"

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
