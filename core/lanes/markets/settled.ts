import * as Schema from "effect/Schema"
import { type Priced, qualityFlags } from "../../contracts/Contract.ts"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { change, notFound } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { clusterName } from "../../record/scoreboard/cluster.ts"
import { priceScale } from "../../record/scoreboard/hypothetical.ts"
import { pool } from "../../record/scoreboard/pool.ts"
import {
  type CurrentRow,
  type Domain,
  isLive,
  toMarketKey,
  toMarketProbability,
} from "../../record/scoreboard/Settled.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { iso } from "../../time.ts"
import { wire } from "../../wire.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import { recorded } from "../confidence.ts"
import { dataTerms } from "../fields.ts"
import { ContractHistory, refuseUnpriced, SettledPage } from "./fields.ts"
import {
  type CapturedContract,
  type CapturePlace,
  type ContractEnd,
  type HistoryScope,
  MarketHistory,
  Scoreboard,
  SettledRows,
} from "./ports.ts"
import { domainParam } from "./scoreFields.ts"

/** Rows per read of a group that is longer than a page. */
const groupReadRows = 500

/** The rule for choosing and scoring rows; the scoreboard uses it too. */
export const methodology =
  "One row per market: the last capture before the venue's actual close. market_prob is the midpoint of yes bid and yes ask; a market without two live sides at that moment is not scored. The venue's result is the outcome; voided markets are not scored. A changed result replaces the previous one, which stays in earlier_results. Probabilities are stored and scored in whole millionths."

/** The two sources of a contract's result, as sent, with their agreement if it is known. */
export const toBasis = ({ basis, agreement }: Pick<Priced, "basis" | "agreement">) => ({
  ...pickSources(basis),
  ...ifDefined("agreement", agreement),
})
const pickSources = wire<Priced["basis"]>()(["modelSource", "venueSource", "same"])

/** The strikes of a contract, as the venue states them. */
const pickStrikes = wire<Priced>()(["strikeType", "floorStrike", "capStrike"])

const pickTerms = wire<CurrentRow>()(["domain", "venue", "series", "ticker", "title", "instrument"], {
  ticker: "market_ticker",
})
const pickSource = wire<CurrentRow>()(["sourceResult", "sourceVoided"])

/** A settled row as sent; undefined for a row that is not scored. */
export const toRow = (row: CurrentRow): SettledPage["rows"][number] | undefined => {
  const { quotes, result } = row
  if (quotes === undefined || result === "void") return undefined
  return {
    ...pickTerms(row),
    ...pickStrikes(row),
    yes_bid: quotes.yesBid / priceScale,
    yes_ask: quotes.yesAsk / priceScale,
    no_ask: quotes.noAsk / priceScale,
    market_prob: toMarketProbability(quotes) / probabilityScale,
    model_prob: row.model / probabilityScale,
    pooled_prob: pool(row.model, toMarketProbability(quotes), row.poolWeight) / probabilityScale,
    pool_weight: row.poolWeight,
    model_version: row.modelVersion,
    close_time: iso(row.closeTime),
    captured_at: iso(row.capturedAt),
    result,
    ...pickSource(row),
    settlement_basis: toBasis(row),
    quality_flags: row.flags,
    event: row.event,
    cluster: clusterName(row),
    settled_at: iso(row.settledAt),
    ...ifDefined("fee_rate", row.feeRate === undefined ? undefined : row.feeRate / priceScale),
    capture_id: row.captureId,
    anchored: row.anchored,
    earlier_results: row.earlier.map((previous) => ({ result: previous.result, settled_at: iso(previous.settledAt) })),
  }
}

/** The time before which the rows of the page closed, epoch milliseconds. A cursor is the end of the previous page. */
const parseStart = (before: string | undefined, cursor: string | undefined): number | undefined | "bad" => {
  const from = before === undefined ? undefined : Date.parse(before)
  if (cursor === undefined) return from
  return /^\d{1,15}$/.test(cursor) && Number(cursor) < (from ?? Number.POSITIVE_INFINITY) ? Number(cursor) : "bad"
}

const isOneGroup = (rows: ReadonlyArray<CurrentRow>): boolean => rows[0]?.closeTime === rows.at(-1)?.closeTime

/**
 * Reads a page. Rows with the same close time stay together, so that the next page begins at the last close time: as many
 * such groups as fit in `limit`, or the first one, however long it is.
 */
