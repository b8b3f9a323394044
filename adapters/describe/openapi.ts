import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Event from "../../core/events/Event.ts"
import { headerMeanings as signatureHeaders } from "../../core/events/signature.ts"
import { codes } from "../../core/Failure.ts"
import { withAccount } from "../../core/lanes/account/Account.ts"
import { planEstimate } from "../../core/lanes/account/plan.ts"
import * as Release from "../../core/release.ts"
import { byKey } from "../../core/text.ts"
import * as Components from "./components.ts"
import { withExamples } from "./examples.ts"
import { curl, operation, possibleCodes } from "./operation.ts"
import { eventName, type Surface } from "./schemas.ts"
import { schemasReleaseDay, schemasVersion } from "./versions.ts"

type Json = Readonly<Record<string, unknown>>

export const mcpPointer = "/.well-known/mcp"

/** A handwritten operation, with its path template; its id is that path with underscores. */
export interface WrittenOperation {
  readonly path: string
  readonly method: string
  readonly operation: Json
}

const otherTags: Readonly<Record<string, string>> = {
  challenge: "Models of users against ours and the market, on open contracts. Free; nothing to win.",
  proof: "Proofs that the record is append-only.",
  discovery: "Documents for agents and people.",
  health: "Liveness and readiness.",
  webhooks: "Requests that the service sends to the URLs of an account.",
}

/** `webhook-id` → `WebhookId`. */
const component = (header: string): string => header.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())

/** The headers that authenticate a delivery, as components. */
const signatureParameters: Json = Object.fromEntries(
  Object.entries(signatureHeaders).map(([name, description]) => [
    component(name),
    { name, in: "header", required: true, description, schema: { type: "string" } },
  ]),
)

const delivery = (type: Event.EventType): Json => ({
  operationId: type.replaceAll(".", "_"),
  tags: ["webhooks"],
  summary: `The event ${type}`,
  description: `${Event.eventMeaning(type)} Verify the signature before parsing the body, then skip ids that were processed.`,
  security: [],
  parameters: Object.keys(signatureParameters).map((name) => Components.ref("parameters", name)),
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: Components.ref("schemas", eventName(type)), example: Event.example(type) },
    },
  },
  responses: {
    "2XX": { description: "Received." },
    410: { description: "Disables the webhook: nothing more is sent to it." },
    default: { description: "The delivery is retried with the same body." },
  },
})

/** The requests that the service sends, by event type. */
const webhooks: Json = Object.fromEntries(Event.types.map((type) => [type, { post: delivery(type) }]))

const description = ({ endpoints }: Surface, baseUrl: string, mcp: boolean): string => {
  const paid = endpoints.find(({ endpoint }) => endpoint.auth === "key" && Endpoint.charge(endpoint) > 0)
  return [
    Release.description,
    ...(paid === undefined ? [] : [`\`${curl(paid.endpoint, baseUrl)}\``]),
    "**Keys.** `svk_test_…`: mock data, free. `svk_live_…`: list price per successful call, mock data included.",
    "**Answers.** `results`, then `_reasoning`, `_citations`, `_confidence`; `_meta.price.charged_micros`: 1000 = 0.001 USD. Without a key: plain JSON.",
    "**Errors.** Read `error.code`, then `error.hints`. Failed calls are free. An unknown parameter is a 400.",
    `**Save.** \`dry_run=true\` quotes a call, \`POST ${planEstimate.path}\` up to 100. HEAD, 304 and repeats under one \`Idempotency-Key\` (24 h) are free.`,
    "**Shape.** `fields=a.b,c` selects, `verbose=true` adds provenance. Lists: `cursor`; CSV or NDJSON by `Accept`.",
    "**Changes.** Answers may gain fields, and fields new values of those they name, at any time; `fields` may omit fields that a schema requires. Paths under `x-not-offered` answer 410.",
    ...(mcp ? [`**MCP.** The same operations as tools: ${baseUrl}${mcpPointer}.`] : []),
  ].join("\n\n")
}

const name = /"#\/components\/schemas\/(\w+)"/g

