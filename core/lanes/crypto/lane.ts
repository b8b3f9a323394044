import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { type Recompute, standingAt } from "../../record/captures/recompute.ts"
import type { Definition } from "../Lane.ts"
import { Crypto, outputOf } from "./Crypto.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import { read } from "./inputs.ts"
import { Tape } from "./ports.ts"

type Params = Endpoint.Params<typeof endpoints.signal>

/** Recomputes a recorded signal from its stored tape, at the minute of its reading. */
const recompute: Recompute = (params, inputs) =>
  Effect.flatMap(read(inputs), ({ window, now }) => {
    const tape = Layer.succeed(Tape, { freshness: "live", window: () => Effect.succeed(window) })
    return Effect.flatMap(Crypto, ({ signal }) => signal(params as Params)).pipe(
      Effect.map(({ results }) => outputOf(results)),
      Effect.provide(Crypto.layer.pipe(Layer.provide([Feeds.layerNone, tape]))),
      standingAt(now),
    )
  })

export const crypto: Definition<typeof Crypto.lane, Feeds | Tape, Crypto, Tape> = {
  lane: Crypto.lane,
  layer: Crypto.layer,
  recomputations: { [endpoints.signal.id]: recompute },
  pricing,
}
