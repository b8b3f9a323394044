import * as Arr from "effect/Array"
import * as Record from "effect/Record"
import { toQuarterOfWeek } from "../../../core/lanes/crypto/season.ts"
import type { Closes } from "../../../core/lanes/crypto/volatility.ts"
import { mean } from "../../../core/math/mean.ts"
import { hourlySeason } from "../lanes/crypto/hourly.ts"

/** The bars of the fit end here; what came later is the test's. */
const end = Date.UTC(2025, 5, 1) / 60_000
/** The weight of the hour's value, in bars. */
const weight = 200
const week = 7 * 1440

interface Bar {
  readonly minute: number
  /** The absolute log return over the square root of the hour's variance. */
  readonly move: number
}

/**
 * The multipliers of the quarters of New York's week, of mean 1: the hour's, times the square of how large moves are beside
 * the hour's. Moves are taken absolute and not squared, since a few wild bars would make a quarter.
 */
export const quartersOf = ({ closes, lastMinute, minutesPerBar = 1 }: Closes): ReadonlyArray<number> => {
  const first = lastMinute - (closes.length - 1) * minutesPerBar
  const bars = [...closes].flatMap((close, at): ReadonlyArray<Bar> => {
    const minute = first + at * minutesPerBar
    const move =
      Math.abs(Math.log(close / closes[at - 1]!)) / Math.sqrt(hourlySeason.multiplier(Math.floor(minute / 60)))
    return minute < end && move >= 0 ? [{ minute, move }] : []
  })
  // Each week by its own mean: a wild one counts like any other.
  const weekOf = ({ minute }: Bar): string => String(Math.floor(minute / week))
  const means = Record.map(Arr.groupBy(bars, weekOf), (of) => mean(of.map(({ move }) => move)))
  const sums = new Float64Array(672).fill(weight)
  const counts = new Float64Array(672).fill(weight)
  const hours = new Float64Array(672)
  for (const bar of bars) {
    const at = toQuarterOfWeek(Math.floor(bar.minute / 15))
    sums[at]! += bar.move / means[weekOf(bar)]!
    counts[at]! += 1
    hours[at] = hourlySeason.multiplier(Math.floor(bar.minute / 60))
  }
  const drawn = hours.map((hour, at) => hour * (sums[at]! / counts[at]!) ** 2)
  const average = mean([...drawn])
  return [...drawn].map((value) => Number((value / average).toFixed(3)))
}
