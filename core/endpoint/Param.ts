import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import type { Code } from "../Failure.ts"
import { isDay } from "../time.ts"
import { optional } from "./Field.ts"

export { optional }

/*
 * Parameters are schemas over JSON values; `decode.ts` derives the conversion from a query string. Do not use
 * `Schema.Int` or `Schema.Finite`: their identifiers would become `$ref`s in every document.
 */

/** Annotation: the rule of a parameter in words, where the schema does not show it ("a date YYYY-MM-DD"). */
export const RuleAnnotation: unique symbol = Symbol.for("market-signals/Param/rule")
/** Annotation: the error code if only this parameter is invalid. */
export const CodeAnnotation: unique symbol = Symbol.for("market-signals/Param/code")
/** Annotation: display names of a choice's values. */
export const NamesAnnotation: unique symbol = Symbol.for("market-signals/Param/names")
/** Annotation: maximum total length of a list's texts. */
export const TotalLengthAnnotation: unique symbol = Symbol.for("market-signals/Param/totalLength")

/** An integer from `min` to `max`, both included. */
export const integer = (min: number, max: number, description: string): Schema.Schema<number> =>
  Schema.Number.pipe(Schema.int(), Schema.between(min, max)).annotations({ description })

/** An integer of at least `min`. The endpoint's `check` enforces the upper bound, which depends on the clock. */
export const integerFrom = (min: number, description: string): Schema.Schema<number> =>
  Schema.Number.pipe(Schema.int(), Schema.greaterThanOrEqualTo(min)).annotations({ description })

/** A finite number from `min` to `max`, both included. */
export const number = (min: number, max: number, description: string): Schema.Schema<number> =>
  Schema.Number.pipe(Schema.finite(), Schema.between(min, max)).annotations({ description })

/** A finite number above zero. */
export const positive = (description: string): Schema.Schema<number> =>
  Schema.Number.pipe(Schema.finite(), Schema.positive()).annotations({ description })

export const boolean = (description: string): Schema.Schema<boolean> => Schema.Boolean.annotations({ description })

/** Text of 1 to `max` characters. */
export const text = (max: number, description: string): Schema.Schema<string> =>
  Schema.String.pipe(Schema.minLength(1), Schema.maxLength(max)).annotations({
    description,
    [RuleAnnotation]: `text of 1 to ${max} characters`,
  })

/** Text that matches a pattern; `rule` describes the pattern in words. */
export const pattern = (regex: RegExp, rule: string, description: string, code?: Code): Schema.Schema<string> =>
  Schema.String.pipe(Schema.pattern(regex)).annotations({
    description,
    [RuleAnnotation]: rule,
    ...(code !== undefined && { [CodeAnnotation]: code }),
  })

/** One of a closed vocabulary. */
export const oneOf = <const Values extends readonly [string, ...ReadonlyArray<string>]>(
  values: Values,
  description: string,
): Schema.Schema<Values[number]> => Schema.Literal(...values).annotations({ description })

/** With at most this many values, the rule shows their names. */
const maxNamedValues = 8

/**
 * One of a closed vocabulary, in any case or as an alias; the lane receives the canonical value.
 *
 * @param names display names; a value without one is shown as it is
 */
export const oneOfWithAliases = <const Value extends string>(
  values: ReadonlyArray<Value>,
  aliases: Readonly<Record<string, Value>>,
  description: string,
  names?: Readonly<Record<string, string>>,
): Schema.Schema<Value, string> => {
  const spellings: ReadonlyArray<readonly [string, Value]> = [
    ...values.map((value) => [value, value] as const),
    ...Object.entries(aliases),
  ]
  const canonical = new Map(spellings.map(([name, value]) => [name.toUpperCase(), value]))
  const named = names === undefined ? {} : { [NamesAnnotation]: names }
  const shown = values.map((value) =>
    names?.[value] && values.length <= maxNamedValues ? `${value} (${names[value]})` : value,
  )
  const accepted = Schema.String.pipe(
    Schema.filter((value) => canonical.has(value.toUpperCase()), {
      description,
      jsonSchema: { enum: spellings.map(([name]) => name) },
    }),
  ).annotations({ [RuleAnnotation]: `one of ${shown.join(", ")}`, ...named })
  const decoded = Schema.Literal(...(values as ReadonlyArray<Value> as [Value, ...Array<Value>])).annotations(named)
  return Schema.transform(accepted, decoded, {
    strict: true,
    decode: (value) => canonical.get(value.toUpperCase())!,
    encode: (value) => value as string,
  }) as Schema.Schema<Value, string>
}

