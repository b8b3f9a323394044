import * as Schema from "effect/Schema"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as EnvelopeSchema from "../../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../../core/endpoint/jsonSchema.ts"
import * as Options from "../../../core/endpoint/Options.ts"
import { DryRun } from "../../../core/lanes/account/dryRun.ts"

/** A schema of a tool's arguments or structured answer. */
export type ObjectSchema = JsonSchema.JsonSchema & { readonly type: "object" }

/** The argument that replaces the `Idempotency-Key` header. */
export const idempotencyKey = "idempotency_key"

/** MCP requires `type: "object"` at the root. */
export const withObjectRoot = (schema: JsonSchema.JsonSchema): ObjectSchema => ({ ...schema, type: "object" })

/** Without `$schema`: the protocol's default is the same dialect. */
export const withoutDialect = ({ $schema: _, ...schema }: JsonSchema.JsonSchema): JsonSchema.JsonSchema => schema

/** Options in the words that each tool repeats in every client's context; the instructions describe them once. */
const shortly: Readonly<Record<string, JsonSchema.JsonSchema>> = {
  fields: { type: "array", items: { type: "string" } },
  verbose: { type: "boolean" },
  include: { type: "array", items: { enum: Options.extras } },
  dry_run: { type: "boolean" },
}

/** Whether a tool lists an option: its call accepts all of them. */
const isUseful = (option: string, { kind, priceMicros }: Endpoint.Any): boolean =>
  option === "include" ? kind === "Signal" : option !== "dry_run" || priceMicros > 0

/** Without the bounds of a text's length, which the server has; paths are tools' names, as a caller of tools has no other. */
const forTools = ({ minLength: _, maxLength: __, ...field }: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  JSON.parse(
    JSON.stringify(field).replace(/`(\/v1\/[a-z0-9/-]+)`/g, (___, path: string) => `\`${Endpoint.nameOf(path)}\``),
  )

/** A tool's arguments: the endpoint's parameters, the useful ones of the common options and the idempotency key. */
export const input = (endpoint: Endpoint.Any): ObjectSchema => {
  const isOnce = !Endpoint.isKeyless(endpoint) && (endpoint.priceMicros > 0 || endpoint.writes !== undefined)
  const { properties, ...schema } = withoutDialect(JsonSchema.of(Options.input(endpoint)))
  const own = Object.entries(properties as Readonly<Record<string, JsonSchema.JsonSchema>>).flatMap(([name, field]) =>
    !(name in shortly)
      ? [[name, forTools(field)] as const]
      : isUseful(name, endpoint)
        ? [[name, shortly[name]!] as const]
        : [],
  )
  return withObjectRoot({
    ...schema,
    properties: {
      ...Object.fromEntries(own),
      ...(isOnce ? { [idempotencyKey]: { type: "string", format: "uuid" } } : {}),
    },
  })
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

const makeSketch = (schema: Schema.Schema.AnyNoContext): JsonSchema.JsonSchema => {
  const { $defs = {}, ...whole } = JsonSchema.of(schema)
  return sketch(whole, $defs as JsonSchema.JsonSchema, outlineLevels)
}

/**
 * The outline of a tool's answer, for `tools/list`: the names of the results' fields, of which `fields` may omit any, and
 * nothing of the envelope: the terms of payment of a call by x402 fit too. `output` is the whole schema.
 */
export const outline = (endpoint: Endpoint.Any): ObjectSchema => {
  const results = makeSketch(endpoint.results)
  return Endpoint.isKeyless(endpoint) ? withObjectRoot(results) : { type: "object", properties: { results } }
}

const envelope = JsonSchema.of(Schema.Struct({ results: DryRun, ...EnvelopeSchema.envelopeFields }))

/**
 * A tool's answer: the endpoint's results, partial with `fields`, or the quote of a dry run; plus the envelope's other
 * fields.
 */
export const output = (endpoint: Endpoint.Any): ObjectSchema => {
  const { $schema, $defs, ...results } = JsonSchema.selection(JsonSchema.of(endpoint.results))
  if (Endpoint.isKeyless(endpoint)) return withObjectRoot({ $schema, ...results, $defs })
  const { results: quote, ...others } = envelope["properties"] as Readonly<Record<string, unknown>>
  return withObjectRoot({
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
