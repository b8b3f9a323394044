import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { codes } from "../../../core/Failure.ts"
import { withAccount } from "../../../core/lanes/account/Account.ts"
import * as Release from "../../../core/release.ts"
import { byKey } from "../../../core/text.ts"
import * as Components from "./components.ts"
import { codesOf, operation } from "./operation.ts"
import type { Surface } from "./schemas.ts"
import { current } from "./versions.ts"

type Json = Readonly<Record<string, unknown>>

export const path = "/openapi.json"

/** Where the Model Context Protocol is announced. */
export const mcpPointer = "/.well-known/mcp"

/** An operation that is written by hand, with the template of its path. */
export interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Json
}

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
const reachable = ({ schemas }: Pick<Surface, "schemas">, from: unknown): Json => {
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
  return Object.fromEntries([...found].sort(byKey))
}

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** Operations by path and method: those of the surface first. */
const pathsOf = (surface: Surface<Endpoint.AnyOperation>, others: ReadonlyArray<Described>, baseUrl: string): Paths => {
  const paths: Record<string, Record<string, Json>> = {}
  const add = ({ path, method, operation }: Described): void => {
    const template = path.replace(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  for (const described of surface.endpoints) {
    const { endpoint } = described
    const method = Endpoint.methodOf(endpoint)
    add({ path: endpoint.path, method, operation: operation(described, surface, baseUrl) })
  }
  for (const other of others) add(other)
  return paths
}

/** Every status that a failure of the surface can have. */
const statusesOf = (
  { endpoints }: Surface<Endpoint.AnyOperation>,
  always: ReadonlyArray<number> = [],
): ReadonlySet<number> =>
  new Set([...always, ...endpoints.flatMap((described) => codesOf(described).map((code) => codes[code].status))])

/** The OpenAPI document of everything that is served but the operator's surface, folded from the declarations. */
export const document = (
  catalogue: Catalogue.Any,
  surface: Surface,
  others: ReadonlyArray<Described>,
  baseUrl: string,
): Json => {
  const paths = pathsOf(surface, others, baseUrl)
  const described = new Map(withAccount(catalogue).lanes.map(({ name, description }) => [name, description]))
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags as Array<string>)),
  )
  const ends = surface.endpoints.some(({ endpoint }) => endpoint.deprecation !== undefined)
  const failures = Components.failures(baseUrl, statusesOf(surface, [404, 405, 503]))
  return {
    openapi: "3.1.0",
    info: {
      title: Release.name,
      version: Release.version,
      summary: "Market data and model signals for software agents",
      description: description(
        baseUrl,
        others.some((route) => route.path === mcpPointer),
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
        ...failures,
      },
      schemas: reachable(surface, [...Object.values(paths), failures]),
    },
  }
}

export const operatorTag = "operator"

/** The OpenAPI document of the operator's surface. */
export const operatorDocument = (surface: Surface<Endpoint.AnyOperation>, baseUrl: string): Json => {
  const paths = pathsOf(surface, [], baseUrl)
  const failures = Components.failures(baseUrl, statusesOf(surface), false)
  return {
    openapi: "3.1.0",
    info: { title: `${Release.name}, the operator's surface`, version: "1" },
    // The listener that it was fetched from.
    servers: [{ url: "/" }],
    security: [{ adminToken: [] }],
    tags: [{ name: operatorTag, description: "Accounts, wallets, keys, agents, webhooks and the audit trail." }],
    paths,
    components: {
      securitySchemes: { adminToken: { type: "http", scheme: "bearer" } },
      headers: Components.headersNamed(["X-Request-Id", "Cache-Control", "Retry-After", "WWW-Authenticate"]),
      responses: failures,
      schemas: reachable(surface, [...Object.values(paths), failures]),
    },
  }
}
