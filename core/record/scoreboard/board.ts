import { getOrMake } from "../../getOrMake.ts"
import { day, iso } from "../../time.ts"
import * as Calibration from "./calibration.ts"
import { clusterName } from "./cluster.ts"
import { divisionNames, divisions, firstParts, partCount } from "./divisions.ts"
import * as Hypothetical from "./hypothetical.ts"
import { pool } from "./pool.ts"
import { type SettledMarket, toMarketProbability } from "./Settled.ts"

/** A scored contract. Probabilities in millionths. */
export interface HeadToHead
  extends Hypothetical.PooledOffer,
    Pick<SettledMarket, "domain" | "event" | "modelVersion" | "closeTime" | "anchored"> {
  /** The outcome by the model's own source, if known. */
  readonly sourceHappened?: boolean | undefined
}

/** The fields of a settled row that the scoreboard uses. */
export interface Counted
  extends Pick<
    SettledMarket,
    | ("domain" | "venue" | "event" | "modelVersion" | "capturedAt" | "closeTime" | "anchored")
    | ("model" | "poolWeight" | "result")
  > {
  readonly quotes?: SettledMarket["quotes"] | undefined
  readonly feeRate?: number | undefined
  readonly sourceResult?: SettledMarket["sourceResult"] | undefined
}

/** A settled row as a scored contract; undefined if it is not scored. */
export const headToHead = (row: Counted): HeadToHead | undefined => {
  const { quotes, result, sourceResult } = row
  if (quotes === undefined || result === "void") return undefined
  return {
    domain: row.domain,
    venue: row.venue,
    event: row.event,
    modelVersion: row.modelVersion,
    capturedAt: row.capturedAt,
    closeTime: row.closeTime,
    anchored: row.anchored,
    model: row.model,
    market: toMarketProbability(quotes),
    pool: pool(row.model, toMarketProbability(quotes), row.poolWeight),
    yesAsk: quotes.yesAsk,
    noAsk: quotes.noAsk,
    feeRate: row.feeRate,
    happened: result === "yes",
    sourceHappened: sourceResult === undefined ? undefined : sourceResult === "yes",
  }
}

/** Whether the market's probability is from 5 % to 95 %, both included. */
export const isContested = (market: number): boolean => market >= 50_000 && market <= 950_000

/** Who is scored on the same contracts: the model, the market, and their pool by the weight at the capture. */
export const contenders = ["model", "market", "pool"] as const
export type Contender = (typeof contenders)[number]

/** The contenders on the same contracts. */
export type Pair = Readonly<Record<Contender, Calibration.ReliabilitySums>>

/**
 * Sums over a cluster of dependent contracts, for the bootstrap: contracts and squared errors, of all and of contested
 * strikes. Exact up to 2^53, which is 9,007 contracts of a cluster at the worst score; beyond, only the last digits of an
 * interval change.
 */
export interface Cluster {
  count: number
  model: number
  market: number
  pool: number
  contested: number
  contestedModel: number
  contestedMarket: number
  contestedPool: number
}

/** Contracts, and squared errors. */
export const errorFields = ["count", "model", "market", "pool"] as const

/** First of all contracts, then of contested ones. */
export const clusterFields = [
  ...errorFields,
  ...(["contested", "contestedModel", "contestedMarket", "contestedPool"] as const),
] as const

/** Counts of a domain, besides the scores. */
export interface Counts {
  /** Markets that the venue voided. */
  void: number
  /** Markets without two live sides at the capture. */
  noQuote: number
  /** Scored contracts that no checkpoint signed before the close covers. */
  unanchored: number
  /** Scored contracts with an outcome of the model's own source, and how many of those differ from the venue's result. */
  compared: number
  disagreed: number
  /** Rows whose result replaced another one. */
  corrected: number
}

const emptyCounts = (): Counts => ({ void: 0, noQuote: 0, unanchored: 0, compared: 0, disagreed: 0, corrected: 0 })

/**
 * The scoreboard as sums of integers, whose size grows with the days and not with the rows: adding rows in any order, or
 * merging partial boards, gives the same bits as a rebuild from all rows. Plain data in maps by name.
 */
export interface Board {
  /** `version/<domain>/…` (together: all), `contested`, `source` (scored on the model's own source). */
  readonly pairs: Map<string, Pair>
  /** By `clusterName`. */
  readonly clusters: Map<string, Cluster>
  /** By `clusterName`, of each part of the divisions the four `errorFields`, one part after the other. */
  readonly parts: Map<string, Array<number>>
  /** Hypothetical trades by the UTC day of the close. */
  readonly days: Map<string, Hypothetical.HypotheticalTrades>
  /** Hypothetical trades by the pool's rule, by the UTC day of the close. */
  readonly poolDays: Map<string, Hypothetical.HypotheticalTrades>
  readonly counts: Map<string, Counts>
}

export const empty = (): Board => ({
  pairs: new Map(),
  clusters: new Map(),
  parts: new Map(),
  days: new Map(),
  poolDays: new Map(),
  counts: new Map(),
})

