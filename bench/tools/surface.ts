import { publicSurface } from "../../adapters/describe/schemas.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { JsonSchema } from "../../core/endpoint/jsonSchema.ts"
import { isObject } from "../../core/endpoint/jsonSchema.ts"

/** An operation's parts on which clients depend. */
export interface Operation {
  readonly auth: Endpoint.Auth
  readonly input: string
  readonly answer: string
  readonly deprecation?: Endpoint.Deprecation
}

/** The contract without its texts, for comparing versions. */
export interface Contract {
  /** By method and path. */
  readonly operations: Readonly<Record<string, Operation>>
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

/** Drops descriptions, which may change at any time. A property named `description` is an object and stays. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, below]) =>
      key === "description" && typeof below === "string" ? [] : [[key, bare(below)]],
    ),
  )
}

export const contractOf = (catalogue: Catalogue.Any): Contract => {
  const { endpoints, schemas } = publicSurface(catalogue)
  return {
    operations: Object.fromEntries(
      endpoints.map(({ endpoint, input, answer }) => [
        `${Endpoint.methodOf(endpoint)} ${endpoint.path}`,
        {
          auth: endpoint.auth,
          input,
          answer,
          ...(endpoint.deprecation === undefined ? {} : { deprecation: endpoint.deprecation }),
        },
      ]),
    ),
    schemas: Object.fromEntries([...schemas].map(([name, schema]) => [name, bare(schema) as JsonSchema])),
  }
}
