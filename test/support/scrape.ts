/** One line of a scrape. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Scrape {
  readonly text: string
  readonly series: ReadonlyArray<Series>
  /** The families' names with their types. */
  readonly types: ReadonlyMap<string, string>
  /** The value of the one series with this name and at least these labels; undefined if there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

const number = (text: string): number => {
  const value = text === "+Inf" ? Number.POSITIVE_INFINITY : text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text)
  if (Number.isNaN(value) && text !== "NaN") throw new Error(`${text} is no number`)
  return value
}

const labelsOf = (text: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (let rest = text; rest !== ""; ) {
    const [whole, name, value] = label.exec(rest) ?? []
    if (whole === undefined || name! in found) throw new Error(`Bad labels: ${text}`)
    found[name!] = value!.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign))
    rest = rest.slice(whole.length)
  }
  return found
}

const familyOf = (name: string, types: ReadonlyMap<string, string>): string => {
  const base = name.replace(/_(bucket|sum|count)$/, "")
  return types.get(base) === "histogram" ? base : name
}

/** The buckets of a histogram grow, and the last is its count. */
const checkHistograms = (series: ReadonlyArray<Series>, types: ReadonlyMap<string, string>): void => {
  const before = new Map<string, number>()
  for (const { name, labels, value } of series) {
    if (types.get(familyOf(name, types)) !== "histogram" || name.endsWith("_sum")) continue
    const { le, ...own } = labels
    const key = `${familyOf(name, types)} ${JSON.stringify(own)}`
    const last = before.get(key) ?? 0
    if (name.endsWith("_count") ? value !== last : value < last)
      throw new Error(`${key}: ${le} is ${value} after ${last}`)
    before.set(key, value)
  }
}

/**
 * Reads the text format of Prometheus, version 0.0.4, strictly.
 *
 * @throws on anything that the format does not allow
 */
export const scrapeOf = (text: string): Scrape => {
  if (!text.endsWith("\n")) throw new Error("The last line has no end")
  const [types, helped] = [new Map<string, string>(), new Set<string>()]
  const series: Array<Series> = []
  const seen = new Set<string>()
  let family = ""
  for (const each of text.slice(0, -1).split("\n")) {
    const [, kind, named, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(each) ?? []
    if (kind === "HELP") {
      if (helped.has(named!)) throw new Error(`${named} is there twice`)
      helped.add(named!)
    } else if (kind === "TYPE") {
      if (!helped.has(named!) || types.has(named!) || !/^(counter|gauge|histogram)$/.test(rest!)) throw new Error(each)
      types.set(named!, rest!)
      family = named!
    } else {
      const [, name, labels = "", value] = line.exec(each) ?? []
      if (name === undefined || familyOf(name, types) !== family) throw new Error(`Not a line of ${family}: ${each}`)
      const key = each.slice(0, each.lastIndexOf(" "))
      if (seen.has(key)) throw new Error(`${key} is there twice`)
      seen.add(key)
      series.push({ name, labels: labelsOf(labels), value: number(value!) })
    }
  }
  checkHistograms(series, types)
  return {
    text,
    series,
    types,
    value: (name, labels = {}) => {
      const found = series.filter(
        (each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
      )
      if (found.length > 1) throw new Error(`${found.length} series have the name ${name} and these labels`)
      return found[0]?.value
    },
  }
}
