import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ContractPricing } from "../../contracts/ContractPricing.ts"
import { PricingLanes } from "./ports.ts"

/** Prices a venue's contracts by the lanes' signals, as a call would record them. Records nothing. */
export const layer = <Lane>(pricings: ReadonlyArray<ContractPricing<Lane>>): Layer.Layer<PricingLanes, never, Lane> =>
  Layer.effect(
    PricingLanes,
    Effect.map(Effect.context<Lane>(), (context) => ({
      price: (contracts) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const priced = yield* Effect.forEach(pricings, ({ price }) => price(contracts, now))
          return {
            signals: priced.flatMap(({ signals }) => signals),
            warnings: priced.flatMap(({ warnings }) => warnings),
          }
        }).pipe(Effect.provide(context)),
    })),
  )
