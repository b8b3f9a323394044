import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { doubtsOf, edgeOf, type Priced } from "../../contracts/Contract.ts"
import type { Confidence } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { fail } from "../../Failure.ts"
import { unit } from "../../record/scoreboard/calibration.ts"
import { dollar, threshold } from "../../record/scoreboard/hypothetical.ts"
import { marketOf } from "../../record/scoreboard/Settled.ts"
import { compare } from "../../text.ts"
import { iso, minute } from "../../time.ts"
import type * as endpoints from "./endpoints.ts"
import type { OpenContracts } from "./ports.ts"

type Results = Endpoint.Results<typeof endpoints.edge>
type Row = Results["edges"][number]

/** Quotes are read every minute; three readings may fail before an edge can no longer be acted on. Milliseconds. */
export const youngest = 3 * minute
/** An older quote is no quote of a live contract. */
const oldest = 10 * minute
const nextLook = minute

/** Milliseconds between a reading and now. One of the future is no younger: a clock has stepped back, nobody knows how far. */
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
  const { book } = contract
  const doubts = doubtsOf(contract)
  return {
    venue: contract.venue,
    market: contract.ticker,
    title: contract.title,
    instrument: contract.instrument,
    model_prob: contract.model / unit,
    market_prob: marketOf(book) / unit,
    edge: edge / unit,
    side: edge > 0 ? "yes" : "no",
    // Both sides of a book on the board are live.
    actionable: doubts.length === 0 && ageOf(contract.quotedAt, now) < youngest,
    yes_ask: book.yesAsk / dollar,
    close_time: iso(contract.closeTime),
    model_version: contract.modelVersion,
    yes_bid: book.yesBid / dollar,
    no_ask: book.noAsk / dollar,
    quoted_at: iso(contract.quotedAt),
    settlement_basis: {
      model_source: contract.basis.modelSource,
      venue_source: contract.basis.venueSource,
      same: contract.basis.same,
    },
    quality_flags: doubts,
  }
}

/**
 * The contracts on which model and market differ by 0.05 or more, compared in whole millionths: 0.35 − 0.30 is one. A
 * book without two live sides has no price to differ from.
 */
export const boardOf = (contracts: ReadonlyArray<Priced>, now: number): ReadonlyArray<Row> => {
  const ranked: Array<Ranked> = []
  for (const contract of contracts) {
    const edge = edgeOf(contract)
    if (edge !== undefined && Math.abs(edge) >= threshold && isOpen(contract, now)) ranked.push({ contract, edge })
  }
  return ranked.sort(byEdge).map((one) => rowOf(one, now))
}

/**
 * How much the board leans on: 0.8 while every quote is younger than three minutes, less by the share of those that are
 * not. Not a probability that an edge is one.
 */
const confidenceOf = (open: ReadonlyArray<Priced>, now: number): Confidence => {
  const young = open.filter(({ quotedAt }) => ageOf(quotedAt, now) < youngest).length
  return {
    score: Math.round(80 * (open.length === 0 ? 1 : young / open.length)) / 100,
    label: "reasoned",
    factors: [`${young} of ${open.length} quotes are younger than ${youngest / 1_000} s`],
  }
}

/** Answers the edge board over the contracts that are open. */
export const edgeOver = (contracts: OpenContracts["Type"]): Endpoint.Method<typeof endpoints.edge> =>
  Effect.fnUntraced(function* () {
    const now = yield* Clock.currentTimeMillis
    const { contracts: known, checkedAt } = yield* contracts.open
    if (checkedAt === undefined) {
      return yield* fail("upstream_unavailable", { detail: "No venue has answered yet.", retryAfterMs: nextLook })
    }
    if (ageOf(checkedAt, now) >= oldest) {
      return yield* fail("data_freshness_stale", {
        detail: `The venues were last heard at ${iso(checkedAt)}.`,
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
        min_edge_threshold: threshold / unit,
        edges,
      },
      reasoning: [
        `Read the books of ${open.length} open contracts that a model prices.`,
        "Took the middle of yes bid and yes ask as the market's probability; a book without two live sides has none.",
        `Listed the ${edges.length} on which both differ by ${threshold / unit} or more, largest first.`,
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
            why: "How such differences have ended so far, misses included.",
          },
        ],
      },
    }
  })
