import { months } from "../../../core/contracts/tickers.ts"
import { day, iso, minute } from "../../../core/time.ts"

/** The round number by which about `wanted` steps cross a range. */
const stepOf = (low: number, high: number, wanted: number): number => {
  const rough = (high - low) / wanted || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power
}

/** Multiples of a step, so that rounding errors do not add up. */
const multiples = (step: number, first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))

/** About `wanted` round numbers within a range. */
export const ticks = (low: number, high: number, wanted = 5): ReadonlyArray<number> => {
  if (!(high > low)) return [low]
  const step = stepOf(low, high, wanted)
  return multiples(step, Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9))
}

/** Three or more round numbers, the first at or below a range and the last at or above it. */
export const ticksAround = (low: number, high: number): ReadonlyArray<number> => {
  const step = stepOf(low, high, 3)
  const first = Math.floor(low / step + 1e-9)
  return multiples(step, first, Math.max(first + 1, Math.ceil(high / step - 1e-9)))
}

/** Steps of a time axis: below a month in milliseconds, then in months. */
const short = [1, 5, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 10_080, 20_160].map((minutes) => minutes * minute)
const long = [1, 2, 3, 6, 12, 24, 60, 120, 240]

const monthOf = (at: number): string =>
  months[new Date(at).getUTCMonth()]!.replace(/\B\w+/, (rest) => rest.toLowerCase())

export type Tick = readonly [value: number, words: string]

/** At most about `wanted` hours, days, months or years of UTC within a range, as they are spoken of at that distance. */
export const timeTicks = (low: number, high: number, wanted = 5): ReadonlyArray<Tick> => {
  const step = short.find((each) => (high - low) / each <= wanted)
  if (step !== undefined) {
    const first = Math.ceil(low / step) * step
    return Array.from({ length: Math.max(0, Math.floor((high - first) / step) + 1) }, (_, n) => first + n * step).map(
      (at) => [at, at % day === 0 ? `${new Date(at).getUTCDate()} ${monthOf(at)}` : iso(at).slice(11, 16)],
    )
  }
  const every = long.find((each) => (high - low) / (each * 30.4 * day) <= wanted) ?? long.at(-1)!
  const [from, to] = [low, high].map((at) => 12 * new Date(at).getUTCFullYear() + new Date(at).getUTCMonth())
  const first = Math.ceil(from! / every) * every
  return Array.from({ length: Math.max(0, Math.floor((to! - first) / every) + 1) }, (_, n) => first + n * every)
    .map((month) => Date.UTC(Math.floor(month / 12), month % 12))
    .filter((at) => at >= low && at <= high)
    .map((at, n): Tick => {
      const [month, year] = [monthOf(at), new Date(at).getUTCFullYear()]
      // The first one says its year too.
      return [at, month === "Jan" ? String(year) : n === 0 ? `${month} ${year}` : month]
    })
}

/** Width of a letter of the pictures, about, and of the narrowest plot, of a window of 320 pixels. */
export const [letter, narrowest] = [7, 180]

/** Those of the words along an axis, from the left, that stand apart on a plot of a width. @param at their places, percent */
export const apart = <A extends readonly [at: number, words: string]>(
  all: ReadonlyArray<A>,
  width: number = narrowest,
): ReadonlyArray<A> => {
  let end = Number.NEGATIVE_INFINITY
  return all.filter(([at, words]) => {
    const [middle, half] = [(at / 100) * width, (words.length * letter) / 2]
    const [from, to] =
      at < 6 ? [middle, middle + 2 * half] : at > 94 ? [middle - 2 * half, middle] : [middle - half, middle + half]
    if (from < end + 4) return false
    end = to
    return true
  })
}
