import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import { perObject } from "../perObject.ts"
import * as Step from "../Step.ts"
import type { Answer, Extras } from "./Answer.ts"
import type * as Endpoint from "./Endpoint.ts"
import { decimals } from "./Field.ts"
import * as Shape from "./Shape.ts"

/*
 * The only place where numbers are rounded to the decimals of their field. Lanes compute with full doubles; the results
 * of a method are rounded as they leave its service, so that an embedder gets the numbers that are served. A signal's
 * recorded output is rounded in the same way (`toOutput` of its lane): the record, the prices of contracts and the scores
 * have the served numbers, and a recomputation gives the same bytes. Stored inputs are never rounded.
 */

/**
 * Rounds to the nearest number with so many decimals, halves away from zero: x and −x have the same digits. Numbers
 * without decimals at that scale, NaN and infinities are returned unchanged.
 *
 * @example
 * ```ts
 * import { round } from "./Rounding.ts"
 *
 * round(7.089020830394581, 2) // 7.09
 * round(-0.0000004, 6) // 0
 * ```
 */
export const round = (value: number, places: number): number => atScale(value, 10 ** places)

const atScale = (value: number, scale: number): number => {
  const scaled = Math.abs(value) * scale
  if (!(scaled < 2 ** 52)) return value
  const whole = Math.round(scaled)
  return value < 0 && whole > 0 ? -whole / scale : whole / scale
}

/** Rounds a value of one schema; returns the same object where nothing changes, and never changes one. */
type Rounder = (value: unknown) => unknown

const ofNumber = (places: number): Rounder => {
  const scale = 10 ** places
  return (value) => (typeof value === "number" ? atScale(value, scale) : value)
}

const ofArray =
  (item: Rounder): Rounder =>
  (value) => {
    if (!Array.isArray(value)) return value
    let out: Array<unknown> | undefined
    for (let at = 0; at < value.length; at++) {
      const after = item(value[at])
      if (after === value[at]) continue
      out ??= [...value]
      out[at] = after
    }
    return out ?? value
  }

/** @param each rounds the values of a map with open keys */
const ofObject =
  (fields: ReadonlyArray<{ readonly name: string; readonly rounder: Rounder }>, each: Rounder | undefined): Rounder =>
  (value) => {
    if (!Shape.isObject(value)) return value
    let out: Record<string, unknown> | undefined
    if (each !== undefined) {
      for (const name of Object.keys(value)) {
        const after = each(value[name])
        if (after === value[name]) continue
        out ??= { ...value }
        out[name] = after
      }
    }
    for (let at = 0; at < fields.length; at++) {
      const { name, rounder } = fields[at]!
      const unrounded = value[name]
      if (unrounded === undefined) continue
      const after = rounder(unrounded)
      if (after === unrounded) continue
      out ??= { ...value }
      out[name] = after
    }
    return out ?? value
  }

/** Undefined: the shape has no number that is rounded, so its values are not looked at. */
const compile = (shape: Shape.Shape): Rounder | undefined => {
  if (shape.decimals !== undefined) return ofNumber(shape.decimals)
  switch (shape.kind) {
    case "list": {
      const item = compile(shape.item)
      return item && ofArray(item)
    }
    case "union": {
      const members = shape.members.flatMap((member) => compile(member) ?? [])
      return members.length === 0 ? undefined : (value) => members.reduce((before, member) => member(before), value)
    }
    case "record": {
      const fields = shape.fields.flatMap(({ name, shape }) => {
        const rounder = compile(shape)
        return rounder === undefined ? [] : [{ name, rounder }]
      })
      const each = shape.each && compile(shape.each)
      return fields.length === 0 && each === undefined ? undefined : ofObject(fields, each)
    }
    default:
      return undefined
  }
}

const buildRounder = perObject(
  (results: Endpoint.Any["results"]): Rounder => compile(Shape.of(results)) ?? ((value) => value),
)

/**
 * The results of an endpoint, or some of their fields, with every computed number rounded to the decimals of its field.
 * Compiled once per schema.
 */
export const rounded = <const A>(endpoint: Pick<Endpoint.Any, "results">, results: A): A =>
  buildRounder(endpoint.results)(results) as A

// biome-ignore lint/suspicious/noExplicitAny: variance of parameters and context
type AnyMethod = (params: any) => Effect.Effect<Answer<unknown>, Failure, any>

