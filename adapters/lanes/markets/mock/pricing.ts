import * as Effect from "effect/Effect"
import * as Subject from "../../../../core/call/Subject.ts"
import { type Contract, type Depth, millionths, type Priced } from "../../../../core/contracts/Contract.ts"
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
import * as normal from "../../../../core/math/normal.ts"
import { stopClockAt } from "../../../../core/record/captures/recompute.ts"
import { type Published, unpublished } from "../../../../core/record/scoreboard/anchorWeight.ts"
import type { BidAsk, Result } from "../../../../core/record/scoreboard/Settled.ts"
import { hour } from "../../../../core/time.ts"
import { hashSeed, normalAt, uniform } from "../../mock/hash.ts"
import { pricing as baseballPricing } from "./baseballPricing.ts"
import type { Listing } from "./listings.ts"

const unit = 1_000_000
/** One cent, ten-thousandths of a dollar. */
const cent = 100

/** The largest usual error of a price. Its edge stays below 0.05: 0.09 · φ(0) plus half a cent of rounding is 0.041. */
const usualError = 0.09

/** The largest distance from the bookmakers' price: 0.08 · φ(0) / 2 plus the rounding is 0.02 on average. */
const postedError = 0.08

/** The error of a mispriced listing, standard deviations: a ladder's contracts move by less than a single strike. */
const mispricedErrors: Readonly<Record<Listing["shape"], readonly [least: number, most: number]>> = {
  ladder: [0.25, 0.5],
  strikes: [0.15, 0.3],
  sides: [0.15, 0.3],
}

/** The market's error, in standard deviations of the value; drawn again each hour. */
const drawShift = ({ ticker, shape, isMispriced, opensAt, posted }: Listing, at: number): number => {
  const seed = hashSeed(ticker)
  // A normal value mapped to a uniform one in (−1, 1).
  const drawn = 2 * normal.cdf(normalAt(seed, 1, Math.floor((at - opensAt) / hour))) - 1
  if (!isMispriced) return (posted === undefined ? usualError : postedError) * drawn
  const [least, most] = mispricedErrors[shape]
  // To the same side as long as it trades.
  return (uniform(ticker, "side") < 0.5 ? -1 : 1) * (least + (most - least) * Math.abs(drawn))
}

/**
 * The market's probability of each contract: the given probabilities, all moved to one side by the same number of
 * standard deviations, so that the strikes of a value still agree with each other.
 */
const shiftBeliefs = (
  shape: Listing["shape"],
  probabilities: ReadonlyArray<number>,
  shift: number,
): ReadonlyArray<number> => {
  const moved = (p: number): number => (p <= 0 ? 0 : p >= 1 ? 1 : normal.cdf(normal.quantile(p) + shift))
  switch (shape) {
    case "strikes":
      return probabilities.map(moved)
    case "sides": {
      const home = moved(probabilities[0]!)
      return [home, 1 - home]
    }
    case "ladder": {
      let above = 1
      let movedAbove = 1
      return probabilities.map((p, at) => {
        above = at === probabilities.length - 1 ? 0 : Math.max(0, above - p)
        const before = movedAbove
        movedAbove = moved(above)
        return before - movedAbove
      })
    }
  }
}

/**
 * The venue's book of a contract, in ten-thousandths of a dollar: the market's belief between a bid and an ask on whole
 * cents, one to four apart. A side at 0 or at 1 dollar is no quote, as with real venues.
 */
const drawBook = (ticker: string, believed: number): BidAsk => {
  const spread = 1 + Math.floor(uniform(ticker, "spread") * 4)
  const bid = Math.min(100, Math.max(0, Math.round(believed * 100 - spread / 2)))
  const ask = Math.min(100, bid + spread)
  return { yesBid: bid * cent, yesAsk: ask * cent, noAsk: (100 - bid) * cent }
}

/** Contracts traded in an hour, drawn from 5 to 1,000. */
const drawTraded = (ticker: string): number => Math.round(5 * 200 ** uniform(ticker, "volume"))

/** The depth of a book: sizes of the hour, and a volume that grows by the hour and is open in part. */
const drawDepth = ({ opensAt }: Listing, ticker: string, at: number): Depth => {
  const hours = Math.floor((at - opensAt) / hour)
  const volume = (hours + 1) * drawTraded(ticker)
  const size = (side: string) => 1 + Math.floor(uniform(`${ticker}/${hours}`, side) * drawTraded(ticker))
  return {
    ...{ yesAskSize: size("yes ask"), noAskSize: size("no ask"), volume },
    openInterest: Math.round(volume * (0.3 + 0.5 * uniform(ticker, "open interest"))),
  }
}

