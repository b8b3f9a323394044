import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MarketQuotes } from "../../contracts/MarketQuotes.ts"
import { type Domain, isLive } from "../../record/scoreboard/Settled.ts"
import { ageOf, maxQuoteAgeMs } from "./books.ts"
import { ContractStore, Scoreboard } from "./ports.ts"

/** The stored quotes of open contracts, as fresh as those that a recorded call is compared with. */
export const layer: Layer.Layer<MarketQuotes, never, ContractStore | Scoreboard> = Layer.effect(
  MarketQuotes,
  Effect.zipWith(ContractStore, Scoreboard, (store, { weights }) => ({
    about: (lane: string, subject: string, now: number) =>
      Effect.map(store.about(lane, subject), (contracts) =>
        contracts.filter(
          ({ bidAsk, closeTime, quotedAt }) =>
            isLive(bidAsk) && now < closeTime && ageOf(quotedAt, now) < maxQuoteAgeMs,
        ),
      ),
    weight: (domain: Domain) => Effect.map(weights, (published) => published.weights[domain]),
  })),
)
