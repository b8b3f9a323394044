/** A mean with its standard error, assuming independent games. */
export interface Estimate {
  readonly value: number
  readonly se: number
}

export const estimate = (values: ReadonlyArray<number>): Estimate => {
  const n = values.length
  const value = values.reduce((sum, one) => sum + one, 0) / n
  return { value, se: Math.sqrt(values.reduce((sum, one) => sum + (one - value) ** 2, 0) / (n - 1) / n) }
}
