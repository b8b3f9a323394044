import type { SignalCall } from "../../contracts/ContractPricing.ts"
import { weightText } from "../../contracts/pooled.ts"
import type { Alternative, Confidence, Counterfactual, Link } from "../../endpoint/Answer.ts"
import { cite, type Explained, explain, step, when } from "../../endpoint/explain.ts"
import { unpublished, type Weights } from "../../record/scoreboard/anchorWeight.ts"
import type { Board } from "../../record/scoreboard/board.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import { type Domain, toMarketProbability } from "../../record/scoreboard/Settled.ts"
import { findPair, pairScores } from "../../record/scoreboard/scores.ts"
import { compare, plural } from "../../text.ts"
import { type Factor, scored, toRecordFactor } from "../confidence.ts"
import { countOpen, type OpenBook, type RankedContract } from "./books.ts"
import type { EdgeBoard, EdgeQuery } from "./fields.ts"

export const defaultQuery: EdgeQuery = { min_edge: minEdge / probabilityScale }

/** The scoreboard's figures for the domains on the board. */
export interface BoardRecord {
  /** False before the first scoreboard. */
  readonly isComputed: boolean
  readonly domains: EdgeBoard["source_disagreement"]
  readonly scored: number
  /** Mean Brier scores over all settled contracts of these domains; NaN without one. */
  readonly model: number
  readonly market: number
}

export const toBoardRecord = (board: Board | undefined, domains: ReadonlyArray<Domain>): BoardRecord => {
  let [scored, model, market] = [0, 0, 0]
  for (const domain of domains) {
    const scores = board && pairScores(findPair(board, `domain/${domain}`))
    if (scores === undefined || scores.scored === 0) continue
    scored += scores.scored
    model += scores.scored * scores.model
    market += scores.scored * scores.market
  }
  return {
    isComputed: board !== undefined,
    domains: domains.map((domain) => {
      const { compared = 0, disagreed = 0 } = board?.counts.get(domain) ?? {}
      return { domain, compared, disagreed }
    }),
    scored,
    model: model / scored,
    market: market / scored,
  }
}

const toFactor = ({ isComputed, scored: settled, model, market }: BoardRecord): Factor => {
  if (!isComputed) return ["scoreboard not computed yet"]
  if (settled === 0) return ["no settled contract in these domains yet"]
  const contracts = plural(settled, "settled contract")
  return toRecordFactor(
    `scoreboard Brier ${model.toFixed(4)}, market ${market.toFixed(4)} (${contracts})`,
    model,
    market,
  )
}

/**
 * A quality score: 0.8 times the share of fresh quotes and the share of books that are not late, and lower if the market's
 * scores are better than the model's in the board's domains. It is not a probability that an edge is real.
 */
export const scoreConfidence = (fresh: Factor, record: BoardRecord, late: ReadonlyArray<Factor> = []): Confidence =>
  scored("reasoned", 0.8, [fresh, ...late, toFactor(record)])

const formatMillionths = (value: number): string => String(value / probabilityScale)

/** How often the two settlement sources differed, and in which domains nothing can be compared yet. */
const disagreementTexts = ({ isComputed, domains }: BoardRecord): ReadonlyArray<string> => {
  if (!isComputed) return ["The scoreboard is not computed yet, so the two settlement sources are not compared."]
  const settled = domains.filter(({ compared }) => compared > 0)
  const unsettled = domains.filter(({ compared }) => compared === 0)
  const counts = settled.map(({ domain, compared, disagreed }) => `${domain} ${disagreed} of ${compared}`)
  return [
    ...(settled.length === 0
      ? []
      : [`Settled contracts on which venue and model source differed: ${counts.join(", ")}.`]),
    ...(unsettled.length === 0
      ? []
      : [
          `No settled contract has results from both sources yet: ${unsettled.map(({ domain }) => domain).join(", ")}.`,
        ]),
  ]
}