const readPage = (rows: typeof SettledRows.Service, domain: Domain, from: number | undefined, limit: number) =>
  Step.gen(function* () {
    let read = yield* rows.after(domain, from === undefined ? undefined : { closeTime: from }, limit + 1)
    if (read.length <= limit) return { page: read }
    const beyond = read[limit]!
    while (isOneGroup(read)) {
      yield* yieldToEventLoop
      const rest: ReadonlyArray<CurrentRow> = yield* rows.after(domain, read.at(-1), groupReadRows)
      if (rest.length === 0) return { page: read }
      read = [...read, ...rest]
    }
    const complete = read.filter(({ closeTime }) => closeTime > beyond.closeTime)
    const page = complete.length > 0 ? complete : read.filter(({ closeTime }) => closeTime === beyond.closeTime)
    return { page, end: page.at(-1)!.closeTime }
  })

export const settled = Endpoint.make("/v1/markets/settled", {
  rows: "rows",
  kind: "Data",
  priceMicros: 0,
  auth: "none",
  summary: "Settled contracts: model probability, market probability, result",
  use: "Single past results; totals: `markets_performance`.",
  example: { domain: "weather", limit: 50 },
  params: Schema.Struct({
    domain: Param.withDefault(domainParam("Domain of the contracts."), "crypto"),
    limit: Param.withDefault(
      Param.integer(1, 500, "Rows per page. Rows with the same close time stay together, even if they are more."),
      200,
    ),
    before: Param.optional(
      Param.instant(
        "Only rows that closed before this time: `next_before` of the previous page. Pages go backwards in time.",
      ),
    ),
    cursor: Param.optional(
      Param.text(2048, "Opaque: `next_cursor` of the previous page; send the same `domain` and `before`."),
    ),
  }),
  results: SettledPage,
  ports: { rows: SettledRows, scoreboard: Scoreboard },
  answer: function* ({ domain, limit, before, cursor }, { rows, scoreboard }, give) {
    const from = parseStart(before, cursor)
    if (from === "bad") return yield* Cursor.badCursor
    const { board } = yield* scoreboard.current
    const { page, end } = yield* readPage(rows, domain, from, limit)
    const listed = page.flatMap((row) => toRow(row) ?? [])
    const counts = board.counts.get(domain)
    return give({
      results: {
        domain,
        count: listed.length,
        rows: listed,
        ...ifDefined("next_before", end === undefined ? undefined : iso(end)),
        methodology,
        excluded: { void: counts?.void ?? 0, no_quote: counts?.noQuote ?? 0 },
      },
      explained: explain(
        step(
          `Read ${listed.length} settled ${domain} rows, latest close first.`,
          cite("settled rows", `/v1/markets/settled?domain=${domain}`),
        ),
      ),
      confidence: recorded(1, plural(listed.length, "recorded row")),
      links: [{ id: domain, endpoints: [`/v1/markets/settled?domain=${domain}`, "/v1/markets/performance"] }],
      ...ifDefined("next", end === undefined ? undefined : String(end)),
    })
  },
})

/** Writes a position as a cursor; `decodePlace` reads it, undefined for an invalid one. */
const encodePlace = ({ venue, ticker, at, captureId }: CapturePlace): string =>
  JSON.stringify([venue, ticker, at, captureId])

const decodePlace = (text: string): CapturePlace | undefined => {
  try {
    const [venue, ticker, at, captureId] = JSON.parse(text) as ReadonlyArray<unknown>
    return typeof venue === "string" &&
      typeof ticker === "string" &&
      typeof captureId === "string" &&
      Number.isSafeInteger(at)
      ? { venue, ticker, at: at as number, captureId }
      : undefined
  } catch {
    return undefined
  }
}

export const toPlace = ({ contract: { venue, ticker }, at, captureId }: CapturedContract): CapturePlace => ({
  venue,
  ticker,
  at,
  captureId,
})

/** A price of 0 or 1 dollar means that this side of the book is empty. */
const toQuote = (price: number): number | undefined =>
  price > 0 && price < priceScale ? price / priceScale : undefined

const pickDepth = wire<NonNullable<Priced["depth"]>>()(["yesAskSize", "noAskSize", "volume", "openInterest"])

export const toPoint = ({ at, captureId, contract }: CapturedContract): ContractHistory["points"][number] => {
  const { ticker, model, modelVersion, poolWeight = 0, bidAsk, depth } = contract
  const market = isLive(bidAsk) ? toMarketProbability(bidAsk) : undefined
  return {
    market: ticker,
    captured_at: iso(at),
    model_prob: model / probabilityScale,
    ...(market !== undefined && {
      market_prob: market / probabilityScale,
      pooled_prob: pool(model, market, poolWeight) / probabilityScale,
    }),
    pool_weight: poolWeight,
    ...ifDefined("yes_bid", toQuote(bidAsk.yesBid)),
    ...ifDefined("yes_ask", toQuote(bidAsk.yesAsk)),
    ...ifDefined("no_ask", toQuote(bidAsk.noAsk)),
    ...pickDepth(depth ?? {}),
    model_version: modelVersion,
    quality_flags: qualityFlags(contract),
    capture_id: captureId,
  }
}

