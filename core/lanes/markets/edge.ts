import * as Effect from "effect/Effect"
import { type Priced, qualityFlags } from "../../contracts/Contract.ts"
import type { SignalCall } from "../../contracts/ContractPricing.ts"
import { edgeSide, expectedGain, poolContract } from "../../contracts/pooled.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { fail } from "../../Failure.ts"
import { behind, gapText, isBehind } from "../../feeds/Due.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import { unpublished, type Weights } from "../../record/scoreboard/anchorWeight.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { feePerContract, minEdge, priceScale, suggestedAsk } from "../../record/scoreboard/hypothetical.ts"
import { type Domain, domains, marketOf } from "../../record/scoreboard/Settled.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { iso, minute } from "../../time.ts"
import { suggest } from "../answers.ts"
import type { Factor } from "../confidence.ts"
import { signalTerms } from "../fields.ts"
import {
  ageMs,
  type Book,
  type Books,
  isShown,
  maxQuoteAgeMs,
  maxShownAgeMs,
  type OpenBook,
  openBooks,
  openIn,
  orderBooks,
  type Ranked,
} from "./books.ts"
import { bookFeed } from "./coverage.ts"
import {
  boardRecord,
  callLinks,
  everything,
  explainBoard,
  listAlternatives,
  makeCounterfactual,
  mostAlternatives,
  scoreConfidence,
} from "./edgeTexts.ts"
import { Asked, EdgeBoard, pricedTickers } from "./fields.ts"
import { OpenContracts, type Poll, Scoreboard, SignalCalls } from "./ports.ts"
import { toBasis } from "./settled.ts"

/** A venue's book of a domain that is late. */
interface LateBook extends Pick<Poll, "venue" | "domain"> {
  /** Milliseconds; absent if it was never read. */
  readonly age?: number
  /** The venue answered for other series of the domain. */
  readonly isPart: boolean
}

/** The books whose last poll is too old, or of which open contracts have quotes that are: a venue failed, or a series of it. */
const lateBooks = (polls: ReadonlyArray<Poll>, books: ReadonlyArray<Book>, now: number): ReadonlyArray<LateBook> => {
  const ages = new Map<string, number>()
  const isLate = (age: number): boolean => age >= maxQuoteAgeMs
  for (const { venue, domain, closeTimes, quotedAt } of books) {
    const age = ageMs(quotedAt, now)
    if (now >= closeTimes.at(-1)! || !isLate(age)) continue
    const name = `${venue} ${domain}`
    ages.set(name, Math.max(age, ages.get(name) ?? 0))
  }
  return polls.flatMap(({ venue, domain, at }): ReadonlyArray<LateBook> => {
    const quotes = ages.get(`${venue} ${domain}`)
    if (at === undefined) return [{ venue, domain, isPart: false }]
    if (isLate(ageMs(at, now))) return [{ venue, domain, age: ageMs(at, now), isPart: false }]
    return quotes === undefined ? [] : [{ venue, domain, age: quotes, isPart: true }]
  })
}

const inMinutes = (ms: number): string => `${Math.floor(ms / minute)} min`

const lateBookName = ({ venue, domain, age, isPart }: LateBook): string =>
  `${isPart ? "a series of " : ""}${venue} ${domain} ${age === undefined ? "was never read" : `is ${inMinutes(age)} old`}`

/** The step of the reasoning that names the late books; none without any. */
const lateTexts = (late: ReadonlyArray<LateBook>): ReadonlyArray<string> =>
  late.length === 0
    ? []
    : [
        `Late books: ${late.map(lateBookName).join(", ")}. A book is late from ${inMinutes(maxQuoteAgeMs)} on and not listed from ${inMinutes(maxShownAgeMs)} on.`,
      ]

/** The share of the followed books that is not late; no factor without a late one. */
const lateFactor = (late: ReadonlyArray<LateBook>, polls: ReadonlyArray<Poll>): ReadonlyArray<Factor> =>
  late.length === 0
    ? []
    : [
        [
          `${late.length} of ${polls.length} venue books late: ${late.map(lateBookName).join(", ")}`,
          1 - late.length / polls.length,
        ],
      ]

type Row = EdgeBoard["edges"][number]

const retryHintMs = minute

const bookSpread = ({ bidAsk }: Priced): number => (bidAsk.yesAsk - bidAsk.yesBid) / priceScale

