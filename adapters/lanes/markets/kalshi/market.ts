import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Contract, Depth, VenueResult } from "../../../../core/contracts/Contract.ts"
import { parseTickerDay } from "../../../../core/contracts/tickers.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { priceScale } from "../../../../core/record/scoreboard/hypothetical.ts"
import type { Domain } from "../../../../core/record/scoreboard/Settled.ts"
import { instant, optional } from "../venueRequests.ts"

/** A price is a decimal string of dollars, "0.0100", with up to six decimals. */
const price = Schema.String.pipe(
  Schema.filter((text) => /^[01](\.\d{1,6})?$/.test(text) && Number(text) <= 1),
  Schema.annotations({ description: "a price from 0 to 1 dollar" }),
)

/** A number of contracts is a decimal string, "1642.25", with up to two decimals. */
const contracts = Schema.String.pipe(
  Schema.filter((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text)),
  Schema.annotations({ description: "a number of contracts" }),
)

const common = {
  ticker: Schema.NonEmptyString,
  event_ticker: Schema.NonEmptyString,
  status: Schema.String,
  close_time: instant,
}

/** Whole millionths of a dollar, the unit of six decimals. */
const toMicros = (text: string): number => Math.round(Number(text) * 1_000_000)

/** The strike at the end of a ticker: one bound, `-T89`, or the middle of a range, `-B85.5`. */
const parseTickerStrike = (ticker: string): number | undefined => {
  const [, strike] = /-[TB](\d+(?:\.\d+)?)$/.exec(ticker) ?? []
  return strike === undefined ? undefined : Number(strike)
}

/** Tickers of prices leave out cents, and the middle of a range may be rounded. */
const strikeTolerance = 1

/** The hour of the close in an hourly event's ticker, `KXBTCD-26JUL1117`, New York time. */
const parseTickerHour = (event: string): string | undefined => {
  const { day, rest } = parseTickerDay(event) ?? {}
  return day !== undefined && /^[0-2]\d$/.test(rest ?? "") ? `${day}T${rest}` : undefined
}

const newYork = DateTime.zoneUnsafeMakeNamed("America/New_York")
const newYorkHour = (closeTime: string): string =>
  DateTime.formatIsoZoned(DateTime.unsafeMakeZoned(closeTime, { timeZone: newYork })).slice(0, 13)

interface Quoted {
  readonly yes_bid_dollars: string
  readonly yes_ask_dollars: string
  readonly no_ask_dollars: string
}

/** An empty book is quoted as 0 and 1, or as 0 on all sides. */
const isUnquoted = ({ yes_bid_dollars, yes_ask_dollars, no_ask_dollars }: Quoted): boolean =>
  [yes_bid_dollars, yes_ask_dollars, no_ask_dollars].every((text) => Number(text) === 0)

interface Row extends Quoted {
  readonly ticker: string
  readonly event_ticker: string
  readonly close_time: string
  readonly floor_strike?: number | undefined
  readonly cap_strike?: number | undefined
}

/** Why a row contradicts itself; undefined if it does not. */
const findContradiction = (row: Row): string | undefined => {
  // An offer of "no" is a bid for "yes".
  if (!isUnquoted(row) && Math.abs(toMicros(row.yes_bid_dollars) + toMicros(row.no_ask_dollars) - 1_000_000) > 1) {
    return `yes_bid_dollars ${row.yes_bid_dollars} and no_ask_dollars ${row.no_ask_dollars} do not add up to 1`
  }
  const [strike, floor, cap] = [parseTickerStrike(row.ticker), row.floor_strike, row.cap_strike]
  const named = [floor, cap, floor === undefined || cap === undefined ? undefined : (floor + cap) / 2]
  const prices = named.filter((each) => each !== undefined)
  if (strike !== undefined && prices.length > 0 && !prices.some((each) => Math.abs(each - strike) < strikeTolerance)) {
    return `floor_strike or cap_strike is not that of ${row.ticker}`
  }
  const hour = parseTickerHour(row.event_ticker)
  return hour === undefined || newYorkHour(row.close_time) === hour
    ? undefined
    : `close_time ${row.close_time} is not that of ${row.event_ticker}`
}

