import * as FastCheck from "effect/FastCheck"
import type * as Schema from "effect/Schema"
import * as JsonSchema from "../../core/endpoint/jsonSchema.ts"
import { type Draws, text, value } from "./hostileDraws.ts"

/** What a JSON Schema says of one parameter, as far as values are made from it. */
interface Rule {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Rule>
  readonly allOf?: ReadonlyArray<Rule>
  readonly items?: Rule
  readonly maxItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Rule>>
}

export type Rules = ReadonlyMap<string, Rule>

/** The parameters of a struct, each with its rule. */
export const rulesOf = (schema: Schema.Schema.AnyNoContext): Rules =>
  new Map(Object.entries((JsonSchema.of(schema)["properties"] ?? {}) as Readonly<Record<string, Rule>>))

/** Texts that a pattern lets through, the same ones in every run. */
const matching = new Map<string, ReadonlyArray<string>>()
const matches = (pattern: string): ReadonlyArray<string> => {
  const known = matching.get(pattern)
  if (known !== undefined) return known
  const found = FastCheck.sample(FastCheck.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 40 })
  matching.set(pattern, found)
  return found
}

const day = (draw: Draws): string => {
  const around = draw.chance(0.7) ? Date.now() - 400 * 86_400_000 : Date.UTC(1995, 0, 1)
  const days = draw.chance(0.7) ? 410 : 15_000
  return new Date(around + draw.integer(days) * 86_400_000).toISOString().slice(0, 10)
}

const words = ["KC", "Mahomes", "a", "Patrick Mahomes", "00-0033873", "*", "count", "0", "1"]

/** A value that the rule lets through, mostly. */
export const good = (draw: Draws, rule: Rule): unknown => {
  if (rule.anyOf !== undefined) return good(draw, draw.pick(rule.anyOf))
  if (rule.enum !== undefined) {
    const found = draw.pick(rule.enum)
    return typeof found === "string" && draw.chance(0.1) ? found.toLowerCase() : found
  }
  if (rule.format === "date") return day(draw)
  if (rule.format === "date-time") return `${day(draw)}T${draw.pick(["00:00:00Z", "12:30:00.5Z", "23:59:59-05:00"])}`
  if (rule.pattern !== undefined) return draw.pick(matches(rule.pattern))
  switch (rule.type) {
    case "integer":
    case "number": {
      const least = rule.minimum ?? rule.exclusiveMinimum ?? 0
      const most = rule.maximum ?? 100_000
      const between = least + draw.integer(Math.min(1_000, most - least + 1))
      return draw.weighted([
        [6, between],
        [1, least],
        [1, most],
        [1, rule.type === "number" ? between + 0.25 : between],
      ])
    }
    case "boolean":
      return draw.chance(0.5)
    case "array":
      return Array.from({ length: 1 + draw.integer(Math.min(4, rule.maxItems ?? 4)) }, () =>
        good(draw, rule.items ?? {}),
      )
    case "object":
      return Object.fromEntries(
        Object.entries(rule.properties ?? {}).flatMap(([name, each]) =>
          draw.chance(0.8) ? [[name, good(draw, each)]] : [],
        ),
      )
    default:
      return draw.chance(0.8) ? draw.pick(words) : text(draw)
  }
}

/** A value that is nearly one. */
const near = (draw: Draws, rule: Rule): unknown => {
  const { minimum = 0, maximum = 100 } = rule
  const right = String(good(draw, rule))
  return draw.pick<unknown>([
    minimum - 1,
    maximum + 1,
    minimum + 0.5,
    ` ${right}`,
    `${right} `,
    `${right}\u0000`,
    `${right},`,
    right.slice(1),
    right.toLowerCase(),
    `+${right}`,
    [right, right],
    right.repeat(30),
    "2026-02-29",
    "2024-02-29",
    "",
  ])
}

/** Any value for a parameter: mostly one that the rule lets through. */
export const some = (draw: Draws, rule: Rule, wild: number): unknown =>
  draw.chance(wild) ? (draw.chance(0.5) ? near(draw, rule) : value(draw)) : good(draw, rule)
