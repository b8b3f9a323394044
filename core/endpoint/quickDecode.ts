import * as Option from "effect/Option"
import * as Shape from "./Shape.ts"

/*
 * A decoder for valid values, compiled from a shape: a list of 21 numbers takes a fifth of the parser's time, which keeps an
 * account of every step for its error messages. Any other value gives `invalid`; the parser then explains it.
 */

/** The value is not valid, or only the parser can tell. */
export const invalid: unique symbol = Symbol.for("market-signals/quickDecode/invalid")

/** @returns the decoded value, or `invalid` */
type Quick = (value: unknown) => unknown

const test =
  (is: (value: unknown) => boolean): Quick =>
  (value) =>
    is(value) ? value : invalid

const ofUnion =
  (members: ReadonlyArray<Quick>): Quick =>
  (value) => {
    for (const member of members) {
      const decoded = member(value)
      if (decoded !== invalid) return decoded
    }
    return invalid
  }

const ofArray =
  (item: Quick): Quick =>
  (value) => {
    if (!Array.isArray(value)) return invalid
    const out: Array<unknown> = []
    for (const each of value) {
      const decoded = item(each)
      if (decoded === invalid) return invalid
      out.push(decoded)
    }
    return out
  }

/** The fields are in the order in which the parser writes them: the order is part of a call's hash. */
const ofFields = (fields: ReadonlyArray<Shape.Field>, isClosed: boolean): Quick => {
  // The parser accepts any value but null for a struct without fields, and returns it.
  if (fields.length === 0) return test((value) => value !== null && value !== undefined)
  const names = new Set(fields.map(({ name }) => name))
  const all = fields.map((field) => ({ ...field, decode: compile(field.shape, isClosed) }))
  return (value) => {
    if (!Shape.isObject(value)) return invalid
    if (isClosed && !Object.keys(value).every((name) => names.has(name))) return invalid
    const out: Record<string, unknown> = {}
    for (const { name, decode, isOptional, standard } of all) {
      if (Object.hasOwn(value, name)) {
        const decoded = decode(value[name])
        if (decoded === invalid) return invalid
        out[name] = decoded
      } else if (!isOptional) return invalid
      else {
        const given = standard()
        if (Option.isSome(given)) out[name] = given.value
      }
    }
    return out
  }
}

/** A map with open keys. */
const ofMap =
  (each: Quick): Quick =>
  (value) => {
    if (!Shape.isObject(value)) return invalid
    const out: Record<string, unknown> = {}
    for (const [name, given] of Object.entries(value)) {
      const decoded = each(given)
      if (decoded === invalid || name === "__proto__") return invalid
      out[name] = decoded
    }
    return out
  }

const ofKind = (shape: Shape.Shape, isClosed: boolean): Quick => {
  switch (shape.kind) {
    case "number":
      return test((value) => typeof value === "number")
    case "text":
      return test((value) => typeof value === "string")
    case "flag":
      return test((value) => typeof value === "boolean")
    case "choice": {
      const values = new Set<unknown>(shape.values)
      return test((value) => values.has(value))
    }
    case "union":
      return ofUnion(shape.members.map((member) => compile(member, isClosed)))
    case "list":
      return ofArray(compile(shape.item, isClosed))
    case "record":
      return shape.each === undefined ? ofFields(shape.fields, isClosed) : ofMap(compile(shape.each, isClosed))
    default:
      return (value) => value
  }
}

const withStep = (before: Quick, step: Shape.Step, isClosed: boolean): Quick => {
  if (step._tag === "Defaults") return before
  if (step._tag === "Filter") {
    const { accepts } = step
    return (value) => {
      const decoded = before(value)
      return decoded !== invalid && accepts(decoded) ? decoded : invalid
    }
  }
  const { convert } = step
  const after = compile(step.to, isClosed)
  return (value) => {
    const decoded = before(value)
    const converted = decoded === invalid ? Option.none() : convert(decoded)
    return Option.isSome(converted) ? after(converted.value) : invalid
  }
}

/**
 * Compiles the decoder of a shape; parts that it does not know are left to the parser.
 *
 * @param inherited whether unknown fields are errors
 */
export const compile = (shape: Shape.Shape, inherited = false): Quick => {
  const { isClosed = inherited, needsParser, steps } = shape
  return needsParser
    ? () => invalid
    : steps.reduce((before, step) => withStep(before, step, isClosed), ofKind(shape, isClosed))
}