/**
 * The books of a listing's contracts at a moment: the price of the event's bookmakers or, without one, the model's own
 * probabilities, plus the market's error.
 *
 * @param models the model's probabilities of the contracts in order, whole millionths
 */
export const drawBooks = (listing: Listing, models: ReadonlyArray<number>, at: number): ReadonlyArray<BidAsk> =>
  shiftBeliefs(
    listing.shape,
    listing.posted === undefined ? models.map((model) => model / unit) : [listing.posted],
    drawShift(listing, at),
  ).map((believed, which) => drawBook(listing.contracts[which]!.ticker, believed))

/** The lanes whose signals price the contracts. */
export type Pricers = Baseball | Crypto | Football | Weather
/** The ports whose finals settle them. */
export type Finals = ClimateReports | Games | Slates | Tape | VenueSettlement

/** Before the model has a price there is no book. */
const noBook: BidAsk = { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 }

export const listContracts = (listing: Listing, at: number): ReadonlyArray<Contract> =>
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

/** The weights beside the prices are invented like the prices: one is above 0, so that both cases can be seen. */
export const published: Published = {
  ...unpublished,
  weights: { ...unpublished.weights, weather: { weight: 0.3, rows: 500 }, nfl: { weight: 0, rows: 500 } },
}

const withBooks = (listing: Listing, priced: ReadonlyArray<Priced>, at: number): ReadonlyArray<Priced> => {
  const byTicker = new Map(priced.map((one) => [one.ticker, one]))
  const all = listing.contracts.flatMap(({ ticker }) => byTicker.get(ticker) ?? [])
  // The books of an event agree with each other, so without one of its contracts there are none.
  if (all.length < listing.contracts.length) return []
  const books = drawBooks(
    listing,
    all.map(({ model }) => model),
    at,
  )
  return all.map((one, which) => ({
    ...one,
    quotedAt: at,
    poolWeight: published.weights[one.domain].weight,
    bidAsk: books[which]!,
    depth: drawDepth(listing, one.ticker, at),
  }))
}

const byDomain = new Map(pricings.map((pricing) => [pricing.domain, pricing]))

/** How a listing's contracts are priced and settled: by the lane's own pricing, the invented league's by its games' ids. */
const findPricing = ({ domain, game = "" }: Pick<Listing, "domain" | "game">): ContractPricing<Pricers, Finals> =>
  domain === "mlb" ? baseballPricing(game) : byDomain.get(domain)!

/** The contracts of a listing as the lanes' signals price them at a moment, with their books; none if they do not. */
export const priceListing = (listing: Listing, at: number): Effect.Effect<ReadonlyArray<Priced>, never, Pricers> =>
  Effect.map(findPricing(listing).price(listContracts(listing, at), at), ({ signals }) =>
    withBooks(
      listing,
      signals.flatMap(({ contracts }) => contracts),
      at,
    ),
  ).pipe(stopClockAt(at))

/** The contracts of a listing as they stood at a moment. */
type PriceAt = (at: number) => Effect.Effect<ReadonlyArray<Priced>, never, Pricers>

/**
 * The same for a football game that is over, from the lane's present answer about its line before kickoff: a call about
 * a past instant would walk the season again. Both are equal from the last final before the game's own day on.
 */
const makePastPrices = (listing: Listing): Effect.Effect<PriceAt, never, Football> =>
  Effect.gen(function* () {
    const { fairLine } = yield* Football
    const { probability, lane } = findPricing(listing)
    const id = listing.game ?? ""
    const { results } = yield* fairLine({ game_id: id })
    const { game, prediction } = results
    const priced = listContracts(listing, 0).flatMap((contract): ReadonlyArray<Priced> => {
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
  listing.domain === "nfl" ? makePastPrices(listing) : Effect.succeed((at) => priceListing(listing, at))

export const priceThen = (listing: Listing, at: number): Effect.Effect<ReadonlyArray<Priced>, never, Pricers> =>
  Effect.flatMap(pricesThen(listing), (pricesAt) => pricesAt(at))

/**
 * The results of a listing's contracts by the lane's own final, by ticker. A contract that it does not decide has none:
 * after a tie, without a value, or if the game is never played.
 *
 * @param at when the listing is settled, epoch milliseconds
 */
export const settleListing = (
  listing: Listing,
  contracts: ReadonlyArray<Priced>,
  at: number,
): Effect.Effect<ReadonlyMap<string, Result>, never, Finals> =>
  Effect.map(findPricing(listing).observe(contracts), ({ results }) => results).pipe(stopClockAt(at))
