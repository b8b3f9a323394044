import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import type { AnchorWeight } from "../record/scoreboard/anchorWeight.ts"
import type { Domain } from "../record/scoreboard/Settled.ts"
import type { Contract } from "./Contract.ts"

/** The venues' quotes on a signal's subject, from the store: no venue is asked. */
export interface Quotes {
  /** The open contracts on a subject of a lane whose last book is fresh and has two live sides. */
  readonly about: (lane: string, subject: string, now: number) => Effect.Effect<ReadonlyArray<Contract>, Failure>
  /** The published weight of a domain's model against its market prices. */
  readonly weight: (domain: Domain) => Effect.Effect<AnchorWeight, Failure>
}

/** The quotes that `include=_market_anchored` anchors laws to; undefined where no market is tracked. */
export class MarketQuotes extends Context.Tag("market-signals/core/contracts/MarketQuotes")<
  MarketQuotes,
  Quotes | undefined
>() {
  /** No market is tracked: no law is anchored, and the answer says so. */
  static readonly layerNone: Layer.Layer<MarketQuotes> = Layer.succeed(MarketQuotes, undefined)
}
