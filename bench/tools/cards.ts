import { readFileSync } from "node:fs"
import type { Figures, SameDayFigures } from "./figures.ts"

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"))

const figures: Readonly<Record<string, Figures>> = read("./figures.json")
const sameDay: SameDayFigures = read("./figures.json")["weather-same-day"]

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

type Part = Figures["parts"][number]
type Measured = Part["measures"][number]
type Interval = Measured["differences"][number]

/** Digits after the point, by the size of a score. */
const digitsOf = ({ scores }: Measured): number => {
  const size = Math.max(...scores.map(({ value }) => Math.abs(value)))
  return size >= 5 ? 2 : size >= 1 ? 3 : 5
}

const number = (value: number, digits: number): string => value.toFixed(digits).replace(/^(-?)0\./, "$1.")

const cell = ({ value, low, high }: Omit<Interval, "minus">, digits: number): string =>
  `${number(value, digits)} [${number(low, digits)}, ${number(high, digits)}]`

const gap = (difference: Interval, digits: number): string =>
  `${difference.value > 0 ? "+" : ""}${cell(difference, digits)}`

/** The gaps of the served model to each other forecaster, then all scores. */
const partOf = ({ group, measures: all }: Part, { contenders }: Figures): string => {
  const measures = all.filter(({ differences }) => differences.length > 0)
  const [served, ...others] = contenders.map(({ name }) => name)
  const gaps = others.map((name) => [
    `to ${name}`,
    ...measures.map((measured) => {
      const difference = measured.differences.find(({ minus }) => minus === name)
      return difference === undefined ? "" : gap(difference, digitsOf(measured))
    }),
  ])
  const scores = [served!, ...others].map((name) => [
    `of ${name}`,
    ...measures.map((measured) => {
      const score = measured.scores.find(({ contender }) => contender === name)
      return score === undefined ? "" : cell(score, digitsOf(measured))
    }),
  ])
  const most = (of: "rows" | "clusters"): number => Math.max(...measures.map((measured) => measured[of]))
  const head = measures.map(
    ({ measure, unit, better }) =>
      `${measure}${unit === "" ? "" : `, ${unit}`}${better === "higher" ? ", higher is better" : ""}`,
  )
  const isEmpty = ([, ...cells]: ReadonlyArray<string>): boolean => cells.every((text) => text === "")
  const rows = [...gaps, ...scores].filter((row) => !isEmpty(row))
  return `${group}, ${most("rows")} rows in ${most("clusters")} clusters:\n\n${table(["", ...head], rows)}`
}

const intro = ({ bootstrap: { replicates }, contenders }: Figures, clusters: string): string =>
  `Of \`${contenders[0]!.name}\`, measured by \`npm run figures\`: first its gaps to the others on the same rows, then the scores; [ ] is the interval of 95 % of the cluster bootstrap, ${replicates} rounds; ${clusters} are drawn together.`

/** A lane's figures: every score with its interval, the gaps first; `clusters` are drawn together. */
export const card = (names: ReadonlyArray<string>, clusters: string) => (): string =>
  names
    .flatMap((name) => {
      const own = figures[name]!
      const title = names.length === 1 ? "" : `**${name.split("-").slice(1).join(", ")}.** `
      return [`${title}${intro(own, clusters)}`, ...own.parts.map((part) => partOf(part, own))]
    })
    .join("\n\n")

/** Gaps of football to the close that a better model would have: those that its seasons of 2015 to 2025 must reach. */
const footballBars: Readonly<Record<string, number>> = {
  "margin MAE": 0.2,
  "Brier of the home win": 0.005,
  "total MAE": 0.1,
}

/** The restated bars of football, which are gaps to the close: a total bar without it was below the close itself. */
export const restatedBars = (): string => {
  const { group, cases, measures } = figures["football"]!.parts.at(-1)!
  const rows = measures.flatMap((measured) => {
    const [bar, close] = [footballBars[measured.measure], measured.differences[0]]
    if (bar === undefined || close === undefined) return []
    const digits = digitsOf(measured)
    return [
      [measured.measure, gap(close, digits), `≤ +${number(bar, digits)}`, close.value <= bar ? "reached" : "missed"],
    ]
  })
  return table([`gap to the close, ${group}, ${cases} games`, "served", "must", ""], rows)
}

const shownHours = [7, 10, 12, 14, 15, 17, 20, 22]

/** The same-day law against one of the truths between which the world lies. */
const sameDayTable = (truth: "readings" | "drawn"): string =>
  table(
    ["", ...["high", "low"].flatMap((one) => [`${one}: RPS, °F [least, most by seed]`, "P(beyond)", "came"])],
    sameDay[truth]
      .filter(({ hour }) => shownHours.includes(hour))
      .map(({ hour, high, low }) => [
        `${hour}:40`,
        ...[high, low].flatMap(({ rps, rpsBySeed: [least, most], beyond, happened }) => [
          cell({ value: rps, low: least, high: most }, 3),
          number(beyond, 3),
          number(happened, 3),
        ]),
      ]),
  )

/** Both tables of the same-day law. */
export const weatherSameDay = (): string =>
  [
    `**Readings are the whole truth**: nothing happens between them. In-sample, since the rule was fitted on these days; the forecasts are drawn, ${sameDay.seeds} seeds.`,
    sameDayTable("readings"),
    "**Drawn from the served law itself**: between readings the thermometer does what the law says. This shows that the program is consistent with itself and measures nothing of the world.",
    sameDayTable("drawn"),
  ].join("\n\n")
