import type { Season } from "./season.ts"

/** The last minutes of a tape, ending with its last candle. */
export interface Closes {
  /** One close a bar, oldest first; a bar without a candle is NaN and never filled in. */
  readonly closes: Float64Array
  /** Minutes since the epoch at which the last bar opens. */
  readonly lastMinute: number
  /** Default 1; 5 for archives of five-minute candles. */
  readonly minutesPerBar?: 1 | 5
}

/** The plain volatility of the last 120 minutes, as `/v1/crypto/spot` states it. */
interface RealizedVolatility {
  /** Standard deviation of a one-minute log return around 0. */
  readonly stdev1m: number
  /** stdev1m · √60. */
  readonly sigma1h: number
  /** stdev1m · √525600. */
  readonly annualized: number
  /** Number of closes in the last 120 minutes. */
  readonly closes: number
}

/** A volatility needs this many closes in the last 120 minutes. */
const minCloses = 60
/** A volatility needs this many returns between adjacent closes. */
const minReturns = 30

/** ln(after / before). For ratios near 1 by a series in (after − before) / (after + before), faster and more exact. */
const logReturn = (before: number, after: number): number => {
  const u = (after - before) / (after + before)
  const s = u * u
  return s < 1e-4
    ? 2 * u * (1 + s * (0.3333333333333333 + s * (0.2 + s * 0.14285714285714285)))
    : Math.log(after) - Math.log(before)
}

interface MeanSquare {
  /** 0 without returns. */
  readonly value: number
  readonly returns: number
  readonly closes: number
}

/**
 * The mean squared log return per minute over the last `bars` bars. Each return spans `lag` bars, so they overlap if that is
 * more than 1, and its square is divided by the season. A return with a missing end is left out.
 */
const computeMeanSquare = (window: Closes, bars: number, lag: number, season?: Season): MeanSquare => {
  const { closes, lastMinute, minutesPerBar = 1 } = window
  const last = closes.length - 1
  let sum = 0
  let returns = 0
  let present = 0
  let slot = Number.NaN
  let weight = 1
  for (let at = Math.max(0, last - bars + 1); at <= last; at++) {
    const after = closes[at]!
    // Also skips NaN.
    if (!(after > 0)) continue
    present += 1
    if (at < lag) continue
    const earlier = closes[at - lag]!
    if (!(earlier > 0)) continue
    if (season !== undefined) {
      const now = Math.floor((lastMinute - (last - at) * minutesPerBar) / season.minutesPerSlot)
      if (now !== slot) {
        slot = now
        weight = 1 / season.multiplier(slot)
      }
    }
    const change = logReturn(earlier, after)
    sum += change * change * weight
    returns += 1
  }
  return { value: returns === 0 ? 0 : sum / returns / (lag * minutesPerBar), returns, closes: present }
}

/** Counts the closes among the last bars. */
export const countCloses = (closes: Float64Array, bars: number): number => {
  let count = 0
  for (let at = Math.max(0, closes.length - bars); at < closes.length; at++) if (closes[at]! > 0) count++
  return count
}

/** Whether a window suffices for a volatility: positive finite prices, a last bar, half of the last 120 minutes. */
export const isUsable = ({ closes, lastMinute, minutesPerBar = 1 }: Closes): boolean => {
  if (!Number.isFinite(lastMinute) || !(closes[closes.length - 1]! > 0)) return false
  for (let at = 0; at < closes.length; at++) {
    const close = closes[at]!
    if (close <= 0 || close === Number.POSITIVE_INFINITY) return false
  }
  return countCloses(closes, 120 / minutesPerBar) >= minCloses / minutesPerBar
}

/** The mean squared one-bar return per minute over the last `bars` bars; undefined if there are too few. */
const computeVariance = (window: Closes, bars: number): number | undefined => {
  if (!isUsable(window)) return undefined
  const { value, returns } = computeMeanSquare(window, bars, 1)
  return returns >= minReturns / (window.minutesPerBar ?? 1) ? value : undefined
}

/** The mean squared return per minute over the last two hours; undefined like `realizedVolatility`. */
export const plainVariance = (window: Closes): number | undefined =>
  computeVariance(window, 120 / (window.minutesPerBar ?? 1))

/**
 * The volatility of the last 120 one-minute closes (119 returns), as a root mean square around 0.
 *
 * @param window at least the last 120 minutes of the tape
 * @returns undefined if a price is not positive and finite, if the last close is missing, or with fewer than 60 closes in
 *   the last 120 minutes or 30 returns between adjacent ones. Never NaN; 0 on a flat tape
 */
export const realizedVolatility = (window: Closes): RealizedVolatility | undefined => {
  const variance = computeVariance(window, 120 / (window.minutesPerBar ?? 1) - 1)
  if (variance === undefined) return undefined
  const stdev1m = Math.sqrt(variance)
  return {
    stdev1m,
    sigma1h: stdev1m * Math.sqrt(60),
    annualized: stdev1m * Math.sqrt(525_600),
    closes: countCloses(window.closes, 120 / (window.minutesPerBar ?? 1)),
  }
}

/**
 * Deseasonalized variance per minute over the last 30 minutes, 2 hours, 12 hours, 24 hours and 7 days: from one-bar
 * returns in the two short windows, from overlapping five-minute returns in the three long ones, which removes the
 * bid-ask bounce of a thin tape.
 *
 * A window counts if it has half of its bars and a quarter of its returns (the 7 days: a tenth and a twentieth). A window
 * that does not count, or has no move, takes the value of the next shorter one or, without one, of the next longer one. Each
 * value is at least a thirtieth of the next longer one, so that half an hour without moves does not give 0.
 *
 * @param window ideally the last 10,085 minutes
 * @returns five numbers, all positive, or all 0 if all prices are equal; undefined if the window is not usable or none of
 *   the five counts
 */
export const deseasonalize = (window: Closes, season: Season): ReadonlyArray<number> | undefined => {
  if (!isUsable(window)) return undefined
  const { minutesPerBar = 1 } = window
  const values = windowLengths.map(({ minutes, lag, share }) => {
    const bars = minutes / minutesPerBar
    const { value, returns, closes } = computeMeanSquare(window, bars, Math.max(1, lag / minutesPerBar), season)
    return closes >= share * bars && returns >= (share * bars) / 2 ? value : undefined
  })
  let nearest: number | undefined
  for (let at = 0; at < values.length; at++) {
    if (values[at] === undefined || (values[at] === 0 && nearest !== undefined)) values[at] = nearest
    nearest = values[at]
  }
  if (nearest === undefined) return undefined
  const variances: Array<number> = []
  for (let at = values.length - 1; at >= 0; at--) {
    nearest = Math.max(values[at] ?? nearest, nearest / 30)
    variances.unshift(nearest)
  }
  return variances
}

const windowLengths = [
  { minutes: 30, lag: 1, share: 0.5 },
  { minutes: 120, lag: 1, share: 0.5 },
  { minutes: 720, lag: 5, share: 0.5 },
  { minutes: 1440, lag: 5, share: 0.5 },
  { minutes: 10_080, lag: 5, share: 0.1 },
]
