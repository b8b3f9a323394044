import * as Schema from "effect/Schema"
import type { Contract, VenueResult } from "../../../../core/contracts/Contract.ts"
import { venueSeries } from "../../../../core/lanes/crypto/contracts.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import { priceScale } from "../../../../core/record/scoreboard/hypothetical.ts"
import { instant, optional } from "../venueRequests.ts"

/** Lists are JSON inside a string, `"[\"Yes\", \"No\"]"`, or sometimes plain lists. */
const Words = Schema.Union(Schema.parseJson(Schema.Array(Schema.String)), Schema.Array(Schema.String))

const probability = Schema.Finite.pipe(Schema.between(0, 1))

export type Known = keyof typeof venueSeries.polymarket

/** A list; rows are parsed one by one, so that an unreadable one does not affect the others. */
const Rows = Schema.Array(Schema.Unknown)

/** Pages of events and of markets. The last one has no cursor; some services of the venue write the end as "LTE=". */
const next_cursor = optional(Schema.String)
export const EventsPage = Schema.Struct({ events: Rows, next_cursor })
export const MarketsPage = Schema.Struct({ markets: Rows, next_cursor })
export const cursorAfter = (cursor = ""): string => (cursor === "LTE=" ? "" : cursor)

/**
 * `GET /series?slug=`: a list of series. Public clients read it so; no answer is recorded here, so that only the two fields
 * that are needed are read, and a list without exactly one series of the slug is refused.
 */
export const SeriesList = Schema.Array(
  Schema.Struct({ id: Schema.String.pipe(Schema.pattern(/^\d{1,15}$/)), slug: optional(Schema.String) }),
)

export const Event = Schema.Struct({
  slug: Schema.NonEmptyString,
  seriesSlug: optional(Schema.String),
  markets: optional(Rows),
})

/** A market in its event's list, with the event's name. */
export const Listed = Schema.Struct({
  event: Schema.String,
  market: Schema.Struct({
    slug: Schema.NonEmptyString,
    question: Schema.String,
    outcomes: Words,
    endDate: instant,
    active: Schema.Boolean,
    closed: Schema.Boolean,
    acceptingOrders: optional(Schema.Boolean),
    groupItemTitle: optional(Schema.String),
    description: optional(Schema.String),
    resolutionSource: optional(Schema.String),
    bestBid: optional(probability),
    bestAsk: optional(probability),
    feesEnabled: optional(Schema.Boolean),
    feeSchedule: optional(Schema.Struct({ rate: Schema.Finite, exponent: Schema.Finite })),
  }),
})
type Market = (typeof Listed.Type)["market"]

export const ClosedMarket = Schema.Struct({
  slug: Schema.NonEmptyString,
  closed: Schema.Boolean,
  endDate: instant,
  closedTime: optional(Schema.String),
  umaResolutionStatus: optional(Schema.String),
  automaticallyResolved: optional(Schema.Boolean),
  outcomes: Words,
  outcomePrices: optional(Words),
}).pipe(
  Schema.filter(
    (market) => !isResolved(market) || market.outcomePrices !== undefined || "a resolved market without outcomePrices",
  ),
)

/** Resolved by the oracle, or by the venue itself, which then has no status of the oracle. */
const isResolved = (market: {
  readonly closed: boolean
  readonly umaResolutionStatus?: string | undefined
  readonly automaticallyResolved?: boolean | undefined
}): boolean =>
  market.umaResolutionStatus === undefined
    ? market.closed && market.automaticallyResolved === true
    : market.umaResolutionStatus === "resolved"

const isBinary = ({ outcomes: [yes, no, ...more] }: { readonly outcomes: ReadonlyArray<string> }): boolean =>
  yes === "Yes" && no === "No" && more.length === 0

/** The assets' names in questions. */
const names: Readonly<Record<Asset, string>> = { BTC: "Bitcoin", ETH: "Ethereum" }

