import type { Results } from "../../describe/figures.ts"
import { signed } from "../view/chart.tsx"

/** A difference of scores with its interval. */
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
export const count = (value: number): string => value.toLocaleString("en-US")
const range = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  `${signed(number(low))} to ${signed(number(high))}`

/** Marks boards of generated markets. */
export const demonstration = "Demo data: simulated markets, not a track record."

/** Who is ahead, and whether the difference is significant. */
export const verdict = ({ markets_scored, brier_model, brier_market, brier_difference }: Score): string => {
  if (brier_model === undefined || brier_market === undefined) return "Nothing has settled yet."
  const over = `over ${count(markets_scored)} settled markets`
  if (brier_model === brier_market) return `Model and market are level ${over}.`
  const isLower = brier_model < brier_market
  const by = `${number(Math.abs(brier_model - brier_market))} ${isLower ? "lower" : "higher"} than the market's`
  const score = `${over} the model's Brier score is ${by}`
  if (brier_difference === undefined) return `No interval yet: ${score}.`
  const isClear = brier_difference.low > 0 || brier_difference.high < 0
  const leader = isLower ? "The model leads" : "The market leads"
  return `${isClear ? leader : "No clear winner yet"}: ${score} (95 %: ${range(brier_difference)}).`
}

/** The differences that have an interval: all markets first, then each domain. */
export const listDifferences = ({
  overall,
  domains,
}: Pick<Results, "overall" | "domains">): ReadonlyArray<Difference> =>
  [["all", overall] as const, ...Object.entries(domains)].flatMap(([label, { markets_scored, brier_difference }]) =>
    brier_difference === undefined ? [] : [{ label, markets: markets_scored, ...brier_difference }],
  )
