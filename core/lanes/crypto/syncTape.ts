import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { minute } from "../../time.ts"
import { coverGaps, findTapeContradiction, listGaps, maxDisagreement, measureDifference } from "./candles.ts"
import { windowMinutes } from "./coverage.ts"
import type { Asset } from "./fields.ts"
import { type Candle, type CandleSource, CandleStore, type StoredClose } from "./ports.ts"

/** The last minutes that every run checks for gaps; older ones are checked by full runs only. */
const repairMinutes = 180
/** This many stored minutes before a gap are fetched again, since an answer must continue the tape. */
const overlapMinutes = 15
/** The first source may be this many minutes late before the next one is used. */
const graceMinutes = 3
/** Two sources are compared over this many last minutes, every five minutes and before a new tape begins. */
const comparedMinutes = 10

export interface SyncedTape {
  readonly asset: Asset
  readonly stored: number
  /** Stored minutes whose close the exchange has changed since; the new close counts from now on. */
  readonly revised: number
  /** Minutes of the range without a candle from any source. */
  readonly missing: number
  /** Failed sources, with the error. */
  readonly failures: ReadonlyArray<string>
}

/** Asks a source for a range and some stored minutes before it; fails if the answer contradicts the tape. */
const fetchContinuation = (
  asset: Asset,
  { name, span, candles }: CandleSource,
  [start, end]: readonly [start: number, end: number],
  stored: ReadonlyArray<StoredClose>,
  nowMinute: number,
): Effect.Effect<ReadonlyArray<Candle>, Failure> =>
  Effect.gen(function* () {
    const oldest = Math.min(start, stored[0]?.minute ?? start)
    const from = Math.max(oldest, start - Math.max(0, Math.min(overlapMinutes, span - (end - start))))
    const answer = yield* candles(asset, from, end)
    const complete = stored.filter(({ minute, source }) => source === name && minute >= from && minute < end)
    const isSilent =
      end === nowMinute && end - from >= overlapMinutes && !answer.some(({ minute }) => minute >= end - overlapMinutes)
    const reason = isSilent
      ? `no candle of the last ${overlapMinutes} minutes`
      : findTapeContradiction(answer, complete, end)
    return reason === undefined ? answer : yield* fail("upstream_unavailable", { detail: `refused: ${reason}.` })
  })

/**
 * Fetches an asset's missing minutes up to the last complete one, from the sources in order of preference; each later
 * source fills the gaps of the earlier ones. Fails only if no source answered.
 *
 * @param full true for the last seven days, false for the last three hours
 */
export const syncTape = (
  asset: Asset,
  sources: ReadonlyArray<CandleSource>,
  full: boolean,
): Effect.Effect<SyncedTape, Failure, CandleStore> =>
  Effect.gen(function* () {
    const store = yield* CandleStore
    const nowMinute = Math.floor((yield* Clock.currentTimeMillis) / minute)
    const from = nowMinute - (full ? windowMinutes : repairMinutes)
    const failures: Array<string> = []
    let [stored, revised] = [0, 0]
    let answered = false
    let tape = yield* store.closes(asset, from)
    // An answer cannot contradict an empty tape, so the sources are compared with each other.
    if (tape.length === 0) {
      const { gap = 0 } = yield* compare(asset, sources, nowMinute)
      if (gap > maxDisagreement) return yield* failBeginning(asset, sources, gap)
    }
    for (const [rank, source] of sources.entries()) {
      // A working first source gets 3 minutes for the newest candles: alternating between two exchanges would add their
      // price difference to the volatility.
      const until = rank === 0 || failures.length > 0 ? nowMinute : nowMinute - graceMinutes
      const since = Math.max(from, nowMinute - (source.reach ?? windowMinutes))
      const minutes = tape.map(({ minute }) => minute)
      // The newest range first: if an exchange is wrong about that, the others are not requested.
      for (const range of coverGaps(listGaps(minutes, since, until, source.span), source.span).toReversed()) {
        const candles = yield* Effect.either(fetchContinuation(asset, source, range, tape, nowMinute))
        if (candles._tag === "Left") {
          failures.push(`${source.name}: ${candles.left.message}`)
          break
        }
        answered = true
        yield* compareWithTape(asset, source.name, candles.right, tape, nowMinute)
        const changed = listRevisions(candles.right, tape, source.name)
        const news = candles.right.filter((candle) => candle.minute >= range[0] && !changed.includes(candle))
        stored += (yield* store.append(asset, source.name, [...changed, ...news])) - changed.length
        revised += changed.length
      }
      tape = yield* store.closes(asset, from)
    }
    const missing = nowMinute - from - tape.length
    if (missing > 0 && !answered) {
      return yield* fail("upstream_unavailable", {
        detail: `All sources of ${asset} candles failed: ${failures.join(" ")}`,
      })
    }
    // After a failure the comparison is skipped.
    if (nowMinute % 5 === 0 && failures.length === 0)
      failures.push(...(yield* compare(asset, sources, nowMinute)).failures)
    return { asset, stored, revised, missing, failures }
  })

