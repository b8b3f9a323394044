import { atOnce } from "../../math/atOnce.ts"
import { clusterBootstrapSteps, type Interval } from "../../math/bootstrap.ts"
import { xoshiro128 } from "../../math/xoshiro128.ts"
import { groupOf, type HeadToHead } from "./board.ts"
import { forecast } from "./calibration.ts"
import { intervalCoverage, replicates, seed, squareUnit, strataOf } from "./scores.ts"

/** A contract that is scored for us and on which a challenger has an opinion. Probabilities in whole millionths. */
export interface Shared extends Pick<HeadToHead, "domain" | "event" | "model" | "market" | "happened"> {
  /** The challenger's last probability before the close. */
  readonly challenger: number
  /** Whether a checkpoint signed before the close covers that opinion. */
  readonly anchored: boolean
}

const fields = ["count", "challenger", "model", "market"] as const

/** Contracts and squared errors of a group of events. Exact up to 9,007 contracts at the worst score, as on the board. */
type Group = Record<(typeof fields)[number], number>

/** The sums behind a challenger's scores; their size does not grow with the rows. */
export interface Sums {
  /** By name, as on the board. */
  readonly groups: Map<string, Group>
  /** Rows whose opinion was anchored before the close. */
  anchored: number
  /** Number of changes: scores of the same number are the same. */
  changes: number
}

export const empty = (): Sums => ({ groups: new Map(), anchored: 0, changes: 0 })

/** Adds a row; `sign` −1 removes it. */
export const add = (sums: Sums, row: Shared, sign: 1 | -1 = 1): void => {
  const name = groupOf(row)
  const group = sums.groups.get(name) ?? { count: 0, challenger: 0, model: 0, market: 0 }
  sums.groups.set(name, group)
  group.count += sign
  for (const who of ["challenger", "model", "market"] as const) {
    group[who] += sign * forecast(row[who], row.happened).squared
  }
  if (row.anchored) sums.anchored += sign
  sums.changes += 1
}

/** Number of contracts. */
export const sharedOf = ({ groups }: Sums): number => [...groups.values()].reduce((sum, { count }) => sum + count, 0)

/** Mean Brier scores on the same rows, and the intervals of the challenger's differences; below zero it is ahead. */
export interface ChallengerScores {
  readonly shared: number
  readonly anchored: number
  readonly challenger: number
  readonly model: number
  readonly market: number
  /** Challenger minus model, and minus market. Absent with fewer than two groups of events. */
  readonly differences?: { readonly model: Interval; readonly market: Interval }
}

/**
 * The scores of a challenger, undefined without a shared row, in steps of a few milliseconds between which the caller can
 * yield. The bootstrap is the board's: it draws groups of events within each domain, under the same seed.
 */
export function* scoreSteps(sums: Sums): Generator<undefined, ChallengerScores | undefined> {
  const strata = strataOf(sums.groups, fields).map(([, found]) => found)
  const totals = [...sums.groups.values()].reduce(
    (sum, group) => fields.map((name, at) => sum[at]! + group[name]),
    fields.map(() => 0),
  )
  const [shared, ...errors] = totals as [number, number, number, number]
  if (shared === 0) return undefined
  const [challenger, model, market] = errors.map((error) => error / (shared * squareUnit)) as [number, number, number]
  const scores = { shared, anchored: sums.anchored, challenger, model, market }
  const clusters = strata.reduce((sum, { length }) => sum + length / fields.length, 0)
  if (clusters < 2) return scores
  const total = new Float64Array(fields.length)
  const [toModel, toMarket] = yield* clusterBootstrapSteps(
    strata,
    fields.length,
    2,
    (drawn, into) => {
      total.fill(0)
      for (const found of drawn) for (let at = 0; at < total.length; at++) total[at]! += found[at]!
      const unit = total[0]! * squareUnit
      into[0] = (total[1]! - total[2]!) / unit
      into[1] = (total[1]! - total[3]!) / unit
    },
    replicates,
    xoshiro128(seed),
    intervalCoverage,
  )
  return { ...scores, differences: { model: toModel!, market: toMarket! } }
}

/** The same at once. */
export const scoresOf = (sums: Sums): ChallengerScores | undefined => atOnce(scoreSteps(sums))
