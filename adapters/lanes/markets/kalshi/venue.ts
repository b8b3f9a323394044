import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Contract, Depth, VenueResult } from "../../../../core/contracts/Contract.ts"
import type { ContractPricing } from "../../../../core/contracts/ContractPricing.ts"
import { dayIn } from "../../../../core/contracts/tickers.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type { Venue } from "../../../../core/lanes/markets/ports.ts"
import { priceScale } from "../../../../core/record/scoreboard/hypothetical.ts"
import type { Domain } from "../../../../core/record/scoreboard/Settled.ts"
import { whole } from "../../../../core/sources/identity.ts"
import { minute } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { callBudget, type RequestPolicy, toFailure, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { allPages, among, chunkByChunk, instant, optional, partByPart, readable } from "../venueRequests.ts"

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

/** Whole millionths of a dollar, which is what six decimals are. */
const micros = (text: string): number => Math.round(Number(text) * 1_000_000)

/** A strike as the ticker ends with it: one side of a bound, `-T89`, or the middle of a range, `-B85.5`. */
const strikeIn = (ticker: string): number | undefined => {
  const [, strike] = /-[TB](\d+(?:\.\d+)?)$/.exec(ticker) ?? []
  return strike === undefined ? undefined : Number(strike)
}

/** Tickers of prices leave out cents, and the middle of a range may be rounded. */
const strikeTolerance = 1

/** The hour of the close in an hourly event's ticker, `KXBTCD-26JUL1117`, New York time. */
const hourIn = (event: string): string | undefined => {
  const { day, rest } = dayIn(event) ?? {}
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

/** An empty book is 0 and 1, or 0 on all sides. */
const isUnquoted = ({ yes_bid_dollars, yes_ask_dollars, no_ask_dollars }: Quoted): boolean =>
  [yes_bid_dollars, yes_ask_dollars, no_ask_dollars].every((text) => Number(text) === 0)

interface Row extends Quoted {
  readonly ticker: string
  readonly event_ticker: string
  readonly close_time: string
  readonly floor_strike?: number | undefined
  readonly cap_strike?: number | undefined
}

/** Why a row contradicts itself; undefined: it does not. */
const contradiction = (row: Row): string | undefined => {
  // Who sells "no" buys "yes".
  if (!isUnquoted(row) && Math.abs(micros(row.yes_bid_dollars) + micros(row.no_ask_dollars) - 1_000_000) > 1) {
    return `yes_bid_dollars ${row.yes_bid_dollars} and no_ask_dollars ${row.no_ask_dollars} do not add up to 1`
  }
  const [strike, floor, cap] = [strikeIn(row.ticker), row.floor_strike, row.cap_strike]
  const named = [floor, cap, floor === undefined || cap === undefined ? undefined : (floor + cap) / 2]
  const prices = named.filter((each) => each !== undefined)
  if (strike !== undefined && prices.length > 0 && !prices.some((each) => Math.abs(each - strike) < strikeTolerance)) {
    return `floor_strike or cap_strike is not that of ${row.ticker}`
  }
  const hour = hourIn(row.event_ticker)
  return hour === undefined || newYorkHour(row.close_time) === hour
    ? undefined
    : `close_time ${row.close_time} is not that of ${row.event_ticker}`
}

/** A listed market. Strikes that its type does not use are absent; the type is not derivable from the ticker. */
const Listed = Schema.Struct({
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
}).pipe(Schema.filter((row) => contradiction(row) ?? true))

/** The used fields of a closed market. */
const ClosedMarket = Schema.Struct({ ...common, result: Schema.String, settlement_ts: optional(instant) })

/** A page; rows are parsed one by one, so that an unreadable one does not affect the others. */
const pageSchema = (name: "markets" | "events") =>
  Schema.Struct({
    rows: Schema.propertySignature(Schema.Array(Schema.Unknown)).pipe(Schema.fromKey(name)),
    cursor: optional(Schema.String),
  })

const Series = Schema.Struct({
  series: Schema.Struct({
    ticker: Schema.String,
    fee_type: Schema.String,
    fee_multiplier: optional(Schema.Finite),
    settlement_sources: optional(Schema.Array(Schema.Struct({ name: optional(Schema.String) }))),
  }),
})

type SeriesTerms = (typeof Series.Type)["series"]

/** An event's own fee: both of its fields, or neither. */
const EventTerms = Schema.Struct({
  event_ticker: Schema.NonEmptyString,
  fee_type_override: optional(Schema.String),
  fee_multiplier_override: optional(Schema.Finite),
})

/** Takers pay 0.07 · multiplier · contracts · p · (1 − p). */
const takerRate = 700
/** The types with this curve; they differ in what makers pay. */
const quadratic = new Set(["quadratic", "quadratic_with_maker_fees", "quadratic_with_combo_maker_fees"])

const typeRate = (type: string, multiplier: number): number | undefined => {
  const rate = Math.round(takerRate * multiplier)
  return quadratic.has(type) && rate >= 0 && rate <= priceScale ? rate : undefined
}

/** The rate in force for a contract, ten-thousandths; undefined where the venue does not state one of this form. */
const readFeeRate = (
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
const isOpen = (
  { status, market_type = "binary", event_ticker, close_time }: typeof Listed.Type,
  series: string,
  now: number,
): boolean =>
  status === "active" &&
  market_type === "binary" &&
  event_ticker.startsWith(`${series}-`) &&
  now < Date.parse(close_time)

/** The settlement source in a market's rules; sources change between the events of one series. */
export const sourceIn = (rules: string): string | undefined =>
  /(?:according to|as reported by)(?: the)? (.+?)(?:,| for | then |\.(?:\s|$)|$)/.exec(rules)?.[1]?.trim()

const listSources = ({ settlement_sources = [] }: SeriesTerms): string =>
  settlement_sources.flatMap(({ name }) => name ?? []).join(", ") || "the venue's own rules"

/** Whole ten-thousandths of a dollar. Finer prices are rounded against the trader: bids down, asks up. */
const parseBid = (text: string): number => Math.floor(micros(text) / (1_000_000 / priceScale))
const parseAsk = (text: string): number => Math.ceil(micros(text) / (1_000_000 / priceScale))

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
  // Who bids for "yes" offers "no".
  ...numberField("noAskSize", market.yes_bid_size_fp),
  ...numberField("volume", market.volume_fp),
  ...numberField("openInterest", market.open_interest_fp),
})

const readContract = (
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
  settlesOn: sourceIn(market.rules_primary ?? "") ?? listSources(terms),
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
const readOutcome = ({
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

const pageSizes = { markets: 1_000, events: 200 }
/** Tickers per request. */
const tickersPerRequest = 100
/** The longest age of a series' fees and sources, which change rarely, and of its events' own fees. */
const termsLast = 10 * minute
/** So many events that cannot be read in a round: the others are not asked for. */
const mostWithoutFees = 2

interface Asked {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

/** A server may ignore a filter that it does not know: a page without a row of those that were asked for is refused. */
const page = (name: "markets" | "events") =>
  Upstream.question(Upstream.json(pageSchema(name)), {
    path: ({ path }: Asked) => path,
    query: ({ query }) => query,
    identity: whole({
      name: ({ path }) => `The page of ${path}`,
      says: {
        series: ({ rows }, { query: { series_ticker } }) =>
          among(rows, "event_ticker", series_ticker, (ticker) => ticker.split("-")[0]!),
        tickers: ({ rows }, { query: { tickers } }) => among(rows, "ticker", tickers),
      },
    }),
  })

const pages = { markets: page("markets"), events: page("events") }

const series = Upstream.question(Upstream.json(Series), {
  path: (name: string) => `/series/${name}`,
  identity: whole({
    name: (name) => `The series ${name}`,
    says: { ticker: (answer, name) => [answer.series.ticker, name] },
  }),
})

/** Needs no API key. */
export const kalshi = Upstream.define({
  // The host for clients; the older api.elections.kalshi.com answers the same under KALSHI_URL.
  ...{ name: "kalshi", title: "Kalshi", url: "https://external-api.kalshi.com/trade-api/v2", redirects: false },
  terms:
    "Kalshi's Developer Agreement forbids caching, aggregating or sharing its data beyond a member's own trading; its Data Terms forbid commercial use.",
  ...callBudget,
  questions: { ...pages, series },
  probe: ({ ask }) => ask(series, "KXHIGHNY"),
})

const isFresh = (at: number, now: number): boolean => now - at < termsLast && now >= at

type EventFees = ReadonlyMap<string, typeof EventTerms.Type>

/** Fees by open event of a series. While they cannot be read, the last ones stand for ten minutes, then none; `notes` say so. */
const eventFees = (read: (series: string) => Effect.Effect<ReadonlyArray<typeof EventTerms.Type>, UpstreamError>) => {
  const cache = new Map<string, { readonly at: number; readonly fees: EventFees }>()
  return (name: string, now: number, notes: Array<string>): Effect.Effect<EventFees> => {
    const cached = cache.get(name)
    const standing: EventFees = cached !== undefined && isFresh(cached.at, now) ? cached.fees : new Map()
    if (notes.length >= mostWithoutFees) return Effect.succeed(standing)
    return Effect.match(read(name), {
      onSuccess: (events) => {
        const fees = new Map(events.map((event) => [event.event_ticker, event]))
        cache.set(name, { at: now, fees })
        return fees
      },
      onFailure: (error) => {
        notes.push(`The fees of ${name}'s events: ${toFailure(error).message}`)
        return standing
      },
    })
  }
}

/** Terms by series, read anew after ten minutes. */
const seriesTerms = (read: (series: string) => Effect.Effect<SeriesTerms, UpstreamError>) => {
  const cache = new Map<string, { readonly at: number; readonly terms: SeriesTerms }>()
  return (name: string, now: number) => {
    const cached = cache.get(name)
    if (cached !== undefined && isFresh(cached.at, now)) return Effect.succeed(cached.terms)
    return Effect.tap(read(name), (terms) => Effect.sync(() => cache.set(name, { at: now, terms })))
  }
}

/** Reads results. Markets settled long ago have another path. */
const outcomesOver =
  <E>(
    read: (path: string, tickers: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<typeof ClosedMarket.Type>, E>,
  ) =>
  (tickers: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const found = yield* read("/markets", tickers)
      const seen = new Set(found.map(({ ticker }) => ticker))
      const missing = tickers.filter((ticker) => !seen.has(ticker))
      const archived = missing.length === 0 ? [] : yield* read("/historical/markets", missing)
      const asked = new Set(tickers)
      return [...found, ...archived].flatMap((market) => (asked.has(market.ticker) && readOutcome(market)) || [])
    })

/** Kalshi: quotes and results of the lanes' series. */
export const make = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  pricings: ReadonlyArray<ContractPricing>,
  policy: RequestPolicy = {},
): Venue => {
  const { ask, upstream } = Upstream.over(kalshi, client, baseUrl, policy)
  const all = new Map(pricings.map((pricing) => [pricing.domain, pricing.series[upstream.name] ?? []]))

  const listed = (path: string, query: Readonly<Record<string, string>>, name: keyof typeof pageSizes = "markets") =>
    allPages(upstream, path, (cursor) =>
      Effect.map(
        ask(pages[name], {
          path,
          query: { ...query, limit: String(pageSizes[name]), ...(cursor === "" ? {} : { cursor }) },
        }),
        ({ rows, cursor: next = "" }) => ({ rows, next }),
      ),
    )

  const termsAt = seriesTerms((name) => Effect.map(ask(series, name), (answer) => answer.series))

  const fetchEventFees = eventFees((name) =>
    Effect.flatMap(
      listed("/events", { series_ticker: name, status: "open" }, "events"),
      readable(EventTerms, upstream),
    ),
  )

  const readOpen = (domain: Domain, name: string, notes: Array<string>) =>
    Effect.gen(function* () {
      const rows = yield* listed("/markets", { series_ticker: name, status: "open" })
      const now = yield* Clock.currentTimeMillis
      const markets = (yield* readable(Listed, upstream)(rows)).filter((market) => isOpen(market, name, now))
      if (markets.length === 0) return []
      const terms = yield* termsAt(name, now)
      const byTicker = yield* fetchEventFees(name, now, notes)
      return markets.map((market) => {
        const feeRate = readFeeRate(market, terms, byTicker.get(market.event_ticker), now)
        return readContract(market, domain, name, terms, feeRate, now)
      })
    })

  const readEnded = (path: string, tickers: ReadonlyArray<string>) =>
    Effect.flatMap(listed(path, { tickers: tickers.join(",") }), readable(ClosedMarket, upstream))

  return {
    name: upstream.name,
    domains: [...all.keys()],
    open: (domain) =>
      Effect.suspend(() => {
        const notes: Array<string> = []
        const read = partByPart(
          all.get(domain) ?? [],
          (name) => name,
          (name) => readOpen(domain, name, notes),
        )
        return Effect.map(read, (found) => ({ ...found, notes }))
      }),
    outcomes: (tickers) => chunkByChunk(tickers, tickersPerRequest, outcomesOver(readEnded)),
  }
}
