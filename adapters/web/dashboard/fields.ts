import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { parseUsd } from "../../../core/account/Money.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { bounds, unrefined } from "../../../core/endpoint/rule.ts"

/** Amounts in dollars. */
export interface Range {
  readonly least: number
  /** Absent: as much as a number can be. */
  readonly most?: number
}

/** How a parameter is asked for. */
export type Kind =
  | { readonly _tag: "Text"; readonly most: number | undefined }
  | { readonly _tag: "Money"; readonly isNullable: boolean; readonly range: Range }
  | { readonly _tag: "Integer" }
  | { readonly _tag: "Flag" }
  | { readonly _tag: "Choice"; readonly values: ReadonlyArray<string> }
  /** A list; without values: of texts, whose choices the page names. */
  | { readonly _tag: "Choices"; readonly values: ReadonlyArray<string> }
  | { readonly _tag: "Instant" }

/** A parameter of a verb as a field of a form. */
export interface Field {
  readonly name: string
  readonly label: string
  /** The parameter's description, of an amount in dollars; empty if it says no more than the label. */
  readonly help: string
  readonly isOptional: boolean
  readonly kind: Kind
}

const literals = (ast: AST.AST): ReadonlyArray<string> => {
  const node = unrefined(ast)
  if (node._tag === "Literal") return [String(node.literal)]
  return node._tag === "Union" ? node.types.flatMap((type) => literals(type)) : []
}

/** The amounts that a parameter in micro-dollars may have. */
const rangeOf = (ast: AST.AST): Range => {
  const number = ast._tag === "Union" ? ast.types.find((type) => unrefined(type)._tag === "NumberKeyword") : ast
  const { minimum = 0, maximum } = number === undefined ? {} : bounds(number)
  const least = Number(minimum) / 1e6
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? { least }
    : { least, most: Number(maximum) / 1e6 }
}

/** A range in words, after "from" or "must be from". */
export const rangeText = ({ least, most }: Range): string =>
  most === undefined ? `${least} USD on` : `${least} to ${most} USD`

const kindOf = (name: string, ast: AST.AST): Kind => {
  const node = unrefined(ast)
  if (name.endsWith("micros")) return { _tag: "Money", isNullable: node._tag === "Union", range: rangeOf(ast) }
  switch (node._tag) {
    case "NumberKeyword":
      return { _tag: "Integer" }
    case "BooleanKeyword":
      return { _tag: "Flag" }
    case "TupleType":
      return { _tag: "Choices", values: literals(node.rest[0]!.type) }
    case "Literal":
    case "Union": {
      const values = literals(node)
      return values.length === 0 ? { _tag: "Text", most: undefined } : { _tag: "Choice", values }
    }
    default: {
      const { format, maxLength } = bounds(ast)
      if (format === "date-time") return { _tag: "Instant" }
      return { _tag: "Text", most: typeof maxLength === "number" ? maxLength : undefined }
    }
  }
}

/** `monthly_cap_micros` → "Monthly cap". */
const labelOf = (name: string): string => {
  if (name === "url") return "URL"
  if (name === "rpm") return "Calls per minute"
  const words = (name === "micros" ? "amount" : name).replace(/_micros$|_at$/, "").replaceAll("_", " ")
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The fields of a verb's form: its parameters, in their order, without those in the path. */
export const fieldsOf = (verb: Endpoint.AnyOperation): ReadonlyArray<Field> => {
  const inPath = new Set([...verb.path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
  return AST.getPropertySignatures((verb.params as Endpoint.AnyStruct).ast).flatMap(
    ({ name: key, type, isOptional }) => {
      const name = String(key)
      if (inPath.has(name)) return []
      const label = labelOf(name)
      const described = Option.getOrElse(AST.getDescriptionAnnotation(type), () => "").replace(/, micro-dollars/, "")
      // A description that is only the label says nothing more.
      const help = described === `${label}.` ? "" : described
      return [{ name, label, help, isOptional, kind: kindOf(name, type) }]
    },
  )
}

/** A hint at a field. A verb's schema speaks of its parameter in micro-dollars, and the field has dollars. */
export const hintAt = ({ name, kind }: Field, suggestion: string): string =>
  kind._tag === "Money" && new RegExp(`\\b${name}\\b`).test(suggestion)
    ? `The amount must be from ${rangeText(kind.range)}, in digits such as 12.50.`
    : suggestion

const numeric = /^-?\d+$/

const valueOf = ({ kind }: Field, given: ReadonlyArray<string>): unknown => {
  const text = (given[0] ?? "").trim()
  switch (kind._tag) {
    case "Flag":
      return given.length === 0 ? undefined : text === "true"
    case "Choices":
      return given.length === 0 ? undefined : given
    case "Money":
      if (text === "") return kind.isNullable ? null : undefined
      // Text that is no amount stays text, and the verb's own rule refuses it.
      return parseUsd(text) ?? text
    case "Integer":
      return text === "" ? undefined : numeric.test(text) ? Number(text) : text
    case "Instant":
      // A browser's field has neither seconds nor an offset; its label says UTC.
      return text === "" ? undefined : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? `${text}:00Z` : text
    default:
      return text === "" ? undefined : text
  }
}

/** The values of a form as a verb's JSON parameters. Names that the verb has not are left out. */
export const read = (fields: ReadonlyArray<Field>, values: URLSearchParams): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(field, values.getAll(field.name))
      return value === undefined ? [] : [[field.name, value] as const]
    }),
  )
