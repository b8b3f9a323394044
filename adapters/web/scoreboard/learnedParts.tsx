import type { Estimate } from "../../../core/lanes/weather/guidance/stack.ts"
import { minDays, type StepDay, sumSteps } from "../../../core/lanes/weather/signal/steps.ts"
import {
  countAgreement,
  isMeasured,
  toBasis,
  toEqualInterval,
  type ValuePair,
} from "../../../core/lanes/weather/venue/agreement.ts"
import { dayText } from "../view/dates.ts"
import { Facts, numeric } from "../view/parts.tsx"
import { plot } from "../view/plot.tsx"

export const plain = (value: number): string => value.toFixed(2)
export const intervalText = ({ estimate, low, high }: Estimate, words: (value: number) => string): string =>
  `${words(estimate)} [${words(low)}, ${words(high)}]`

/** A learned number by day, and its words. */
export const Course = ({
  name,
  points,
  words,
  least,
}: {
  readonly name: string
  readonly points: ReadonlyArray<readonly [at: number, value: number]>
  readonly words: (value: number) => string
  /** A share: the axis goes from here, or from the lowest value, to 1. */
  readonly least?: number
}) => {
  const [first, last] = [points[0]!, points.at(-1)!]
  return plot({
    title: name,
    label: `${name}, from ${words(first[1])} to ${words(last[1])}`,
    x: { isTime: true },
    y: {
      show: words,
      ...(least !== undefined && { domain: [Math.min(least, ...points.map(([, value]) => value)), 1] }),
    },
    marks: [
      { kind: "line", as: "model", rows: points },
      { kind: "dot", as: "model", rows: [last] },
    ],
    columns: ["Day", numeric(name)],
    rows: points.map(([at, value]) => ({ at, cells: [dayText(at), words(value)] })),
  })
}

/** The running ratio of two numbers a day, after each day from `fewest` on. */
const running = (
  days: ReadonlyArray<readonly [day: string, numerator: number, denominator: number]>,
  fewest: number,
): ReadonlyArray<readonly [at: number, value: number]> => {
  let [above, below] = [0, 0]
  return days.flatMap(([day, numerator, denominator], at) => {
    above += numerator
    below += denominator
    return at + 1 < fewest || below === 0 ? [] : [[Date.parse(day), above / below] as const]
  })
}

/** The variance between readings, of which the rest of the same day is forecast. */
export const Steps = ({ days }: { readonly days: ReadonlyArray<StepDay> }) => {
  const { n, ratio, isLearned } = sumSteps(days, 0)
  const points = running(
    days.map(({ day, missedF, expectedF }) => [day, missedF, expectedF]),
    minDays,
  )
  return (
    <section>
      <h2>Between readings</h2>
      <p>
        How far final reports lie beyond the day's observations, by the distance that the fitted variance expects. Used
        once the interval excludes 1.
      </p>
      <Facts
        of={{
          "Days compared": n,
          "Observed by expected": ratio === undefined ? "too few days" : intervalText(ratio, plain),
          "In use": isLearned ? "Yes, the interval excludes 1" : "No, the fitted variance as it is",
        }}
      />
      {points.length > 1 && <Course name="Observed by expected distance" points={points} words={plain} />}
    </section>
  )
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** The basis to the source on which the venue settles. */
export const Venue = ({ pairs }: { readonly pairs: ReadonlyArray<ValuePair> }) => {
  const agreement = countAgreement({ pairs, missing: 0 })
  const points = running(
    pairs.map(({ day, report, venue }) => [day, report === venue ? 1 : 0, 1]),
    1,
  )
  const [below, equal, above] = toBasis(agreement)
  return (
    <section>
      <h2>The venue's source</h2>
      <p>
        How often the source on which the venue settles states the value of the official report. Used once the interval
        of a share excludes the assumed one.
      </p>
      <Facts
        of={{
          "Highs and lows compared": agreement.compared,
          Equal:
            agreement.compared === 0
              ? "nothing to compare yet"
              : intervalText(
                  { estimate: agreement.equal / agreement.compared, ...toEqualInterval(agreement) },
                  percent,
                ),
          "Contracts are priced with": `${percent(below)} a degree less, ${percent(equal)} equal, ${percent(above)} a degree more`,
          "In use": isMeasured(agreement) ? "Yes, an interval excludes what is assumed" : "No, the assumed shares",
        }}
      />
      {points.length > 1 && <Course name="Share of equal values" points={points} words={percent} least={0.9} />}
    </section>
  )
}
