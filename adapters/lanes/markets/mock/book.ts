import type { Depth } from "../../../../core/contracts/Contract.ts"
import * as normal from "../../../../core/math/normal.ts"
import type { BidAsk } from "../../../../core/record/scoreboard/Settled.ts"
import { hour } from "../../../../core/time.ts"
import { normalAt, seedOf, uniform } from "../../mock/hash.ts"
import type { Listing } from "./listings.ts"

const unit = 1_000_000
/** One cent, ten-thousandths of a dollar. */
const cent = 100

/** How far off a price may be without an edge of 0.05: 0.09 · φ(0) and half a cent of rounding are 0.041. */
const slight = 0.09

/** How far from the bookmakers' price, where there is one: 0.08 · φ(0) / 2 and the rounding are 0.02 in mean. */
const besidePosted = 0.08

/** How far off a mispriced listing is, standard deviations: a ladder's contracts move by less than a single strike. */
const gross: Readonly<Record<Listing["shape"], readonly [least: number, most: number]>> = {
  ladder: [0.25, 0.5],
  strikes: [0.15, 0.3],
  sides: [0.15, 0.3],
}

/** By how much the market is off, in standard deviations of the value: another amount each hour. */
const shiftAt = ({ ticker, shape, isMispriced, opensAt, posted }: Listing, at: number): number => {
  const seed = seedOf(ticker)
  // A normal value as a uniform one in (−1, 1).
  const drawn = 2 * normal.cdf(normalAt(seed, 1, Math.floor((at - opensAt) / hour))) - 1
  if (!isMispriced) return (posted === undefined ? slight : besidePosted) * drawn
  const [least, most] = gross[shape]
  // To one side for as long as it trades.
  return (uniform(ticker, "side") < 0.5 ? -1 : 1) * (least + (most - least) * Math.abs(drawn))
}

/**
 * The market's probability of each contract: the given probabilities, all moved to one side by the same number of
 * standard deviations, so that the strikes of a value still agree with each other.
 */
const beliefsOf = (
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
 * cents, one to four apart. A side that would stand at 0 or at 1 dollar is given so, as a venue does: it is no quote.
 */
const bookOf = (ticker: string, believed: number): BidAsk => {
  const spread = 1 + Math.floor(uniform(ticker, "spread") * 4)
  const bid = Math.min(100, Math.max(0, Math.round(believed * 100 - spread / 2)))
  const ask = Math.min(100, bid + spread)
  return { yesBid: bid * cent, yesAsk: ask * cent, noAsk: (100 - bid) * cent }
}

/** Contracts traded in an hour, by lot: 5 to 1,000. */
const tradedIn = (ticker: string): number => Math.round(5 * 200 ** uniform(ticker, "volume"))

/** The depth of a book: sizes of the hour, a volume that grows by the hour, of which a part is open. */
export const depthOf = ({ opensAt }: Listing, ticker: string, at: number): Depth => {
  const hours = Math.floor((at - opensAt) / hour)
  const volume = (hours + 1) * tradedIn(ticker)
  const size = (side: string) => 1 + Math.floor(uniform(`${ticker}/${hours}`, side) * tradedIn(ticker))
  return {
    ...{ yesAskSize: size("yes ask"), noAskSize: size("no ask"), volume },
    openInterest: Math.round(volume * (0.3 + 0.5 * uniform(ticker, "open interest"))),
  }
}

/**
 * The books of a listing's contracts at a moment: the price of the event's bookmakers, where there are any, or the model's
 * own probabilities, with the market's error.
 *
 * @param models the model's probabilities of the contracts in order, whole millionths
 */
export const booksAt = (listing: Listing, models: ReadonlyArray<number>, at: number): ReadonlyArray<BidAsk> =>
  beliefsOf(
    listing.shape,
    listing.posted === undefined ? models.map((model) => model / unit) : [listing.posted],
    shiftAt(listing, at),
  ).map((believed, which) => bookOf(listing.contracts[which]!.ticker, believed))
