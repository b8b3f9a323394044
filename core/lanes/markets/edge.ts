import * as Effect from "effect/Effect"
import { edgeOf, type Priced, qualityFlagsOf } from "../../contracts/Contract.ts"
import type { SignalCall } from "../../contracts/ContractPricing.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { fail } from "../../Failure.ts"
import { behind, gapText, isBehind } from "../../feeds/Feed.ts"
import type { Feeds } from "../../feeds/Feeds.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge, priceScale } from "../../record/scoreboard/hypothetical.ts"
import { type Domain, domains, marketOf } from "../../record/scoreboard/Settled.ts"
import * as Step from "../../Step.ts"
import { compare, plural } from "../../text.ts"
import { iso, minute } from "../../time.ts"
import { suggest } from "../answers.ts"
import type { Factor } from "../confidence.ts"
import { bookFeed } from "./coverage.ts"
import {
  explain,
  linksOf,
  listAlternatives,
  makeCounterfactual,
  type Ranked,
  recordOf,
  scoreConfidence,
} from "./edgeTexts.ts"
import type * as endpoints from "./endpoints.ts"
import { ageOf, lateBooks, lateFactor, lateTexts, maxQuoteAgeMs, maxShownAgeMs } from "./lateBooks.ts"
import type { OpenContracts, Poll, Scoreboard, SignalCalls } from "./ports.ts"

type Results = Endpoint.Results<typeof endpoints.edge>
type Row = Results["edges"][number]

const retryHintMs = minute

/** Largest difference first, then the one that closes first, then by ticker. */
const byEdge = (a: Ranked, b: Ranked): number =>
  Math.abs(b.edge) - Math.abs(a.edge) ||
  a.contract.closeTime - b.contract.closeTime ||
  compare(a.contract.ticker, b.contract.ticker) ||
  compare(a.contract.venue, b.contract.venue)

const isOpen = ({ closeTime, quotedAt }: Priced, now: number): boolean =>
  now < closeTime && ageOf(quotedAt, now) < maxShownAgeMs

/** Open contracts with two live sides by their difference, in whole millionths: 0.35 − 0.30 is 0.05. */
const rankEdges = (
  contracts: ReadonlyArray<Priced>,
  now: number,
  isWanted: (size: number) => boolean,
): ReadonlyArray<Ranked> => {
  const ranked: Array<Ranked> = []
  for (const contract of contracts) {
    const edge = edgeOf(contract)
    if (edge !== undefined && isWanted(Math.abs(edge)) && isOpen(contract, now)) ranked.push({ contract, edge })
  }
  return ranked.sort(byEdge)
}

const rowOf = ({ contract, edge }: Ranked, now: number, call: SignalCall | undefined): Row => {
  const { bidAsk } = contract
  const qualityFlags = qualityFlagsOf(contract)
  return {
    venue: contract.venue,
    market: contract.ticker,
    title: contract.title,
    instrument: contract.instrument,
    ...(call === undefined ? {} : { subject: call.subject, signal_url: call.contractPath }),
    model_prob: contract.model / probabilityScale,
    market_prob: marketOf(bidAsk) / probabilityScale,
    edge: edge / probabilityScale,
    side: edge > 0 ? "yes" : "no",
    // On the board both sides of a book are live.
    actionable: qualityFlags.length === 0 && ageOf(contract.quotedAt, now) < maxQuoteAgeMs,
    yes_ask: bidAsk.yesAsk / priceScale,
    close_time: iso(contract.closeTime),
    model_version: contract.modelVersion,
    yes_bid: bidAsk.yesBid / priceScale,
    no_ask: bidAsk.noAsk / priceScale,
    quoted_at: iso(contract.quotedAt),
    settlement_basis: {
      model_source: contract.basis.modelSource,
      venue_source: contract.basis.venueSource,
      same: contract.basis.same,
    },
    quality_flags: qualityFlags,
  }
}

const isEdge = (size: number): boolean => size >= minEdge

/** The contracts on which model and market differ by 0.05 or more. One-sided books are skipped. */
export const boardOf = (
  contracts: ReadonlyArray<Priced>,
  now: number,
  calls: SignalCalls["Type"]["of"],
): ReadonlyArray<Row> => rankEdges(contracts, now, isEdge).map((one) => rowOf(one, now, calls(one.contract, now)))

const freshnessFactor = (open: ReadonlyArray<Priced>, now: number): Factor => {
  const young = open.filter(({ quotedAt }) => ageOf(quotedAt, now) < maxQuoteAgeMs).length
  return [
    `${young} of ${plural(open.length, "quote")} under ${maxQuoteAgeMs / 1_000} s old`,
    open.length === 0 ? 1 : young / open.length,
  ]
}

const domainsOf = (open: ReadonlyArray<Priced>): ReadonlyArray<Domain> => {
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

/** Answers the edge board over the contracts that are open, with the record of their domains. */
export const edgeOver = (
  feeds: Feeds["Type"],
  contracts: OpenContracts["Type"],
  scoreboard: Scoreboard["Type"],
  calls: SignalCalls["Type"],
): Endpoint.Method<typeof endpoints.edge> =>
  Step.method(function* () {
    const now = yield* Step.now
    const { contracts: priced, checkedAt, polls = [] } = yield* contracts.open
    if (checkedAt === undefined) {
      return yield* fail("upstream_unavailable", { detail: "No venue has been polled yet.", retryAfterMs: retryHintMs })
    }
    if (ageOf(checkedAt, now) >= maxShownAgeMs) {
      return yield* fail("data_freshness_stale", {
        detail: `Last successful venue poll: ${iso(checkedAt)} (limit ${maxShownAgeMs / minute} min).`,
        retryAfterMs: retryHintMs,
      })
    }
    const behindVenues = yield* lateVenues(feeds, polls, now)
    const late = lateBooks(polls, priced, now)
    const board = (yield* scoreboard.latest)?.board
    const open = priced.filter((contract) => isOpen(contract, now))
    const ranked = rankEdges(open, now, isEdge)
    const called = ranked.map(({ contract }) => calls.of(contract, now))
    const edges = ranked.map((one, at) => rowOf(one, now, called[at]))
    const record = recordOf(board, domainsOf(open))
    const results: Results = {
      count: edges.length,
      actionable_count: edges.filter(({ actionable }) => actionable).length,
      min_edge_threshold: minEdge / probabilityScale,
      source_disagreement: record.domains,
      edges,
    }
    return {
      results,
      ...explain(open, ranked, record, [...lateTexts(late), ...behindVenues]),
      confidence: scoreConfidence(freshnessFactor(open, now), record, lateFactor(late, polls)),
      links: linksOf(called),
      freshness: contracts.freshness,
      extras: {
        alternatives: Effect.sync(() => listAlternatives(rankEdges(open, now, (size) => !isEdge(size)))),
        counterfactual: Effect.sync(() => makeCounterfactual(results)),
        suggestions: [suggest("markets_performance", {}, "Scoreboard of model and market so far, misses included.")],
      },
    }
  })
