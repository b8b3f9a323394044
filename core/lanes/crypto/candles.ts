import * as Either from "effect/Either"
import { formatMinute } from "./coverage.ts"
import type { Candle } from "./ports.ts"

/** A candle as received, not yet validated. */
export type ReceivedCandle = Candle

/** What is wrong with the figures of a candle; undefined if nothing is. */
const findContradiction = ({ high, low, close, volume }: ReceivedCandle): string | undefined => {
  if (!(low > 0 && Number.isFinite(high) && Number.isFinite(close))) return "a price that is not positive and finite"
  if (high < low) return `a high of ${high} below its low of ${low}`
  if (close < low || close > high) return `a close of ${close} outside ${low} to ${high}`
  return volume >= 0 && Number.isFinite(volume) ? undefined : `a volume of ${volume}`
}

/** The largest plausible log return between two candles, unless more than `maxHoleMinutes` lie between them. */
const maxJump = Math.log(1.2)
const maxHoleMinutes = 60

/** Why the second close cannot follow the first one; undefined if it can. */
export const findJump = (before: Pick<Candle, "minute" | "close">, after: Pick<Candle, "minute" | "close">) =>
  after.minute - before.minute > maxHoleMinutes || Math.abs(Math.log(after.close / before.close)) <= maxJump
    ? undefined
    : `the close of ${formatMinute(after.minute)} is ${after.close} after ${before.close} at ${formatMinute(before.minute)}`

/** Why an answer cannot be an exchange's candles; undefined if it can. */
const checkCandles = (printed: Iterable<ReceivedCandle>, nowMinute: number): string | undefined => {
  for (const candle of printed) {
    if (!Number.isSafeInteger(candle.minute))
      return `a candle does not begin at a full minute (${candle.minute * 60} s)`
    // A clock may be a little ahead of ours.
    if (candle.minute > nowMinute + 1) return `a candle of ${formatMinute(candle.minute)} is in the future`
    const reason = candle.volume === 0 ? undefined : findContradiction(candle)
    if (reason !== undefined) return `the candle of ${formatMinute(candle.minute)} has ${reason}`
  }
}

/**
 * Validates candles for the tape: complete minutes of [from, to) in rising order, once each. Minutes without trades (volume
 * 0) are gaps. An answer with a single impossible candle is refused, with the reason, since most rows of a shifted column
 * look plausible.
 *
 * @param nowMinute minutes since the epoch of the current minute
 */
export const validateCandles = (
  printed: Iterable<ReceivedCandle>,
  from: number,
  to: number,
  nowMinute: number,
): Either.Either<ReadonlyArray<Candle>, string> => {
  const refusal = checkCandles(printed, nowMinute)
  if (refusal !== undefined) return Either.left(refusal)
  const byMinute = new Map<number, Candle>()
  for (const candle of printed) {
    if (candle.volume === 0 || candle.minute >= nowMinute || candle.minute < from || candle.minute >= to) continue
    const previous = byMinute.get(candle.minute)
    if (previous !== undefined && previous.close !== candle.close) {
      return Either.left(`${formatMinute(candle.minute)} has two closes, ${previous.close} and ${candle.close}`)
    }
    byMinute.set(candle.minute, previous ?? candle)
  }
  const candles = [...byMinute.values()].sort((a, b) => a.minute - b.minute)
  const [jumped] = candles.flatMap((candle, at) => (at === 0 ? [] : (findJump(candles[at - 1]!, candle) ?? [])))
  return jumped === undefined ? Either.right(candles) : Either.left(jumped)
}

/** An answer is compared with at least this many stored closes of the same source. */
const minKnown = 5

/**
 * Why an answer contradicts the tape that it should continue, as rows that are shifted, of another day or of another asset
 * do; undefined if it does not.
 *
 * @param known stored closes of the range that was asked for, of the same source
 * @param until the end of the range
 */
export const findTapeContradiction = (
  candles: ReadonlyArray<Candle>,
  known: ReadonlyArray<Pick<Candle, "minute" | "close">>,
  until: number,
): string | undefined => {
  if (candles.length === 0 && known.length >= minKnown)
    return `no candle for ${known.length} minutes that it had before`
  const closes = new Map(candles.map(({ minute, close }) => [minute, close]))
  const repeated = known.filter(({ minute }) => closes.has(minute))
  const changed = repeated.filter(({ minute, close }) => closes.get(minute) !== close)
  if (repeated.length < known.length / 2 && known.length >= minKnown) {
    return `candles for only ${repeated.length} of ${known.length} minutes that it had before`
  }
  if (changed.length > repeated.length / 2 && repeated.length >= minKnown) {
    return `another close in ${changed.length} of ${repeated.length} minutes that it had before`
  }
  const [first] = candles.filter(({ minute }) => !known.some((one) => one.minute === minute))
  const previous = first && known.findLast(({ minute }) => minute < first.minute && minute < until)
  return first && previous && findJump(previous, first)
}

/** The runs of minutes in [from, to) that are missing in `stored` (ascending), each at most `longest` minutes. */
export const listGaps = (
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

/** The fewest ranges of at most `longest` minutes that cover all gaps, so that neighbouring gaps share a request. */
export const coverGaps = (
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

/** Two sources disagree if their closes of the same minute differ by more than this log return. */
export const maxDisagreement = 0.005

/** The largest |ln(a / b)| over common minutes; undefined without any. */
export const measureDifference = (
  a: ReadonlyArray<Pick<Candle, "minute" | "close">>,
  b: ReadonlyArray<Pick<Candle, "minute" | "close">>,
): number | undefined => {
  const closes = new Map(a.map(({ minute, close }) => [minute, close]))
  let worst: number | undefined
  for (const { minute, close } of b) {
    const other = closes.get(minute)
    if (other !== undefined) worst = Math.max(worst ?? 0, Math.abs(Math.log(close / other)))
  }
  return worst
}
