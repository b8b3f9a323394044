/** A number with a minus sign, not a hyphen; 0 has none. */
export const signed = (text: string): string => text.replace(/^-(?=[0.]*$)/, "").replace(/^-/, "−")

/** With a plus sign above 0. */
export const plus = (value: number, digits: number): string => `${value > 0 ? "+" : ""}${signed(value.toFixed(digits))}`

/** A probability in percent: whole, with one decimal near certainty, and never 0 % or 100 % for an uncertain event. */
export const percent = (p: number): string => {
  if (p === 0 || p === 1) return `${p * 100} %`
  if (p < 0.001) return "< 0.1 %"
  if (p > 0.999) return "> 99.9 %"
  return p < 0.1 || p > 0.9 ? `${(p * 100).toFixed(1)} %` : `${Math.round(p * 100)} %`
}

/** A probability as `percent` writes it, as a number. */
const inPercent = (p: number): number => (p < 0.1 || p > 0.9 ? Number((100 * p).toFixed(1)) : Math.round(100 * p))

/** The difference of two probabilities as they are shown, in points. */
export const points = (p: number, other: number): string => {
  const shown = [p, other].map(inPercent) as [number, number]
  return plus(shown[0] - shown[1], shown.every(Number.isInteger) ? 0 : 1)
}

/** The gain of a contract in cents; without a known fee none. */
export const gainInCents = (dollars: number | undefined): string =>
  dollars === undefined ? "–" : `${dollars < 0 ? "−" : "+"}${Math.abs(100 * dollars).toFixed(1)} ¢`
