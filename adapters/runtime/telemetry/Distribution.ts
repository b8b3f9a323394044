import type { Sample } from "./exposition.ts"

/** Counts of values in ranges: a histogram of Prometheus. */
export class Distribution {
  /** Upper ends of the ranges, ascending; one more range has everything above. */
  readonly #ends: ReadonlyArray<number>
  readonly #counts: Float64Array
  #sum = 0

  constructor(ends: ReadonlyArray<number>) {
    this.#ends = ends
    this.#counts = new Float64Array(ends.length + 1)
  }

  add(value: number): void {
    let range = 0
    while (range < this.#ends.length && value > this.#ends[range]!) range++
    this.#counts[range]!++
    this.#sum += value
  }

  /**
   * Its series.
   *
   * @param unit divides ends and sum, such as 1,000 for seconds out of milliseconds
   */
  samples(labels: Readonly<Record<string, string>> = {}, unit = 1): ReadonlyArray<Sample> {
    let below = 0
    const buckets = [...this.#ends, Number.POSITIVE_INFINITY].map((end, range): Sample => {
      below += this.#counts[range]!
      const le = end === Number.POSITIVE_INFINITY ? "+Inf" : String(end / unit)
      return { suffix: "_bucket", labels: { ...labels, le }, value: below }
    })
    return [...buckets, { suffix: "_sum", labels, value: this.#sum / unit }, { suffix: "_count", labels, value: below }]
  }
}
