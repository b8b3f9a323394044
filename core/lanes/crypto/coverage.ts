import type { Coverage, Due, Period } from "../../feeds/Due.ts"
import { iso, minute } from "../../time.ts"
import { type Asset, assets } from "./fields.ts"

/** What the exchanges owe, by asset. */
export const tapeFeeds: Readonly<Record<Asset, Due>> = Object.fromEntries(
  assets.map((asset) => [
    asset,
    {
      name: `crypto_${asset.toLowerCase()}_candles`,
      title: `${asset} candles`,
      due: "A candle each minute, two minutes after it begins.",
      absence:
        "Signals are refused, and spots flagged; after a hole of five minutes signals are not recorded for a week.",
    },
  ]),
) as Record<Asset, Due>

/** A candle is due so long after it begins, milliseconds: the last one is stale when it ended that long ago. */
export const dueAfter = 2 * minute
/** Minutes of the tape that a signal reads. */
export const windowMinutes = 7 * 1440
/** Fewer minutes in a row without a candle are minutes without trades. */
const leastHole = 5
/** Most late minutes that are listed. */
const mostListed = 60

/** `2026-07-08T14:05Z` */
export const minuteName = (minutes: number): string =>
  Math.abs(minutes) < 1e9 ? iso(minutes * minute).replace(":00.000Z", "Z") : `minute ${minutes}`

const minuteAt = (order: number): Period => ({ order, name: minuteName(order) })

/** Minutes without a candle between two that have one: from `from` up to, not including, `to`. */
export interface Hole {
  readonly from: number
  readonly to: number
}

const holeAt = ({ from, to }: Hole): Period => ({ order: from, name: `${to - from} minutes from ${minuteName(from)}` })

/**
 * The coverage of a tape: late minutes at its end are missing; holes of the last week are gaps.
 *
 * @param last minutes since the epoch of the last candle; undefined without any
 * @param holes those of the last week up to it, oldest first
 */
export const tapeCoverage = (last: number | undefined, holes: ReadonlyArray<Hole>, now: number): Coverage => {
  const expected = Math.ceil((now - dueAfter) / minute) - 1
  const from = Math.max((last ?? Number.NEGATIVE_INFINITY) + 1, expected + 1 - mostListed)
  return {
    ...(last !== undefined && { newest: minuteAt(last) }),
    expected: minuteAt(expected),
    missing: Array.from({ length: Math.max(0, expected + 1 - from) }, (_, at) => minuteAt(from + at)),
    gaps: holes.filter((hole) => hole.to - hole.from >= leastHole).map(holeAt),
  }
}
