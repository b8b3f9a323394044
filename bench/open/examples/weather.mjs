// A naive model of daily highs and lows: a normal law about the forecast, with the mean and the spread of all errors of the
// station so far.
// market-signals-bench weather --data FORECASTS --model bench/open/examples/weather.mjs

export const name = "all errors"

/** @returns {import("../lanes/weather/models.ts").WeatherForecaster} */
export const start = () => {
  /** @type {Map<string, { count: number, sum: number, squares: number }>} */
  const known = new Map()
  let learned = 0
  return ({ station, variable, forecastF }, history) => {
    for (const fact of history.since(learned)) {
      const key = `${fact.station}/${fact.variable}`
      const { count, sum, squares } = known.get(key) ?? { count: 0, sum: 0, squares: 0 }
      const error = fact.actualF - fact.forecastF
      known.set(key, { count: count + 1, sum: sum + error, squares: squares + error ** 2 })
    }
    learned = history.length
    const errors = known.get(`${station}/${variable}`)
    if (errors === undefined || errors.count < 10) return undefined
    const bias = errors.sum / errors.count
    return { mean: forecastF + bias, sd: Math.sqrt(Math.max(0.1, errors.squares / errors.count - bias ** 2)) }
  }
}
