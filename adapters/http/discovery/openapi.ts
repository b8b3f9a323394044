import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { codes } from "../../../core/Failure.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import * as Release from "../../../core/release.ts"
import * as Components from "./components.ts"
import { codesOf, operation } from "./operation.ts"
import { fold, type Surface } from "./schemas.ts"
import { current } from "./versions.ts"

type Json = Readonly<Record<string, unknown>>

export const path = "/openapi.json"

/** Where the Model Context Protocol is announced. */
export const mcpPointer = "/.well-known/mcp"

/** A route beside the catalogue, with its operation. */
export interface Route {
  readonly path: string
  readonly method: "get" | "post"
  readonly operation: Json
}

/** A route that answers one document, without a key and free. */
export const page = (
  path: string,
  operationId: string,
  summary: string,
  type: string,
  responses: Json = { 304: Components.ref("responses", "NotModified") },
): Route => ({
  path,
  method: "get",
  operation: {
    operationId,
    tags: ["discovery"],
    summary,
    description: "Free, without a key.",
    security: [],
    responses: {
      200: {
        description: summary,
        headers: Components.headersOf(["ETag", "Cache-Control"]),
        content: { [type]: { schema: { type: type === "application/json" ? "object" : "string" } } },
      },
      404: Components.ref("responses", Components.failureName(404)),
      405: Components.ref("responses", Components.failureName(405)),
      ...responses,
    },
  },
})

const health = (
  path: string,
  operationId: string,
  summary: string,
  statuses: ReadonlyArray<string>,
  failing: boolean,
): Route => ({
  path,
  method: "get",
  operation: {
    operationId,
    tags: ["health"],
    summary,
    description: "Free, without a key and without a limit.",
    security: [],
    responses: {
      200: {
        description: summary,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["status"],
              properties: { status: { type: "string", enum: statuses } },
            },
          },
        },
      },
      405: Components.ref("responses", Components.failureName(405)),
      ...(failing ? { 503: Components.ref("responses", Components.failureName(503)) } : {}),
    },
  },
})

export const healthRoutes: ReadonlyArray<Route> = [
  health("/healthz", "healthz", "The process lives", ["ok"], false),
  health("/readyz", "readyz", "The service can answer: its store takes a row", ["ready", "degraded"], true),
]

const otherTags: Readonly<Record<string, string>> = {
  proof: "Proofs that the record was never changed.",
  discovery: "Documents for programs and people.",
  health: "Whether the service is up.",
}

const description = (baseUrl: string, mcp: boolean): string =>
  [
    `${Release.description} Prices are in US dollars per call; \`x-price-micros\` has them in micro-dollars.`,
    "Calls behind a key answer an envelope: `results`, and how they were come by beside them. Every failure has one envelope with `code`, `hints` and `docs_url`; a failed call is not charged.",
    "HEAD is served wherever GET is: every check, no body, no charge. OPTIONS answers 204. Parameters that no operation names are ignored.",
    "`fields` leaves out what it does not name, fields included that the schema of the whole answer requires. Answers may gain fields at any time.",
    "Paths under `x-not-offered` answer 410.",
    ...(mcp ? [`The same operations are tools of the Model Context Protocol: ${baseUrl}${mcpPointer}.`] : []),
  ].join("\n\n")

const name = /"#\/components\/schemas\/(\w+)"/g

/** The schemas that something refers to, in the order of the alphabet. Parameters of a GET stand in its operation. */
const reachable = ({ schemas }: Surface, from: unknown): Json => {
  const found = new Map<string, Json>()
  const follow = (value: unknown): void => {
    for (const [, each] of JSON.stringify(value).matchAll(name)) {
      if (found.has(each!)) continue
      const schema = Components.local(schemas.get(each!))
      found.set(each!, schema)
      follow(schema)
    }
  }
  follow(from)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The OpenAPI document of everything that is served but the operator's surface, folded from the declarations. */
export const document = (
  catalogue: Catalogue.Any,
  routes: ReadonlyArray<Route>,
  baseUrl: string,
  surface: Surface = fold(catalogue),
): Json => {
  const paths: Record<string, Record<string, Json>> = {}
  const add = (path: string, method: string, value: Json): void => {
    paths[path] = { ...paths[path], [method]: value }
  }
  for (const described of surface.endpoints) {
    const { endpoint } = described
    add(endpoint.path, Endpoint.methodOf(endpoint).toLowerCase(), operation(described, surface, baseUrl))
  }
  for (const route of routes) add(route.path, route.method, route.operation)
  const described = new Map(withAccount(catalogue).lanes.map(({ name, description }) => [name, description]))
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags as Array<string>)),
  )
  const ends = surface.endpoints.some(({ endpoint }) => endpoint.deprecation !== undefined)
  const statuses = new Set([
    404,
    405,
    503,
    ...surface.endpoints.flatMap((described) => codesOf(described).map((code) => codes[code].status)),
  ])
  return {
    openapi: "3.1.0",
    info: {
      title: Release.name,
      version: Release.version,
      summary: "Market data and model signals for software agents",
      description: description(
        baseUrl,
        routes.some((route) => route.path === mcpPointer),
      ),
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: Release.name, url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl }],
    externalDocs: { description: "The same document to read", url: `${baseUrl}/docs` },
    "x-schema-version": current,
    "x-not-offered": Catalogue.notOffered,
    security: [{ apiKey: [] }],
    tags: [...tags].map((name) => ({ name, description: described.get(name) ?? otherTags[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key: `svk_live_…` is charged, `svk_test_…` answers from mock data and is not.",
        },
      },
      headers: Object.fromEntries(
        Object.entries(Components.headers).filter(
          ([name]) => ends || !(Components.ofDeprecated as ReadonlyArray<string>).includes(name),
        ),
      ),
      parameters: Components.parameters,
      responses: {
        NotModified: {
          description: "The caller has this answer already: nothing is sent and nothing is charged.",
          headers: Components.headersOf(["ETag"]),
        },
        ...Components.failures(baseUrl, statuses),
      },
      schemas: reachable(surface, [...Object.values(paths), Components.failures(baseUrl, statuses)]),
    },
  }
}
