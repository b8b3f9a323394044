import type { Alert } from "../../../../core/alerts/Alert.ts"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { endpoints as baseball } from "../../../../core/lanes/baseball/endpoints.ts"
import { endpoints as football } from "../../../../core/lanes/football/endpoints.ts"
import { endpoints as markets } from "../../../../core/lanes/markets/endpoints.ts"
import { endpoints as weather } from "../../../../core/lanes/weather/endpoints.ts"
import { domains } from "../../../../core/record/scoreboard/Settled.ts"
import { plural } from "../../../../core/text.ts"
import { type Field, fieldsOf } from "../../../admin/fields.ts"
import { domainNames } from "../../view/filters.tsx"

/** The threshold of a kind, as people write it. */
interface Level {
  readonly label: string
  readonly unit: string
  readonly words: (shown: string) => string
  /** What a probability of 1 is in this unit, or 1. */
  readonly scale: number
  readonly least: number
  /** The first value of the field. */
  readonly usual: string
}

export interface Kind {
  readonly name: string
  readonly says: string
  readonly endpoint: Endpoint.Any
  /** The field that names the watched value. */
  readonly subject: Field
  /** Absent: each new report fires. */
  readonly level?: Level
  /** The measure that the message of a firing names, and an earlier value of it. */
  readonly measure: readonly [name: string, before?: number]
}

const subjectOf = (endpoint: Endpoint.Any, name: string, change: Partial<Field> = {}): Field => ({
  ...fieldsOf(endpoint).find((field) => field.name === name)!,
  isOptional: false,
  ...change,
})

export const edgeLevel: Level = {
  label: "Edge",
  unit: "points",
  words: (shown) => `Edge ≥ ${shown} points`,
  scale: 100,
  least: 5,
  usual: "10",
}

/** The kinds, in the order of their cards. */
export const kinds: ReadonlyArray<Kind> = [
  {
    name: "New climate report",
    says: "A station's daily report is issued or corrected.",
    endpoint: weather.settlement,
    subject: subjectOf(weather.settlement, "station"),
    measure: ["report"],
  },
  {
    name: "Edge",
    says: "Our probability differs from the market's price.",
    endpoint: markets.edge,
    subject: subjectOf(markets.edge, "domain", {
      label: "Contracts",
      kind: { _tag: "Choice", values: domains, names: domainNames },
    }),
    level: edgeLevel,
    measure: ["edge", 0],
  },
  {
    name: "Temperature moves",
    says: "The expected high or low changes.",
    endpoint: weather.signal,
    subject: subjectOf(weather.signal, "station"),
    level: {
      label: "Change of the expected high or low",
      unit: "°F",
      words: (shown) => `Temperature moves ${shown} °F or more`,
      scale: 1,
      least: 0.1,
      usual: "1",
    },
    measure: ["high_f", 84],
  },
  {
    name: "Fair line",
    says: "A football team's fair margin or total changes.",
    endpoint: football.fairLine,
    subject: subjectOf(football.fairLine, "team"),
    level: {
      label: "Change of the margin or total",
      unit: "points",
      words: (shown) => `Fair line moves ${plural(Number(shown), "point")} or more`,
      scale: 1,
      least: 0.1,
      usual: "1",
    },
    measure: ["home_margin", 3],
  },
  {
    name: "Fair odds",
    says: "A baseball team's chance to win changes.",
    endpoint: baseball.fairOdds,
    subject: subjectOf(baseball.fairOdds, "game_pk", {
      label: "Game",
      help: "The number at the end of its page's address, such as 745804 of /mlb/745804.",
    }),
    level: {
      label: "Change of the chance to win",
      unit: "points",
      words: (shown) => `Fair odds move ${plural(Number(shown), "point")} or more`,
      scale: 100,
      least: 0.1,
      usual: "2",
    },
    measure: ["win_prob_home", 0.5],
  },
]

/** The first value of the form of a kind. */
export const firstSubject = ({ subject: { name, kind }, endpoint }: Kind): string =>
  String(
    (endpoint.example as Readonly<Record<string, unknown>>)[name] ?? (kind._tag === "Choice" ? kind.values[0] : ""),
  )

const partsOf = (call: string): readonly [path: string, params: ReadonlyArray<readonly [string, string]>] => {
  const [path = "", query = ""] = call.split("?", 2)
  return [path, [...new URLSearchParams(query)]]
}

/** The kind of a watched call; the first one if nothing watches it. */
export const kindOf = (call: string): Kind =>
  kinds.find(({ endpoint }) => endpoint.path === partsOf(call)[0]) ?? kinds[0]!

/** What a call says of its kind's subject; undefined: it watches something else, such as one contract. */
export const subjectIn = (call: string): string | undefined => {
  const [, params] = partsOf(call)
  const only = params.length === 1 ? params[0]! : undefined
  return only?.[0] === kindOf(call).subject.name ? only[1] : undefined
}

/** A number without the digits that a product of decimals adds. */
export const plain = (value: number): number => Number(value.toPrecision(12))

/** A threshold of the form as the verb takes it; undefined: it is no number, or below the least. */
export const thresholdOf = ({ scale, least }: Level, text: string): number | undefined => {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return value >= least && Number.isFinite(value) ? plain(value / scale) : undefined
}

/** A threshold of a verb as the form shows it. */
export const shownIn = ({ scale }: Level, threshold: number): string => String(plain(threshold * scale))

/** A subject as people call it, such as `Football`. */
const subjectWords = ({ subject: { kind } }: Kind, [, value]: readonly [string, string]): string =>
  (kind._tag === "Choice" ? kind.names?.[value] : undefined) ?? value

/** The condition of an alert in words, such as `Edge ≥ 8 points · weather`. */
export const conditionOf = ({ call, threshold }: Pick<Alert, "call" | "threshold">): string => {
  const kind = kindOf(call)
  const [, params] = partsOf(call)
  const isGain = params.some(([name]) => name === "min_gain")
  const level =
    kind.level === undefined || threshold === undefined
      ? kind.name
      : isGain
        ? `Expected gain ≥ ${threshold} USD a contract`
        : kind.level.words(shownIn(kind.level, threshold))
  const subjects = params.filter(([name]) => name !== "min_gain").map((param) => subjectWords(kind, param))
  return [level, ...subjects].join(" · ")
}
