import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ContractPricing } from "../../contracts/ContractPricing.ts"
import { MarketQuotes } from "../../contracts/MarketQuotes.ts"
import { type Domain, isLive } from "../../record/scoreboard/Settled.ts"
import { ageMs, maxQuoteAgeMs } from "./books.ts"
import { ContractStore, PricingLanes, Scoreboard, SignalCalls, SourceResults } from "./ports.ts"

/** Prices a venue's contracts by the lanes' signals, as a call would price them, without recording anything. */
export const layerModels = <Lane>(
  pricings: ReadonlyArray<ContractPricing<Lane>>,
): Layer.Layer<PricingLanes, never, Lane> =>
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
            unknownSources: priced.flatMap(({ unknownSources }) => unknownSources),
          }
        }).pipe(Effect.provide(context)),
    })),
  )

/** Results of contracts from the lanes' own sources: the final climate report, the tape, the final score. */
export const layerSourceResults = <Source>(
  pricings: ReadonlyArray<ContractPricing<unknown, Source>>,
): Layer.Layer<SourceResults, never, Source> =>
  Layer.effect(
    SourceResults,
    Effect.map(Effect.context<Source>(), (context) => ({
      revisableDomains: new Set(pricings.flatMap(({ isRevisable, domain }) => (isRevisable ? [domain] : []))),
      read: (contracts) =>
        Effect.map(
          Effect.forEach(pricings, ({ observe }) => observe(contracts)),
          (observed) => ({
            results: new Map(observed.flatMap(({ results }) => [...results])),
            failed: observed.flatMap(({ failed }) => failed),
            warnings: observed.flatMap(({ warnings }) => warnings),
          }),
        ).pipe(Effect.provide(context)),
    })),
  )

/** Finds the call of the signal that prices a contract. */
export const layerSignalCalls = (pricings: ReadonlyArray<ContractPricing>): Layer.Layer<SignalCalls> => {
  const byLane = new Map(pricings.map((pricing) => [pricing.lane, pricing]))
  return Layer.succeed(SignalCalls, { find: (contract, now) => byLane.get(contract.lane)?.toSignalCall(contract, now) })
}

/** The stored quotes of open contracts, if they are as fresh as a recorded signal needs them. */
export const layerQuotes: Layer.Layer<MarketQuotes, never, ContractStore | Scoreboard> = Layer.effect(
  MarketQuotes,
  Effect.zipWith(ContractStore, Scoreboard, (store, { weights }) => ({
    about: (lane: string, subject: string, now: number) =>
      Effect.map(store.about(lane, subject), (contracts) =>
        contracts.filter(
          ({ bidAsk, closeTime, quotedAt }) =>
            isLive(bidAsk) && now < closeTime && ageMs(quotedAt, now) < maxQuoteAgeMs,
        ),
      ),
    weight: (domain: Domain) => Effect.map(weights, (published) => published.weights[domain]),
  })),
)
