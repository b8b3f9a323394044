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
  readonly differences: ReadonlyArray<Difference>
}

export interface Difference {
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
 */
export const agreementOf = (
  readings: ReadonlyMap<string, VenueReading>,
  reports: ReadonlyArray<Versions>,
): Agreement => {
  let [compared, missing] = [0, 0]
  const differences: Array<Difference> = []
  for (const versions of reports) {
    const official = firstOfficial(versions)?.report
    if (official === undefined) continue
    const reading = readings.get(official.day)
    if (reading === undefined) missing++
    const pairs = [
      ["high", official.highF, reading?.highF],
      ["low", official.lowF, reading?.lowF],
    ] as const
    for (const [extreme, report, venue] of pairs) {
      if (report === undefined || venue === undefined) continue
      compared++
      if (report !== venue) differences.push({ day: official.day, extreme, report, venue })
    }
  }
  const count = (by: number) => differences.filter(({ report, venue }) => venue - report === by).length
  return {
    ...{ compared, equal: compared - differences.length, oneBelow: count(-1), oneAbove: count(1), missing },
    differences,
  }
}

/** "312 of 314" */
export const agreementText = ({ equal, compared }: Agreement): string => `${equal} of ${compared}`

/** The 95 % interval of the share of equal values. */
export const equalInterval = ({ equal, compared }: Agreement) => wilson(equal, compared, 1.959964)

/**
 * The weight of what is assumed before anything is measured, values: from as many measured ones on they count as much. Public
 * write-ups of 2026 compared 21 values, all equal.
 */
export const priorValues = 60
const prior = { below: 0.015, equal: 0.97, above: 0.015 } as const

/** The probabilities that the venue's source states a degree less, the same and a degree more than the report. */
export type Basis = readonly [below: number, equal: number, above: number]

/** The measured basis, of which the prior is a part. A larger difference counts as one of a degree to both sides alike. */
export const basisOf = (agreement: Agreement | undefined): Basis => {
  const { compared, equal, oneBelow, oneAbove } = agreement ?? { compared: 0, equal: 0, oneBelow: 0, oneAbove: 0 }
  const far = (compared - equal - oneBelow - oneAbove) / 2
  const share = (count: number, assumed: number): number => (count + priorValues * assumed) / (compared + priorValues)
  return [share(oneBelow + far, prior.below), share(equal, prior.equal), share(oneAbove + far, prior.above)]
}

/** P(the venue's value ≥ k), of P(the report's value ≥ k): the law and the basis are independent. */
export const onVenue =
  (ge: (k: number) => number, [below, equal, above]: Basis): ((k: number) => number) =>
  (k) =>
    below * ge(k + 1) + equal * ge(k) + above * ge(k - 1)
