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
import { type Domain, domains, toMarketProbability } from "../../record/scoreboard/Settled.ts"
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
  countOpen,
  isShown,
  maxQuoteAgeMs,
  maxShownAgeMs,
  type OpenBook,
  openBooks,
  orderBooks,
  type RankedContract,
} from "./books.ts"
import { bookFeed } from "./coverage.ts"
import {
  callLinks,
  defaultQuery,
  explainBoard,
  listAlternatives,
  makeCounterfactual,
  maxAlternatives,
  scoreConfidence,
  toBoardRecord,
} from "./edgeTexts.ts"
import { EdgeBoard, EdgeQuery, refuseUnpriced } from "./fields.ts"
import { type BookPoll, OpenContracts, Scoreboard, SignalCalls } from "./ports.ts"
import { toBasis } from "./settled.ts"

interface LateBook extends Pick<BookPoll, "venue" | "domain"> {
  /** Milliseconds; absent if it was never read. */
  readonly age?: number
  /** True if the poll succeeded but left out a series of the domain. */
  readonly isPart: boolean
}

/** The books whose last poll is too old, because a venue failed, or with old quotes, because one of its series failed. */
const lateBooks = (
  polls: ReadonlyArray<BookPoll>,
  books: ReadonlyArray<Book>,
  now: number,
): ReadonlyArray<LateBook> => {
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

const lateTexts = (late: ReadonlyArray<LateBook>): ReadonlyArray<string> =>
  late.length === 0
    ? []
    : [
        `Late books: ${late.map(lateBookName).join(", ")}. A book is late from ${inMinutes(maxQuoteAgeMs)} on and not listed from ${inMinutes(maxShownAgeMs)} on.`,
      ]

/** The confidence factor for late books: the share of books that is not late. Empty without a late one. */
const lateFactor = (late: ReadonlyArray<LateBook>, polls: ReadonlyArray<BookPoll>): ReadonlyArray<Factor> =>
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

/** Fee at the ask of the suggested side, and the expected gain by the model's probability alone. */
const costPerContract = ({ contract, edge }: RankedContract) => {
  const { bidAsk, feeRate, model } = contract
  return {
    ...ifDefined(
      "fee_per_contract",
      feeRate === undefined ? undefined : feePerContract(feeRate, suggestedAsk(edge, bidAsk)),
    ),
    ...ifDefined("edge_after_fee", expectedGain(contract, edge, model)),
  }
}

const toDepth = ({ contract: { depth }, edge }: RankedContract) => ({
  ...ifDefined("ask_size", edge < 0 ? depth?.noAskSize : depth?.yesAskSize),
  ...ifDefined("volume", depth?.volume),
  ...ifDefined("open_interest", depth?.openInterest),
})

const pooledEstimate = ({ contract }: RankedContract, weights: Weights) =>
  poolContract(contract, contract.model, weights[contract.domain].weight)

const toRow = (ranked: RankedContract, call: SignalCall | undefined, weights: Weights): Row => {
  const { contract, edge } = ranked
  const { bidAsk } = contract
  return {
    venue: contract.venue,
    market: contract.ticker,
    title: contract.title,
    instrument: contract.instrument,
    ...(call === undefined ? {} : { subject: call.subject, signal_url: call.contractPath }),
    model_prob: contract.model / probabilityScale,
    market_prob: toMarketProbability(bidAsk) / probabilityScale,
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

/** By parameter. A parameter that is left out filters nothing. */
const filters: {
  readonly [K in keyof EdgeQuery]: (
    ranked: RankedContract,
    wanted: NonNullable<EdgeQuery[K]>,
    weights: Weights,
  ) => boolean
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
const isWanted = (ranked: RankedContract, query: EdgeQuery, weights: Weights): boolean =>
  Object.entries(query).every(([name, wanted]) =>
    (filters[name as keyof EdgeQuery] as (ranked: RankedContract, wanted: unknown, weights: Weights) => boolean)(
      ranked,
      wanted,
      weights,
    ),
  )

/** The contracts on the board that pass the filters, largest edge first. One-sided books are skipped. */
const filterRanking = (
  { ranking }: Books,
  now: number,
  query: EdgeQuery,
  weights: Weights,
): ReadonlyArray<RankedContract> => {
  const small = ranking.findIndex((ranked) => !filters.min_edge(ranked, query.min_edge, weights))
  return ranking
    .slice(0, small === -1 ? ranking.length : small)
    .filter((ranked) => isShown(ranked.contract, now) && isWanted(ranked, query, weights))
}

/** The contracts with the largest edges below the threshold that pass the other filters. */
const listBelow = (
  { ranking }: Books,
  now: number,
  query: EdgeQuery,
  weights: Weights,
): ReadonlyArray<RankedContract> => {
  const below: Array<RankedContract> = []
  for (const ranked of ranking) {
    if (below.length === maxAlternatives) break
    const { contract } = ranked
    const isBelow =
      !filters.min_edge(ranked, query.min_edge, weights) && isWanted(ranked, { ...query, min_edge: 0 }, weights)
    if (isBelow && isShown(contract, now)) below.push(ranked)
  }
  return below
}

export const listEdges = (
  contracts: ReadonlyArray<Priced>,
  now: number,
  calls: (typeof SignalCalls.Service)["find"],
  query: EdgeQuery = defaultQuery,
  { weights } = unpublished,
): ReadonlyArray<Row> =>
  filterRanking(orderBooks(contracts), now, query, weights).map((one) => toRow(one, calls(one.contract, now), weights))

const freshnessFactor = (open: ReadonlyArray<OpenBook>, now: number): Factor => {
  const [all, young] = [countOpen(open), countOpen(open.filter(({ quotedAt }) => ageMs(quotedAt, now) < maxQuoteAgeMs))]
  return [`${young} of ${plural(all, "quote")} under ${maxQuoteAgeMs / 1_000} s old`, all === 0 ? 1 : young / all]
}

const listDomains = (open: ReadonlyArray<OpenBook>): ReadonlyArray<Domain> => {
  const present = new Set(open.map(({ domain }) => domain))
  return domains.filter((domain) => present.has(domain))
}

/** A sentence for each late venue; fails if all polled venues are late. */
const lateVenues = Step.method(function* ({ coverage }: Feeds["Type"], polls: ReadonlyArray<BookPoll>, now: number) {
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

/** Reads the books of the last poll; fails if they are too old, or if the requested venue is not among them. */
const readBooks = Step.method(function* (contracts: typeof OpenContracts.Service, { venue }: EdgeQuery, now: number) {
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
    return yield* fail("not_found", { detail: `No books of ${venue}. Venues with books: ${[...venues].join(", ")}.` })
  }
  return { books, polls }
})

export const edge = Endpoint.make("/v1/markets/edge", {
  rows: "edges",
  ...signalTerms,
  summary: "Live contracts on which model and market differ by 0.05 or more, largest first",
  use: "Where model and price differ, across weather, sports and crypto; whether a trade is worth it: `expected_gain`.",
  example: {},
  params: EdgeQuery,
  check: ({ market }) => refuseUnpriced({ market }),
  results: EdgeBoard,
  ports: { feeds: Feeds, contracts: OpenContracts, scoreboard: Scoreboard, calls: SignalCalls },
  answer: function* (query, { feeds, contracts, scoreboard, calls }, give) {
    const now = yield* Step.now
    const { books, polls } = yield* readBooks(contracts, query, now)
    const behindVenues = yield* lateVenues(feeds, polls, now)
    const late = lateBooks(polls, books.books, now)
    const board = (yield* scoreboard.latest)?.board
    const { weights } = yield* scoreboard.weights
    const open = openBooks(books, now)
    const ranked = filterRanking(books, now, query, weights)
    const signalCalls = ranked.map(({ contract }) => calls.find(contract, now))
    const edges = ranked.map((one, index) => toRow(one, signalCalls[index], weights))
    const record = toBoardRecord(board, listDomains(open))
    const results: EdgeBoard = {
      count: edges.length,
      actionable_count: edges.filter(({ actionable }) => actionable).length,
      min_edge_threshold: query.min_edge,
      source_disagreement: record.domains,
      edges,
    }
    return give({
      results,
      explained: explainBoard(open, ranked, record, query, [...lateTexts(late), ...behindVenues], weights),
      confidence: scoreConfidence(freshnessFactor(open, now), record, lateFactor(late, polls)),
      links: callLinks(signalCalls),
      freshness: contracts.freshness,
      extras: {
        alternatives: Effect.sync(() => listAlternatives(listBelow(books, now, query, weights), query)),
        counterfactual: Effect.sync(() => makeCounterfactual(results)),
        suggestions: [suggest("markets_performance", {}, "Scoreboard of model and market so far, misses included.")],
      },
    })
  },
})