/** A listed market. Strikes that its type does not use are absent; the type is not derivable from the ticker. */
export const Listed = Schema.Struct({
  ...common,
  market_type: optional(Schema.String),
  title: optional(Schema.String),
  yes_sub_title: optional(Schema.String),
  strike_type: optional(Schema.String),
  floor_strike: optional(Schema.Finite),
  cap_strike: optional(Schema.Finite),
  rules_primary: optional(Schema.String),
  yes_bid_dollars: price,
  yes_ask_dollars: price,
  no_ask_dollars: price,
  yes_ask_size_fp: optional(contracts),
  yes_bid_size_fp: optional(contracts),
  volume_fp: optional(contracts),
  open_interest_fp: optional(contracts),
  fee_waiver_expiration_time: optional(instant),
}).pipe(Schema.filter((row) => findContradiction(row) ?? true))

export const ClosedMarket = Schema.Struct({ ...common, result: Schema.String, settlement_ts: optional(instant) })

/** A page; rows are parsed one by one, so that an unreadable one does not affect the others. */
export const pageSchema = (name: "markets" | "events") =>
  Schema.Struct({
    rows: Schema.propertySignature(Schema.Array(Schema.Unknown)).pipe(Schema.fromKey(name)),
    cursor: optional(Schema.String),
  })

export const Series = Schema.Struct({
  series: Schema.Struct({
    ticker: Schema.String,
    fee_type: Schema.String,
    fee_multiplier: optional(Schema.Finite),
    settlement_sources: optional(Schema.Array(Schema.Struct({ name: optional(Schema.String) }))),
  }),
})

export type SeriesTerms = (typeof Series.Type)["series"]

/** An event's own fee: both of its fields, or neither. */
export const EventTerms = Schema.Struct({
  event_ticker: Schema.NonEmptyString,
  fee_type_override: optional(Schema.String),
  fee_multiplier_override: optional(Schema.Finite),
})

/** Takers pay 0.07 · multiplier · contracts · p · (1 − p). */
const takerRate = 700
/** The types with this curve; they differ in the fees of makers. */
const quadratic = new Set(["quadratic", "quadratic_with_maker_fees", "quadratic_with_combo_maker_fees"])

const typeRate = (type: string, multiplier: number): number | undefined => {
  const rate = Math.round(takerRate * multiplier)
  return quadratic.has(type) && rate >= 0 && rate <= priceScale ? rate : undefined
}

/** The rate in force for a contract, ten-thousandths; undefined if the venue states none of this form. */
export const readFeeRate = (
  { fee_waiver_expiration_time: waivedUntil }: typeof Listed.Type,
  { fee_type, fee_multiplier = 1 }: SeriesTerms,
  event: typeof EventTerms.Type | undefined,
  now: number,
): number | undefined => {
  if (waivedUntil !== undefined && now < Date.parse(waivedUntil)) return 0
  if (event === undefined) return undefined
  const { fee_type_override: type, fee_multiplier_override: multiplier } = event
  if (type === undefined && multiplier === undefined) return typeRate(fee_type, fee_multiplier)
  return type === undefined || multiplier === undefined ? undefined : typeRate(type, multiplier)
}

/** Whether a market is open and of the requested series: a server may ignore an unknown filter. */
export const isOpen = (
  { status, market_type = "binary", event_ticker, close_time }: typeof Listed.Type,
  series: string,
  now: number,
): boolean =>
  status === "active" &&
  market_type === "binary" &&
  event_ticker.startsWith(`${series}-`) &&
  now < Date.parse(close_time)

