import * as Effect from "effect/Effect"
import * as Subject from "../../../../core/call/Subject.ts"
import type { Contract, Priced } from "../../../../core/contracts/Contract.ts"
import { millionths } from "../../../../core/contracts/Contract.ts"
import type { ContractPricing } from "../../../../core/contracts/ContractPricing.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import type { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import type { Slates } from "../../../../core/lanes/baseball/ports.ts"
import type { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import type { Tape } from "../../../../core/lanes/crypto/ports.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import type { Games } from "../../../../core/lanes/football/ports.ts"
import type { ClimateReports } from "../../../../core/lanes/weather/ports.ts"
import type { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import type { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { standingAt } from "../../../../core/record/captures/recompute.ts"
import type { BidAsk, Result } from "../../../../core/record/scoreboard/Settled.ts"
import { pricing as baseballPricing } from "./baseballPricing.ts"
import { booksAt, depthOf } from "./book.ts"
import type { Listing } from "./listings.ts"

/** The lanes whose signals price the contracts. */
export type Pricers = Baseball | Crypto | Football | Weather
/** The ports whose finals settle them. */
export type Finals = ClimateReports | Games | Slates | Tape | VenueSettlement

/** Until the model has spoken there is no book. */
const noBook: BidAsk = { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 }

/** A listing's contracts as the venue lists them at a moment. */
const contractsOf = (listing: Listing, at: number): ReadonlyArray<Contract> =>
  listing.contracts.map((terms) => ({
    domain: listing.domain,
    venue: "mock",
    series: listing.series,
    event: listing.ticker,
    ...terms,
    closeTime: listing.closeTime,
    settlesOn: listing.settlesOn,
    ...ifDefined("feeRate", listing.feeRate),
    bidAsk: noBook,
    quotedAt: at,
  }))

const withBooks = (listing: Listing, priced: ReadonlyArray<Priced>, at: number): ReadonlyArray<Priced> => {
  const byTicker = new Map(priced.map((one) => [one.ticker, one]))
  const all = listing.contracts.flatMap(({ ticker }) => byTicker.get(ticker) ?? [])
  // Books of an event agree with each other: without one of its contracts there are none.
  if (all.length < listing.contracts.length) return []
  const books = booksAt(
    listing,
    all.map(({ model }) => model),
    at,
  )
  return all.map((one, which) => ({
    ...one,
    quotedAt: at,
    bidAsk: books[which]!,
    depth: depthOf(listing, one.ticker, at),
  }))
}

const byDomain = new Map(pricings.map((pricing) => [pricing.domain, pricing]))

/** How a listing's contracts are priced and settled: by the lane's own pricing, the invented league's by its games' ids. */
const pricingOf = ({ domain, game = "" }: Pick<Listing, "domain" | "game">): ContractPricing<Pricers, Finals> =>
  domain === "mlb" ? baseballPricing(game) : byDomain.get(domain)!

/** The contracts of a listing as the lanes' signals price them at a moment, with their books; none where they do not. */
export const priceAt = (listing: Listing, at: number): Effect.Effect<ReadonlyArray<Priced>, never, Pricers> =>
  Effect.map(pricingOf(listing).price(contractsOf(listing, at), at), ({ signals }) =>
    withBooks(
      listing,
      signals.flatMap(({ contracts }) => contracts),
      at,
    ),
  ).pipe(standingAt(at))

/** The contracts of a listing as they stood at a moment. */
type PriceAt = (at: number) => Effect.Effect<ReadonlyArray<Priced>, never, Pricers>

/**
 * The same of a football game that is over, from what the lane says now of its line before kickoff: to ask about an instant
 * of the past it would go through the season again. Both are the same from the last final before the game's own day on.
 */
const pricesOver = (listing: Listing): Effect.Effect<PriceAt, never, Football> =>
  Effect.gen(function* () {
    const { fairLine } = yield* Football
    const { probability, lane } = pricingOf(listing)
    const id = listing.game ?? ""
    const { results } = yield* fairLine({ game_id: id })
    const { game, prediction } = results
    const priced = contractsOf(listing, 0).flatMap((contract): ReadonlyArray<Priced> => {
      const model = millionths(probability(contract, prediction.fair_line) ?? Number.NaN)
      return model === undefined
        ? []
        : [
            {
              ...contract,
              instrument: `${game.away_team} @ ${game.home_team}`,
              lane,
              subject: Subject.show({ _tag: "Game", id }),
              model,
              modelVersion: prediction.model_version,
              basis: { modelSource: listing.settlesOn, venueSource: listing.settlesOn, same: true },
              flags: prediction.quality_flags ?? [],
            },
          ]
    })
    return (at: number) => Effect.succeed(withBooks(listing, priced, at))
  }).pipe(Effect.orElseSucceed(() => () => Effect.succeed([])))

export const pricesThen = (listing: Listing): Effect.Effect<PriceAt, never, Pricers> =>
  listing.domain === "nfl" ? pricesOver(listing) : Effect.succeed((at) => priceAt(listing, at))

export const priceThen = (listing: Listing, at: number): Effect.Effect<ReadonlyArray<Priced>, never, Pricers> =>
  Effect.flatMap(pricesThen(listing), (pricesAt) => pricesAt(at))

/**
 * The results of a listing's contracts by the lane's own final, by ticker. A contract that it decides nothing about has
 * none: a tie, a missing value, a game that is never played.
 *
 * @param at from when the listing settled on, epoch milliseconds
 */
export const resultsOf = (
  listing: Listing,
  contracts: ReadonlyArray<Priced>,
  at: number,
): Effect.Effect<ReadonlyMap<string, Result>, never, Finals> =>
  Effect.map(pricingOf(listing).observe(contracts), ({ results }) => results).pipe(standingAt(at))