export const emptyCells: {
  readonly [K in keyof Board]: () => Board[K] extends Map<string, infer Cell> ? Cell : never
} = {
  pairs: () => ({ model: Calibration.empty(), market: Calibration.empty(), pool: Calibration.empty() }),
  clusters: () => ({
    ...{ count: 0, model: 0, market: 0, pool: 0 },
    ...{ contested: 0, contestedModel: 0, contestedMarket: 0, contestedPool: 0 },
  }),
  parts: () => Array.from({ length: errorFields.length * partCount }, () => 0),
  days: Hypothetical.empty,
  poolDays: Hypothetical.empty,
  counts: emptyCounts,
}

export const kinds = ["pairs", "clusters", "parts", "days", "poolDays", "counts"] as const

/** YYYY-MM-DD. Caches the last day, since rows come day by day. */
const cachedUtcDay = (() => {
  let [number, text] = [Number.NaN, ""]
  return (at: number): string => {
    const today = Math.floor(at / day)
    if (today !== number) [number, text] = [today, iso(at).slice(0, 10)]
    return text
  }
})()

type Forecasts = Readonly<Record<Contender, Calibration.ScoredProbability>>

/** Adds a contract; `sign` −1 removes it. */
export const addScored = (board: Board, row: HeadToHead, sign: 1 | -1 = 1): void => {
  const { domain, happened, sourceHappened } = row
  const addTo = (name: string, forecasts: Forecasts): void => {
    const pair = getOrMake(board.pairs, name, emptyCells.pairs)
    for (const who of contenders) Calibration.add(pair[who], forecasts[who], sign)
  }
  const forecasts = (outcome: boolean) => ({
    model: Calibration.forecast(row.model, outcome),
    market: Calibration.forecast(row.market, outcome),
    pool: Calibration.forecast(row.pool, outcome),
  })
  const scored = forecasts(happened)
  const contested = isContested(row.market)
  addTo(`version/${domain}/${row.modelVersion}`, scored)
  const name = clusterName(row)
  const cluster = getOrMake(board.clusters, name, emptyCells.clusters)
  cluster.count += sign
  cluster.model += sign * scored.model.squared
  cluster.market += sign * scored.market.squared
  cluster.pool += sign * scored.pool.squared
  const parts = getOrMake(board.parts, name, emptyCells.parts)
  for (const division of divisionNames) {
    const offset = errorFields.length * (firstParts[division] + divisions[division].placeOf(row))
    parts[offset]! += sign
    parts[offset + 1]! += sign * scored.model.squared
    parts[offset + 2]! += sign * scored.market.squared
    parts[offset + 3]! += sign * scored.pool.squared
  }
  if (contested) {
    addTo("contested", scored)
    cluster.contested += sign
    cluster.contestedModel += sign * scored.model.squared
    cluster.contestedMarket += sign * scored.market.squared
    cluster.contestedPool += sign * scored.pool.squared
  }
  const closed = cachedUtcDay(row.closeTime)
  Hypothetical.add(getOrMake(board.days, closed, emptyCells.days), row, sign)
  Hypothetical.addPooled(getOrMake(board.poolDays, closed, emptyCells.poolDays), row, sign)
  const tally = getOrMake(board.counts, domain, emptyCells.counts)
  if (!row.anchored) tally.unanchored += sign
  if (sourceHappened === undefined) return
  tally.compared += sign
  if (sourceHappened !== happened) tally.disagreed += sign
  addTo("source", forecasts(sourceHappened))
}

/** Adds a settled row, scored or not. */
export const add = (board: Board, row: Counted, sign: 1 | -1 = 1): void => {
  const scored = headToHead(row)
  if (scored !== undefined) addScored(board, scored, sign)
  else getOrMake(board.counts, row.domain, emptyCells.counts)[row.result === "void" ? "void" : "noQuote"] += sign
}

/** Replaces `before` by `after`, a row of the same market with another result. */
export const correct = (board: Board, before: Counted, after: Counted): void => {
  add(board, before, -1)
  add(board, after)
  if (before.result !== after.result) getOrMake(board.counts, after.domain, emptyCells.counts).corrected += 1
}

const sum = <A extends { [K in keyof A]: number }>(into: A, other: A): void => {
  for (const name of Object.keys(other) as Array<string & keyof A>) (into[name] as number) += other[name]
}

export const mergeCell: {
  readonly [K in keyof Board]: Board[K] extends Map<string, infer Cell> ? (into: Cell, other: Cell) => void : never
} = {
  pairs: (into, other) => {
    for (const who of contenders) Calibration.merge(into[who], other[who])
  },
  clusters: sum,
  parts: (into, other) => {
    for (const [at, value] of other.entries()) into[at]! += value
  },
  days: Hypothetical.merge,
  poolDays: Hypothetical.merge,
  counts: sum,
}

const mergeKind = <K extends keyof Board>(into: Board, other: Board, kind: K): void => {
  type Cell = ReturnType<(typeof emptyCells)[K]>
  const add = mergeCell[kind] as (into: Cell, other: Cell) => void
  for (const [name, value] of other[kind] as Map<string, Cell>) {
    add(getOrMake(into[kind] as Map<string, Cell>, name, emptyCells[kind] as () => Cell), value)
  }
}

export const merge = (into: Board, other: Board): void => {
  for (const kind of kinds) mergeKind(into, other, kind)
}