/** Fee at the ask of the suggested side, and the gain if the model alone were right. */
const costPerContract = ({ contract, edge }: Ranked) => {
  const { bidAsk, feeRate, model } = contract
  return {
    ...ifDefined(
      "fee_per_contract",
      feeRate === undefined ? undefined : feePerContract(feeRate, suggestedAsk(edge, bidAsk)),
    ),
    ...ifDefined("edge_after_fee", expectedGain(contract, edge, model)),
  }
}

const toDepth = ({ contract: { depth }, edge }: Ranked) => ({
  ...ifDefined("ask_size", edge < 0 ? depth?.noAskSize : depth?.yesAskSize),
  ...ifDefined("volume", depth?.volume),
  ...ifDefined("open_interest", depth?.openInterest),
})

/** The pool of model and market, and what a contract of the suggested side is worth by it. */
const pooledEstimate = ({ contract }: Ranked, weights: Weights) =>
  poolContract(contract, contract.model, weights[contract.domain].weight)

const toRow = (ranked: Ranked, call: SignalCall | undefined, weights: Weights): Row => {
  const { contract, edge } = ranked
  const { bidAsk } = contract
  return {
    venue: contract.venue,
    market: contract.ticker,
    title: contract.title,
    instrument: contract.instrument,
    ...(call === undefined ? {} : { subject: call.subject, signal_url: call.contractPath }),
    model_prob: contract.model / probabilityScale,
    market_prob: marketOf(bidAsk) / probabilityScale,
    edge: edge / probabilityScale,
    side: edgeSide(edge),
    ...costPerContract(ranked),
    ...pooledEstimate(ranked, weights),
    actionable: Math.abs(edge) >= minEdge,
    ...toDepth(ranked),
    spread: bookSpread(contract),
    yes_ask: bidAsk.yesAsk / priceScale,
    close_time: iso(contract.closeTime),
    model_version: contract.modelVersion,
    yes_bid: bidAsk.yesBid / priceScale,
    no_ask: bidAsk.noAsk / priceScale,
    quoted_at: iso(contract.quotedAt),
    settlement_basis: toBasis(contract),
    quality_flags: qualityFlags(contract),
  }
}

/** Filters of the rows, by parameter; those that are left out let all through. */
const filters: {
  readonly [K in keyof Asked]: (ranked: Ranked, wanted: NonNullable<Asked[K]>, weights: Weights) => boolean
} = {
  domain: ({ contract }, domain) => contract.domain === domain,
  venue: ({ contract }, venue) => contract.venue === venue,
  market: ({ contract }, market) => contract.ticker === market,
  min_edge: ({ edge }, least) => Math.abs(edge) >= Math.round(least * probabilityScale),
  min_gain: (ranked, least, weights) =>
    (pooledEstimate(ranked, weights).expected_gain ?? Number.NEGATIVE_INFINITY) >= least,
  max_spread: ({ contract }, most) => bookSpread(contract) <= most,
  side: ({ edge }, side) => edgeSide(edge) === side,
}
const isWanted = (ranked: Ranked, asked: Asked, weights: Weights): boolean =>
  Object.entries(asked).every(([name, wanted]) =>
    (filters[name as keyof Asked] as (ranked: Ranked, wanted: unknown, weights: Weights) => boolean)(
      ranked,
      wanted,
      weights,
    ),
  )

/** The open contracts on which model and market differ as asked, largest first. One-sided books are skipped. */
const rankedAbove = ({ ranking }: Books, now: number, asked: Asked, weights: Weights): ReadonlyArray<Ranked> => {
  const small = ranking.findIndex((ranked) => !filters.min_edge(ranked, asked.min_edge, weights))
  return ranking
    .slice(0, small === -1 ? ranking.length : small)
    .filter((ranked) => isShown(ranked.contract, now) && isWanted(ranked, asked, weights))
}

/** The largest open differences below the board's. */
const belowOf = ({ ranking }: Books, now: number, asked: Asked, weights: Weights): ReadonlyArray<Ranked> => {
  const below: Array<Ranked> = []
  for (const ranked of ranking) {
    if (below.length === mostAlternatives) break
    const { contract } = ranked
    const isBelow =
      !filters.min_edge(ranked, asked.min_edge, weights) && isWanted(ranked, { ...asked, min_edge: 0 }, weights)
    if (isBelow && isShown(contract, now)) below.push(ranked)
  }
  return below
}

/** The rows of the board. */
export const listBoard = (
  contracts: ReadonlyArray<Priced>,
  now: number,
  calls: (typeof SignalCalls.Service)["of"],
  asked: Asked = everything,
  { weights } = unpublished,
): ReadonlyArray<Row> =>
  rankedAbove(orderBooks(contracts), now, asked, weights).map((one) => toRow(one, calls(one.contract, now), weights))

