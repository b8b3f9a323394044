import * as Schema from "effect/Schema"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as EnvelopeSchema from "../../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../../core/endpoint/jsonSchema.ts"
import * as Options from "../../../core/endpoint/Options.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import { DryRun } from "../../../core/lanes/account/dryRun.ts"

/** A schema of a tool's arguments or structured answer. */
export type ObjectSchema = JsonSchema.JsonSchema & { readonly type: "object" }

/** The argument that replaces the `Idempotency-Key` header. */
export const idempotencyKey = "idempotency_key"

const repeatable = Param.optional(
  Schema.String.annotations({
    description: "UUIDv4. Repeats within 24 hours are charged once.",
    jsonSchema: { format: "uuid" },
  }),
)

/** MCP requires `type: "object"` at the root. */
export const rooted = (schema: JsonSchema.JsonSchema): ObjectSchema => ({ ...schema, type: "object" })

/**
 * Without `$schema`, as the protocol's default is the same dialect, and without texts of a common option's items and
 * bounds of their number and length and defaults, which the server has: each byte is in every client's context, twenty times.
 */
export const brief = ({ $schema: _, properties, ...schema }: JsonSchema.JsonSchema): JsonSchema.JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties as JsonSchema.JsonSchema).map(([name, field]) => [
      name,
      name in Options.keyed.fields ? withoutBounds(field as JsonSchema.JsonSchema) : field,
    ]),
  ),
})

const withoutBounds = (field: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { items, minItems: _, maxItems: __, default: ______, ...rest } = field
  if (!JsonSchema.isObject(items)) return rest
  const { description: ___, minLength: ____, maxLength: _____, ...item } = items
  return { ...rest, items: item }
}

/** A tool's arguments: the endpoint's parameters, the common options and the idempotency key. */
export const input = (endpoint: Endpoint.Any): ObjectSchema => {
  const own = Options.input(endpoint).fields
  const fields = Endpoint.isKeyless(endpoint) ? own : { ...own, [idempotencyKey]: repeatable }
  return rooted(brief(JsonSchema.of(Schema.Struct(fields) as unknown as Schema.Schema.AnyNoContext)))
}

const referenced = (schema: JsonSchema.JsonSchema, $defs: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $ref } = schema
  return typeof $ref === "string" ? ($defs[$ref.slice("#/$defs/".length)] as JsonSchema.JsonSchema) : schema
}

/** Names and types to a depth, without rules and texts: every value of the schema is one of its outline. */
const sketch = (schema: JsonSchema.JsonSchema, $defs: JsonSchema.JsonSchema, depth: number): JsonSchema.JsonSchema => {
  const { type, properties, items, anyOf } = referenced(schema, $defs)
  if (Array.isArray(anyOf)) {
    const members = anyOf.map((each) => sketch(each as JsonSchema.JsonSchema, $defs, depth))
    const types = new Set(members.map((member) => member["type"]))
    // Alternatives of plain types are one list of types.
    return members.every((member) => Object.keys(member).join() === "type" && typeof member["type"] === "string")
      ? { type: types.size === 1 ? [...types][0] : [...types] }
      : { anyOf: members }
  }
  if (depth === 0 || typeof type !== "string") return typeof type === "string" ? { type } : {}
  if (JsonSchema.isObject(properties)) {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, sketch(field as JsonSchema.JsonSchema, $defs, depth - 1)] as const,
    )
    return { type, properties: Object.fromEntries(fields) }
  }
  return JsonSchema.isObject(items) ? { type, items: sketch(items, $defs, depth - 1) } : { type }
}

/** Levels of an answer below its root that an outline shows. */
const outlineLevels = 1

const sketchOf = (schema: Schema.Schema.AnyNoContext): JsonSchema.JsonSchema => {
  const { $defs = {}, ...whole } = JsonSchema.of(schema)
  return sketch(whole, $defs as JsonSchema.JsonSchema, outlineLevels)
}

/**
 * The outline of a tool's answer, for `tools/list`: the names of the results' fields, of which `fields` may omit any, and
 * of the envelope only what is always there. `output` is the whole schema.
 */
export const outline = (endpoint: Endpoint.Any): ObjectSchema => {
  const results = sketchOf(endpoint.results)
  return Endpoint.isKeyless(endpoint)
    ? rooted(results)
    : { type: "object", properties: { results, _meta: { type: "object" } }, required: ["results", "_meta"] }
}

const envelope = JsonSchema.of(Schema.Struct({ results: DryRun, ...EnvelopeSchema.envelopeFields }))

/**
 * A tool's answer: the endpoint's results, partial with `fields`, or the quote of a dry run; plus the envelope's other
 * fields.
 */
export const output = (endpoint: Endpoint.Any): ObjectSchema => {
  const { $schema, $defs, ...results } = JsonSchema.selection(JsonSchema.of(endpoint.results))
  if (Endpoint.isKeyless(endpoint)) return rooted({ $schema, ...results, $defs })
  const { results: quote, ...others } = envelope["properties"] as Readonly<Record<string, unknown>>
  return rooted({
    ...envelope,
    properties: {
      results: {
        description:
          "The results (with `fields`, only those named), or a quote with `dry_run`. Fields without a value are omitted.",
        anyOf: [results, quote],
      },
      ...others,
    },
    $defs: { ...(envelope["$defs"] as object), ...($defs as object) },
  })
}
