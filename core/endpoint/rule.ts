import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import type { Code, Hint } from "../Failure.ts"
import { type CodeId, RuleId, TogetherId } from "./Param.ts"

/** The form of a value: JSON, or text of a query string or command line. */
export type Form = "json" | "text"

const annotation = <A>(ast: AST.AST, id: typeof RuleId | typeof CodeId | typeof TogetherId): A | undefined => {
  for (let node = ast; ; node = node.from) {
    const own = Option.getOrUndefined(AST.getAnnotation<A>(node, id))
    if (own !== undefined || node._tag !== "Refinement") return own
  }
}

/** The parameter's own error code, if it has one. */
export const codeOf = (ast: AST.AST, id: typeof CodeId): Code | undefined => annotation<Code>(ast, id)

export const bounds = (ast: AST.AST): Readonly<Record<string, unknown>> => {
  const json: Record<string, unknown> = {}
  for (let node = ast; node._tag === "Refinement"; node = node.from) {
    Object.assign(json, Option.getOrUndefined(AST.getJSONSchemaAnnotation(node)))
  }
  return json
}

/** A schema without its refinements. */
export const unrefined = (ast: AST.AST): AST.AST => {
  let node = ast
  while (node._tag === "Refinement") node = node.from
  return node
}

/** Most items of a list. */
export const maxItems = (ast: AST.AST): number => Number(bounds(ast)["maxItems"] ?? Number.POSITIVE_INFINITY)

/** ` {endpoint, params?}`; empty for a map with open keys. */
const shapeOf = ({ propertySignatures }: AST.TypeLiteral): string =>
  propertySignatures.length === 0
    ? ""
    : ` {${propertySignatures.map(({ name, isOptional }) => `${String(name)}${isOptional ? "?" : ""}`).join(", ")}}`

const listRule = (item: AST.AST, { minItems = 0, maxItems }: Readonly<Record<string, unknown>>, form: Form): string => {
  if (form === "text") {
    return `a comma-separated list of up to ${String(maxItems ?? "any number of")} values, each ${rule(item, form)}`
  }
  const count = maxItems === undefined ? "" : ` ${String(minItems)} to ${String(maxItems)}`
  const node = unrefined(item)
  return node._tag === "TypeLiteral"
    ? `a JSON array of${count} objects${shapeOf(node)}`
    : `a JSON array of${count} values, each ${rule(item, form)}`
}

const texts = { json: new WeakMap<AST.AST, string>(), text: new WeakMap<AST.AST, string>() }

/** The rule of a parameter in words, for hints and documents: "an integer from 5 to 1440", "one of BTC, ETH". */
export const rule = (ast: AST.AST, form: Form): string => {
  const made = texts[form].get(ast) ?? ruleText(ast, form)
  texts[form].set(ast, made)
  return made
}

const ruleText = (ast: AST.AST, form: Form): string => {
  const own = annotation<string>(ast, RuleId)
  if (own !== undefined) return own
  const json = bounds(ast)
  const node = unrefined(ast)
  switch (node._tag) {
    case "Union":
      return node.types.every((type) => type._tag === "Literal")
        ? `one of ${node.types.map((type) => String((type as AST.Literal).literal)).join(", ")}`
        : node.types.map((type) => rule(type, form)).join(", or ")
    case "Literal":
      return `"${String(node.literal)}"`
    case "TupleType": {
      const together = annotation<number>(ast, TogetherId)
      const length = together === undefined ? "" : `, ${together.toLocaleString("en-US")} characters together`
      return `${listRule(node.rest[0]!.type, json, form)}${length}`
    }
    case "TypeLiteral":
      return `an object${shapeOf(node)}`
    case "BooleanKeyword":
      return "true or false"
    case "NumberKeyword": {
      const noun = json["type"] === "integer" ? "an integer" : "a number"
      const { minimum, maximum, exclusiveMinimum } = json
      if (minimum !== undefined && maximum !== undefined) return `${noun} from ${String(minimum)} to ${String(maximum)}`
      return exclusiveMinimum === undefined ? noun : `${noun} above ${String(exclusiveMinimum)}`
    }
    default:
      return "text"
  }
}

/** The schema of a part: an item of a list, or a field of an object. */
const partOf = (ast: AST.AST, step: PropertyKey): AST.AST | undefined => {
  const node = unrefined(ast)
  if (node._tag === "TupleType") return node.rest[0]?.type
  return node._tag === "TypeLiteral" ? node.propertySignatures.find(({ name }) => name === step)?.type : undefined
}

const isLiteral = (ast: AST.AST): boolean => ["BooleanKeyword", "NumberKeyword"].includes(unrefined(ast)._tag)

/**
 * The hint for a bad field, derived from its schema.
 *
 * @param issue the error; its path begins with the name of the field
 * @param sent the value of the field
 */
export const remedy = (
  field: string,
  ast: AST.AST,
  { _tag, path }: { readonly _tag: string; readonly path: ReadonlyArray<PropertyKey> },
  form: Form,
  sent: unknown,
): Hint => {
  let [what, node, value] = [field, ast, sent]
  for (const step of path.slice(1)) {
    const part = partOf(node, step)
    if (part === undefined) break
    what = `${typeof step === "number" ? `item ${step + 1}` : String(step)} of ${what}`
    node = part
    value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step]
  }
  if (_tag === "Unexpected")
    return { field, action: "remove", suggestion: `Unknown field ${String(path.at(-1))} in ${what}.` }
  if (_tag === "Missing") return { field, action: "add", suggestion: `Add ${what}: ${rule(node, form)}.` }
  // In JSON "60" is not a number; the range alone would not explain the error.
  const quoted = form === "json" && typeof value === "string" && isLiteral(node) ? ", without quotes" : ""
  const subject = what.replace(/^item /, "Item ")
  return { field, action: "change", suggestion: `${subject} must be ${rule(node, form)}${quoted}.` }
}