/**
 * One of a closed vocabulary (stations, assets), which people and models write in any case; the lane receives the value as
 * listed. Typed callers send it as listed.
 *
 * @param names display names
 */
export const oneOfAnyCase = <const Values extends readonly [string, ...ReadonlyArray<string>]>(
  values: Values,
  description: string,
  names?: Readonly<Record<string, string>>,
): Schema.Schema<Values[number]> =>
  oneOfWithAliases(values, {}, description, names) as Schema.Schema<string> as Schema.Schema<Values[number]>

/** Folds the case of a text before the test; the pattern of the JSON Schema states both cases. */
const caseInsensitive =
  (decode: (value: string) => string) =>
  (regex: RegExp, rule: string, description: string): Schema.Schema<string> => {
    const accepted = Schema.String.pipe(
      Schema.filter((value) => regex.test(decode(value)), {
        description,
        jsonSchema: { pattern: regex.source.replaceAll(/a-z|A-Z/g, "A-Za-z") },
      }),
    ).annotations({ [RuleAnnotation]: rule })
    return Schema.transform(accepted, Schema.String, { strict: true, decode, encode: (value) => value })
  }

type CaseInsensitive = ReturnType<typeof caseInsensitive>

/** Text in upper case that matches a pattern, accepted in any case; the lane receives it in upper case. */
export const upperCasePattern: CaseInsensitive = caseInsensitive((value) => value.toUpperCase())

/** Text in lower case that matches a pattern, accepted in any case; the lane receives it in lower case. */
export const lowerCasePattern: CaseInsensitive = caseInsensitive((value) => value.toLowerCase())

/** A calendar day YYYY-MM-DD. */
export const day = (description: string): Schema.Schema<string> =>
  Schema.String.pipe(Schema.filter(isDay, { description, jsonSchema: { format: "date" } })).annotations({
    [RuleAnnotation]: "a date YYYY-MM-DD",
  })

/** ISO 8601 with an offset or `Z`. */
export const instant = (description: string): Schema.Schema<string> =>
  Schema.String.pipe(
    Schema.filter(
      (value) =>
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
        !Number.isNaN(Date.parse(value)),
      { description, jsonSchema: { format: "date-time" } },
    ),
  ).annotations({ [RuleAnnotation]: "an ISO 8601 time with an offset, such as 2026-07-09T23:59:00Z" })

/** A comma-separated list in a query string, an array in JSON. */
export const list = <A>(item: Schema.Schema<A>, max: number, description: string): Schema.Schema<ReadonlyArray<A>> =>
  Schema.Array(item).pipe(Schema.minItems(1), Schema.maxItems(max)).annotations({ description })

/** A list of texts whose total length is at most `max`. */
export const maxTotalLength = (texts: Schema.Schema<ReadonlyArray<string>>, max: number): typeof texts =>
  texts.pipe(
    Schema.filter((all) => all.reduce((sum, { length }) => sum + length, 0) <= max, {
      jsonSchema: {},
      [TotalLengthAnnotation]: max,
    }),
  )

/** An optional parameter with a documented default. */
export const withDefault = <A, I>(
  schema: Schema.Schema<A, I>,
  value: A,
): Schema.optionalWith<Schema.Schema<A, I>, { exact: true; default: () => A }> =>
  Schema.optionalWith(schema.annotations({ default: value } as AST.Annotations as never), {
    exact: true,
    default: () => value,
  })

/** Cursor paging: without `limit` every row is returned. The lane receives the decoded sort key as `cursor`. */
export const paging: {
  readonly cursor: Schema.optionalWith<Schema.Schema<string>, { exact: true }>
  readonly limit: Schema.optionalWith<Schema.Schema<number>, { exact: true }>
} = {
  cursor: optional(text(2048, "Opaque: `_meta.next_cursor` of the previous page.")),
  limit: optional(integer(1, 200, "Rows on this page (default: all).")),
}
