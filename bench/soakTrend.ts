import * as studentT from "../core/math/studentT.ts"

/** A least-squares slope with its 95 % interval. */
export interface Slope {
  readonly slope: number
  readonly low: number
  readonly high: number
}

/** @param points x and y; fewer than three have no interval */
export const slopeOf = (points: ReadonlyArray<readonly [x: number, y: number]>): Slope => {
  const n = points.length
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / n
  const [mx, my] = [mean(0), mean(1)]
  const sxx = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / sxx
  if (n < 3) return { slope, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  const residual = points.reduce((sum, [x, y]) => sum + (y - my - slope * (x - mx)) ** 2, 0)
  const error = Math.sqrt(residual / (n - 2) / sxx) * studentT.make(n - 2).quantile(0.975)
  return { slope, low: slope - error, high: slope + error }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A histogram of times in buckets 2 % apart: its memory does not grow with the number of times. */
export class Times {
  readonly #buckets = new Uint32Array(1_200)
  #count = 0
  #max = 0

  /** @param ms at least a hundredth */
  add(ms: number): void {
    const bucket = Math.round(Math.log(Math.max(ms, 0.01) / 0.01) / Math.log(1.02))
    this.#buckets[Math.min(this.#buckets.length - 1, bucket)]!++
    this.#count++
    if (ms > this.#max) this.#max = ms
  }

  get count(): number {
    return this.#count
  }

  get max(): number {
    return this.#max
  }

  /** Milliseconds; 0 if there are none. */
  quantile(share: number): number {
    let left = Math.ceil(this.#count * share)
    for (let bucket = 0; bucket < this.#buckets.length && left > 0; bucket++) {
      left -= this.#buckets[bucket]!
      if (left <= 0) return 0.01 * 1.02 ** bucket
    }
    return 0
  }
}