/** The settlement source in a market's rules; sources change between the events of one series. */
export const parseSource = (rules: string): string | undefined =>
  /(?:according to|as reported by)(?: the)? (.+?)(?:,| for | then |\.(?:\s|$)|$)/.exec(rules)?.[1]?.trim()

const listSources = ({ settlement_sources = [] }: SeriesTerms): string =>
  settlement_sources.flatMap(({ name }) => name ?? []).join(", ") || "the venue's own rules"

/** Whole ten-thousandths of a dollar. Finer prices are rounded against the trader: bids down, asks up. */
const parseBid = (text: string): number => Math.floor(toMicros(text) / (1_000_000 / priceScale))
const parseAsk = (text: string): number => Math.ceil(toMicros(text) / (1_000_000 / priceScale))

/**
 * The type of strike. Markets on a team's margin may have their team for a strike (`structured`) and the number beside it:
 * then the rules say which side of it pays. "Wins by more than 4.5 points" is strict.
 */
const readStrikeType = ({ strike_type, floor_strike, cap_strike, rules_primary = "" }: typeof Listed.Type) => {
  if (strike_type !== "structured" || floor_strike === undefined || cap_strike !== undefined) return strike_type
  const [, margin] = /\bwins by (?:more than|over) (\d+(?:\.\d+)?) (?:points|runs) in /.exec(rules_primary) ?? []
  return Number(margin) === floor_strike ? "greater" : strike_type
}

/** A market's name; the venue has deprecated the title, and names the event in every market. */
const readTitle = ({ title = "", yes_sub_title = "", event_ticker }: typeof Listed.Type): string =>
  [title.replaceAll("**", "").trim() || event_ticker, yes_sub_title.trim()].filter((text) => text !== "").join(" — ")

const numberField = <K extends keyof Depth>(name: K, text: string | undefined) =>
  ifDefined(name, text === undefined ? undefined : Number(text))

const readDepth = (market: typeof Listed.Type): Depth => ({
  ...numberField("yesAskSize", market.yes_ask_size_fp),
  // A bid for "yes" is an offer of "no".
  ...numberField("noAskSize", market.yes_bid_size_fp),
  ...numberField("volume", market.volume_fp),
  ...numberField("openInterest", market.open_interest_fp),
})

export const readContract = (
  market: typeof Listed.Type,
  domain: Domain,
  series: string,
  terms: SeriesTerms,
  feeRate: number | undefined,
  quotedAt: number,
): Contract => ({
  domain,
  venue: "kalshi",
  series,
  event: market.event_ticker,
  ticker: market.ticker,
  title: readTitle(market),
  ...ifDefined("strikeType", readStrikeType(market)),
  ...ifDefined("floorStrike", market.floor_strike),
  ...ifDefined("capStrike", market.cap_strike),
  closeTime: Date.parse(market.close_time),
  settlesOn: parseSource(market.rules_primary ?? "") ?? listSources(terms),
  ...ifDefined("feeRate", feeRate),
  bidAsk: isUnquoted(market)
    ? { yesBid: 0, yesAsk: priceScale, noAsk: priceScale }
    : {
        yesBid: parseBid(market.yes_bid_dollars),
        yesAsk: parseAsk(market.yes_ask_dollars),
        noAsk: parseAsk(market.no_ask_dollars),
      },
  depth: readDepth(market),
  quotedAt,
})

/**
 * The result of a finalized market. While it is `determined` the settlement timer runs, and a `disputed` result may be
 * `amended`. `finalized` is final, and `settled` its older name. A market without yes or no (a scalar) is void.
 */
export const readOutcome = ({
  ticker,
  status,
  result,
  close_time,
  settlement_ts,
}: typeof ClosedMarket.Type): VenueResult | undefined =>
  status !== "finalized" && status !== "settled"
    ? undefined
    : {
        ticker,
        closedAt: Math.min(...[close_time, settlement_ts ?? close_time].map((text) => Date.parse(text))),
        result: result === "yes" || result === "no" ? result : "void",
      }
