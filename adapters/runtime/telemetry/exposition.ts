/** One series of a family. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** Added to the family's name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string
}

/** A metric, whose series differ only in labels. */
export interface Family {
  readonly name: string
  /** One sentence. */
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<Sample>
}

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const escape = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const showLabels = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const showValue = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"

/**
 * Families in the text format of Prometheus, version 0.0.4. A family without series has only its name and help.
 *
 * @example
 * ```ts
 * import * as Exposition from "./exposition.ts"
 *
 * const text = Exposition.text([
 *   { name: "calls_total", help: "Calls.", type: "counter", samples: [{ labels: { lane: "weather" }, value: 2 }] },
 * ])
 * text.split("\n")[2] // 'calls_total{lane="weather"} 2'
 * ```
 */
export const text = (families: ReadonlyArray<Family>): string =>
  families
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ labels = {}, value, suffix = "" }) => `${name}${suffix}${showLabels(labels)} ${showValue(value)}\n`,
      )
      return `# HELP ${name} ${escape(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`
    })
    .join("")

const makeSingle =
  (type: "gauge" | "counter") =>
  (name: string, help: string, value: number | undefined): Family => ({
    ...{ name, help, type },
    samples: value === undefined ? [] : [{ value }],
  })

/** A gauge with one series, or none while its value is unknown. */
export const gauge = makeSingle("gauge")

/** A counter with one series. */
export const counter = makeSingle("counter")

export const histogram = (name: string, help: string, samples: ReadonlyArray<Sample>): Family => ({
  ...{ name, help, type: "histogram", samples },
})

/** A metric with one series per value of a label. */
export const byLabel = (
  type: "counter" | "gauge",
  name: string,
  help: string,
  label: string,
  values: Iterable<readonly [string, number]>,
): Family => ({
  name,
  help,
  type,
  samples: Array.from(values, ([key, value]) => ({ labels: { [label]: key }, value })),
})

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
   * The series of the histogram.
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
