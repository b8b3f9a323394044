import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { parse } from "csv-parse/sync"
import type { CryptoForecast } from "../../core/lanes/crypto/bench.ts"
import { minute } from "../../core/time.ts"

/**
 * A stand-in for each minute's average price: the mean of its open, high, low and close. In a random walk it has .264 of a
 * minute's variance around the open, the average itself a third.
 *
 * @param path candles as `readCandles` reads them, with `open`, `high` and `low`
 * @returns by the minute of opening, since the epoch
 */
export const averages = (path: string): ReadonlyMap<number, number> => {
  const bytes = readFileSync(path)
  const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  const rows = parse<Record<string, string>>(text, { columns: true, skip_empty_lines: true, bom: true })
  return new Map(
    rows.map((row, at) => {
      const opened = row["ts_ms"] === undefined ? Date.parse(row["timestamp"] ?? "") : Number(row["ts_ms"])
      const mean = ["open", "high", "low", "close"].reduce((sum, name) => sum + Number(row[name]), 0) / 4
      if (!Number.isInteger(opened / minute))
        throw new Error(`Line ${at + 2}: no ts_ms or timestamp on a whole minute.`)
      if (!(mean > 0)) throw new Error(`Line ${at + 2}: open, high, low and close are not four prices.`)
      return [opened / minute, mean]
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