const describeFilters = ({ min_edge: _, ...filters }: EdgeQuery): string => {
  const words = Object.entries(filters).map(([name, value]) => `${name} ${value}`)
  return words.length === 0 ? "" : ` with ${words.join(", ")}`
}

export const explainBoard = (
  open: ReadonlyArray<OpenBook>,
  ranked: ReadonlyArray<RankedContract>,
  record: BoardRecord,
  query: EdgeQuery = defaultQuery,
  late: ReadonlyArray<string> = [],
  weights: Weights = unpublished.weights,
): Explained => {
  // Each venue is cited by its contract with the largest difference.
  const byVenue = new Map<string, string>()
  for (const { venue, ticker } of [...ranked.map(({ contract }) => contract), ...open]) {
    if (!byVenue.has(venue)) byVenue.set(venue, ticker)
  }
  const contracts = Array.from(byVenue, ([source, locator]) => cite(source, locator))
  const disagreements = disagreementTexts(record)
  const isCounted = record.isComputed && record.domains.length > 0
  return explain(
    step(
      `Read bid and ask of ${plural(countOpen(open), "open contract")} that a model prices.`,
      ...contracts.sort((a, b) => compare(a.source, b.source)),
    ),
    ...late,
    "Market probability: midpoint of yes bid and yes ask; one-sided books are skipped.",
    `${ranked.length} differ by ${query.min_edge} or more${describeFilters(query)}, listed largest first.`,
    "Edge after fee: the model's probability of the suggested side, less ask and fee of one contract.",
    when(
      record.domains.length > 0,
      () =>
        `Expected gain: the same by the pool of model and price. ${record.domains.map(({ domain }) => weightText(weights[domain], `${domain} contracts`)).join(" ")}`,
    ),
    when(
      ranked[0],
      ({ contract: { ticker, model, bidAsk } }) =>
        `Largest: ${ticker}, model ${formatMillionths(model)}, market ${formatMillionths(toMarketProbability(bidAsk))}.`,
    ),
    ...disagreements.map((text, at) =>
      isCounted && at === disagreements.length - 1 ? step(text, cite("scoreboard", "/v1/markets/performance")) : text,
    ),
  )
}

/** Links from the subjects of the rows to the calls of their signals. */
export const callLinks = (calls: ReadonlyArray<SignalCall | undefined>): ReadonlyArray<Link> => {
  const paths = new Map<string, Set<string>>()
  for (const call of calls) {
    if (call !== undefined) paths.set(call.id, (paths.get(call.id) ?? new Set<string>()).add(call.path))
  }
  return [
    ...Array.from(paths, ([id, found]) => ({ id, endpoints: [...found] })),
    { id: "markets", endpoints: ["/v1/markets/performance", "/v1/markets/settled"] },
  ]
}

export const maxAlternatives = 5

/** @param below contracts that stay below the threshold, largest difference first */
export const listAlternatives = (
  below: ReadonlyArray<RankedContract>,
  query: EdgeQuery = defaultQuery,
): ReadonlyArray<Alternative> =>
  below.map(({ contract: { ticker, title }, edge }) => ({
    id: ticker,
    label: title,
    score: Math.abs(edge) / probabilityScale,
    why: `Model − market is ${formatMillionths(edge)}; the board begins at ${query.min_edge}.`,
  }))

/** How many of the board's rows remain at twice the threshold, at least 0.05. */
export const makeCounterfactual = ({
  count,
  actionable_count,
  min_edge_threshold,
  edges,
}: EdgeBoard): Counterfactual => {
  const higher = Math.min(1, Math.max(minEdge / probabilityScale, 2 * min_edge_threshold))
  const left = edges.filter(({ edge }) => Math.abs(edge) >= higher)
  const actionable = left.filter((row) => row.actionable).length
  return {
    input: "min_edge",
    from: min_edge_threshold,
    to: higher,
    result: { count: left.length, actionable_count: actionable },
    delta: { count: left.length - count, actionable_count: actionable - actionable_count },
  }
}
