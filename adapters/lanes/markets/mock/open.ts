import * as Effect from "effect/Effect"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { type Domain, domains } from "../../../../core/record/scoreboard/Settled.ts"
import { addDays, dayOf } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { type Listing, listingsOn } from "./listings.ts"
import { type Pricers, priceAt } from "./pricing.ts"
import { capturedAt } from "./settled.ts"

/** The days, counted from today, whose listings may trade or wait for their final at a moment of it: both included. */
const reach: Readonly<Record<Domain, readonly [first: number, last: number]>> = {
  weather: [-2, 2],
  crypto: [-1, 1],
  nfl: [-2, 9],
  mlb: [-3, 3],
}

const near = (domain: Domain, at: number): ReadonlyArray<Listing> => {
  const [first, last] = reach[domain]
  const today = dayOf(at)
  return Array.from({ length: last - first + 1 }, (_, ahead) =>
    listingsOn(domain, addDays(today, first + ahead)),
  ).flat()
}

/** The listings that trade at an instant, in order of days. */
export const tradingAt = (domain: Domain, at: number): ReadonlyArray<Listing> =>
  near(domain, at).filter(({ opensAt, closesAt }) => opensAt <= at && at < closesAt)

/** The listings that have closed by an instant and are not settled. */
export const awaitingAt = (domain: Domain, at: number): ReadonlyArray<Listing> =>
  near(domain, at).filter(({ closesAt, settlesAt }) => closesAt <= at && at < settlesAt)

/** The listings that somebody has asked about by an instant and that are not settled at another one. */
export const capturedBy = (at: number, settledBy: number): ReadonlyArray<Listing> =>
  domains
    .flatMap((domain) => near(domain, at))
    .filter((listing) => capturedAt(listing) <= at && settledBy < listing.settlesAt)

/** Every contract that trades at a full minute, as the lanes' signals price it then. */
export const openAt = (at: number): Effect.Effect<ReadonlyArray<Priced>, never, Pricers> =>
  Effect.gen(function* () {
    const priced: Array<ReadonlyArray<Priced>> = []
    for (const domain of domains) {
      for (const listing of tradingAt(domain, at)) {
        yield* yieldToEventLoop
        priced.push(yield* priceAt(listing, at))
      }
    }
    return priced.flat()
  })
