import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import { type Code, codes } from "../../core/Failure.ts"
import * as Verb from "../admin/Verb.ts"

export const documentPath = "/admin/v1/openapi.json"

const schemaOf = (schema: Schema.Schema.AnyNoContext): object => {
  const { $schema: _, ...rest } = JSONSchema.make(schema, { target: "openApi3.1" }) as unknown as Record<
    string,
    unknown
  >
  return rest
}

const json = (schema: object) => ({ content: { "application/json": { schema } } })

const error = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "recoverable", "retry_after_ms", "docs_url", "request_id", "hints"],
      properties: {
        code: { type: "string", enum: Object.keys(codes) as ReadonlyArray<Code> },
        message: { type: "string" },
        recoverable: { type: "boolean" },
        retry_after_ms: { type: ["integer", "null"] },
        docs_url: { type: "string" },
        request_id: { type: "string" },
        hints: {
          type: "array",
          items: {
            type: "object",
            required: ["field", "action", "suggestion"],
            properties: { field: { type: "string" }, action: { type: "string" }, suggestion: { type: "string" } },
          },
        },
      },
    },
  },
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: ReadonlyArray<string>
}

const operation = (verb: Verb.Any) => {
  const input = schemaOf(verb.input) as ObjectSchema
  const path = Verb.inPath(verb)
  const { properties = {}, required = [] } = input
  const beside = Object.entries(properties).filter(([name]) => !path.has(name))
  const parameter =
    (place: "path" | "query") =>
    ([name, schema]: [string, { readonly description?: string }]) => ({
      name,
      in: place,
      required: required.includes(name),
      ...(schema.description === undefined ? {} : { description: schema.description }),
      schema,
    })
  const parameters = [
    ...Object.entries(properties)
      .filter(([name]) => path.has(name))
      .map(parameter("path")),
    ...(verb.method === "GET" ? beside.map(parameter("query")) : []),
  ]
  const body = {
    type: "object",
    properties: Object.fromEntries(beside),
    required: required.filter((name) => !path.has(name)),
    additionalProperties: false,
  }
  return {
    operationId: verb.id,
    summary: verb.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(verb.method === "GET" || beside.length === 0
      ? {}
      : { requestBody: { required: body.required.length > 0, ...json(body) } }),
    responses: {
      [verb.status]: { description: verb.summary, ...json(schemaOf(verb.answer)) },
      default: { description: "Refused or failed.", ...json({ $ref: "#/components/schemas/Error" }) },
    },
  }
}

/** The OpenAPI document of the surface, folded from its verbs. */
export const document = (verbs: ReadonlyArray<Verb.Any>): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const verb of verbs) {
    const path = verb.path.replace(/:(\w+)/g, "{$1}")
    paths[path] = { ...paths[path], [verb.method.toLowerCase()]: operation(verb) }
  }
  return {
    openapi: "3.1.0",
    info: { title: "market-signals, the operator's surface", version: "1" },
    // The listener that it was fetched from.
    servers: [{ url: "/" }],
    security: [{ adminToken: [] }],
    paths,
    components: {
      securitySchemes: { adminToken: { type: "http", scheme: "bearer" } },
      schemas: { Error: error },
    },
  }
}
