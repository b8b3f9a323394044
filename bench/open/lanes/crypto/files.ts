import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { parse } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import type { Closes } from "../../../../core/lanes/crypto/volatility.ts"
import { minute } from "../../../../core/time.ts"
import { BenchError } from "../../compare/BenchError.ts"
import { digestOf, uncompressed } from "../files.ts"
import { type CryptoTask, cryptoTask } from "./task.ts"

/** An archive of candles on a grid of minutes, and the file's identity. */
export interface Archive extends Required<Closes> {
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: string
  readonly rows: number
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** The rows of a file of candles, plain or gzip, by their columns. */
const candleRows = (bytes: Buffer): ReadonlyArray<Record<string, string>> =>
  parse<Record<string, string>>(uncompressed(bytes), { columns: true, skip_empty_lines: true, bom: true })

/** The opening of a candle, minutes since the epoch. */
export const minuteOf = (row: Record<string, string>, line: number): number => {
  const millis = row["ts_ms"] === undefined ? Date.parse(row["timestamp"] ?? "") : Number(row["ts_ms"])
  if (!Number.isInteger(millis / minute)) throw new Error(`Line ${line}: no ts_ms or timestamp on a whole minute.`)
  return millis / minute
}

/**
 * Reads a CSV of candles, plain or gzip, with a header: `ts_ms` (milliseconds since the epoch) or `timestamp` (ISO 8601)
 * of the opening, and `close`. Bars of one minute or, when every opening is a multiple of five minutes from the first,
 * of five. A bar without a row is NaN; of two rows with one opening the later counts.
 *
 * @throws Error with the line of a row without a time or without a positive close
 */
export const parseCandles = (bytes: Buffer): Archive => {
  const rows = candleRows(bytes)
  const byMinute = new Map<number, number>()
  rows.forEach((row, at) => {
    const close = Number(row["close"])
    if (!(close > 0 && close < Number.POSITIVE_INFINITY)) throw new Error(`Line ${at + 2}: no positive close.`)
    byMinute.set(minuteOf(row, at + 2), close)
  })
  if (byMinute.size < 2) throw new Error("The file has fewer than two candles.")
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const minute of byMinute.keys()) {
    first = Math.min(first, minute)
    last = Math.max(last, minute)
  }
  let common = 0
  for (const minute of byMinute.keys()) common = gcd(minute - first, common)
  const minutesPerBar = common % 5 === 0 ? 5 : 1
  const closes = new Float64Array((last - first) / minutesPerBar + 1).fill(Number.NaN)
  for (const [minute, close] of byMinute) closes[(minute - first) / minutesPerBar] = close
  return {
    closes,
    lastMinute: last,
    minutesPerBar,
    sha256: digestOf(bytes),
    rows: rows.length,
  }
}

export const readCandles = (path: string): Archive => parseCandles(readFileSync(path))

/** The task of a file of candles. */
export const readCrypto = (data: string, asset: string): Effect.Effect<CryptoTask, BenchError> =>
  Effect.try({
    try: () => readCandles(data),
    catch: (error) => new BenchError({ message: `${data}: ${error instanceof Error ? error.message : error}` }),
  }).pipe(
    Effect.map(({ sha256, rows, ...tape }) =>
      cryptoTask({ ...tape, asset, input: { name: basename(data), sha256, rows } }),
    ),
  )
