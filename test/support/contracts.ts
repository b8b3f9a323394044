import type { Priced } from "../../core/contracts/Contract.ts"
import type { BidAsk } from "../../core/record/scoreboard/Settled.ts"

export const noon = Date.UTC(2026, 6, 11, 12)

/** A book in cents. */
export const book = (yesBid: number, yesAsk: number): BidAsk => ({
  yesBid: yesBid * 100,
  yesAsk: yesAsk * 100,
  noAsk: 10_000 - yesBid * 100,
})

/** A contract on tomorrow's high in New York that is like any other but for `changes`. */
export const contract = (changes: Partial<Priced> = {}): Priced => ({
  domain: "weather",
  venue: "kalshi",
  series: "KXHIGHNY",
  event: "KXHIGHNY-26JUL12",
  ticker: "KXHIGHNY-26JUL12-T89",
  title: "High in New York above 89",
  strikeType: "greater",
  floorStrike: 89,
  closeTime: Date.UTC(2026, 6, 13, 4, 59),
  settlesOn: "The Weather Company",
  feeRate: 700,
  bidAsk: book(30, 34),
  quotedAt: noon - 30_000,
  instrument: "KNYC",
  lane: "weather",
  subject: "KNYC/2026-07-12",
  model: 500_000,
  modelVersion: "temperature-t8-1.0",
  basis: { modelSource: "daily climate report", venueSource: "The Weather Company", same: false },
  flags: [],
  ...changes,
})
