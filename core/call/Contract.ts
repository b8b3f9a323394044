/** The domains of the scoreboard's contracts. */
export const domains = ["weather", "nfl", "mlb", "crypto"] as const
export type Domain = (typeof domains)[number]

/** A venue's quotes of one contract, in whole ten-thousandths of a dollar. */
export interface BidAsk {
  readonly yesBid: number
  readonly yesAsk: number
  readonly noAsk: number
}

/** Sizes and volume of a book, in contracts; absent if the venue does not state them. */
export interface Depth {
  readonly yesAskSize?: number
  readonly noAskSize?: number
  /** Traded since the listing. */
  readonly volume?: number
  readonly openInterest?: number
}

/** A venue's contract with its bid and ask. */
export interface Contract {
  readonly domain: Domain
  readonly venue: string
  readonly series: string
  /** The event, whose contracts settle on the same value. */
  readonly event: string
  readonly ticker: string
  readonly title: string
  /** The venue's term: `greater` and `less` are strict, `between` is inclusive. Not derivable from the ticker. */
  readonly strikeType?: string
  readonly floorStrike?: number
  readonly capStrike?: number
  /** Epoch milliseconds of the announced close. */
  readonly closeTime: number
  /** The venue's settlement source, in its own words. */
  readonly settlesOn: string
  /** The venue's fee rate in ten-thousandths; absent if unknown. */
  readonly feeRate?: number
  /** As listed; a price of 0 or 1 dollar is not a quote (`isLive`). */
  readonly bidAsk: BidAsk
  readonly depth?: Depth
  /** Epoch milliseconds at which the book was read. */
  readonly quotedAt: number
}
