import type { Hint } from "../Failure.ts"
import { count } from "../text.ts"
import type * as Shape from "./Shape.ts"

/** The form of a value: JSON, or text of a query string or command line. */
export type Form = "json" | "text"

/** ` {endpoint, params?}`; empty for a map with open keys. */
const namesIn = (fields: ReadonlyArray<Shape.Field>): string =>
  fields.length === 0 ? "" : ` {${fields.map(({ name, isOptional }) => `${name}${isOptional ? "?" : ""}`).join(", ")}}`

const listRule = (item: Shape.Shape, { minItems = 0, maxItems }: Shape.Bounds, form: Form): string => {
  if (form === "text") {
    return `a comma-separated list of up to ${maxItems ?? "any number of"} values, each ${rule(item, form)}`
  }
  const count = maxItems === undefined ? "" : ` ${minItems} to ${maxItems}`
  return item.kind === "record"
    ? `a JSON array of${count} objects${namesIn(item.fields)}`
    : `a JSON array of${count} values, each ${rule(item, form)}`
}

const numberRule = ({ type, minimum, maximum, exclusiveMinimum }: Shape.Bounds): string => {
  const noun = type === "integer" ? "an integer" : "a number"
  if (minimum !== undefined) return `${noun} from ${minimum}${maximum === undefined ? " on" : ` to ${maximum}`}`
  return exclusiveMinimum === undefined ? noun : `${noun} above ${exclusiveMinimum}`
}

/** The rule of a parameter in words, for hints and documents: "an integer from 5 to 1440", "one of BTC (Bitcoin), ETH (Ether)". */
export const rule = (shape: Shape.Shape, form: Form): string => {
  if (shape.rule !== undefined) return shape.rule
  switch (shape.kind) {
    case "choice":
      return shape.values.length === 1 ? `"${shape.values[0]}"` : `one of ${shape.values.map(String).join(", ")}`
    case "union":
      return shape.members.map((member) => rule(member, form)).join(", or ")
    case "list": {
      const { item, bounds, together } = shape
      const length = together === undefined ? "" : `, ${count(together)} characters together`
      return `${listRule(item, bounds, form)}${length}`
    }
    case "record":
      return `an object${namesIn(shape.fields)}`
    case "flag":
      return "true or false"
    case "number":
      return numberRule(shape.bounds)
    default:
      return "text"
  }
}

/** A part of a value: an item of a list, or a field of an object. */
const shapeAt = (shape: Shape.Shape, step: PropertyKey): Shape.Shape | undefined =>
  shape.kind === "list"
    ? shape.item
    : shape.kind === "record"
      ? shape.fields.find(({ name }) => name === step)?.shape
      : undefined

/**
 * The hint for a bad field, derived from its shape.
 *
 * @param issue the error; its path begins with the name of the field
 * @param sent the value of the field
 */
export const remedy = (
  field: string,
  shape: Shape.Shape,
  { _tag, path }: { readonly _tag: string; readonly path: ReadonlyArray<PropertyKey> },
  form: Form,
  sent: unknown,
): Hint => {
  let [what, node, value] = [field, shape, sent]
  for (const step of path.slice(1)) {
    const part = shapeAt(node, step)
    if (part === undefined) break
    what = `${typeof step === "number" ? `item ${step + 1}` : String(step)} of ${what}`
    node = part
    value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step]
  }
  if (_tag === "Unexpected") {
    const names = node.kind === "record" ? ` Known: ${node.fields.map(({ name }) => name).join(", ")}.` : ""
    return { field, action: "remove", suggestion: `Unknown field ${String(path.at(-1))} in ${what}.${names}` }
  }
  if (_tag === "Missing") return { field, action: "add", suggestion: `Add ${what}: ${rule(node, form)}.` }
  const isBare = node.kind === "flag" || node.kind === "number"
  // In JSON "60" is not a number; the range alone would not explain the error.
  const quoted = form === "json" && typeof value === "string" && isBare ? ", without quotes" : ""
  const subject = what.replace(/^item /, "Item ")
  return { field, action: "change", suggestion: `${subject} must be ${rule(node, form)}${quoted}.` }
}
