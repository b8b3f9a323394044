import * as Effect from "effect/Effect"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { toCapturedFields } from "../../../../core/lanes/markets/settlement.ts"
import type { CurrentRow, Domain, Result } from "../../../../core/record/scoreboard/Settled.ts"
import { addDays, dayOf, hour, minute } from "../../../../core/time.ts"
import { hashSeed, uniform } from "../../mock/hash.ts"
import { type Listing, listingsOn } from "./listings.ts"
import { type Finals, type Pricers, priceThen, settleListing } from "./pricing.ts"

/** The number of a domain's last listings on the scoreboard: enough for 500 scored rows. */
const maxListings: Readonly<Record<Domain, number>> = { weather: 150, nfl: 285, mlb: 285, crypto: 200 }

/** Days that may pass without a listing: the next season begins half a year after the end of one. */
const maxPauseDays = 400

/** Listings that had settled by an instant, latest day first. */
export const listSettled = (domain: Domain, at: number): ReadonlyArray<Listing> => {
  const listings: Array<Listing> = []
  const today = dayOf(at)
  for (let back = -1; back <= maxPauseDays && listings.length < maxListings[domain]; back++) {
    listings.push(
      ...listingsOn(domain, addDays(today, -back))
        .filter(({ settlesAt }) => settlesAt <= at)
        .reverse(),
    )
  }
  return listings.slice(0, maxListings[domain])
}

/** The longest time from capture to close: football's line stays the same all that time (`priceThen`). */
const maxLeads: Readonly<Record<Domain, number>> = {
  weather: 34 * hour,
  nfl: 10 * hour,
  mlb: 30 * hour,
  crypto: 2 * hour,
}

/**
 * The full minute of a listing's last capture: in the second half of its trading, at least 10 minutes before its end.
 */
export const findCaptureTime = ({ domain, ticker, opensAt, closesAt }: Listing): number => {
  const longestMs = Math.min(maxLeads[domain], 0.9 * (closesAt - opensAt))
  const lead = 10 * minute + uniform(ticker, "lead") * Math.max(0, longestMs - 10 * minute)
  return Math.floor((closesAt - lead) / minute) * minute
}

/** A contract as it was captured, without its result. */
export type Forecast = Omit<CurrentRow, "earlier" | "result" | "settledAt" | "sourceResult">

export const toForecast = (listing: Listing, contract: Priced): Forecast => ({
  ...toCapturedFields(contract),
  captureId: `mock_${hashSeed(contract.ticker).toString(16)}`,
  capturedAt: contract.quotedAt,
  closeTime: listing.closesAt,
  anchored: uniform(listing.ticker, "anchor") > 0.01,
})

const toCurrentRow = (listing: Listing, contract: Priced, result: Result | undefined): CurrentRow => ({
  ...toForecast(listing, contract),
  settledAt: listing.settlesAt,
  result: result ?? "void",
  ...ifDefined("sourceResult", result),
  earlier: [],
})

/** A listing with its contracts as priced at its last capture; none if no signal priced them. */
export interface Captured {
  readonly listing: Listing
  readonly contracts: ReadonlyArray<Priced>
}

export const drawCapture = (listing: Listing): Effect.Effect<Captured, never, Pricers> =>
  Effect.map(priceThen(listing, findCaptureTime(listing)), (contracts) => ({ listing, contracts }))

/** @param at an instant from which the final is known */
export const settledRows = (
  { listing, contracts }: Captured,
  at: number,
): Effect.Effect<ReadonlyArray<CurrentRow>, never, Finals> =>
  Effect.map(settleListing(listing, contracts, at), (results) =>
    contracts.map((contract) => toCurrentRow(listing, contract, results.get(contract.ticker))),
  )
