import * as Either from "effect/Either"
import { minuteName } from "./coverage.ts"
import type { Candle } from "./ports.ts"

/** A candle as received, not yet validated. */
export type Printed = Candle

/** Why the figures of a candle contradict each other; undefined: they do not. */
const contradiction = ({ high, low, close, volume }: Printed): string | undefined => {
  if (!(low > 0 && Number.isFinite(high) && Number.isFinite(close))) return "a price that is not positive and finite"
  if (high < low) return `a high of ${high} below its low of ${low}`
  if (close < low || close > high) return `a close of ${close} outside ${low} to ${high}`
  return volume >= 0 && Number.isFinite(volume) ? undefined : `a volume of ${volume}`
}

/** The greatest change of a price from one minute to the next, and over the minutes of a short hole. */
const greatestJump = Math.log(1.2)
const shortHole = 60

/** Why the second close cannot follow the first one; undefined: it can. */
export const jump = (before: Pick<Candle, "minute" | "close">, after: Pick<Candle, "minute" | "close">) =>
  after.minute - before.minute > shortHole || Math.abs(Math.log(after.close / before.close)) <= greatestJump
    ? undefined
    : `the close of ${minuteName(after.minute)} is ${after.close} after ${before.close} at ${minuteName(before.minute)}`

/** Why an answer cannot be an exchange's candles; undefined: it can. */
const checkCandles = (printed: Iterable<Printed>, nowMinute: number): string | undefined => {
  for (const candle of printed) {
    if (!Number.isSafeInteger(candle.minute)) return `a candle begins at no full minute (${candle.minute * 60} s)`
    // A clock may be a little ahead of ours.
    if (candle.minute > nowMinute + 1) return `a candle of ${minuteName(candle.minute)} is in the future`
    const reason = candle.volume === 0 ? undefined : contradiction(candle)
    if (reason !== undefined) return `the candle of ${minuteName(candle.minute)} has ${reason}`
  }
}

/**
 * Validates candles for the tape: complete minutes of [from, to) in rising order, once each. Minutes without trades (volume
 * 0) are gaps. An answer with one candle that cannot be is refused whole, with the reason: of a shifted column most rows look
 * good.
 *
 * @param nowMinute minutes since the epoch of the current minute
 */
export const clean = (
  printed: Iterable<Printed>,
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
      return Either.left(`${minuteName(candle.minute)} has two closes, ${previous.close} and ${candle.close}`)
    }
    byMinute.set(candle.minute, previous ?? candle)
  }
  const candles = [...byMinute.values()].sort((a, b) => a.minute - b.minute)
  const [jumped] = candles.flatMap((candle, at) => (at === 0 ? [] : (jump(candles[at - 1]!, candle) ?? [])))
  return jumped === undefined ? Either.right(candles) : Either.left(jumped)
}

/** Stored closes of the same source that are compared with an answer; of fewer nothing is said. */
const fewestKnown = 5

/**
 * Why an answer contradicts the tape that it is to continue: rows that are shifted, of another day, or of another asset.
 *
 * @param known stored closes of the range that was asked for, of the same source
 * @param until the end of the range
 */
export const contradictsTape = (
  candles: ReadonlyArray<Candle>,
  known: ReadonlyArray<Pick<Candle, "minute" | "close">>,
  until: number,
): string | undefined => {
  if (candles.length === 0 && known.length >= fewestKnown) return `no candle of ${known.length} minutes that it had`
  const closes = new Map(candles.map(({ minute, close }) => [minute, close]))
  const again = known.filter(({ minute }) => closes.has(minute))
  const changed = again.filter(({ minute, close }) => closes.get(minute) !== close)
  if (again.length < known.length / 2 && known.length >= fewestKnown) {
    return `candles of ${again.length} of ${known.length} minutes that it had`
  }
  if (changed.length > again.length / 2 && again.length >= fewestKnown) {
    return `another close in ${changed.length} of ${again.length} minutes that it had`
  }
  const [first] = candles.filter(({ minute }) => !known.some((one) => one.minute === minute))
  const previous = first && known.findLast(({ minute }) => minute < first.minute && minute < until)
  return first && previous && jump(previous, first)
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

/** Two sources whose closes of a minute differ by more disagree, as a log return. */
export const disagreement = 0.005

/** Largest |ln(a / b)| over their common minutes; undefined without any. */
export const gapBetween = (
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