const freshnessFactor = (open: ReadonlyArray<OpenBook>, now: number): Factor => {
  const [all, young] = [openIn(open), openIn(open.filter(({ quotedAt }) => ageMs(quotedAt, now) < maxQuoteAgeMs))]
  return [`${young} of ${plural(all, "quote")} under ${maxQuoteAgeMs / 1_000} s old`, all === 0 ? 1 : young / all]
}

const listDomains = (open: ReadonlyArray<OpenBook>): ReadonlyArray<Domain> => {
  const present = new Set(open.map(({ domain }) => domain))
  return domains.filter((domain) => present.has(domain))
}

/** The venues that are late, in words; fails where all that are polled are. */
const lateVenues = Step.method(function* ({ coverage }: Feeds["Type"], polls: ReadonlyArray<Poll>, now: number) {
  const late: Array<string> = []
  const venues = [...new Set(polls.map(({ venue }) => venue))]
  for (const venue of venues) {
    const feed = bookFeed(venue)
    const covered = yield* coverage(feed)
    if (covered === undefined || !isBehind(covered)) continue
    late.push(`${gapText(feed, covered)}.`)
    if (late.length === venues.length) return yield* behind(feed, covered, now)
  }
  return late
})

/** The books of the last poll; fails where they are too old, and for a venue that is not among them. */
const readBooks = Step.method(function* (contracts: typeof OpenContracts.Service, { venue }: Asked, now: number) {
  const { contracts: priced, checkedAt, polls = [] } = yield* contracts.open
  if (checkedAt === undefined) {
    return yield* fail("upstream_unavailable", { detail: "No venue has been polled yet.", retryAfterMs: retryHintMs })
  }
  if (ageMs(checkedAt, now) >= maxShownAgeMs) {
    return yield* fail("data_freshness_stale", {
      detail: `Last successful venue poll: ${iso(checkedAt)} (limit ${maxShownAgeMs / minute} min).`,
      retryAfterMs: retryHintMs,
    })
  }
  const books = orderBooks(priced)
  const venues = new Set([...polls, ...books.books].map((book) => book.venue))
  if (venue !== undefined && !venues.has(venue)) {
    return yield* fail("not_found", { detail: `No books of ${venue}; there are those of ${[...venues].join(", ")}.` })
  }
  return { books, polls }
})

/** Live contracts on which model and market differ. */
export const edge = Endpoint.make("/v1/markets/edge", {
  rows: "edges",
  ...signalTerms,
  summary: "Live contracts on which model and market differ by 0.05 or more, largest first",
  use: "Where model and price differ, over weather, sports and crypto; whether acting is worth it: `expected_gain`.",
  example: {},
  params: Asked,
  check: ({ market }) => pricedTickers({ market }),
  results: EdgeBoard,
  ports: { feeds: Feeds, contracts: OpenContracts, scoreboard: Scoreboard, calls: SignalCalls },
  answer: function* (asked, { feeds, contracts, scoreboard, calls }, give) {
    const now = yield* Step.now
    const { books, polls } = yield* readBooks(contracts, asked, now)
    const behindVenues = yield* lateVenues(feeds, polls, now)
    const late = lateBooks(polls, books.books, now)
    const board = (yield* scoreboard.latest)?.board
    const { weights } = yield* scoreboard.weights
    const open = openBooks(books, now)
    const ranked = rankedAbove(books, now, asked, weights)
    const called = ranked.map(({ contract }) => calls.of(contract, now))
    const edges = ranked.map((one, at) => toRow(one, called[at], weights))
    const record = boardRecord(board, listDomains(open))
    const results: EdgeBoard = {
      count: edges.length,
      actionable_count: edges.filter(({ actionable }) => actionable).length,
      min_edge_threshold: asked.min_edge,
      source_disagreement: record.domains,
      edges,
    }
    return give({
      results,
      explained: explainBoard(open, ranked, record, asked, [...lateTexts(late), ...behindVenues], weights),
      confidence: scoreConfidence(freshnessFactor(open, now), record, lateFactor(late, polls)),
      links: callLinks(called),
      freshness: contracts.freshness,
      extras: {
        alternatives: Effect.sync(() => listAlternatives(belowOf(books, now, asked, weights), asked)),
        counterfactual: Effect.sync(() => makeCounterfactual(results)),
        suggestions: [suggest("markets_performance", {}, "Scoreboard of model and market so far, misses included.")],
      },
    })
  },
})
