import type { Coverage, Due, Period } from "../../feeds/Due.ts"
import { iso, minute } from "../../time.ts"
import { type Asset, assets } from "./fields.ts"

export const tapeFeeds: Readonly<Record<Asset, Due>> = Object.fromEntries(
  assets.map((asset) => [
    asset,
    {
      name: `crypto_${asset.toLowerCase()}_candles`,
      title: `${asset} candles`,
      due: "One candle per minute, within two minutes of its beginning.",
      absence:
        "Signals are refused and spot prices flagged; after a hole of five minutes signals are not recorded for a week.",
    },
  ]),
) as Record<Asset, Due>

/** A candle is due this long after it begins, milliseconds. */
export const dueAfterMs = 2 * minute
/** Length of the tape that a signal needs: a week, in minutes. */
export const windowMinutes = 7 * 1440
/** Fewer minutes in a row without a candle count as minutes without trades. */
const minHoleMinutes = 5
/** At most this many late minutes are listed. */
const maxListedMinutes = 60

/** `2026-07-08T14:05Z` */
export const formatMinute = (minutes: number): string =>
  Math.abs(minutes) < 1e9 ? iso(minutes * minute).replace(":00.000Z", "Z") : `minute ${minutes}`

const toMinutePeriod = (order: number): Period => ({ order, name: formatMinute(order) })

/** Minutes without a candle between two that have one: from `from` up to `to`, excluded. */
export interface Hole {
  readonly from: number
  readonly to: number
}

const toHolePeriod = ({ from, to }: Hole): Period => ({
  order: from,
  name: `${to - from} minutes from ${formatMinute(from)}`,
})

/**
 * The coverage of a tape: late minutes at its end are missing, and holes in the last week are gaps.
 *
 * @param last the last candle, minutes since the epoch; undefined without any
 * @param holes the holes of the week before it, oldest first
 */
export const tapeCoverage = (last: number | undefined, holes: ReadonlyArray<Hole>, now: number): Coverage => {
  const expected = Math.ceil((now - dueAfterMs) / minute) - 1
  const from = Math.max((last ?? Number.NEGATIVE_INFINITY) + 1, expected + 1 - maxListedMinutes)
  return {
    ...(last !== undefined && { newest: toMinutePeriod(last) }),
    expected: toMinutePeriod(expected),
    missing: Array.from({ length: Math.max(0, expected + 1 - from) }, (_, at) => toMinutePeriod(from + at)),
    gaps: holes.filter((hole) => hole.to - hole.from >= minHoleMinutes).map(toHolePeriod),
  }
}
