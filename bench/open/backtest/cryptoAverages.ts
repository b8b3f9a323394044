import { readFileSync } from "node:fs"
import { candleRows, minuteOf } from "../lanes/crypto/files.ts"
import type { CryptoForecast } from "../lanes/crypto/task.ts"

/**
 * A stand-in for each minute's average price: the mean of its open, high, low and close. In a random walk it has .264 of a
 * minute's variance around the open, the average itself a third.
 *
 * @param path candles as `readCandles` reads them, with `open`, `high` and `low`
 * @returns by the minute of opening, since the epoch
 */
export const averages = (path: string): ReadonlyMap<number, number> => {
  const rows = candleRows(readFileSync(path))
  return new Map(
    rows.map((row, at) => {
      const opened = minuteOf(row, at + 2)
      const mean = ["open", "high", "low", "close"].reduce((sum, name) => sum + Number(row[name]), 0) / 4
      if (!(mean > 0)) throw new Error(`Line ${at + 2}: open, high, low and close are not four prices.`)
      return [opened, mean]
    }),
  )
}

/**
 * The law of the average over the last minute of a horizon: of the h minutes' variance, two thirds of one minute's worth
 * are missing.
 */
export const averaged = (forecast: CryptoForecast, horizonMinutes: number): CryptoForecast => {
  if (!("scale" in forecast)) return forecast
  return { ...forecast, scale: forecast.scale * Math.sqrt(1 - 2 / 3 / horizonMinutes) }
}
