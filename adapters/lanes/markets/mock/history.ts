import * as Effect from "effect/Effect"
import { parseTickerDay } from "../../../../core/contracts/tickers.ts"
import type {
  CapturedContract,
  CapturePlace,
  ContractEnd,
  HistoryScope,
  MarketHistory,
} from "../../../../core/lanes/markets/ports.ts"
import { domains, toMarketKey } from "../../../../core/record/scoreboard/Settled.ts"
import * as Step from "../../../../core/Step.ts"
import { compare } from "../../../../core/text.ts"
import { addDays, hour } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { hashSeed } from "../../mock/hash.ts"
import { type Listing, listingsOn } from "./listings.ts"
import { type Finals, type Pricers, pricesThen, priceThen, settleListing } from "./pricing.ts"
import { findCaptureTime } from "./settled.ts"

/** The listing of a contract or an event, by the day in its ticker. */
const findListing = (scope: HistoryScope): Listing | undefined => {
  const name = "market" in scope ? scope.market : scope.event
  // An event's ticker has one hyphen.
  const on = parseTickerDay(name.split("-", 2).join("-"))?.day
  if (on === undefined) return undefined
  return domains
    .flatMap((domain) => [on, addDays(on, -1), addDays(on, 1)].flatMap((day) => listingsOn(domain, day)))
    .find((listing) =>
      "market" in scope ? listing.contracts.some(({ ticker }) => ticker === name) : listing.ticker === name,
    )
}

/** When a listing is captured: at each full hour of its trading, and at `findCaptureTime`. */
const captureTimes = (listing: Listing, now: number): ReadonlyArray<number> => {
  const { opensAt, closesAt } = listing
  const first = Math.ceil(opensAt / hour) * hour
  const hours = Array.from({ length: Math.max(0, Math.ceil((closesAt - first) / hour)) }, (_, at) => first + at * hour)
  return [...new Set([...hours, findCaptureTime(listing)])]
    .filter((at) => at >= opensAt && at < closesAt && at <= now)
    .sort((a, b) => a - b)
}

const isAfter = ({ contract: { venue, ticker }, at, captureId }: CapturedContract, place: CapturePlace): boolean =>
  (compare(venue, place.venue) ||
    compare(ticker, place.ticker) ||
    at - place.at ||
    compare(captureId, place.captureId)) > 0

/** Captures of the generated venue: its signals and books at each hour, computed on request. */
export const history: Effect.Effect<typeof MarketHistory.Service, never, Finals | Pricers> = Effect.map(
  Effect.context<Finals | Pricers>(),
  (context) => ({
    freshness: "mock",
    captures: ({ scope, from, until, after, limit }) =>
      Effect.gen(function* () {
        const now = yield* Step.now
        const listing = findListing(scope)
        if (listing === undefined) return []
        const pricesAt = yield* pricesThen(listing)
        const captured: Array<CapturedContract> = []
        for (const at of captureTimes(listing, now)) {
          if (at < from || at >= until) continue
          // For one contract its first captures fill the page; for an event every contract has some at each hour.
          if ("market" in scope && (captured.length >= limit || (after?.ticker === scope.market && at < after.at)))
            continue
          yield* yieldToEventLoop
          const priced = yield* pricesAt(at)
          captured.push(
            ...priced
              .filter(({ ticker }) => !("market" in scope) || ticker === scope.market)
              .map((contract) => ({
                at,
                captureId: `mock_${hashSeed(`${contract.ticker}/${at}`).toString(16)}`,
                contract,
              }))
              .filter((capture) => after === undefined || isAfter(capture, after)),
          )
        }
        return captured.sort((a, b) => compare(a.contract.ticker, b.contract.ticker) || a.at - b.at).slice(0, limit)
      }).pipe(Effect.provide(context)),
    ends: (contracts) =>
      Effect.gen(function* () {
        const now = yield* Step.now
        const listings = new Set(contracts.flatMap(({ ticker }) => findListing({ market: ticker }) ?? []))
        const ended = new Map<string, ContractEnd>()
        for (const listing of listings) {
          if (listing.settlesAt > now) continue
          const results = yield* settleListing(listing, yield* priceThen(listing, findCaptureTime(listing)), now)
          for (const contract of contracts.filter(({ ticker }) =>
            listing.contracts.some((one) => one.ticker === ticker),
          )) {
            ended.set(toMarketKey(contract), {
              result: results.get(contract.ticker) ?? "void",
              settledAt: listing.settlesAt,
            })
          }
        }
        return ended
      }).pipe(Effect.provide(context)),
  }),
)
