import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { edgeOf, type Priced, qualityFlagsOf } from "../../contracts/Contract.ts"
import type { Confidence } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { fail } from "../../Failure.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge, priceScale } from "../../record/scoreboard/hypothetical.ts"
import { marketOf } from "../../record/scoreboard/Settled.ts"
import { compare, plural } from "../../text.ts"
import { iso, minute } from "../../time.ts"
import { type Factor, scored } from "../confidence.ts"
import type * as endpoints from "./endpoints.ts"
import type { OpenContracts } from "./ports.ts"

type Results = Endpoint.Results<typeof endpoints.edge>
type Row = Results["edges"][number]

/** Greatest age of an actionable quote, milliseconds: venues are polled every minute, and two polls may fail. */
export const maxQuoteAgeMs = 3 * minute
/** Greatest age of a quote on the board. */
const oldest = 10 * minute
const nextLook = minute

/** Milliseconds between a quote and now, absolute: after a clock step backwards a future quote is not fresher. */
export const ageOf = (at: number, now: number): number => Math.abs(now - at)

interface Ranked {
  readonly contract: Priced
  /** Millionths. */
  readonly edge: number
}

/** Largest difference first, then the one that closes first, then by ticker. */
const byEdge = (a: Ranked, b: Ranked): number =>
  Math.abs(b.edge) - Math.abs(a.edge) ||
  a.contract.closeTime - b.contract.closeTime ||
  compare(a.contract.ticker, b.contract.ticker) ||
  compare(a.contract.venue, b.contract.venue)

const isOpen = ({ closeTime, quotedAt }: Priced, now: number): boolean =>
  now < closeTime && ageOf(quotedAt, now) < oldest

const rowOf = ({ contract, edge }: Ranked, now: number): Row => {
  const { bidAsk } = contract
  const qualityFlags = qualityFlagsOf(contract)
  return {
    venue: contract.venue,
    market: contract.ticker,
    title: contract.title,
    instrument: contract.instrument,
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

/**
 * The contracts on which model and market differ by 0.05 or more, compared in whole millionths: 0.35 − 0.30 counts.
 * One-sided books are skipped.
 */
export const boardOf = (contracts: ReadonlyArray<Priced>, now: number): ReadonlyArray<Row> => {
  const ranked: Array<Ranked> = []
  for (const contract of contracts) {
    const edge = edgeOf(contract)
    if (edge !== undefined && Math.abs(edge) >= minEdge && isOpen(contract, now)) ranked.push({ contract, edge })
  }
  return ranked.sort(byEdge).map((one) => rowOf(one, now))
}

/**
 * A quality score: 0.8 times the share of quotes under three minutes old. Not a probability that an edge is real.
 */
const confidenceOf = (open: ReadonlyArray<Priced>, now: number): Confidence => {
  const young = open.filter(({ quotedAt }) => ageOf(quotedAt, now) < maxQuoteAgeMs).length
  const factors: ReadonlyArray<Factor> = [
    [
      `${young} of ${plural(open.length, "quote")} under ${maxQuoteAgeMs / 1_000} s old`,
      open.length === 0 ? 1 : young / open.length,
    ],
  ]
  return scored("reasoned", 0.8, factors)
}

/** Answers the edge board over the contracts that are open. */
export const edgeOver = (contracts: OpenContracts["Type"]): Endpoint.Method<typeof endpoints.edge> =>
  Effect.fnUntraced(function* () {
    const now = yield* Clock.currentTimeMillis
    const { contracts: known, checkedAt } = yield* contracts.open
    if (checkedAt === undefined) {
      return yield* fail("upstream_unavailable", { detail: "No venue has been polled yet.", retryAfterMs: nextLook })
    }
    if (ageOf(checkedAt, now) >= oldest) {
      return yield* fail("data_freshness_stale", {
        detail: `Last successful venue poll: ${iso(checkedAt)} (limit ${oldest / minute} min).`,
        retryAfterMs: nextLook,
      })
    }
    const open = known.filter((contract) => isOpen(contract, now))
    const edges = boardOf(open, now)
    const venues = [...new Set(open.map(({ venue }) => venue))].sort()
    return {
      results: {
        count: edges.length,
        actionable_count: edges.filter(({ actionable }) => actionable).length,
        min_edge_threshold: minEdge / probabilityScale,
        edges,
      },
      reasoning: [
        `Read bid and ask of ${open.length} open contracts that a model prices.`,
        "Market probability: midpoint of yes bid and ask; one-sided books are skipped.",
        `${edges.length} differ by ${minEdge / probabilityScale} or more, listed largest first.`,
      ],
      citations: venues.map((venue) => ({ step: 1, source: venue, locator: "open contracts" })),
      confidence: confidenceOf(open, now),
      links: [{ id: "markets", endpoints: ["/v1/markets/performance", "/v1/markets/settled"] }],
      freshness: contracts.freshness,
      extras: {
        suggestions: [
          {
            endpoint: "markets_performance",
            params: {},
            why: "Scoreboard of model and market so far, misses included.",
          },
        ],
      },
    }
  })
