import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import type { Code } from "./Failure.ts"
import { type CodeId, RuleId } from "./Param.ts"

const annotation = <A>(ast: AST.AST, id: typeof RuleId | typeof CodeId): A | undefined => {
  for (let node = ast; ; node = node.from) {
    const own = Option.getOrUndefined(AST.getAnnotation<A>(node, id))
    if (own !== undefined || node._tag !== "Refinement") return own
  }
}

/** The code of a parameter that has one of its own. */
export const codeOf = (ast: AST.AST, id: typeof CodeId): Code | undefined => annotation<Code>(ast, id)

const bounds = (ast: AST.AST): Readonly<Record<string, unknown>> => {
  const json: Record<string, unknown> = {}
  for (let node = ast; node._tag === "Refinement"; node = node.from) {
    Object.assign(json, Option.getOrUndefined(AST.getJSONSchemaAnnotation(node)))
  }
  return json
}

/** What a parameter must be, in words for hints and documents: "an integer from 5 to 1440", "one of BTC, ETH". */
export const rule = (ast: AST.AST): string => {
  const own = annotation<string>(ast, RuleId)
  if (own !== undefined) return own
  const json = bounds(ast)
  let node = ast
  while (node._tag === "Refinement") node = node.from
  switch (node._tag) {
    case "Union":
      return node.types.every((type) => type._tag === "Literal")
        ? `one of ${node.types.map((type) => String((type as AST.Literal).literal)).join(", ")}`
        : node.types.map(rule).join(", or ")
    case "Literal":
      return `"${String(node.literal)}"`
    case "TupleType":
      return `a comma-separated list of up to ${String(json["maxItems"] ?? "any number of")} values, each ${rule(node.rest[0]!.type)}`
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

/** The rule of one item of a list. */
export const itemRule = (ast: AST.AST): string => {
  let node = ast
  while (node._tag === "Refinement") node = node.from
  return node._tag === "TupleType" ? rule(node.rest[0]!.type) : rule(ast)
}