/** The schemas that are referenced, in alphabetical order. Parameters of a GET are part of its operation. */
const reachable = ({ schemas }: Pick<Surface, "schemas">, from: unknown): Json => {
  const schemasByName = new Map<string, Json>()
  const follow = (value: unknown): void => {
    for (const [, each] of JSON.stringify(value).matchAll(name)) {
      if (schemasByName.has(each!)) continue
      const schema = Components.local(schemas.get(each!))
      schemasByName.set(each!, schema)
      follow(schema)
    }
  }
  follow(from)
  return Object.fromEntries([...schemasByName].sort(byKey))
}

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** Operations by path and method, those of the surface first. */
const makePaths = (
  surface: Surface<Endpoint.AnyOperation>,
  others: ReadonlyArray<WrittenOperation>,
  baseUrl: string,
  finished: (operation: Json) => Json = (operation) => operation,
): Paths => {
  const paths: Record<string, Record<string, Json>> = {}
  const add = ({ path, method, operation }: WrittenOperation): void => {
    const template = Endpoint.pathTemplate({ path: path as `/${string}` })
    paths[template] = { ...paths[template], [method.toLowerCase()]: finished(operation) }
  }
  for (const described of surface.endpoints) {
    const { endpoint } = described
    const method = Endpoint.methodOf(endpoint)
    add({ path: endpoint.path, method, operation: operation(described, surface, baseUrl) })
  }
  for (const { path, method, operation } of others) {
    add({ path, method, operation: { operationId: Endpoint.nameOf(path), ...operation } })
  }
  return paths
}

/** Every error status of the surface. */
const makeStatuses = (
  { endpoints }: Surface<Endpoint.AnyOperation>,
  always: ReadonlyArray<number> = [],
): ReadonlySet<number> =>
  new Set([...always, ...endpoints.flatMap((described) => possibleCodes(described).map((code) => codes[code].status))])

/** The OpenAPI document of the public listener, derived from the declarations. */
export const document = (
  catalogue: Catalogue.Any,
  surface: Surface,
  others: ReadonlyArray<WrittenOperation>,
  baseUrl: string,
): Json => {
  const paths = makePaths(surface, others, baseUrl, withExamples)
  const described = new Map(withAccount(catalogue).lanes.map(({ name, description }) => [name, description]))
  const tags = new Set(
    [...Object.values(paths), ...Object.values(webhooks as Paths)].flatMap((item) =>
      Object.values(item).flatMap(({ tags }) => tags as Array<string>),
    ),
  )
  const ends = surface.endpoints.some(({ endpoint }) => endpoint.deprecation !== undefined)
  const failures = Components.failures(baseUrl, makeStatuses(surface, [404, 405, 503]))
  return {
    openapi: "3.1.0",
    info: {
      title: Release.name,
      version: Release.version,
      summary: "Market data and model signals for software agents",
      description: description(
        surface,
        baseUrl,
        others.some((route) => route.path === mcpPointer),
      ),
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: Release.name, url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl }],
    externalDocs: { description: "This document as an HTML page", url: `${baseUrl}/docs` },
    "x-schema-version": schemasVersion,
    "x-schema-released": schemasReleaseDay,
    "x-not-offered": Catalogue.notOffered,
    security: [{ apiKey: [] }],
    tags: [...tags].map((name) => ({ name, description: described.get(name) ?? otherTags[name] ?? name })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key: `svk_live_…` is charged, `svk_test_…` answers mock data for free.",
        },
      },
      headers: Object.fromEntries(
        Object.entries(Components.headers).filter(
          ([name]) => ends || !(Components.ofDeprecated as ReadonlyArray<string>).includes(name),
        ),
      ),
      parameters: { ...Components.parameters, ...signatureParameters },
      responses: {
        NotModified: {
          description: "Unchanged since the caller's copy. No body, no charge.",
          headers: Components.headersOf(["ETag"]),
        },
        ...failures,
      },
      schemas: reachable(surface, [...Object.values(paths), webhooks, failures]),
    },
  }
}

export const operatorTag = "operator"

/** The OpenAPI document of the admin API. */
export const operatorDocument = (surface: Surface<Endpoint.AnyOperation>, baseUrl: string): Json => {
  const paths = makePaths(surface, [], baseUrl)
  const failures = Components.failures(baseUrl, makeStatuses(surface), false)
  return {
    openapi: "3.1.0",
    info: { title: `${Release.name} admin API`, version: "1" },
    // Relative: the listener that served the document.
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
