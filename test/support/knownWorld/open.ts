import type { Contract, Priced } from "../../../core/contracts/Contract.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { type Domain, domains, type SettledMarket } from "../../../core/record/scoreboard/Settled.ts"
import { day, minute } from "../../../core/time.ts"
import { eventsOf } from "./events.ts"
import { bookAt, modelAt, type WorldContract, type WorldEvent } from "./world.ts"

/** What the world's models and its venue settle on. */
export const bases: Readonly<Record<Domain, SettledMarket["basis"]>> = {
  weather: { modelSource: "mock daily climate report", venueSource: "mock weather index", same: false },
  crypto: { modelSource: "mock one-minute tape", venueSource: "mock reference rate", same: false },
  nfl: { modelSource: "mock final score", venueSource: "mock final score", same: true },
  mlb: { modelSource: "mock final score", venueSource: "mock final score", same: true },
}

const lanes: Readonly<Record<Domain, string>> = {
  weather: "weather",
  crypto: "crypto",
  nfl: "football",
  mlb: "baseball",
}

/** A contract as the venue of the world lists it at a moment. */
export const contractAt = (event: WorldEvent, contract: WorldContract, at: number): Contract => ({
  domain: event.domain,
  venue: "mock",
  series: event.series,
  event: event.ticker,
  ticker: contract.ticker,
  title: contract.title,
  strikeType: contract.strikeType,
  ...ifDefined("floorStrike", contract.floorStrike),
  ...ifDefined("capStrike", contract.capStrike),
  closeTime: event.scheduledClose,
  settlesOn: bases[event.domain].venueSource,
  ...ifDefined("feeRate", event.feeRate),
  bidAsk: bookAt(event, contract, at),
  quotedAt: at,
})

/** The same beside the world's model. */
export const pricedAt = (event: WorldEvent, contract: WorldContract, at: number): Priced => ({
  ...contractAt(event, contract, at),
  instrument: event.instrument,
  lane: lanes[event.domain],
  subject: event.ticker,
  model: modelAt(event, contract, at),
  modelVersion: "mock-1",
  basis: bases[event.domain],
  flags: [],
})

/** The days, counted from today, whose events may trade at a moment of it: from `first` up to, not including, `end`. */
const reach: Readonly<Record<Domain, readonly [first: number, end: number]>> = {
  weather: [-2, 3],
  crypto: [0, 2],
  nfl: [-1, 9],
  mlb: [-1, 3],
}

/** Events of a domain that trade at a moment. */
export const tradingAt = (domain: Domain, at: number): ReadonlyArray<WorldEvent> => {
  const today = Math.floor(at / day) * day
  const [first, end] = reach[domain]
  return eventsOf(domain, today + first * day, today + end * day).filter(
    ({ opensAt, closesAt }) => opensAt <= at && at < closesAt,
  )
}

/** Every contract that trades, its book as of the last full minute. */
export const openAt = (now: number): ReadonlyArray<Priced> => {
  const at = Math.floor(now / minute) * minute
  return domains.flatMap((domain) =>
    tradingAt(domain, at).flatMap((event) => event.contracts.map((contract) => pricedAt(event, contract, at))),
  )
}
