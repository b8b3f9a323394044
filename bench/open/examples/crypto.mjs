// A naive model of prices: a normal log return with the variance of the last hour.
// market-signals-bench crypto --data CANDLES --asset BTC --model bench/open/examples/crypto.mjs

export const name = "last hour"

/** @type {import("../lanes/crypto/task.ts").CryptoForecaster} */
export const forecast = ({ horizonMinutes, minutesPerBar }, history) => {
  const closes = history.last(60 / minutesPerBar + 1)
  if (closes.length < 10) return undefined
  const squares = closes.slice(1).map(({ close }, at) => Math.log(close / (closes[at]?.close ?? close)) ** 2)
  const perMinute = squares.reduce((sum, square) => sum + square, 0) / squares.length / minutesPerBar
  return { scale: Math.sqrt(perMinute * horizonMinutes) }
}