const pickNames = wire<Priced>()(["venue", "ticker", "title", "instrument"], { ticker: "market" })

const toContract = (
  { contract }: CapturedContract,
  end: ContractEnd | undefined,
  now: number,
): ContractHistory["contracts"][number] => ({
  ...pickNames(contract),
  ...pickStrikes(contract),
  close_time: iso(contract.closeTime),
  status: end !== undefined ? "settled" : contract.closeTime > now ? "open" : "closed",
  ...(end === undefined ? {} : { result: end.result, settled_at: iso(end.settledAt) }),
  settlement_basis: toBasis(contract),
  ...ifDefined("fee_rate", contract.feeRate === undefined ? undefined : contract.feeRate / priceScale),
})

export const history = Endpoint.make("/v1/markets/history", {
  rows: "points",
  ...dataTerms(10_000),
  summary: "Model and market price of a contract over time; free once settled",
  use: "How its price and our probability moved. Tickers: `markets_edge`, `markets_settled`.",
  example: { market: "KXHIGHNY-26JUL08-T82", limit: 3 },
  params: Schema.Struct({
    market: Param.optional(Param.text(64, "One contract, by its ticker.")),
    event: Param.optional(
      Param.text(64, "All contracts of an event, such as a station's day, by the beginning of their tickers."),
    ),
    start: Param.optional(Param.instant("Captures from this time on.")),
    end: Param.optional(Param.instant("Captures before this time.")),
    limit: Param.withDefault(Param.integer(1, 200, "Rows on this page."), 200),
    cursor: Param.paging.cursor,
  }),
  check: ({ market, event, start, end }, bad, now) => [
    ...refuseUnpriced({ market, event }),
    ...((market === undefined) === (event === undefined) && !bad.has("market") && !bad.has("event")
      ? [
          {
            field: market === undefined ? "market" : "event",
            action: market === undefined ? "add" : "remove",
            suggestion: "Send market or event.",
          } as const,
        ]
      : []),
    ...(start !== undefined && Date.parse(start) > now ? [change("start", "start must not be in the future.")] : []),
    ...(start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start)
      ? [change("end", "end must be after start.")]
      : []),
  ],
  results: ContractHistory,
  ports: { history: MarketHistory },
  answer: function* ({ market, event, start, end, limit, cursor }, { history }, give) {
    const after = cursor === undefined ? undefined : decodePlace(cursor)
    if (cursor !== undefined && after === undefined) return yield* Cursor.badCursor
    const scope: HistoryScope = market === undefined ? { event: event! } : { market }
    const name = market ?? event!
    const read = yield* history.captures({
      scope,
      from: start === undefined ? 0 : Date.parse(start),
      until: end === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(end),
      after,
      limit: limit + 1,
    })
    const captures = read.slice(0, limit)
    // The last capture of each contract has its newest terms.
    const last = new Map(captures.map((capture) => [toMarketKey(capture.contract), capture]))
    if (last.size === 0) {
      return yield* notFound(
        `No capture of ${name}${start === undefined && end === undefined ? "" : " in this time"}.`,
        change(
          market === undefined ? "event" : "market",
          "Use a ticker of /v1/markets/edge or /v1/markets/settled, or a longer time.",
        ),
      )
    }
    const ended = yield* history.ends([...last.values()].map(({ contract }) => contract))
    const now = yield* Step.now
    const [first, newest] = [captures[0]!, captures.at(-1)!]
    const isFree = ended.size === last.size
    const path = `/v1/markets/history?${new URLSearchParams(scope as Readonly<Record<string, string>>)}`
    return give({
      results: {
        contracts: [...last.values()].map((capture) =>
          toContract(capture, ended.get(toMarketKey(capture.contract)), now),
        ),
        count: captures.length,
        points: captures.map(toPoint),
      },
      explained: explain(
        step(
          `Read ${plural(captures.length, "capture")} of ${plural(last.size, "contract")} of ${name}, ${iso(first.at)} to ${iso(newest.at)}.`,
          cite("captured contracts", path),
        ),
        "Each capture has the model's probability and the book at one moment before the close.",
        isFree
          ? "All of them have settled: this answer is free."
          : `${last.size - ended.size} of them have not settled.`,
      ),
      confidence: recorded(1, plural(captures.length, "recorded row")),
      links: [...last.values()].map(({ contract: { ticker } }) => ({
        id: ticker,
        endpoints: [`/v1/markets/history?${new URLSearchParams({ market: ticker })}`],
      })),
      ...(isFree ? { billable: false } : {}),
      ...ifDefined("next", read.length > limit ? encodePlace(toPlace(newest)) : undefined),
    })
  },
})
