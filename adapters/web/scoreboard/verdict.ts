import { count } from "../../../core/text.ts"
import type { Results } from "../../describe/figures.ts"
import { signed } from "../view/numbers.ts"

export interface Difference {
  readonly label: string
  readonly markets: number
  readonly estimate: number
  readonly low: number
  readonly high: number
}

export type Score = Results["overall"]
export type Forecaster = NonNullable<Score["model"]>

export const number = (value: number | undefined, digits = 4): string =>
  value === undefined ? "–" : value.toFixed(digits)
export const range = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `${signed(number(low))} to ${signed(number(high))}`

/** Marks boards of generated markets. */
export const demonstration = "Sample data, not a track record."

/** A forecaster's Brier score beside another's on the same markets. */
interface Duel {
  /** `over 2,512 settled markets`. */
  readonly over: string
  /** The forecaster whose score it is, and the other, as a subject and as a possessor. */
  readonly one: Named
  readonly other: Named
  readonly score: number
  readonly against: number
  readonly difference: { readonly low: number; readonly high: number } | undefined
}

interface Named {
  readonly subject: string
  readonly whose: string
}

/** Which of two has the lower score, if the interval of their difference decides it. */
const findLeader = (difference: Pick<Difference, "low" | "high"> | undefined): "one" | "other" | undefined =>
  difference === undefined ? undefined : difference.high < 0 ? "one" : difference.low > 0 ? "other" : undefined

/** Who of two is ahead, and whether the interval of their difference decides it. */
export const duel = ({ over, one, other, score, against, difference }: Duel): string => {
  const isLower = score < against
  const by = `${number(Math.abs(score - against))} ${isLower ? "lower" : "higher"} than ${other.whose}`
  const words = `${over} ${one.whose} Brier score is ${by}`
  if (difference === undefined) return `No interval yet: ${words}.`
  const leader = `${(isLower ? one : other).subject} leads`
  return `${findLeader(difference) === undefined ? "No clear winner yet" : leader}: ${words} (95 %: ${range(difference)}).`
}

/** Who of model and market is ahead, if the interval of their difference decides it. */
export const headline = ({ brier_model, brier_difference: difference }: Score): string => {
  if (brier_model === undefined) return "Every forecast is scored, misses included"
  const leader = findLeader(difference)
  if (leader === undefined) return "Model against market: too close to call"
  return leader === "one" ? "The model is ahead of the market" : "The market is ahead of the model"
}

/** Who is ahead, and whether the difference is significant. */
export const verdict = ({ markets_scored, brier_model, brier_market, brier_difference }: Score): string => {
  if (brier_model === undefined || brier_market === undefined) return "Nothing has settled yet."
  const over = `over ${count(markets_scored)} settled markets`
  if (brier_model === brier_market) return `Model and market are level ${over}.`
  return duel({
    over,
    one: { subject: "The model", whose: "the model's" },
    other: { subject: "The market", whose: "the market's" },
    ...{ score: brier_model, against: brier_market, difference: brier_difference },
  })
}

/** The differences that have an interval: all markets first, then each domain. */
export const listDifferences = ({
  overall,
  domains,
}: Pick<Results, "overall" | "domains">): ReadonlyArray<Difference> =>
  [["all", overall] as const, ...Object.entries(domains)].flatMap(([label, { markets_scored, brier_difference }]) =>
    brier_difference === undefined ? [] : [{ label, markets: markets_scored, ...brier_difference }],
  )
