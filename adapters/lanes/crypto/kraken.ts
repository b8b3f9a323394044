import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { clean, type Printed } from "../../../core/lanes/crypto/candles.ts"
import type { Asset } from "../../../core/lanes/crypto/fields.ts"
import type { CandleSource } from "../../../core/lanes/crypto/ports.ts"
import { minute } from "../../../core/time.ts"
import * as Breaker from "../../runtime/upstream/breaker.ts"
import {
  callBudget,
  getJson,
  implausible,
  type RequestPolicy,
  toFailure,
  type Upstream,
  UpstreamError,
} from "../../runtime/upstream/upstream.ts"

const pairs: Readonly<Record<Asset, string>> = { BTC: "XBTUSD", ETH: "ETHUSD" }

const price = Schema.NumberFromString.pipe(Schema.finite())

/** Kraken, `GET /0/public/OHLC`: [time, open, high, low, close, vwap, volume, count] under the pair's own name. */
const Row = Schema.Tuple(Schema.Finite, price, price, price, price, price, price, Schema.Finite)

const Wire = Schema.Struct({
  error: Schema.Array(Schema.String),
  result: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Union(Schema.Array(Row), Schema.Number) })),
})

const printed = (rows: ReadonlyArray<typeof Row.Type>): ReadonlyArray<Printed> =>
  rows.map(([time, _open, high, low, close, _vwap, volume]) => ({ minute: time / 60, high, low, close, volume }))

/** Errors have status 200; a warning (`W…`) may come with good rows. */
const rowsOf = (
  wire: typeof Wire.Type,
  { name: upstream, title }: Upstream,
): Effect.Effect<ReadonlyArray<typeof Row.Type>, UpstreamError> => {
  const rows = Object.values(wire.result ?? {}).find((value) => typeof value === "object")
  const errors = wire.error.filter((text) => !text.startsWith("W"))
  return errors.length === 0 && rows !== undefined
    ? Effect.succeed(rows)
    : Effect.fail(
        new UpstreamError({
          upstream,
          title,
          reason: "said-error",
          message: errors.join("; ").slice(0, 200) || "No rows.",
        }),
      )
}

/** One-minute candles of the USD pairs: always the last 720 minutes; the last row is unfinished. */
export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): CandleSource => {
  const upstream: Upstream = { ...Breaker.breakerNamed("kraken", "Kraken"), baseUrl, ...callBudget, ...policy }
  return {
    name: upstream.name,
    span: 720,
    reach: 720,
    candles: (asset, from, to) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const wire = yield* getJson(client, upstream, Wire, "/0/public/OHLC", {
          pair: pairs[asset],
          interval: "1",
          since: String((from - 1) * 60),
        })
        const rows = printed(yield* rowsOf(wire, upstream))
        return yield* Effect.mapError(clean(rows, from, to, Math.floor(now / minute)), (reason) =>
          implausible(upstream, reason),
        )
      }).pipe(Effect.mapError(toFailure)),
  }
}
