import type * as Schema from "effect/Schema"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as EnvelopeSchema from "../../core/endpoint/EnvelopeSchema.ts"
import * as JsonSchema from "../../core/endpoint/jsonSchema.ts"
import * as Options from "../../core/endpoint/Options.ts"
import * as Event from "../../core/events/Event.ts"
import { withAccount } from "../../core/lanes/account/Account.ts"
import { DryRun } from "../../core/lanes/account/dryRun.ts"
import { perObject } from "../../core/perObject.ts"
import { endpoints as proof } from "../../core/record/log/endpoints.ts"
import { byKey } from "../../core/text.ts"
import { schemasPath } from "./paths.ts"
import { schemasReleaseDay, schemasVersion } from "./versions.ts"

type Json = JsonSchema.JsonSchema

export const dialect = "https://json-schema.org/draft/2020-12/schema"

/** An operation as documents describe it, with the names of its schemas. */
export interface DocumentedOperation<E extends Endpoint.AnyOperation = Endpoint.Any> {
  readonly endpoint: E
  /** The section of the reference that it is in. */
  readonly tag: string
  /** Media types of its answer, the preferred one first. */
  readonly types: ReadonlyArray<string>
  /** The endpoint's parameters and the common options. */
  readonly input: string
  /** The body of a 200. */
  readonly answer: string
}

/** All operations, and the schemas of their requests and answers, which refer to each other by `#/$defs/Name`. */
export interface Surface<E extends Endpoint.AnyOperation = Endpoint.Any> {
  readonly endpoints: ReadonlyArray<DocumentedOperation<E>>
  /** By name, in alphabetical order. */
  readonly schemas: ReadonlyMap<string, Json>
}

export const json = "application/json"
export const csv = "text/csv"
export const ndjson = "application/x-ndjson"

export type OperationSource<E extends Endpoint.AnyOperation = Endpoint.Any> = Pick<
  DocumentedOperation<E>,
  "endpoint" | "tag" | "types"
>

/** The record's endpoints, outside the catalogue. */
export const proofs: ReadonlyArray<OperationSource> = [
  { endpoint: proof.checkpoint, types: ["text/plain", json] },
  { endpoint: proof.inclusion, types: [json] },
  { endpoint: proof.consistency, types: [json] },
  { endpoint: proof.leaves, types: [ndjson] },
].map((each) => ({ ...each, tag: "proof" }))

/** `weather_settlement` → `WeatherSettlement`. */
const pascal = (id: string): string => id.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())

/** Name of the schema of an event's body: `agent.budget_warning` → `AgentBudgetWarningEvent`. */
export const eventName = (type: Event.EventType): string => `${pascal(type.replaceAll(".", "_"))}Event`

const prefix = "#/$defs/"

/** The same schema with rewritten references. */
export const rewriteRefs = (schema: unknown, to: (name: string) => string): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => rewriteRefs(item, to))
  if (!JsonSchema.isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === "$ref" && typeof value === "string"
        ? [key, to(value.slice(prefix.length))]
        : [key, rewriteRefs(value, to)],
    ),
  )
}

/** Drops `additionalProperties: false`: readers must accept unknown fields, since later versions add some. */
const allowUnknownFields = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(allowUnknownFields)
  if (!JsonSchema.isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      key === "additionalProperties" && value === false ? [] : [[key, allowUnknownFields(value)]],
    ),
  )
}

const envelope = (results: Schema.Schema.AnyNoContext): Schema.Schema.AnyNoContext =>
  EnvelopeSchema.answer({ auth: "key", results } as Endpoint.Any)

/** Name of the schema of a failure. */
const errorSchemaName = "Error"

const fromCatalogue = (entries: ReadonlyArray<Catalogue.Entry>): ReadonlyArray<OperationSource> =>
  entries.map(({ endpoint, lane }) => ({
    endpoint,
    tag: Endpoint.sectionOf(endpoint, lane),
    types: endpoint.rows === undefined ? [json] : [json, csv, ndjson],
  }))

/** The schemas of an operation, made once: several documents describe it. */
const makeSchemas = perObject(
  (endpoint: Endpoint.AnyOperation): Readonly<Record<"input" | "answer", Json>> => ({
    input: allowUnknownFields(JsonSchema.of(Options.input(endpoint) as unknown as Schema.Schema.AnyNoContext)) as Json,
    answer: allowUnknownFields(JsonSchema.of(EnvelopeSchema.answer(endpoint))) as Json,
  }),
)

/**
 * All schemas of the surface, derived from its operations, and those of the events.
 *
 * @throws if two different schemas have one name
 */
export const makeSurface = <E extends Endpoint.AnyOperation>(all: ReadonlyArray<OperationSource<E>>): Surface<E> => {
  const schemas = new Map<string, Json>()
  const register = (name: string, schema: Json): void => {
    const earlier = schemas.get(name)
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}`)
    }
    schemas.set(name, schema)
  }
  /** Adds a schema and its definitions; a schema that is itself a reference keeps its own name. */
  const add = (name: string, { $schema: _, $defs = {}, ...body }: Json): string => {
    for (const [each, definition] of Object.entries($defs as Json)) register(each, definition as Json)
    if (typeof body["$ref"] === "string") return body["$ref"].slice(prefix.length)
    register(name, body)
    return name
  }
  const endpoints = all.map(({ endpoint, tag, types }): DocumentedOperation<E> => {
    const name = pascal(endpoint.id)
    const { input, answer } = makeSchemas(endpoint)
    return {
      endpoint,
      tag,
      types,
      input: add(`${name}Params`, input),
      answer: add(`${name}Answer`, answer),
    }
  })
  const others = [
    ["DryRunAnswer", envelope(DryRun)],
    [errorSchemaName, EnvelopeSchema.Failed],
    ...Event.types.map((type) => [eventName(type), Event.schema(type)] as const),
  ] as const
  for (const [name, schema] of others) add(name, allowUnknownFields(JsonSchema.of(schema)) as Json)
  return { endpoints, schemas: new Map([...schemas].sort(byKey)) }
}

/** All public endpoints, those of the record included. */
export const publicSurface = (catalogue: Catalogue.Any): Surface =>
  makeSurface([...fromCatalogue(withAccount(catalogue).entries), ...proofs])

export const schemaPath = (name: string): string => `${schemasPath}/${name}.json`

/** A schema as published, with its `$id` and absolute references. */
export const toPublished = (name: string, schema: Json, baseUrl: string): Json => ({
  $schema: dialect,
  $id: baseUrl + schemaPath(name),
  $comment: `Schemas ${schemasVersion}, ${schemasReleaseDay}`,
  title: name,
  ...(rewriteRefs(schema, (other) => baseUrl + schemaPath(other)) as Json),
})
