import { width } from "../view/chart.tsx"

/** A probability in percent: whole, with one decimal below 10 %, and never 0 % or 100 % for what may be otherwise. */
export const percent = (p: number): string => {
  if (p === 0 || p === 1) return `${p * 100} %`
  if (p < 0.001) return "< 0.1 %"
  if (p > 0.999) return "> 99.9 %"
  return p < 0.1 || p > 0.9 ? `${(p * 100).toFixed(1)} %` : `${Math.round(p * 100)} %`
}

/** A gain of a contract in cents, as the board's row has it; without a known fee none. */
export const gainInCents = (dollars: number | undefined): string =>
  dollars === undefined ? "–" : `${dollars < 0 ? "−" : "+"}${Math.abs(100 * dollars).toFixed(1)} ¢`

/** The plot of a picture, in the chart's units; its key is above it. */
export const left = 40
export const right = width - 10
export const top = 26
export const key = { x: left + 4, y: 10, gap: 202 } as const
