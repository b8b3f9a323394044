import type { Candle } from "./ports.ts"

/** A candle as received, not yet validated. */
export type Printed = Candle

const sound = ({ minute, high, low, close, volume }: Printed): boolean =>
  Number.isSafeInteger(minute) &&
  Number.isFinite(high) &&
  Number.isFinite(volume) &&
  low > 0 &&
  high >= low &&
  close >= low &&
  close <= high &&
  volume >= 0

/**
 * Validates candles for the tape: complete minutes of [from, to) in rising order, once each. Candles whose prices are not
 * positive and finite or contradict each other are dropped, as is a minute received twice with different closes: a gap is
 * better than a wrong price. Minutes without trades (volume 0) are gaps.
 *
 * @param nowMinute minutes since the epoch of the current minute
 */
export const clean = (
  printed: Iterable<Printed>,
  from: number,
  to: number,
  nowMinute: number,
): ReadonlyArray<Candle> => {
  const byMinute = new Map<number, Candle | undefined>()
  for (const candle of printed) {
    if (!sound(candle) || candle.volume === 0) continue
    if (candle.minute < from || candle.minute >= to || candle.minute >= nowMinute) continue
    const before = byMinute.get(candle.minute)
    const first = !byMinute.has(candle.minute)
    byMinute.set(candle.minute, first || before?.close === candle.close ? candle : undefined)
  }
  return [...byMinute.values()].filter((candle) => candle !== undefined).sort((a, b) => a.minute - b.minute)
}

/** Runs of minutes of [from, to) missing in `stored` (ascending), each at most `longest` minutes. */
export const gaps = (
  stored: ReadonlyArray<number>,
  from: number,
  to: number,
  longest: number,
): ReadonlyArray<readonly [from: number, to: number]> => {
  const runs: Array<readonly [number, number]> = []
  const add = (start: number, end: number) => {
    for (let at = start; at < end; at += longest) runs.push([at, Math.min(end, at + longest)])
  }
  let next = from
  for (const minute of stored) {
    if (minute < from || minute >= to) continue
    add(next, minute)
    next = minute + 1
  }
  add(next, to)
  return runs
}

/** The fewest ranges of at most `longest` minutes that cover all gaps: near gaps share a request. */
export const covering = (
  runs: ReadonlyArray<readonly [from: number, to: number]>,
  longest: number,
): ReadonlyArray<readonly [from: number, to: number]> => {
  const ranges: Array<readonly [number, number]> = []
  for (const [from, to] of runs) {
    const last = ranges.at(-1)
    if (last !== undefined && to - last[0] <= longest) ranges[ranges.length - 1] = [last[0], to]
    else ranges.push([from, to])
  }
  return ranges
}

/** Largest |ln(a / b)| over their common minutes; undefined without any. */
export const gapBetween = (a: ReadonlyArray<Candle>, b: ReadonlyArray<Candle>): number | undefined => {
  const closes = new Map(a.map(({ minute, close }) => [minute, close]))
  let worst: number | undefined
  for (const { minute, close } of b) {
    const other = closes.get(minute)
    if (other !== undefined) worst = Math.max(worst ?? 0, Math.abs(Math.log(close / other)))
  }
  return worst
}
