import * as Schema from "effect/Schema"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as EnvelopeSchema from "../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../core/endpoint/jsonSchema.ts"
import * as Options from "../../core/endpoint/Options.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { DryRun } from "../../core/lanes/account/dryRun.ts"

/** A schema of a tool's arguments or structured answer. */
export type ObjectSchema = JsonSchema.JsonSchema & { readonly type: "object" }

/** The argument that replaces the `Idempotency-Key` header. */
export const idempotencyKey = "idempotency_key"

const repeatable = Param.optional(
  Schema.String.annotations({
    description:
      "UUIDv4. Repeating a call with the same value within 24 hours returns the stored answer and is charged once.",
    jsonSchema: { format: "uuid" },
  }),
)

/** MCP requires `type: "object"` at the root. */
export const rooted = (schema: JsonSchema.JsonSchema): ObjectSchema => ({ ...schema, type: "object" })

/** A tool's arguments: the endpoint's parameters, the common options and the idempotency key. */
export const input = (endpoint: Endpoint.Any): ObjectSchema => {
  const own = Options.input(endpoint).fields
  const fields = Endpoint.isKeyless(endpoint) ? own : { ...own, [idempotencyKey]: repeatable }
  return rooted(JsonSchema.of(Schema.Struct(fields) as unknown as Schema.Schema.AnyNoContext))
}

/**
 * A tool's answer: the endpoint's results, partial with `fields`, or the quote of a dry run; plus the envelope's other
 * fields.
 */
export const output = (endpoint: Endpoint.Any): ObjectSchema => {
  const { $schema, $defs, ...results } = JsonSchema.selection(JsonSchema.of(endpoint.results))
  if (Endpoint.isKeyless(endpoint)) return rooted({ $schema, ...results, $defs })
  const envelope = JsonSchema.of(Schema.Struct({ results: DryRun, ...EnvelopeSchema.envelopeFields }))
  const { results: quote, ...beside } = envelope["properties"] as Readonly<Record<string, unknown>>
  return rooted({
    ...envelope,
    properties: {
      results: {
        description:
          "The results (with `fields`, only those named), or a quote with `dry_run`. Fields without a value are omitted.",
        anyOf: [results, quote],
      },
      ...beside,
    },
    $defs: { ...(envelope["$defs"] as object), ...($defs as object) },
  })
}
