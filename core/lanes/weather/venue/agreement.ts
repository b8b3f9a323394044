import { wilson } from "../../../math/wilson.ts"
import { firstOfficial, type Versions } from "../ports.ts"
import type { VenueReading } from "./reading.ts"

/** How often two sources have the same values for the same days. Highs and lows are counted together. */
export interface Agreement {
  /** Highs and lows that both sources have. */
  readonly compared: number
  readonly equal: number
  /** Values of the venue's source that are one degree below the report's, and one degree above. */
  readonly oneBelow: number
  readonly oneAbove: number
  /** Days since the first reading with an official report but without an official value of the venue's source. */
  readonly missing: number
  /** Values that differ, by day. */
  readonly differences: ReadonlyArray<ValuePair>
}

/** An extreme according to both sources, whole degrees Fahrenheit. */
export interface ValuePair {
  readonly day: string
  readonly extreme: "high" | "low"
  readonly report: number
  readonly venue: number
}

/**
 * Compares the first official readings of a station with its first official reports.
 *
 * @param readings the first official reading of each day, by day
 * @param reports all versions of the days since the first reading
 * @returns the extremes that both have, and the number of days with a report but no reading
 */
export const pairValues = (
  readings: ReadonlyMap<string, VenueReading>,
  reports: ReadonlyArray<Versions>,
): { readonly pairs: ReadonlyArray<ValuePair>; readonly missing: number } => {
  const days = reports.flatMap((versions) => firstOfficial(versions)?.report ?? [])
  const pairs = days.flatMap(({ day, highF, lowF }) => {
    const reading = readings.get(day)
    const both = [
      ["high", highF, reading?.highF],
      ["low", lowF, reading?.lowF],
    ] as const
    return both.flatMap(
      ([extreme, report, venue]): ReadonlyArray<ValuePair> =>
        report === undefined || venue === undefined ? [] : [{ day, extreme, report, venue }],
    )
  })
  return { pairs, missing: days.filter(({ day }) => !readings.has(day)).length }
}

export const countAgreement = ({ pairs, missing }: ReturnType<typeof pairValues>): Agreement => {
  const differences = pairs.filter(({ report, venue }) => report !== venue)
  const count = (by: number) => differences.filter(({ report, venue }) => venue - report === by).length
  return {
    compared: pairs.length,
    equal: pairs.length - differences.length,
    oneBelow: count(-1),
    oneAbove: count(1),
    missing,
    differences,
  }
}

/** "312 of 314" */
export const agreementText = ({ equal, compared }: Agreement): string => `${equal} of ${compared}`

const interval = (count: number, compared: number) => wilson(count, compared, 1.959964)

/** The 95 % interval of the share of equal values. */
export const toEqualInterval = ({ equal, compared }: Agreement) => interval(equal, compared)

/**
 * The weight of the assumed shares, in values: with as many measured values both count equally. Public write-ups of 2026
 * compared 21 values, all equal.
 */
export const priorValues = 60
const prior = { below: 0.015, equal: 0.97, above: 0.015 } as const

/** The probabilities that the venue's value is one degree below the report's, the same, and one degree above. */
export type Basis = readonly [below: number, equal: number, above: number]

/** Whether the measured shares are used: only if the interval of one of them excludes the assumed share. */
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
 * The measured basis, with the prior weighted in, if it is used; else the prior. A difference of more than one degree counts
 * half as one below and half as one above.
 */
export const toBasis = (agreement: Agreement | undefined): Basis => {
  if (agreement === undefined || !isMeasured(agreement)) return [prior.below, prior.equal, prior.above]
  const { compared, equal, oneBelow, oneAbove } = agreement
  const far = (compared - equal - oneBelow - oneAbove) / 2
  const share = (count: number, assumed: number): number => (count + priorValues * assumed) / (compared + priorValues)
  return [share(oneBelow + far, prior.below), share(equal, prior.equal), share(oneAbove + far, prior.above)]
}

/** Turns P(the report's value ≥ k) into P(the venue's value ≥ k); the difference is taken as independent of the value. */
export const toVenueLaw =
  (ge: (k: number) => number, [below, equal, above]: Basis): ((k: number) => number) =>
  (k) =>
    below * ge(k + 1) + equal * ge(k) + above * ge(k - 1)
