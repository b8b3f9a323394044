import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { type Code, codes } from "../../../core/Failure.ts"
import { verifierPath } from "../../../core/record/log/endpoints.ts"
import * as Scoreboard from "../scoreboard/app.ts"
import * as WebhookDocs from "../webhookDocs.ts"
import * as Wire from "../wire.ts"
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

/** What else is served beside the documents. */
export interface Beside {
  readonly mcp?: { readonly legacySse: boolean }
  readonly proof: boolean
  readonly scoreboard: boolean
}

export type Pages = ReadonlyMap<string, Page>

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

/** Pages that every server has, whatever it sells. */
export const always: Pages = new Map([
  [WebhookDocs.path, fixed(types.html, WebhookDocs.page)],
  ["/errors", fixed(types.html, errorIndex)],
  ...(Object.keys(codes) as ReadonlyArray<Code>).map(
    (code) => [`/errors/${code}`, fixed(types.html, Wire.errorPage(code))] as const,
  ),
])

const named = (name: string, description: string, schema: object, example: string) => ({
  parameters: [{ name, in: "path", required: true, description, schema, example }],
})

const about = {
  openapi: "This document",
  docs: "This document as a page to read",
  wellKnown: "Where this document is, its version and its SHA-256",
} as const

const fileTypes: Readonly<Record<string, string>> = {
  csv: Schemas.csv,
  json: Schemas.json,
  ndjson: Schemas.ndjson,
}

/** The page of the scoreboard, or one of its files. */
const scoreboardRoute = (path: string): OpenApi.Route => {
  const form = path.split(".")[1]
  return form === undefined
    ? OpenApi.page(path, "scoreboard", "The public scoreboard as a page to read", "text/html")
    : OpenApi.page(path, `scoreboard_${form}`, `Every settled head-to-head as ${form}`, fileTypes[form]!)
}

/** The routes of the documents, as the document describes them. */
const routes = (
  surface: Schemas.Surface,
  { securityContact }: Options,
  { mcp, proof, scoreboard }: Beside,
): ReadonlyArray<OpenApi.Route> => {
  const { page } = OpenApi
  const ofPath = (route: OpenApi.Route, rest: object): OpenApi.Route => ({
    ...route,
    operation: { ...route.operation, ...rest },
  })
  return [
    page(OpenApi.path, "openapi", about.openapi, Schemas.json),
    page("/.well-known/openapi", "openapi_pointer", about.wellKnown, Schemas.json),
    page(
      "/.well-known/agent-capabilities",
      "agent_capabilities",
      "Tools, prices, schemas and limits in one small document",
      Schemas.json,
    ),
    ...(mcp === undefined
      ? []
      : [
          page(OpenApi.mcpPointer, "mcp_pointer", "Where and how the Model Context Protocol is served", Schemas.json),
          page(
            `${OpenApi.mcpPointer}/server-card`,
            "mcp_server_card",
            "The same in the form that registries of servers read",
            Schemas.json,
          ),
        ]),
    ...(securityContact === undefined
      ? []
      : [page("/.well-known/security.txt", "security_txt", "Whom to write to about a hole (RFC 9116)", "text/plain")]),
    page("/llms.txt", "llms", "Overview for language models", "text/markdown"),
    page("/llms-full.txt", "llms_full", "Full reference for language models", "text/markdown"),
    page("/docs", "docs", about.docs, "text/html"),
    page(WebhookDocs.path, "docs_webhooks", "How webhooks are received and verified", "text/html"),
    page("/errors", "errors", "Every error code", "text/html"),
    ofPath(
      page("/errors/{code}", "error", "What an error code means and what to do", "text/html"),
      named("code", "The code.", { type: "string", enum: Object.keys(codes) }, "invalid_parameter"),
    ),
    page(Schemas.index, "schemas", "Every JSON Schema, with their version", Schemas.json),
    page("/schemas/changelog", "schemas_changelog", "Versions of the schemas and deprecations", "text/markdown"),
    ofPath(
      page(Schemas.pathOf("{name}"), "schema", "A JSON Schema (2020-12)", "application/schema+json"),
      named("name", "Its name.", { type: "string", enum: [...surface.schemas.keys()] }, "WeatherSettlement"),
    ),
    ...(proof
      ? [page(verifierPath, "proof_verifier", "A program that verifies an export of the record", "text/javascript")]
      : []),
    ...(scoreboard ? [...Scoreboard.paths].map(scoreboardRoute) : []),
    ...OpenApi.healthRoutes,
  ]
}

/** Documents with figures in them. */
const countingPaths = ["/.well-known/agent-capabilities", "/llms.txt", "/llms-full.txt"] as const

/** Every document of an installation, made once; those with figures at most once a minute. */
export const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any, options: Options, beside: Beside) {
  const { baseUrl, securityContact } = options
  const surface = Schemas.fold(catalogue, beside.proof ? Schemas.proofs : [])
  const document = OpenApi.document(catalogue, routes(surface, options, beside), baseUrl, surface)
  const openapi = json(document)
  const site: Manifests.Site = {
    baseUrl,
    catalogue,
    surface,
    freshness: options.freshness ?? {},
    ...(beside.mcp === undefined ? {} : { mcp: beside.mcp }),
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

  const pages: ReadonlyArray<readonly [string, Page]> = [
    [OpenApi.path, fixed(types.json, openapi)],
    ["/docs", fixed(types.html, render(document))],
    [
      "/.well-known/openapi",
      fixed(types.json, json(Manifests.pointer(baseUrl, createHash("sha256").update(openapi).digest("hex")))),
    ],
    ...(beside.mcp === undefined
      ? []
      : [
          [OpenApi.mcpPointer, fixed(types.json, json(Manifests.mcp(site)))] as const,
          [`${OpenApi.mcpPointer}/server-card`, fixed(types.json, json(Manifests.serverCard(site)))] as const,
        ]),
    ...countingPaths.map((path) => [path, Effect.flatMap(counting, (made) => made[path])] as const),
    ...(securityContact === undefined
      ? []
      : [
          [
            "/.well-known/security.txt",
            fixed(types.text, Manifests.security(baseUrl, securityContact, startedAt)),
          ] as const,
        ]),
    [
      Schemas.index,
      fixed(
        types.json,
        json({
          version: current,
          license: "MIT",
          changelog: `${baseUrl}/schemas/changelog`,
          schemas: [...surface.schemas.keys()].map((name) => ({ name, url: baseUrl + Schemas.pathOf(name) })),
        }),
      ),
    ],
    ["/schemas/changelog", fixed(types.markdown, markdown(catalogue))],
    ...[...surface.schemas].map(
      ([name, schema]) =>
        [Schemas.pathOf(name), fixed(types.schema, json(Schemas.published(name, schema, baseUrl)))] as const,
    ),
  ]
  return new Map([...always, ...pages]) as Pages
})
