import type { JsonSchema } from "../../core/endpoint/jsonSchema.ts"
import { isObject } from "../../core/endpoint/jsonSchema.ts"
import type { Contract } from "./surface.ts"

export interface Change {
  readonly kind: "added" | "changed" | "deprecated" | "removed"
  /** Whether a client that worked before may break. */
  readonly breaking: boolean
  /** An operation, or a field's path from its schema's name. */
  readonly at: string
  readonly what: string
}

/** `input`: callers send the values. `output`: they read them. */
type Direction = "input" | "output"

/** Change of the set of values that a schema allows. */
type Shift = "narrower" | "other" | "wider"

/** Narrower input breaks senders, wider output breaks readers, any other change breaks both. */
const breaks = (shift: Shift, direction: Direction): boolean =>
  shift === "other" || shift === (direction === "input" ? "narrower" : "wider")

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems"]
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"]

const bound = (schema: JsonSchema, key: string, absent: number): number =>
  typeof schema[key] === "number" ? schema[key] : absent

const shown = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value))

/** The members of a union. */
const members = (schema: JsonSchema): ReadonlyArray<JsonSchema> =>
  Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as ReadonlyArray<JsonSchema>) : [schema]

/** The distinguishing tag of a union's member. */
const tagOf = (schema: JsonSchema): string => shown(schema["$ref"] ?? schema["type"])

const typeShift = (before: unknown, after: unknown): Shift | undefined => {
  if (before === after) return undefined
  if (before === "integer" && after === "number") return "wider"
  return before === "number" && after === "integer" ? "narrower" : "other"
}

/** Whether all of `some` are in `all`. */
const within = (some: ReadonlyArray<unknown>, all: ReadonlyArray<unknown>): boolean =>
  some.every((value) => all.includes(value))

const enumShift = (before: unknown, after: unknown): Shift | undefined => {
  if (!Array.isArray(before)) return Array.isArray(after) ? "narrower" : undefined
  if (!Array.isArray(after)) return "wider"
  const [kept, known] = [within(before, after), within(after, before)]
  if (kept && known) return undefined
  return kept ? "wider" : known ? "narrower" : "other"
}

const propertiesOf = (schema: JsonSchema): JsonSchema => (schema["properties"] ?? {}) as JsonSchema
const requiredOf = (schema: JsonSchema): ReadonlyArray<unknown> => (schema["required"] ?? []) as ReadonlyArray<unknown>

