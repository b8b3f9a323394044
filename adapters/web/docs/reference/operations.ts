import * as Array from "effect/Array"
import { ifDefined } from "../../../../core/ifDefined.ts"

/** Reads from an OpenAPI document the parts of each operation that its page shows. */

export type Json = Readonly<Record<string, unknown>>

export const object = (value: unknown): Json => (value ?? {}) as Json
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (value === undefined ? "" : String(value))

export interface Parameter {
  readonly name: string
  /** Query, path or header. */
  readonly place: string
  readonly isRequired: boolean
  readonly description: string
  readonly schema: Json
  readonly example?: unknown
}

export interface Answer {
  readonly type: string
  readonly schema: Json
  readonly example?: unknown
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The price of a call, micro-dollars; absent for documents and events. */
  readonly micros?: number
  readonly isInDevelopment: boolean
  readonly isDeprecated: boolean
  readonly auth: "key" | "none"
  readonly own: ReadonlyArray<Parameter>
  /** Names of parameters that many operations share. */
  readonly shared: ReadonlyArray<string>
  /** The schema of the body. */
  readonly body?: Json
  /** The parameters of a call that succeeds. */
  readonly example: Json
  readonly status: string
  readonly answers: ReadonlyArray<Answer>
  readonly errors: ReadonlyArray<string>
  readonly curl?: string
}

export interface Group {
  readonly name: string
  readonly description: string
  readonly operations: ReadonlyArray<Operation>
}

export interface Reference {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly groups: ReadonlyArray<Group>
  /** Parameters of many operations, described once. */
  readonly shared: ReadonlyArray<Parameter>
  readonly schemas: ReadonlyMap<string, Json>
}

/** The name of the component that a reference names. */
export const target = ({ $ref }: Json): string | undefined =>
  $ref === undefined ? undefined : String($ref).split("/").at(-1)

/** A parameter, a field or an error of at least so many operations is described once. */
const minOperations = 8

/** Values that many operations have, by key, in the order in which they come. */
export const frequent = <A>(all: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyMap<string, A> =>
  new Map(
    Object.entries(Array.groupBy(all, keyOf)).flatMap(([key, same]) =>
      same.length >= minOperations ? [[key, same[0]] as const] : [],
    ),
  )

const keyOf = ({ name, description }: Parameter): string => `${name} ${description}`

const exampleOf = (media: Json): unknown =>
  media["example"] ?? object(Object.values(object(media["examples"]))[0])["value"]

const examplesOf = (parameters: ReadonlyArray<Parameter>): Json =>
  Object.fromEntries(parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])))

const readParameter = ({ name, in: place, required, description, schema, example }: Json): Parameter => ({
  name: textOf(name),
  place: textOf(place),
  isRequired: required === true,
  description: textOf(description),
  schema: object(schema),
  ...ifDefined("example", example),
})

export const read = (document: Json): Reference => {
  const components = object(document["components"])
  const resolved = (given: unknown): Json => {
    const [kind, name] = textOf(object(given)["$ref"]).split("/").slice(-2)
    return kind === undefined || name === undefined ? object(given) : object(object(components[kind])[name])
  }
  // What is sent to webhooks is in their guide.
  const all = Object.entries(object(document["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, given]) => {
      const value = object(given)
      return {
        path,
        method: method.toUpperCase(),
        value,
        parameters: list(value["parameters"]).map((one) => readParameter(resolved(one))),
      }
    }),
  )
  const shared = frequent(
    all.flatMap(({ parameters }) => parameters),
    keyOf,
  )

  const readOperation = ({ path, method, value, parameters }: (typeof all)[number]): Operation => {
    const responses = Object.entries(object(value["responses"]))
    const [status, response] = responses.find(([code]) => /^20\d$/.test(code)) ?? ["", {}]
    const body = object(object(resolved(value["requestBody"])["content"])["application/json"])
    const micros = value["x-charged-micros"]
    const curl = object(list(value["x-codeSamples"])[0])["source"]
    return {
      id: textOf(value["operationId"]),
      method,
      path,
      summary: textOf(value["summary"]),
      description: textOf(value["description"]),
      ...(typeof micros === "number" ? { micros } : {}),
      isInDevelopment: value["x-status"] === "development",
      isDeprecated: value["deprecated"] === true,
      auth: list(value["security"]).length > 0 ? "key" : "none",
      own: parameters.filter((each) => !shared.has(keyOf(each))),
      shared: parameters.flatMap((each) => (shared.has(keyOf(each)) ? [each.name] : [])),
      ...ifDefined("body", body["schema"] as Json | undefined),
      example: body["schema"] === undefined ? examplesOf(parameters) : object(exampleOf(body)),
      status,
      answers: Object.entries(object(resolved(response)["content"])).map(([type, media]) => ({
        type,
        schema: object(object(media)["schema"]),
        ...ifDefined("example", exampleOf(object(media))),
      })),
      errors: list(value["x-error-codes"]).map(textOf),
      ...ifDefined("curl", curl as string | undefined),
    }
  }

  const info = object(document["info"])
  return {
    title: textOf(info["title"]),
    version: textOf(info["version"]),
    description: textOf(info["description"]),
    groups: list(document["tags"]).flatMap((tag) => {
      const { name, description } = object(tag)
      const operations = all.filter(({ value }) => list(value["tags"]).includes(name)).map(readOperation)
      return operations.length === 0 ? [] : [{ name: textOf(name), description: textOf(description), operations }]
    }),
    shared: [...shared.values()],
    schemas: new Map(Object.entries(object(components["schemas"])).map(([name, schema]) => [name, object(schema)])),
  }
}
