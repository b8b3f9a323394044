import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { type Code, codes } from "../../../core/Failure.ts"
import * as Protocol from "../../mcp/protocol.ts"
import type { Description, Route } from "../route.ts"
import * as WebhookDocs from "../webhookDocs.ts"
import * as Wire from "../wire.ts"
import * as describe from "./describe.ts"
import { render } from "./docsPage.ts"
import { fixed, type Page, types } from "./document.ts"
import type { Figures } from "./figures.ts"
import * as Llms from "./llms.ts"
import * as Manifests from "./manifests.ts"
import * as OpenApi from "./openapi.ts"
import * as Schemas from "./schemas.ts"
import { current, markdown } from "./versions.ts"

export interface Options {
  readonly baseUrl: string
  /** Whom to write to about a hole, as a URI (RFC 9116); without one there is no security.txt. */
  readonly securityContact?: string
  /** What the service holds; counted at most once a minute, when it is asked for. */
  readonly figures?: Effect.Effect<Figures>
  /** What the lanes answer live keys from, by name. */
  readonly freshness?: Readonly<Record<string, Freshness>>
}

const json = (value: unknown): string => JSON.stringify(value)

const errorIndex = Wire.page(
  "Errors",
  `<h1>Errors</h1>
<dl>${(Object.keys(codes) as ReadonlyArray<Code>)
    .map(
      (code) =>
        `<dt><a href="/errors/${code}"><code>${code}</code></a> ${codes[code].status}</dt><dd>${Wire.html(codes[code].message)}</dd>`,
    )
    .join("\n")}</dl>`,
)

/** A document, of a text that is made once or as it comes. */
const at = (
  path: string,
  id: string,
  summary: string,
  type: string,
  text: string | Page,
  described?: Partial<Description & { readonly _tag: "Operation" }>,
): Route => {
  const media = type.split(";")[0]!
  return {
    method: "GET",
    path,
    auth: "none",
    types: [media],
    limit: "requests",
    handler: { _tag: "App", app: typeof text === "string" ? fixed(type, text) : text },
    description: { _tag: "Operation", operation: describe.page(id, summary, media), ...described },
  }
}

/** Documents that are described as one, with the last part of their path as a parameter. */
const each = (
  template: string,
  id: string,
  summary: string,
  type: string,
  { name, ...about }: { readonly name: string; readonly description: string; readonly example: string },
  texts: ReadonlyMap<string, string>,
): ReadonlyArray<Route> => {
  const parameter = { name, in: "path", required: true, description: about.description }
  const schema = { type: "string", enum: [...texts.keys()] }
  const operation = {
    ...describe.page(id, summary, type.split(";")[0]!),
    parameters: [{ ...parameter, schema, example: about.example }],
  }
  return [...texts].map(([value, text]) =>
    at(template.replace(`{${name}}`, value), id, summary, type, text, { operation, template }),
  )
}

/** Pages that every server has, whatever it sells. */
export const always: ReadonlyArray<Route> = [
  at(WebhookDocs.path, "docs_webhooks", "How webhooks are received and verified", types.html, WebhookDocs.page),
  at("/errors", "errors", "Every error code", types.html, errorIndex),
  ...each(
    "/errors/{code}",
    "error",
    "What an error code means and what to do",
    types.html,
    { name: "code", description: "The code.", example: "invalid_parameter" },
    new Map((Object.keys(codes) as ReadonlyArray<Code>).map((code) => [code, Wire.errorPage(code)])),
  ),
]

/** The endpoints among some routes, as the schemas are folded from them. */
const endpointsOf = (routes: ReadonlyArray<Route>): ReadonlyArray<Schemas.Beside> =>
  routes.flatMap(({ description, types }) =>
    description?._tag === "Endpoint" && Endpoint.isSold(description.endpoint)
      ? [{ endpoint: description.endpoint, tag: description.tag, types }]
      : [],
  )

const describedOf = (routes: ReadonlyArray<Route>): ReadonlyArray<OpenApi.Described> =>
  routes.flatMap(({ description, method, path }) =>
    description?._tag === "Operation"
      ? [{ path: description.template ?? path, method, operation: description.operation }]
      : [],
  )

/** Documents with figures in them. */
const countingPaths = ["/.well-known/agent-capabilities", "/llms.txt", "/llms-full.txt"] as const

/**
 * Every document of an installation, made once; those with figures at most once a minute.
 *
 * @param others what else is served, which the documents describe
 */
