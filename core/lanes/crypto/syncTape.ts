import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { minute } from "../../time.ts"
import { contradictsTape, covering, disagreement, gapBetween, gaps } from "./candles.ts"
import { windowMinutes } from "./coverage.ts"
import type { Asset } from "./fields.ts"
import { type Candle, type CandleSource, CandleStore, type StoredClose } from "./ports.ts"

/** Minutes checked for gaps on every run; older ones only in a full run. */
const repaired = 180
/** Stored minutes before a gap that are asked for again: an answer must continue the tape. */
const overlap = 15
/** Minutes that the first source may be late before the next one is asked. */
const maxFailures = 3
/** Two sources are compared over the last minutes of every fifth minute, and before a new tape. */
const compared = 10

export interface Synced {
  readonly asset: Asset
  readonly stored: number
  /** Stored minutes whose close their exchange has changed since; the new one counts from now on. */
  readonly revised: number
  /** Minutes of the range without a candle from any source. */
  readonly missing: number
  /** Failed sources, with the error. */
  readonly failures: ReadonlyArray<string>
}

/** Asks for a range and some stored minutes before it, and holds the answer against the tape. */
const continued = (
  asset: Asset,
  { name, span, candles }: CandleSource,
  [start, end]: readonly [start: number, end: number],
  stored: ReadonlyArray<StoredClose>,
  nowMinute: number,
): Effect.Effect<ReadonlyArray<Candle>, Failure> =>
  Effect.gen(function* () {
    const oldest = Math.min(start, stored[0]?.minute ?? start)
    const from = Math.max(oldest, start - Math.max(0, Math.min(overlap, span - (end - start))))
    const answer = yield* candles(asset, from, end)
    const complete = stored.filter(({ minute, source }) => source === name && minute >= from && minute < end)
    const isSilent = end === nowMinute && end - from >= overlap && !answer.some(({ minute }) => minute >= end - overlap)
    const reason = isSilent ? `no candle of the last ${overlap} minutes` : contradictsTape(answer, complete, end)
    return reason === undefined ? answer : yield* fail("upstream_unavailable", { detail: `refused: ${reason}.` })
  })

/**
 * Fetches an asset's missing minutes up to the last complete one, from the sources in order of preference; each later
 * source fills the gaps of the earlier ones. Fails only when no source answered.
 *
 * @param full true: the whole of the last seven days; false: the last three hours
 */
export const syncTape = (
  asset: Asset,
  sources: ReadonlyArray<CandleSource>,
  full: boolean,
): Effect.Effect<Synced, Failure, CandleStore> =>
  Effect.gen(function* () {
    const store = yield* CandleStore
    const nowMinute = Math.floor((yield* Clock.currentTimeMillis) / minute)
    const from = nowMinute - (full ? windowMinutes : repaired)
    const failures: Array<string> = []
    let [stored, revised] = [0, 0]
    let answered = false
    let tape = yield* store.closes(asset, from)
    // A new tape has nothing that an answer could contradict but the other source.
    if (tape.length === 0) {
      const { gap = 0 } = yield* compare(asset, sources, nowMinute)
      if (gap > disagreement) return yield* noBeginning(asset, sources, gap)
    }
    for (const [rank, source] of sources.entries()) {
      // A working first source gets 3 minutes for the newest candles: alternating between two exchanges would add their
      // price difference to the volatility.
      const until = rank === 0 || failures.length > 0 ? nowMinute : nowMinute - maxFailures
      const since = Math.max(from, nowMinute - (source.reach ?? windowMinutes))
      const minutes = tape.map(({ minute }) => minute)
      // The newest first: an exchange that is wrong about them is not asked for the others.
      for (const range of covering(gaps(minutes, since, until, source.span), source.span).toReversed()) {
        const candles = yield* Effect.either(continued(asset, source, range, tape, nowMinute))
        if (candles._tag === "Left") {
          failures.push(`${source.name}: ${candles.left.message}`)
          break
        }
        answered = true
        yield* compareWithTape(asset, source.name, candles.right, tape, nowMinute)
        const changed = revisions(candles.right, tape, source.name)
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

/** The candles of a source that it has changed since they were stored. */
const revisions = (candles: ReadonlyArray<Candle>, stored: ReadonlyArray<StoredClose>, name: string) => {
  const closes = new Map(stored.map(({ minute, close, source }) => [minute, source === name ? close : undefined]))
  return candles.filter(({ minute, close }) => (closes.get(minute) ?? close) !== close)
}

/** Stores how far a source is from the minutes of another one that are on the tape. */
const compareWithTape = (
  asset: Asset,
  secondary: string,
  candles: ReadonlyArray<Candle>,
  tape: ReadonlyArray<StoredClose>,
  nowMinute: number,
): Effect.Effect<void, Failure, CandleStore> =>
  Effect.gen(function* () {
    const others = tape.filter(({ minute, source }) => source !== secondary && minute >= nowMinute - repaired)
    const gap = gapBetween(others, candles)
    if (gap === undefined) return
    const { recordComparison } = yield* CandleStore
    yield* recordComparison({ asset, minute: nowMinute, primary: others.at(-1)!.source, secondary, gap })
  })

/** Prices of which one must be wrong begin no tape: its returns would be wrong for a week. */
const noBeginning = (
  asset: Asset,
  [primary, secondary]: ReadonlyArray<CandleSource>,
  gap: number,
): Effect.Effect<never, Failure> =>
  fail("upstream_unavailable", {
    detail: `${primary!.name} and ${secondary!.name} differ by ${(100 * gap).toFixed(2)} %: ${asset} candles of neither begin a tape.`,
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
      Effect.mapError(candles(asset, nowMinute - compared, nowMinute), ({ message }) => `${name}: ${message}`)
    const [failures, [a, b]] = yield* Effect.partition([primary, secondary], ask)
    const gap = a === undefined || b === undefined ? undefined : gapBetween(a, b)
    if (gap !== undefined) {
      const { recordComparison } = yield* CandleStore
      yield* recordComparison({ asset, minute: nowMinute, primary: primary.name, secondary: secondary.name, gap })
    }
    return { failures, ...ifDefined("gap", gap) }
  })
