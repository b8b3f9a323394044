import { hashSeed, normalAt } from "../../mock/hash.ts"

/**
 * A price path that has a value at any minute without a history: variance is handed down a binary tree in random
 * shares (a multiplicative cascade, so that volatility clusters on every scale), and the log price is a Brownian bridge
 * over the same tree. After B. Mandelbrot, A. Fisher, L. Calvet, "A Multifractal Model of Asset Returns" (1997).
 */
export interface Path {
  /** Log of price over base, at the end of each minute of [from, to), minutes since the epoch. */
  readonly logs: (from: number, to: number) => Float64Array
}

/** 2020-01-01, minutes since the epoch; 2^23 minutes reach to December 2035. */
const origin = 26_297_280
const depth = 23

/** Variance of one minute at 55 % a year. */
const minuteVariance = 0.55 ** 2 / 525_600

/** Shares spread widest from minutes to days; months get nearly even ones. */
const getRoughness = (level: number): number => (level < depth - 15 ? 0.15 : level >= depth - 1 ? 0.2 : 0.5)

/** Moves over more than 45 days are damped, so that the path stays near its base for years. */
const getDamping = (level: number): number => (level < depth - 16 ? 0.3 : 1)

export const make = (name: string): Path => {
  const seed = hashSeed(name)
  const shares = hashSeed(`${name}/shares`)

  /** Fills the part of [from, to) below one node of the tree. */
  const descend = (
    level: number,
    index: number,
    left: number,
    right: number,
    variance: number,
    from: number,
    to: number,
    out: Float64Array,
  ): void => {
    const length = 2 ** (depth - level)
    const start = index * length
    if (start >= to || start + length <= from) return
    if (length === 1) {
      out[start - from] = right
      return
    }
    const share = 1 / (1 + Math.exp(-getRoughness(level) * normalAt(shares, level, index)))
    const [first, second] = [variance * share, variance * (1 - share)]
    const deviation = Math.sqrt((first * second) / variance) * getDamping(level)
    const middle = left + (right - left) * share + deviation * normalAt(seed, level, index)
    descend(level + 1, 2 * index, left, middle, first, from, to, out)
    descend(level + 1, 2 * index + 1, middle, right, second, from, to, out)
  }

  return {
    logs: (from, to) => {
      const out = new Float64Array(to - from)
      descend(0, 0, 0, 0, minuteVariance * 2 ** depth, from - origin, to - origin, out)
      return out
    },
  }
}
