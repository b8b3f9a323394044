import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import { minute } from "../../time.ts"
import { covering, gapBetween, gaps } from "./candles.ts"
import type { Asset } from "./endpoints.ts"
import { type CandleSource, CandleStore } from "./ports.ts"

/** Minutes checked for gaps on every run; older ones only in a full run. */
const repaired = 180
/** Minutes of the longest volatility window. */
export const backfill = 7 * 1440
/** Minutes that the first source may be late before the next one is asked. */
const maxFailures = 3
/** Two sources are compared over the last minutes of every fifth minute. */
const compared = 10

export interface Synced {
  readonly asset: Asset
  readonly stored: number
  /** Minutes of the range without a candle from any source. */
  readonly missing: number
  /** Failed sources, with the error. */
  readonly failures: ReadonlyArray<string>
}

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
    const from = nowMinute - (full ? backfill : repaired)
    const failures: Array<string> = []
    let stored = 0
    let answered = false
    let storedMinutes = yield* store.minutes(asset, from)
    for (const [rank, source] of sources.entries()) {
      // A working first source gets 3 minutes for the newest candles: alternating between two exchanges would add their
      // price difference to the volatility.
      const until = rank === 0 || failures.length > 0 ? nowMinute : nowMinute - maxFailures
      const since = Math.max(from, nowMinute - (source.reach ?? backfill))
      for (const [start, end] of covering(gaps(storedMinutes, since, until, source.span), source.span)) {
        const candles = yield* Effect.either(source.candles(asset, start, end))
        if (candles._tag === "Left") {
          failures.push(`${source.name}: ${candles.left.message}`)
          break
        }
        answered = true
        stored += yield* store.append(asset, source.name, candles.right)
      }
      storedMinutes = yield* store.minutes(asset, from)
    }
    const missing = nowMinute - from - storedMinutes.length
    if (missing > 0 && !answered) {
      return yield* fail("upstream_unavailable", {
        detail: `All sources of ${asset} candles failed: ${failures.join(" ")}`,
      })
    }
    // After a failure the comparison is skipped.
    if (nowMinute % 5 === 0 && failures.length === 0) yield* compare(asset, sources, nowMinute)
    return { asset, stored, missing, failures }
  })

/** Asks the first two sources for the same minutes and stores their difference. A failed source is ignored. */
const compare = (
  asset: Asset,
  [primary, secondary]: ReadonlyArray<CandleSource>,
  nowMinute: number,
): Effect.Effect<void, Failure, CandleStore> =>
  Effect.gen(function* () {
    if (primary === undefined || secondary === undefined) return
    const store = yield* CandleStore
    const both = yield* Effect.either(
      Effect.all([
        primary.candles(asset, nowMinute - compared, nowMinute),
        secondary.candles(asset, nowMinute - compared, nowMinute),
      ]),
    )
    if (both._tag === "Left") return
    const gap = gapBetween(...both.right)
    if (gap === undefined) return
    yield* store.recordComparison({ asset, minute: nowMinute, primary: primary.name, secondary: secondary.name, gap })
  })