const roundedMethods = new WeakSet<AnyMethod>()

const roundLater = <A, E>(endpoint: Endpoint.Any, part: Effect.Effect<A, E> | undefined) =>
  part && Step.map(part, (value) => roundedByName(endpoint, value))

const roundExtras = (endpoint: Endpoint.Any, extras: Extras | undefined): Extras | undefined => {
  const { alternatives, counterfactual } = extras ?? {}
  if (alternatives === undefined && counterfactual === undefined) return extras
  return {
    ...extras,
    ...ifDefined("alternatives", roundLater(endpoint, alternatives)),
    ...ifDefined("counterfactual", roundLater(endpoint, counterfactual)),
  }
}

const roundRecord = (endpoint: Endpoint.Any, record: Answer<unknown>["record"]): Answer<unknown>["record"] => {
  const recorded = record?.recorded
  if (record === undefined || recorded === undefined) return record
  return { ...record, recorded: (contracts) => rounded(endpoint, recorded(contracts)) }
}

const roundBeside = (endpoint: Endpoint.Any, beside: Answer<unknown>["beside"]): Answer<unknown>["beside"] =>
  beside &&
  ((...args) => {
    const answer = beside(...args)
    return answer && { ...answer, results: rounded(endpoint, answer.results) }
  })

/** Returns the same object if nothing changes. */
const roundAnswer =
  (endpoint: Endpoint.Any) =>
  (answer: Answer<unknown>): Answer<unknown> => {
    const results = rounded(endpoint, answer.results)
    const extras = roundExtras(endpoint, answer.extras)
    const record = roundRecord(endpoint, answer.record)
    const beside = roundBeside(endpoint, answer.beside)
    if (results === answer.results && extras === answer.extras && record === answer.record && beside === undefined)
      return answer
    return {
      ...answer,
      results,
      ...ifDefined("extras", extras),
      ...ifDefined("record", record),
      ...ifDefined("beside", beside),
    }
  }

/** A lane's method whose answers are rounded; the same one if they are already. */
export const method = <M extends AnyMethod>(endpoint: Endpoint.Any, given: M): M => {
  if (roundedMethods.has(given)) return given
  const made = Step.mapMethod<AnyMethod>(given, roundAnswer(endpoint)) as M
  roundedMethods.add(made)
  return made
}

/** The service of a lane: its methods, with the answers of each rounded. */
export const methods = <S extends { readonly [K in keyof S]: AnyMethod }>(
  endpoints: { readonly [K in keyof S]: Endpoint.Any },
  service: S,
): S => {
  const made: Partial<S> = {}
  for (const name in service) made[name] = method(endpoints[name], service[name])
  return made as S
}

/** Decimals by name of field; infinite for numbers that are not rounded. Of two fields with one name the more decimals. */
const collectDecimals = (shape: Shape.Shape, places: Map<string, number>): Map<string, number> => {
  if (shape.kind === "list") collectDecimals(shape.item, places)
  if (shape.kind === "union") for (const member of shape.members) collectDecimals(member, places)
  if (shape.kind === "record") {
    for (const { name, shape: below } of shape.fields) {
      const decimals = below.decimals ?? (below.kind === "number" ? Number.POSITIVE_INFINITY : undefined)
      if (decimals !== undefined) places.set(name, Math.max(decimals, places.get(name) ?? 0))
      collectDecimals(below, places)
    }
  }
  return places
}

const decimalPlaces = perObject(
  ({ results }: Endpoint.Any): ReadonlyMap<string, number> => collectDecimals(Shape.of(results), new Map()),
)

/**
 * JSON of no schema that is about an endpoint's results (counterfactuals, alternatives): a number has the decimals of the
 * results' field of its name, others those of a ratio.
 */
export const roundedByName = <A>(endpoint: Endpoint.Any, value: A): A => {
  const places = decimalPlaces(endpoint)
  const walk = (part: unknown, name: string): unknown => {
    if (typeof part === "number") return round(part, places.get(name) ?? decimals.ratio)
    if (Array.isArray(part)) return part.map((item) => walk(item, name))
    return Shape.isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([key, below]) => [key, walk(below, key)]))
      : part
  }
  return walk(value, "") as A
}