/** Changes between two versions of one schema. */
const schemaChanges = (
  at: string,
  before: JsonSchema,
  after: JsonSchema,
  direction: Direction,
): ReadonlyArray<Change> => {
  const found: Array<Change> = []
  const shifted = (shift: Shift | undefined, what: string, mayGrow = false): void => {
    if (shift === undefined) return
    found.push({ kind: "changed", breaking: breaks(shift, direction) && !(shift === "wider" && mayGrow), at, what })
  }

  const [was, is] = [members(before), members(after)]
  if (was.length > 1 || is.length > 1) {
    const [oldTags, newTags] = [was.map(tagOf), is.map(tagOf)]
    for (const [index, tag] of oldTags.entries()) {
      const other = is[newTags.indexOf(tag)]
      if (other === undefined) shifted("narrower", `no longer ${tag}`)
      else found.push(...schemaChanges(at, was[index]!, other, direction))
    }
    for (const tag of newTags) if (!oldTags.includes(tag)) shifted("wider", `may be ${tag}`)
    return found
  }

  // A definition that both reference is compared once, under its own name.
  if (before["$ref"] !== after["$ref"]) {
    shifted("other", `${shown(before["$ref"] ?? before["type"])} → ${shown(after["$ref"] ?? after["type"])}`)
    return found
  }
  shifted(typeShift(before["type"], after["type"]), `type ${shown(before["type"])} → ${shown(after["type"])}`)
  // Readers must accept unknown values.
  const values = `values ${shown(before["enum"])} → ${shown(after["enum"])}`
  shifted(enumShift(before["enum"], after["enum"]), values, direction === "output")
  for (const [keys, absent, sign] of [
    [lowerBounds, Number.NEGATIVE_INFINITY, 1],
    [upperBounds, Number.POSITIVE_INFINITY, -1],
  ] as const) {
    for (const key of keys) {
      const moved = sign * Math.sign(bound(after, key, absent) - bound(before, key, absent))
      if (moved !== 0 && !Number.isNaN(moved)) {
        shifted(moved > 0 ? "narrower" : "wider", `${key} ${shown(before[key])} → ${shown(after[key])}`)
      }
    }
  }
  for (const key of ["pattern", "format"]) {
    if (before[key] === after[key]) continue
    const shift = before[key] === undefined ? "narrower" : after[key] === undefined ? "wider" : "other"
    shifted(shift, `${key} ${shown(before[key])} → ${shown(after[key])}`)
  }
  if (direction === "input" && shown(before["default"]) !== shown(after["default"])) {
    shifted("other", `default ${shown(before["default"])} → ${shown(after["default"])}`)
  }

  const [oldFields, newFields] = [propertiesOf(before), propertiesOf(after)]
  const [oldRequired, newRequired] = [requiredOf(before), requiredOf(after)]
  for (const name of Object.keys(oldFields)) {
    const field = `${at}.${name}`
    if (!(name in newFields)) {
      found.push({ kind: "removed", breaking: true, at: field, what: "removed" })
      continue
    }
    const [needed, needs] = [oldRequired.includes(name), newRequired.includes(name)]
    if (needed !== needs) {
      const shift = needs ? "narrower" : "wider"
      const what = needs ? "is required now" : "may be absent now"
      found.push({ kind: "changed", breaking: breaks(shift, direction), at: field, what })
    }
    found.push(...schemaChanges(field, oldFields[name] as JsonSchema, newFields[name] as JsonSchema, direction))
  }
  for (const name of Object.keys(newFields)) {
    if (name in oldFields) continue
    const breaking = direction === "input" && newRequired.includes(name)
    found.push({ kind: "added", breaking, at: `${at}.${name}`, what: breaking ? "required" : "added" })
  }
  for (const [key, step] of [
    ["items", "[]"],
    ["additionalProperties", "{}"],
  ] as const) {
    const [old, now] = [before[key], after[key]]
    if (isObject(old) && isObject(now)) found.push(...schemaChanges(`${at}${step}`, old, now, direction))
    else if (shown(old) !== shown(now)) shifted("other", `${key} ${shown(old)} → ${shown(now)}`)
  }
  return found
}

/** Changes between two contracts, breaking or not. */
export const compare = (before: Contract, after: Contract): ReadonlyArray<Change> => {
  const found: Array<Change> = []
  const inputs = new Set(
    [...Object.values(before.operations), ...Object.values(after.operations)].map(({ input }) => input),
  )
  for (const [at, old] of Object.entries(before.operations)) {
    const now = after.operations[at]
    if (now === undefined) {
      found.push({ kind: "removed", breaking: true, at, what: "removed" })
      continue
    }
    if (old.auth !== now.auth) {
      found.push({ kind: "changed", breaking: now.auth === "key", at, what: `auth ${old.auth} → ${now.auth}` })
    }
    for (const part of ["input", "answer"] as const) {
      if (old[part] !== now[part]) {
        found.push({ kind: "changed", breaking: true, at, what: `${part} ${old[part]} → ${now[part]}` })
      }
    }
    if (now.deprecation !== undefined && shown(old.deprecation) !== shown(now.deprecation)) {
      const what = `deprecated since ${now.deprecation.since}, removed after ${now.deprecation.sunset}`
      found.push({ kind: "deprecated", breaking: false, at, what })
    }
  }
  for (const at of Object.keys(after.operations)) {
    if (before.operations[at] === undefined) found.push({ kind: "added", breaking: false, at, what: "added" })
  }
  for (const [name, old] of Object.entries(before.schemas)) {
    const now = after.schemas[name]
    if (now === undefined) found.push({ kind: "removed", breaking: true, at: name, what: "removed" })
    else found.push(...schemaChanges(name, old, now, inputs.has(name) ? "input" : "output"))
  }
  for (const name of Object.keys(after.schemas)) {
    if (before.schemas[name] === undefined) found.push({ kind: "added", breaking: false, at: name, what: "added" })
  }
  return found
}