export const make = Effect.fnUntraced(function* (
  catalogue: Catalogue.Any,
  options: Options,
  others: ReadonlyArray<Route>,
) {
  const { baseUrl, securityContact } = options
  const surface = Schemas.describe(endpointsOf(others))
  const paths = new Set(others.map(({ path }) => path))
  const site: Manifests.Site = {
    baseUrl,
    catalogue,
    surface,
    freshness: options.freshness ?? {},
    ...(paths.has(Protocol.paths.streamable) ? { mcp: { legacySse: paths.has(Protocol.paths.events) } } : {}),
  }
  const startedAt = yield* Clock.currentTimeMillis
  // Uninterruptible: a caller who goes away must not leave an interruption in the cache.
  const counting = yield* Effect.cachedWithTTL(
    Effect.uninterruptible(
      Effect.map(
        options.figures ?? Effect.succeed<Figures>({}),
        (counted): Readonly<Record<(typeof countingPaths)[number], Page>> => ({
          "/.well-known/agent-capabilities": fixed(types.json, json(Manifests.capabilities(site, counted))),
          "/llms.txt": fixed(types.markdown, Llms.brief(site, counted)),
          "/llms-full.txt": fixed(types.markdown, Llms.full(site, counted)),
        }),
      ),
    ),
    "1 minute",
  )
  const counted = (path: (typeof countingPaths)[number]): Page => Effect.flatMap(counting, (made) => made[path])

  // These describe all routes, their own included, so they are made when all are known.
  let whole: Readonly<Record<"openapi" | "docs" | "pointer", Page>>
  const later = (name: keyof typeof whole): Page => Effect.suspend(() => whole[name])

  const routes: ReadonlyArray<Route> = [
    at(OpenApi.path, "openapi", "This document", types.json, later("openapi")),
    at(
      "/.well-known/openapi",
      "openapi_pointer",
      "Where this document is, its version and its SHA-256",
      types.json,
      later("pointer"),
    ),
    at(
      "/.well-known/agent-capabilities",
      "agent_capabilities",
      "Tools, prices, schemas and limits in one small document",
      types.json,
      counted("/.well-known/agent-capabilities"),
    ),
    ...(site.mcp === undefined
      ? []
      : [
          at(
            OpenApi.mcpPointer,
            "mcp_pointer",
            "Where and how the Model Context Protocol is served",
            types.json,
            json(Manifests.mcp(site)),
          ),
          at(
            `${OpenApi.mcpPointer}/server-card`,
            "mcp_server_card",
            "The same in the form that registries of servers read",
            types.json,
            json(Manifests.serverCard(site)),
          ),
        ]),
    ...(securityContact === undefined
      ? []
      : [
          at(
            "/.well-known/security.txt",
            "security_txt",
            "Whom to write to about a hole (RFC 9116)",
            types.text,
            Manifests.security(baseUrl, securityContact, startedAt),
          ),
        ]),
    at("/llms.txt", "llms", "Overview for language models", types.markdown, counted("/llms.txt")),
    at("/llms-full.txt", "llms_full", "Full reference for language models", types.markdown, counted("/llms-full.txt")),
    at("/docs", "docs", "This document as a page to read", types.html, later("docs")),
    ...always,
    at(
      Schemas.index,
      "schemas",
      "Every JSON Schema, with their version",
      types.json,
      json({
        version: current,
        license: "MIT",
        changelog: `${baseUrl}/schemas/changelog`,
        schemas: [...surface.schemas.keys()].map((name) => ({ name, url: baseUrl + Schemas.pathOf(name) })),
      }),
    ),
    at(
      "/schemas/changelog",
      "schemas_changelog",
      "Versions of the schemas and deprecations",
      types.markdown,
      markdown(catalogue),
    ),
    ...each(
      Schemas.pathOf("{name}"),
      "schema",
      "A JSON Schema (2020-12)",
      types.schema,
      { name: "name", description: "Its name.", example: "WeatherSettlement" },
      new Map(
        [...surface.schemas].map(([name, schema]) => [name, json(Schemas.published(name, schema, baseUrl))] as const),
      ),
    ),
  ]
  const described = OpenApi.document(catalogue, surface, describedOf([...routes, ...others]), baseUrl)
  const openapi = json(described)
  const digest = createHash("sha256").update(openapi).digest("hex")
  whole = {
    openapi: fixed(types.json, openapi),
    docs: fixed(types.html, render(described)),
    pointer: fixed(types.json, json(Manifests.pointer(baseUrl, digest))),
  }
  return routes
})
