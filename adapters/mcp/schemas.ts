import * as Schema from "effect/Schema"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as EnvelopeSchema from "../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../core/endpoint/jsonSchema.ts"
import * as Options from "../../core/endpoint/Options.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { DryRun } from "../../core/lanes/account/dryRun.ts"

/** The schema of a tool's arguments or of its structured answer. */
export type ObjectSchema = JsonSchema.JsonSchema & { readonly type: "object" }

/** The argument that stands for the `Idempotency-Key` header. */
export const idempotencyKey = "idempotency_key"

const repeatable = Param.optional(
  Schema.String.annotations({
    description: "A UUIDv4: the same call under the same key is answered again for 24 hours and charged once.",
    jsonSchema: { format: "uuid" },
  }),
)

/** What the protocol asks of every schema of a tool. */
export const rooted = (schema: JsonSchema.JsonSchema): ObjectSchema => ({ ...schema, type: "object" })

/** The arguments of an endpoint's tool: its parameters, the common options and the idempotency key. */
export const input = (endpoint: Endpoint.Any): ObjectSchema => {
  const own = Options.input(endpoint).fields
  const fields = Endpoint.isPlain(endpoint) ? own : { ...own, [idempotencyKey]: repeatable }
  return rooted(JsonSchema.of(Schema.Struct(fields) as unknown as Schema.Schema.AnyNoContext))
}

/**
 * What an endpoint answers: its results, of which `fields` leaves any out, or the quote of a dry run; and what stands
 * beside them.
 */
export const output = (endpoint: Endpoint.Any): ObjectSchema => {
  const { $schema, $defs, ...results } = JsonSchema.selection(JsonSchema.of(endpoint.results))
  if (Endpoint.isPlain(endpoint)) return rooted({ $schema, ...results, $defs })
  const envelope = JsonSchema.of(Schema.Struct({ results: DryRun, ...EnvelopeSchema.beside }))
  const { results: quote, ...beside } = envelope["properties"] as Readonly<Record<string, unknown>>
  return rooted({
    ...envelope,
    properties: {
      results: {
        description: "Whole but for what has no value; with `fields` the named fields alone, with `dry_run` a quote.",
        anyOf: [results, quote],
      },
      ...beside,
    },
    $defs: { ...(envelope["$defs"] as object), ...($defs as object) },
  })
}
