import * as Option from "effect/Option"
import { parseUsd } from "../../core/account/Money.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { capitalize, count } from "../../core/text.ts"

/** Amounts in dollars. */
export interface Range {
  readonly least: number
  /** Absent: no maximum. */
  readonly most?: number
}

/** The form control of a parameter. */
export type Kind =
  | { readonly _tag: "Text"; readonly most: number | undefined }
  | { readonly _tag: "Money"; readonly isNullable: boolean; readonly range: Range }
  | { readonly _tag: "Number"; readonly isWhole: boolean }
  | { readonly _tag: "Flag" }
  | {
      readonly _tag: "Choice"
      readonly values: ReadonlyArray<string>
      /** Labels of values that are not self-explanatory. */
      readonly names?: Readonly<Record<string, string>>
      /** The meaning of each value, where few stand beside each other. */
      readonly meanings?: Readonly<Record<string, string>>
      /** The label for no choice. */
      readonly none?: string
    }
  /** A list. Without `values` it is of texts, and the page supplies the choices. */
  | {
      readonly _tag: "Choices"
      readonly values: ReadonlyArray<string>
      /** The meaning of each value. */
      readonly meanings?: Readonly<Record<string, string>>
    }
  | { readonly _tag: "Instant" }
  | { readonly _tag: "Day" }

/** A parameter of a verb as a field of a form. */
export interface Field {
  readonly name: string
  readonly label: string
  /** The parameter's description, with amounts in dollars; empty if it only repeats the label. */
  readonly help: string
  readonly isOptional: boolean
  readonly kind: Kind
}

const literals = (shape: Shape.Shape): ReadonlyArray<string> =>
  shape.kind === "choice" ? shape.values.map(String) : []

/** The codes that a conversion of text results in. */
const codesOf = ({ steps }: Shape.Shape): ReadonlyArray<string> =>
  steps.flatMap((step) => (step._tag === "Conversion" ? literals(step.to) : []))

/** The allowed range of a parameter in micro-dollars. */
const rangeOf = (shape: Shape.Shape): Range => {
  const number = shape.kind === "union" ? shape.members.find(({ kind }) => kind === "number") : shape
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = number?.bounds ?? {}
  const least = minimum / 1e6
  return maximum === Number.MAX_SAFE_INTEGER ? { least } : { least, most: maximum / 1e6 }
}

/** A range as text, to follow "must be". */
export const rangeText = ({ least, most }: Range): string =>
  most === undefined ? `${least} USD or more` : `${least} to ${count(most)} USD`

const kindOf = (name: string, shape: Shape.Shape): Kind => {
  if (name.endsWith("micros")) return { _tag: "Money", isNullable: shape.kind === "union", range: rangeOf(shape) }
  switch (shape.kind) {
    case "number":
      return { _tag: "Number", isWhole: shape.bounds.type === "integer" }
    case "flag":
      return { _tag: "Flag" }
    case "list":
      return { _tag: "Choices", values: literals(shape.item) }
    case "choice":
      return { _tag: "Choice", values: literals(shape), ...ifDefined("names", shape.names) }
    default: {
      const { format, maxLength } = shape.bounds
      const values = codesOf(shape)
      if (values.length > 0) return { _tag: "Choice", values, ...ifDefined("names", shape.names) }
      if (format === "date-time") return { _tag: "Instant" }
      return format === "date" ? { _tag: "Day" } : { _tag: "Text", most: maxLength }
    }
  }
}

/** `monthly_cap_micros` → "Monthly cap". */
const labelOf = (name: string): string => {
  if (name === "url") return "URL"
  if (name === "rpm") return "Calls per minute"
  const words = (name === "micros" ? "amount" : name)
    .replace(/_micros$|_at$/, "")
    .replace(/_seconds$/, " (seconds)")
    .replaceAll("_", " ")
  return capitalize(words)
}

/** A flag that is true by default. */
const yesFirst = {
  isOptional: false,
  kind: { _tag: "Choice", values: ["true", "false"], names: { true: "Yes", false: "No" } },
} as const

/** The fields of a verb's form: its parameters, in their order, without those in the path. */
export const fieldsOf = (verb: Endpoint.AnyOperation): ReadonlyArray<Field> => {
  const inPath = new Set([...verb.path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
  return Shape.fieldsOf(verb.params).flatMap(({ name, shape, isOptional, standard }): ReadonlyArray<Field> => {
    if (inPath.has(name)) return []
    const label = labelOf(name)
    // Codes that are accepted in upper and lower case have no description beside the label.
    const isConverted = shape.steps.some(({ _tag }) => _tag === "Conversion")
    const described = isConverted ? "" : (shape.description ?? "").replace(/, micro-dollars(, in whole cents)?/, "")
    // A description that repeats the label is dropped.
    const help = described === `${label}.` ? "" : described
    // An empty check box sends nothing, which would be what the flag is already.
    if (shape.kind === "flag" && Option.contains(standard(), true)) return [{ name, label, help, ...yesFirst }]
    return [{ name, label, help, isOptional, kind: kindOf(name, shape) }]
  })
}

/** A hint in the terms of the form: the verb's schema names parameters and micro-dollars, the form labels and dollars. */
export const hintAt = ({ name, label, kind }: Field, suggestion: string): string =>
  kind._tag === "Money" && new RegExp(`\\b${name}\\b`).test(suggestion)
    ? `Enter an amount of ${rangeText(kind.range)}, such as 12.50.`
    : (kind._tag === "Day" ? suggestion.replace(/an instant such as (.{10})T[\d:.]+Z/, "a day such as $1") : suggestion)
        .replace(new RegExp(`^(Add )?${name}\\b`), `$1${label}`)
        .replace(/, without quotes\.$/, ".")
        .replace(/^.* must be a JSON array of values, each one of .*/, "Choose at least one.")

const numeric = /^-?\d*\.?\d+$/

const readValue = ({ kind }: Field, given: ReadonlyArray<string>): unknown => {
  const text = (given[0] ?? "").trim()
  switch (kind._tag) {
    case "Flag":
      return given.length === 0 ? undefined : text === "true"
    case "Choices":
      // An empty field means an empty list, not a list of one empty text.
      return given.every((each) => each.trim() === "") ? undefined : given
    case "Money":
      if (text === "") return kind.isNullable ? null : undefined
      // Text that is not an amount stays text, which the verb's own rule refuses.
      return parseUsd(text) ?? text
    case "Number":
      return text === "" ? undefined : numeric.test(text) ? Number(text) : text
    case "Instant":
      // A browser's field has neither seconds nor an offset; its label says UTC.
      return text === "" ? undefined : /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? `${text}:00Z` : text
    default:
      return text === "" ? undefined : text
  }
}

/** The values of a form as a verb's JSON parameters. Names that the verb does not have are left out. */
export const read = (fields: ReadonlyArray<Field>, values: URLSearchParams): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = readValue(field, values.getAll(field.name))
      return value === undefined ? [] : [[field.name, value] as const]
    }),
  )
