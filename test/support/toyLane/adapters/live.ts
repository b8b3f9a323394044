import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { concurrencyLimit } from "../../../../adapters/runtime/upstream/concurrencyLimit.ts"
import { getJson, toFailure, type UpstreamError } from "../../../../adapters/runtime/upstream/upstream.ts"
import { Levels } from "../core/ports.ts"

const Reading = Schema.Struct({ cm: Schema.Int })

/** The gauges' service as every reader of a process asks it: two requests at a time. */
export class Gauges extends Context.Tag("market-signals/adapters/lanes/toy/Gauges")<
  Gauges,
  { readonly read: (gauge: string) => Effect.Effect<number, UpstreamError> }
>() {}

export const layerClient = (settings: {
  readonly toy: string
  readonly userAgent: string
}): Layer.Layer<Gauges, never, HttpClient.HttpClient> =>
  Layer.effect(
    Gauges,
    Effect.map(HttpClient.HttpClient, (client) => {
      const upstream = {
        name: "toy",
        baseUrl: settings.toy,
        headers: { "user-agent": settings.userAgent },
        slot: concurrencyLimit("toy", { atOnce: 2, atMost: 16 }),
      }
      return {
        read: (gauge) => Effect.map(getJson(client, upstream, Reading, "/reading", { gauge }), ({ cm }) => cm),
      }
    }),
  )

export const layer: Layer.Layer<Levels, never, Gauges> = Layer.effect(
  Levels,
  Effect.map(Gauges, ({ read }) => ({
    freshness: "live",
    at: (gauge) => Effect.mapError(read(gauge), toFailure),
  })),
)