/** "64,000", "$2,100.50" */
const parseDollars = (text: string): number | undefined => {
  const match = /^\$?(\d{1,3}(?:,\d{3})*|\d+)(\.\d+)?$/.exec(text.trim())
  return match === null ? undefined : Number(match[1]!.replaceAll(",", "") + (match[2] ?? ""))
}

/** The strike in a question on the asset's price; the group of strikes must show the same one. */
const readStrike = ({ question, groupItemTitle = "" }: Market, asset: Asset): number | undefined => {
  const asked = new RegExp(`^Will the price of ${names[asset]} be above (\\$[\\d.,]+) on `).exec(question)
  const strike = parseDollars(asked?.[1] ?? "")
  return strike === parseDollars(groupItemTitle) ? strike : undefined
}

/** The resolution source in the description, up to the end of that clause. */
const parseSource = (description: string): string | undefined =>
  /The resolution source for this market is (.+?)(?: currently|\.(?:\s|$)|$)/.exec(description)?.[1]

/** Takers pay rate · (p · (1 − p)) ^ exponent per contract; only exponent 1 is supported. */
const readFeeRate = ({ feesEnabled, feeSchedule }: Market): number | undefined => {
  if (feesEnabled === false) return 0
  const rate = feeSchedule?.exponent === 1 ? Math.round(feeSchedule.rate * priceScale) : Number.NaN
  return rate >= 0 && rate <= priceScale ? rate : undefined
}

/**
 * Supports only closing prices of the series' own asset above a strike, checked by question, strike and source; any other
 * market is left out, whatever its slug.
 */
export const readContract = (
  { event, market }: typeof Listed.Type,
  name: Known,
  quotedAt: number,
): Contract | undefined => {
  const { bestBid = 0, bestAsk = 1, acceptingOrders = false, description = "" } = market
  const asset = venueSeries.polymarket[name]
  const [floorStrike, source] = [readStrike(market, asset), parseSource(description)]
  const [closeTime, feeRate, yesBid] = [
    Date.parse(market.endDate),
    readFeeRate(market),
    Math.round(bestBid * priceScale),
  ]
  if (!isBinary(market) || !market.active || market.closed || !acceptingOrders || closeTime <= quotedAt)
    return undefined
  if (floorStrike === undefined || source === undefined || !isClose(source, asset)) return undefined
  return {
    domain: "crypto",
    venue: "polymarket",
    series: name,
    event,
    ticker: market.slug,
    title: market.question,
    strikeType: "greater",
    floorStrike,
    closeTime,
    settlesOn: source,
    ...(feeRate === undefined ? {} : { feeRate }),
    bidAsk: { yesBid, yesAsk: Math.round(bestAsk * priceScale), noAsk: priceScale - yesBid },
    quotedAt,
  }
}

const isClose = (source: string, asset: Asset): boolean =>
  new RegExp(`\\b${asset}[/_]USDT?\\b`).test(source) && /\bclose\b/i.test(source)

/** "2026-07-07 21:25:17+00" */
const readCloseTime = ({ closedTime, endDate }: typeof ClosedMarket.Type): number => {
  const closed = Date.parse((closedTime ?? "").replace(" ", "T").replace(/\+00$/, "Z"))
  const end = Date.parse(endDate)
  return Number.isNaN(closed) ? end : Math.min(closed, end)
}

/** The result from the final prices of both outcomes; other prices are not a result. */
const results: Readonly<Record<string, VenueResult["result"]>> = {
  "1/0": "yes",
  "0/1": "no",
  "0.5/0.5": "void",
  "0/0": "void",
}

/** The result of a market once it is resolved and its prices are its payouts. */
export const readOutcome = (market: typeof ClosedMarket.Type): VenueResult | undefined => {
  const { slug, closed, outcomePrices = [] } = market
  if (!closed || !isResolved(market) || !isBinary(market)) return undefined
  const result = results[outcomePrices.map(Number).join("/")]
  return result === undefined ? undefined : { ticker: slug, closedAt: readCloseTime(market), result }
}
