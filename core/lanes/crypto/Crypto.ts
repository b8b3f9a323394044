import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { type Findable, type Finds, makeReadyCall } from "../../find/Findable.ts"
import { ifDefined } from "../../ifDefined.ts"
import { type Recompute, stopClockAt } from "../../record/captures/recompute.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { endpoints, signal, spot, toOutput } from "./endpoints.ts"
import { type Asset, assets } from "./fields.ts"
import { readInputs } from "./inputs.ts"
import { CryptoLaws, Tape } from "./ports.ts"

const names: Readonly<Record<Asset, string>> = { BTC: "Bitcoin", ETH: "Ether" }
const synonyms: Readonly<Record<Asset, string>> = { BTC: "xbt btcusd", ETH: "ethereum ethusd" }

const dayMinutes = 1_440

const toFindable = (asset: Asset): Findable => ({
  kind: "asset",
  name: names[asset],
  words: `${asset} ${synonyms[asset]} usd crypto`,
  ids: { asset },
  calls: [
    makeReadyCall(spot, "price now spot quote cost worth current volatility", ({ day, today, numbers, minutes }) =>
      minutes === undefined && numbers.length === 0 && (day ?? today) === today ? { asset } : undefined,
    ),
    makeReadyCall(
      signal,
      "probability chance odds distribution above below over under price ahead later hour end",
      ({ day, today, numbers, minutes }) => {
        if (day !== undefined && day < today) return undefined
        const horizon = minutes ?? (day === undefined || day === today ? undefined : dayMinutes)
        return {
          asset,
          ...ifDefined("horizon_minutes", horizon),
          ...(numbers.length === 0 ? {} : { strikes: numbers }),
        }
      },
    ),
  ],
})

const finds: Finds = () => [{ what: "assets", read: Effect.succeed(assets.map(toFindable)) }]

/** Recomputes a recorded signal from its stored tape, at the minute in which that was read. */
const recompute: Recompute = (params, inputs) =>
  Effect.flatMap(readInputs(inputs), ({ window, now }) => {
    const tape = Layer.succeed(Tape, { freshness: "live", window: () => Effect.succeed(window) })
    return Effect.flatMap(Crypto, ({ signal }) => signal(params as Endpoint.Params<typeof endpoints.signal>)).pipe(
      Effect.map(({ results }) => toOutput(results)),
      Effect.provide(Crypto.layer.pipe(Layer.provide([CryptoLaws.layerNone, Feeds.layerNone, tape]))),
      stopClockAt(now),
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
