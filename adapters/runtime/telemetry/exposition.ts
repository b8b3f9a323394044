/** One series of a family. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** Added to the family's name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string
}

/** A metric: its series differ in labels alone. */
export interface Family {
  readonly name: string
  /** One sentence. */
  readonly help: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly samples: ReadonlyArray<Sample>
}

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const labelled = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const shown = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"

/**
 * Families in the text format of Prometheus, version 0.0.4. One without series has its name and help alone.
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
        ({ labels = {}, value, suffix = "" }) => `${name}${suffix}${labelled(labels)} ${shown(value)}\n`,
      )
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`
    })
    .join("")

/** A gauge with one series, or without one while its value is unknown. */
export const gauge = (name: string, help: string, value: number | undefined): Family => ({
  name,
  help,
  type: "gauge",
  samples: value === undefined ? [] : [{ value }],
})

/** A metric with one series per value of a label. */
export const by = (
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
