import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import { perObject } from "../perObject.ts"

/** A JSON Schema (2020-12), or a part of one. */
export type JsonSchema = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A copy with every object changed, innermost first. */
const mapObjects = (value: unknown, change: (object: JsonSchema) => JsonSchema): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, below]) => [key, mapObjects(below, change)])))
}

/** Annotations that effect/Schema adds: titles of filters, ids of `unknown`, descriptions that repeat the rule. */
const isNoise = (key: string, value: unknown): boolean =>
  typeof value === "string" && (key === "title" || key === "$id" || (key === "description" && /^an? [a-z]/.test(value)))

/** The JSON Schema of a schema's wire side, without those annotations; made once. */
export const of: (schema: Schema.Schema.AnyNoContext) => JsonSchema = perObject(
  (schema: Schema.Schema.AnyNoContext) =>
    mapObjects(JSONSchema.make(schema, { target: "jsonSchema2020-12" }), (object) =>
      Object.fromEntries(Object.entries(object).filter(([key, value]) => !isNoise(key, value))),
    ) as JsonSchema,
)

/** The same schema without required fields, for answers with `fields=`. */
export const selection = (schema: JsonSchema): JsonSchema =>
  mapObjects(schema, ({ required, ...object }) =>
    // A property may be named `required`: its value is an object then.
    isObject(required) ? { ...object, required } : object,
  ) as JsonSchema
