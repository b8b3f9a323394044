import * as Schema from "effect/Schema"
import { qualityFlagsOf } from "../../contracts/Contract.ts"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { change, notFound } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { priceScale } from "../../record/scoreboard/hypothetical.ts"
import { pool } from "../../record/scoreboard/pool.ts"
import { isLive, keyOf, marketOf } from "../../record/scoreboard/Settled.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { iso } from "../../time.ts"
import { recorded } from "../confidence.ts"
import { data } from "../fields.ts"
import { ContractHistory, pricedTickers } from "./fields.ts"
import { type CapturedContract, type CapturePlace, type Ended, type HistoryOf, MarketHistory } from "./ports.ts"
import { basisOf, strikesOf } from "./settled.ts"

/** A place as the text of a cursor, and back; undefined for a text that is none. */
const textOf = ({ venue, ticker, at, captureId }: CapturePlace): string =>
  JSON.stringify([venue, ticker, at, captureId])

const placeIn = (text: string): CapturePlace | undefined => {
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

/** Where the page after a capture begins. */
export const placeOf = ({ contract: { venue, ticker }, at, captureId }: CapturedContract): CapturePlace => {
  return { venue, ticker, at, captureId }
}

/** A side of 0 or 1 dollar is no quote. */
const quote = (price: number): number | undefined => (price > 0 && price < priceScale ? price / priceScale : undefined)

/** A capture on the wire. */
export const pointOf = ({ at, captureId, contract }: CapturedContract): ContractHistory["points"][number] => {
  const { ticker, model, modelVersion, poolWeight = 0, bidAsk, depth } = contract
  const market = isLive(bidAsk) ? marketOf(bidAsk) : undefined
  return {
    market: ticker,
    at: iso(at),
    model_prob: model / probabilityScale,
    ...(market !== undefined && {
      market_prob: market / probabilityScale,
      pooled_prob: pool(model, market, poolWeight) / probabilityScale,
    }),
    pool_weight: poolWeight,
    ...ifDefined("yes_bid", quote(bidAsk.yesBid)),
    ...ifDefined("yes_ask", quote(bidAsk.yesAsk)),
    ...ifDefined("no_ask", quote(bidAsk.noAsk)),
    ...ifDefined("yes_ask_size", depth?.yesAskSize),
    ...ifDefined("no_ask_size", depth?.noAskSize),
    ...ifDefined("volume", depth?.volume),
    ...ifDefined("open_interest", depth?.openInterest),
    model_version: modelVersion,
    quality_flags: qualityFlagsOf(contract),
    capture_id: captureId,
  }
}

const contractOf = (
  { contract }: CapturedContract,
  end: Ended | undefined,
  now: number,
): ContractHistory["contracts"][number] => ({
  venue: contract.venue,
  market: contract.ticker,
  title: contract.title,
  instrument: contract.instrument,
  ...strikesOf(contract),
  close_time: iso(contract.closeTime),
  status: end !== undefined ? "settled" : contract.closeTime > now ? "open" : "closed",
  ...(end === undefined ? {} : { result: end.result, settled_at: iso(end.settledAt) }),
  settlement_basis: basisOf(contract),
  ...ifDefined("fee_rate", contract.feeRate === undefined ? undefined : contract.feeRate / priceScale),
})

/** What model and book said of a contract at any time, free once all of a page's contracts have settled. */
export const history = Endpoint.make("/v1/markets/history", {
  rows: "points",
  ...data(10_000),
  summary: "What model and book said of a contract over time; free once settled",
  use: "How its price and our probability moved. Tickers: `markets_edge`, `markets_settled`.",
  example: { market: "KXHIGHNY-26JUL08-T82", limit: 3 },
  params: Schema.Struct({
    market: Param.optional(Param.text(64, "One contract, by its ticker.")),
    event: Param.optional(
      Param.text(64, "All contracts of an event whose tickers begin with it, such as a station's day."),
    ),
    start: Param.optional(Param.instant("Captures from this time on.")),
    end: Param.optional(Param.instant("Captures before this time.")),
    limit: Param.withDefault(Param.integer(1, 1_000, "Most rows on this page."), 200),
    cursor: Param.paging.cursor,
  }),
  check: ({ market, event, start, end }, bad, now) => [
    ...pricedTickers({ market, event }),
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
    const after = cursor === undefined ? undefined : placeIn(cursor)
    if (cursor !== undefined && after === undefined) return yield* Cursor.bad
    const of: HistoryOf = market === undefined ? { event: event! } : { market }
    const name = market ?? event!
    const found = yield* history.captures({
      of,
      from: start === undefined ? 0 : Date.parse(start),
      until: end === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(end),
      after,
      limit: limit + 1,
    })
    const captures = found.slice(0, limit)
    // The last capture of each contract has its newest terms.
    const last = new Map(captures.map((capture) => [keyOf(capture.contract), capture]))
    if (last.size === 0) {
      return yield* notFound(
        `No capture of ${name}${start === undefined && end === undefined ? "" : " in this time"}.`,
        change(
          market === undefined ? "event" : "market",
          "Use a ticker of /v1/markets/edge or /v1/markets/settled, or a longer time.",
        ),
      )
    }
    const ended = yield* history.ended([...last.values()].map(({ contract }) => contract))
    const now = yield* Step.now
    const [first, newest] = [captures[0]!, captures.at(-1)!]
    const isFree = ended.size === last.size
    const path = `/v1/markets/history?${new URLSearchParams(of as Readonly<Record<string, string>>)}`
    return give({
      results: {
        contracts: [...last.values()].map((capture) => contractOf(capture, ended.get(keyOf(capture.contract)), now)),
        count: captures.length,
        points: captures.map(pointOf),
      },
      explained: explain(
        step(
          `Read ${plural(captures.length, "capture")} of ${plural(last.size, "contract")} of ${name}, ${iso(first.at)} to ${iso(newest.at)}.`,
          cite("captured contracts", path),
        ),
        "Each has model and book of one moment before the close, as recorded then.",
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
      ...ifDefined("next", found.length > limit ? textOf(placeOf(newest)) : undefined),
    })
  },
})