/** The candles that a source has changed since they were stored. */
const listRevisions = (candles: ReadonlyArray<Candle>, stored: ReadonlyArray<StoredClose>, name: string) => {
  const closes = new Map(stored.map(({ minute, close, source }) => [minute, source === name ? close : undefined]))
  return candles.filter(({ minute, close }) => (closes.get(minute) ?? close) !== close)
}

/** Stores how far a source differs from the minutes of other sources on the tape. */
const compareWithTape = (
  asset: Asset,
  secondary: string,
  candles: ReadonlyArray<Candle>,
  tape: ReadonlyArray<StoredClose>,
  nowMinute: number,
): Effect.Effect<void, Failure, CandleStore> =>
  Effect.gen(function* () {
    const others = tape.filter(({ minute, source }) => source !== secondary && minute >= nowMinute - repairMinutes)
    const gap = measureDifference(others, candles)
    if (gap === undefined) return
    const { recordComparison } = yield* CandleStore
    yield* recordComparison({ asset, minute: nowMinute, primary: others.at(-1)!.source, secondary, gap })
  })

/** If two sources differ too much, one must be wrong, and a tape that began with it would be wrong for a week. */
const failBeginning = (
  asset: Asset,
  [primary, secondary]: ReadonlyArray<CandleSource>,
  gap: number,
): Effect.Effect<never, Failure> =>
  fail("upstream_unavailable", {
    detail: `${primary!.name} and ${secondary!.name} differ by ${(100 * gap).toFixed(2)} %, so no ${asset} tape is begun.`,
  })

/**
 * Asks the first two sources for the same minutes and stores their difference.
 *
 * @returns failed sources, with the error, and the difference of those that answered, as a log return
 */
const compare = (
  asset: Asset,
  [primary, secondary]: ReadonlyArray<CandleSource>,
  nowMinute: number,
): Effect.Effect<{ readonly failures: ReadonlyArray<string>; readonly gap?: number }, Failure, CandleStore> =>
  Effect.gen(function* () {
    if (primary === undefined || secondary === undefined) return { failures: [] }
    const ask = ({ name, candles }: CandleSource) =>
      Effect.mapError(candles(asset, nowMinute - comparedMinutes, nowMinute), ({ message }) => `${name}: ${message}`)
    const [failures, [a, b]] = yield* Effect.partition([primary, secondary], ask)
    const gap = a === undefined || b === undefined ? undefined : measureDifference(a, b)
    if (gap !== undefined) {
      const { recordComparison } = yield* CandleStore
      yield* recordComparison({ asset, minute: nowMinute, primary: primary.name, secondary: secondary.name, gap })
    }
    return { failures, ...ifDefined("gap", gap) }
  })
