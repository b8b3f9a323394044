import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { clean, type Printed } from "../../../core/lanes/crypto/candles.ts"
import type { CandleSource } from "../../../core/lanes/crypto/ports.ts"
import { iso, minute } from "../../../core/time.ts"
import * as Breaker from "../../runtime/upstream/breaker.ts"
import {
  callBudget,
  getJson,
  implausible,
  type RequestPolicy,
  toFailure,
  type Upstream,
} from "../../runtime/upstream/upstream.ts"

/** Coinbase Exchange, `GET /products/{pair}/candles`: [time, low, high, open, close, volume], newest first. */
const Wire = Schema.Array(
  Schema.Tuple(Schema.Finite, Schema.Finite, Schema.Finite, Schema.Finite, Schema.Finite, Schema.Finite),
)

export const printed = (rows: typeof Wire.Type): ReadonlyArray<Printed> =>
  rows.map(([time, low, high, _open, close, volume]) => ({ minute: time / 60, high, low, close, volume }))

/** One-minute candles of the USD pairs, at most 300 per request. */
export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): CandleSource => {
  const upstream: Upstream = { ...Breaker.breakerNamed("coinbase", "Coinbase"), baseUrl, ...callBudget, ...policy }
  return {
    name: upstream.name,
    span: 300,
    candles: (asset, from, to) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        // `end` is inclusive; rows before `start` may be included.
        const rows = yield* getJson(client, upstream, Wire, `/products/${asset}-USD/candles`, {
          granularity: "60",
          start: iso(from * minute),
          end: iso((to - 1) * minute),
        })
        return yield* Effect.mapError(clean(printed(rows), from, to, Math.floor(now / minute)), (reason) =>
          implausible(upstream, reason),
        )
      }).pipe(Effect.mapError(toFailure)),
  }
}
