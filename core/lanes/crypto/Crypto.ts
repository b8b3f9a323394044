import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { type Recompute, standingAt } from "../../record/captures/recompute.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { blendT1, ServedModel } from "./distribution.ts"
import { endpoints, outputOf } from "./endpoints.ts"
import { finds } from "./finds.ts"
import { read } from "./inputs.ts"
import { CryptoLaws, Tape } from "./ports.ts"

const modelLayer = (version: string) =>
  version === blendT1.version ? Layer.succeed(ServedModel, blendT1) : Layer.empty

/** Recomputes a recorded signal from its stored tape, at the minute of its reading, by the model that made it. */
const recompute: Recompute = (params, inputs, _, modelVersion) =>
  Effect.flatMap(read(inputs), ({ window, now }) => {
    const tape = Layer.succeed(Tape, { freshness: "live", window: () => Effect.succeed(window) })
    return Effect.flatMap(Crypto, ({ signal }) => signal(params as Endpoint.Params<typeof endpoints.signal>)).pipe(
      Effect.map(({ results }) => outputOf(results)),
      Effect.provide(
        Crypto.layer.pipe(Layer.provide([CryptoLaws.layerNone, Feeds.layerNone, tape, modelLayer(modelVersion)])),
      ),
      standingAt(now),
    )
  })

export type Crypto = Lane.Id<"crypto">
export const Crypto = Lane.define("crypto", {
  description: "Spot price from a one-minute tape, and the distribution of the price ahead.",
  endpoints,
  finds,
  recomputations: { [endpoints.signal.id]: recompute },
  pricing,
})
