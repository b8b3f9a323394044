import { wilson } from "../../../math/wilson.ts"
import { firstOfficial, type Versions } from "../ports.ts"
import type { VenueReading } from "./reading.ts"

/** How two sources' values of the same days and extremes agree. Counts of highs and lows together. */
export interface Agreement {
  /** Highs and lows that both sources state. */
  readonly compared: number
  readonly equal: number
  /** The venue's source is a degree below, and a degree above. */
  readonly oneBelow: number
  readonly oneAbove: number
  /** Days with an official report of ours since the first reading, of which the venue's source states nothing official. */
  readonly missing: number
  /** Values that differ, by day. */
  readonly differences: ReadonlyArray<Pair>
}

/** An extreme as both sources state it, whole degrees Fahrenheit. */
export interface Pair {
  readonly day: string
  readonly extreme: "high" | "low"
  readonly report: number
  readonly venue: number
}

/**
 * Compares the first official readings of a station with its first official reports.
 *
 * @param readings the first official one of each day, by day
 * @param reports all versions of the days since the first reading
 * @returns the extremes that both state, and the days of reports without a reading
 */
export const pairValues = (
  readings: ReadonlyMap<string, VenueReading>,
  reports: ReadonlyArray<Versions>,
): { readonly pairs: ReadonlyArray<Pair>; readonly missing: number } => {
  const days = reports.flatMap((versions) => firstOfficial(versions)?.report ?? [])
  const pairs = days.flatMap(({ day, highF, lowF }) => {
    const reading = readings.get(day)
    const both = [
      ["high", highF, reading?.highF],
      ["low", lowF, reading?.lowF],
    ] as const
    return both.flatMap(
      ([extreme, report, venue]): ReadonlyArray<Pair> =>
        report === undefined || venue === undefined ? [] : [{ day, extreme, report, venue }],
    )
  })
  return { pairs, missing: days.filter(({ day }) => !readings.has(day)).length }
}

/** The counts of `pairValues`. */
export const agreementOf = ({ pairs, missing }: ReturnType<typeof pairValues>): Agreement => {
  const differences = pairs.filter(({ report, venue }) => report !== venue)
  const count = (by: number) => differences.filter(({ report, venue }) => venue - report === by).length
  return {
    ...{ compared: pairs.length, equal: pairs.length - differences.length },
    ...{ oneBelow: count(-1), oneAbove: count(1), missing, differences },
  }
}

/** "312 of 314" */
export const agreementText = ({ equal, compared }: Agreement): string => `${equal} of ${compared}`

const interval = (count: number, compared: number) => wilson(count, compared, 1.959964)

/** The 95 % interval of the share of equal values. */
export const equalInterval = ({ equal, compared }: Agreement) => interval(equal, compared)

/**
 * The weight of what is assumed before anything is measured, values: from as many measured ones on they count as much. Public
 * write-ups of 2026 compared 21 values, all equal.
 */
export const priorValues = 60
const prior = { below: 0.015, equal: 0.97, above: 0.015 } as const

/** The probabilities that the venue's source states a degree less, the same and a degree more than the report. */
export type Basis = readonly [below: number, equal: number, above: number]

/** Whether the measured shares are used: the interval of one of them excludes the share that is assumed. */
export const isMeasured = ({ compared, equal, oneBelow, oneAbove }: Agreement): boolean =>
  compared > 0 &&
  (
    [
      [equal, prior.equal],
      [oneBelow, prior.below],
      [oneAbove, prior.above],
    ] as const
  ).some(([count, assumed]) => {
    const { low, high } = interval(count, compared)
    return assumed < low || assumed > high
  })

/**
 * The measured basis, of which the prior is a part, where it is used; else the prior. A larger difference counts as one of a
 * degree to both sides alike.
 */
export const basisOf = (agreement: Agreement | undefined): Basis => {
  if (agreement === undefined || !isMeasured(agreement)) return [prior.below, prior.equal, prior.above]
  const { compared, equal, oneBelow, oneAbove } = agreement
  const far = (compared - equal - oneBelow - oneAbove) / 2
  const share = (count: number, assumed: number): number => (count + priorValues * assumed) / (compared + priorValues)
  return [share(oneBelow + far, prior.below), share(equal, prior.equal), share(oneAbove + far, prior.above)]
}

/** P(the venue's value ≥ k), of P(the report's value ≥ k): the law and the basis are independent. */
export const onVenue =
  (ge: (k: number) => number, [below, equal, above]: Basis): ((k: number) => number) =>
  (k) =>
    below * ge(k + 1) + equal * ge(k) + above * ge(k - 1)
