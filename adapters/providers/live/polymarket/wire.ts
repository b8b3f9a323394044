import * as Schema from "effect/Schema"
import type { Contract, Outcome } from "../../../../core/lanes/markets/contract.ts"
import { dollar } from "../../../../core/record/hypothetical.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

/** Lists come as JSON inside a string, `"[\"Yes\", \"No\"]"`, and here and there as they are. */
const Words = Schema.Union(Schema.parseJson(Schema.Array(Schema.String)), Schema.Array(Schema.String))

const probability = Schema.Finite.pipe(Schema.between(0, 1))
const instant = Schema.String.pipe(Schema.filter((text) => !Number.isNaN(Date.parse(text))))

/** A market of an event as it is listed. */
export const Listed = Schema.Struct({
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
})

export const Events = Schema.Array(
  Schema.Struct({
    slug: Schema.NonEmptyString,
    seriesSlug: optional(Schema.String),
    markets: optional(Schema.Array(Schema.Unknown)),
  }),
)

/** What is needed of a market that has ended. */
export const Ended = Schema.Struct({
  slug: Schema.NonEmptyString,
  closed: Schema.Boolean,
  endDate: instant,
  closedTime: optional(Schema.String),
  umaResolutionStatus: optional(Schema.String),
  outcomes: Words,
  outcomePrices: optional(Words),
})

export const Markets = Schema.Array(Schema.Unknown)

const isBinary = ({ outcomes }: { readonly outcomes: ReadonlyArray<string> }): boolean =>
  outcomes.length === 2 && outcomes[0] === "Yes" && outcomes[1] === "No"

/** "64,000" as the group of strikes shows it. */
const strikeOf = (text: string): number | undefined => {
  const match = /^\$?(\d{1,3}(?:,\d{3})*|\d+)(\.\d+)?$/.exec(text.trim())
  return match === null ? undefined : Number(match[1]!.replaceAll(",", "") + (match[2] ?? ""))
}

/** What the description names as the resolution source, up to the end of that clause. */
const sourceOf = ({ resolutionSource = "", description = "" }: typeof Listed.Type): string =>
  resolutionSource !== ""
    ? resolutionSource
    : (/The resolution source for this market is (.+?)(?: currently|\.(?:\s|$)|$)/.exec(description)?.[1] ??
      "the venue's own rules")

/** Only prices "above" a strike are understood; anything else is left out. */
export const contractOf = (
  market: typeof Listed.Type,
  event: string,
  series: string,
  quotedAt: number,
): Contract | undefined => {
  const { bestBid = 0, bestAsk = 1, acceptingOrders = false } = market
  const floorStrike = strikeOf(market.groupItemTitle ?? "")
  if (!isBinary(market) || !market.active || market.closed || !acceptingOrders) return undefined
  if (floorStrike === undefined || !/\babove\b/i.test(market.question)) return undefined
  const yesBid = Math.round(bestBid * dollar)
  return {
    domain: "crypto",
    venue: "polymarket",
    series,
    event,
    ticker: market.slug,
    title: market.question,
    strikeType: "greater",
    floorStrike,
    closeTime: Date.parse(market.endDate),
    settlesOn: sourceOf(market),
    // Where fees are on, their schedule is not told with the market.
    ...(market.feesEnabled === false ? { feeRate: 0 } : {}),
    book: { yesBid, yesAsk: Math.round(bestAsk * dollar), noAsk: dollar - yesBid },
    quotedAt,
  }
}

/** "2026-07-07 21:25:17+00" */
const closedAtOf = ({ closedTime, endDate }: typeof Ended.Type): number => {
  const closed = Date.parse((closedTime ?? "").replace(" ", "T").replace(/\+00$/, "Z"))
  const end = Date.parse(endDate)
  return Number.isNaN(closed) ? end : Math.min(closed, end)
}

/** What has become of a market: decided when it is resolved at 1 and 0; anything else that is resolved is void. */
export const outcomeOf = (market: typeof Ended.Type): Outcome | undefined => {
  const { slug, closed, umaResolutionStatus, outcomePrices = [] } = market
  if (!closed || umaResolutionStatus !== "resolved") return undefined
  const [yes, no] = outcomePrices.map(Number)
  const result =
    isBinary(market) && yes === 1 && no === 0 ? "yes" : isBinary(market) && yes === 0 && no === 1 ? "no" : "void"
  return { ticker: slug, closedAt: closedAtOf(market), result }
}
