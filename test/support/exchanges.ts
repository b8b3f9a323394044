import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as coinbase from "../../adapters/lanes/crypto/coinbase.ts"
import * as kraken from "../../adapters/lanes/crypto/kraken.ts"
import type { RequestPolicy } from "../../adapters/runtime/upstream/upstream.ts"
import type { Failure } from "../../core/Failure.ts"
import type { Asset } from "../../core/lanes/crypto/fields.ts"
import type { Candle, CandleSource } from "../../core/lanes/crypto/ports.ts"
import { clockAt } from "./clock.ts"
import { patient } from "./policy.ts"
import { json, type Payload, type Replay } from "./replay.ts"

/** 14:31:07 of a summer's day. */
export const nowMinute = Date.UTC(2026, 6, 8, 14, 31) / 60_000
export const now = nowMinute * 60_000 + 7_000

/** A source over a real socket, by the clock of the test. */
export const asking = (
  source: Effect.Effect<CandleSource, never, HttpClient.HttpClient>,
  [from, to]: readonly [from: number, to: number],
  asset: Asset = "BTC",
  at = now,
): Effect.Effect<ReadonlyArray<Candle>, Failure> =>
  Effect.flatMap(source, ({ candles }) => candles(asset, from, to)).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.withClock(clockAt(at)),
  )

export type Make = typeof coinbase.make

export const over = (make: Make, { url }: Pick<Replay, "url">, policy: RequestPolicy = patient) =>
  Effect.map(HttpClient.HttpClient, (client) => make(client, url, policy))

interface Exchange {
  readonly name: string
  readonly make: Make
  /** Where it is asked for the candles of BTC. */
  readonly path: string
  /** A payload in its own shape. */
  readonly payload: (rows: ReadonlyArray<unknown>) => Payload
  /** A row in its own shape; what is given replaces a column as it is. */
  readonly row: (minute: number, changes?: Partial<Record<keyof Candle | "open" | "time", unknown>>) => Array<unknown>
  /** A number as it writes one. */
  readonly written: (value: number) => unknown
  readonly newestFirst: boolean
}

export const exchanges: ReadonlyArray<Exchange> = [
  {
    name: "coinbase",
    make: coinbase.make,
    path: "/products/BTC-USD/candles",
    payload: json,
    row: (minute, changes = {}) => {
      const { time, low, high, open, close, volume } = {
        ...{ time: minute * 60, low: 59_990.25, high: 60_010, open: 60_000, close: 60_000.5, volume: 3.25 },
        ...changes,
      }
      return [time, low, high, open, close, volume]
    },
    written: (value) => value,
    newestFirst: true,
  },
  {
    name: "kraken",
    make: kraken.make,
    path: "/0/public/OHLC",
    payload: (rows) => json({ error: [], result: { XXBTZUSD: rows, last: (nowMinute - 1) * 60 } }),
    row: (minute, changes = {}) => {
      const { time, low, high, open, close, volume } = {
        ...{ time: minute * 60, low: "59990.25", high: "60010.0", open: "60000.0", close: "60000.5" },
        ...{ volume: "3.25000000" },
        ...changes,
      }
      return [time, open, high, low, close, "60000.1", volume, 42]
    },
    written: (value) => String(value),
    newestFirst: false,
  },
]

export const good = (minute: number, changes: Partial<Candle> = {}): Candle => ({
  minute,
  high: 60_010,
  low: 59_990.25,
  close: 60_000.5,
  volume: 3.25,
  ...changes,
})
