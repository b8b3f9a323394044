import { createHash } from "node:crypto"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { codeNames, type Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { path as installPath } from "../../describe/clients.ts"
import type { Figures } from "../../describe/figures.ts"
import { type Guide, guidePath, guides } from "../../describe/guides.ts"
import * as Llms from "../../describe/llms.ts"
import * as Manifests from "../../describe/manifests.ts"
import * as OpenApi from "../../describe/openapi.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import {
  capabilitiesPath,
  docsPath,
  errorPath,
  errorsPath,
  getKeyPath,
  groupDocsPath,
  llmsFullTxtPath,
  llmsTxtPath,
  openapiPath,
  schemaChangelogPath,
  schemasPath,
  statusPath,
} from "../../describe/paths.ts"
import * as Schemas from "../../describe/schemas.ts"
import * as Protocol from "../../describe/tools/protocol.ts"
import { markdown, schemasReleaseDay, schemasVersion } from "../../describe/versions.ts"
import { defaultLimits } from "../../server/http/listener.ts"
import type { Route } from "../../server/http/route.ts"
import type { Site } from "../../server/http/Site.ts"
import type { Demo } from "../demo.ts"
import * as Record from "../record/RecordPage.tsx"
import type { LaneDay } from "../StatusPage.tsx"
import * as Scoreboard from "../scoreboard/page.tsx"
import { listPath as forecasts } from "../subjects/pages.tsx"
import { pathOf as assetPath, assets, icon } from "../view/assets.ts"
import { answered, type Document, documentAt, documentsAt, either, fixed, rendered, types } from "../view/document.ts"
import { questionIn } from "../view/search.ts"
import { errorIndex, errorPage } from "./ErrorPages.tsx"
import { type Options as FrontOptions, frontPage } from "./front.ts"
import * as GetKey from "./GetKey.tsx"
import { read } from "./reference/operations.ts"
import * as Reference from "./reference/pages.tsx"
import { runs as listRuns } from "./reference/running.ts"
import type { Run } from "./reference/Try.tsx"
import * as Search from "./Search.tsx"

export interface Options extends FrontOptions, GetKey.GetKeyOptions {
  /** Contact for security reports, as a URI (RFC 9116); without one there is no security.txt. */
  readonly securityContact?: string
  /** Counted on demand, at most once a minute. */
  readonly figures?: Effect.Effect<Figures>
  /** Runs the calls of readers; absent: nothing can be run on the pages. */
  readonly demo?: Demo
  /** Each lane's data source for live keys, by lane name. */
  readonly freshness?: Readonly<Record<string, Freshness>>
  /** The checks of live lanes by days; absent: none are counted. */
  readonly laneDays?: Effect.Effect<ReadonlyArray<LaneDay>, Failure>
  /** The toolsets served over MCP; none named: all. */
  readonly toolsets?: ReadonlyArray<string>
}

const json = (value: unknown): string => JSON.stringify(value)

/** Pages of every server, also of one without documents, and the files that pages load. */
export const common = (): ReadonlyArray<Route> => [
  documentAt(errorsPath, "Every error code", types.html, rendered(errorIndex)),
  ...documentsAt(
    errorPath("{code}"),
    "An error code's meaning and remedy",
    { name: "code", description: "The code.", example: "invalid_parameter" },
    new Map(codeNames.map((code) => [code, [types.html, rendered((site) => errorPage(code, site))]] as const)),
  ),
  ...documentsAt(
    assetPath("{file}"),
    "A style sheet, script or picture of the pages, kept by caches for good",
    { name: "file", description: "The file's name, with the hash of its content.", example: assets[0]!.name },
    new Map(assets.map(({ name, type, text }) => [name, [type, fixed(type, text, "asset")] as const])),
  ),
]

const listEndpoints = (routes: ReadonlyArray<Route>): ReadonlyArray<Schemas.OperationSource> =>
  routes.flatMap(({ description, types }) =>
    description?._tag === "Endpoint" && Endpoint.isSold(description.endpoint)
      ? [{ endpoint: description.endpoint, tag: description.tag, types }]
      : [],
  )

const listDescribed = (routes: ReadonlyArray<Route>): ReadonlyArray<OpenApi.WrittenOperation> =>
  routes.flatMap(({ description, method, path }) =>
    description?._tag === "Operation"
      ? [{ path: description.template ?? path, method, operation: description.operation }]
      : [],
  )

const documented = "This document as HTML pages"
const searched = "A search of the documentation and the pages"
const home = "What the service sells, one answer, how to begin and what it costs"

/** Where the Model Context Protocol is served, if it is. */
const mcpDocuments = (site: Manifests.DocumentSite): ReadonlyArray<Route> =>
  site.mcp === undefined
    ? []
    : [
        documentAt(
          OpenApi.mcpPointer,
          "URL and transports of the Model Context Protocol server",
          types.json,
          json(Manifests.mcp(site)),
        ),
        documentAt(
          `${OpenApi.mcpPointer}/server-card`,
          "The same in the format of MCP server registries",
          types.json,
          json(Manifests.serverCard(site)),
        ),
      ]

/** How to get a key, and the operator's own pages, elsewhere, at addresses that every page links to. */
const operatorPages = (catalogue: Catalogue.Any, options: Options): ReadonlyArray<Route> => [
  documentAt(
    getKeyPath,
    "How to get an API key",
    types.html,
    rendered((site) => GetKey.getKeyPage(options, site, catalogue)),
  ),
  ...Object.entries(options.operator ?? {}).map(
    ([name, to]): Route => ({
      ...{ method: "GET", path: `/${name}`, auth: "none", types: ["text/html"], limit: "requests" },
      handler: { _tag: "App", app: Effect.succeed(HttpServerResponse.redirect(to)) },
    }),
  ),
]

const securityText = ({ baseUrl, securityContact }: Options): Effect.Effect<ReadonlyArray<Route>> =>
  Effect.map(Clock.currentTimeMillis, (startedAt) =>
    securityContact === undefined
      ? []
      : [
          documentAt(
            "/.well-known/security.txt",
            "Contact for security reports (RFC 9116)",
            types.text,
            Manifests.security(baseUrl, securityContact, startedAt),
          ),
        ],
  )

/** Documents that browsers and search engines look for at addresses of their own. */
const forCrawlers = (
  site: Manifests.DocumentSite,
  docs: ReadonlyArray<string>,
  others: ReadonlyArray<Route>,
): ReadonlyArray<Route> => {
  const served = new Set(others.map(({ path }) => path))
  const pages = [
    "/",
    ...docs,
    errorsPath,
    getKeyPath,
    ...[installPath, forecasts, Scoreboard.path, Record.path, statusPath].filter((path) => served.has(path)),
  ]
  const catalogued = "The APIs and their documents (RFC 9727)"
  return [
    documentAt(Manifests.apiCatalogPath, catalogued, types.linkset, json(Manifests.apiCatalog(site))),
    documentAt("/robots.txt", "The pages that crawlers may read", types.text, Manifests.robots(site.baseUrl)),
    documentAt("/sitemap.xml", "The pages for people", types.xml, Manifests.sitemap(site.baseUrl, pages)),
    documentAt("/favicon.ico", "The icon", icon.type, fixed(icon.type, icon.text)),
  ]
}

/** The schemas, their index and their changes. */
const schemaDocuments = (
  { schemas }: ReturnType<typeof Schemas.makeSurface>,
  catalogue: Catalogue.Any,
  baseUrl: string,
): ReadonlyArray<Route> => {
  const index = {
    version: schemasVersion,
    released: schemasReleaseDay,
    license: "MIT",
    changelog: baseUrl + schemaChangelogPath,
    schemas: [...schemas.keys()].map((name) => ({ name, url: baseUrl + Schemas.schemaPath(name) })),
  }
  return [
    documentAt(schemasPath, "All JSON Schemas and their version", types.json, json(index)),
    documentAt(schemaChangelogPath, "Versions of the schemas and deprecations", types.markdown, markdown(catalogue)),
    ...documentsAt(
      Schemas.schemaPath("{name}"),
      "A JSON Schema (2020-12)",
      { name: "name", description: "Name of the schema.", example: "SettlementDay" },
      new Map(
        [...schemas].map(
          ([name, schema]) => [name, [types.schema, json(Schemas.toPublished(name, schema, baseUrl))]] as const,
        ),
      ),
    ),
  ]
}

/** The documents with counts, made at most once a minute. */
const countingDocuments = (site: Manifests.DocumentSite, all: ReadonlyArray<Guide>, figures: Effect.Effect<Figures>) =>
  Effect.map(
    // Uninterruptible: a disconnecting caller must not leave an interruption in the cache.
    Effect.cachedWithTTL(
      Effect.uninterruptible(
        Effect.map(figures, (counted) => ({
          capabilities: fixed(types.json, json(Manifests.capabilities(site, defaultLimits, counted))),
          brief: fixed(types.markdown, Llms.llmsTxt(site, all, counted)),
          full: fixed(types.markdown, Llms.llmsFullTxt(site, all, counted)),
        })),
      ),
      "1 minute",
    ),
    (counting) =>
      (name: "capabilities" | "brief" | "full"): Document =>
        Effect.flatMap(counting, (made) => made[name]),
  )

/** A page for each guide. */
const guidePages = (all: () => Reference.Documentation, guides: ReadonlyArray<Guide>): ReadonlyArray<Route> =>
  documentsAt(
    guidePath("{name}"),
    "A guide as an HTML page",
    { name: "name", description: "The guide.", example: "quickstart" },
    new Map(
      guides.map(
        (guide) => [guide.name, [types.html, rendered((frame) => Reference.ofGuide(all(), guide, frame))]] as const,
      ),
    ),
  )

/** Documents that programs and language models begin with. */
const machineDocuments = (
  site: Manifests.DocumentSite,
  options: Options,
  counted: Effect.Effect.Success<ReturnType<typeof countingDocuments>>,
): Effect.Effect<ReadonlyArray<Route>> =>
  Effect.map(securityText(options), (security) => [
    documentAt(
      capabilitiesPath,
      "Tools, prices, schemas and limits in one small document",
      types.json,
      counted("capabilities"),
    ),
    ...mcpDocuments(site),
    ...security,
    documentAt(llmsTxtPath, "Overview for language models", types.markdown, counted("brief")),
    documentAt(llmsFullTxtPath, "Full reference for language models", types.markdown, counted("full")),
  ])

/** The facts that the documents state. */
const makeSite = (
  catalogue: Catalogue.Any,
  { baseUrl, freshness = {}, toolsets }: Options,
  surface: Manifests.DocumentSite["surface"],
  paths: ReadonlySet<string>,
): Manifests.DocumentSite => {
  const legacySse = paths.has(Protocol.paths.events)
  const mcp = { legacySse, ...ifDefined("toolsets", toolsets) }
  const served = (path: string): boolean => paths.has(path)
  return { baseUrl, catalogue, surface, freshness, served, ...(paths.has(Protocol.paths.streamable) ? { mcp } : {}) }
}

/**
 * All documents of an installation, rendered once; those with counts and the front page at most once a minute.
 *
 * @param others the other routes, which the documents describe
 */
export const make = Effect.fnUntraced(function* (
  catalogue: Catalogue.Any,
  options: Options,
  others: ReadonlyArray<Route>,
) {
  const { baseUrl } = options
  const surface = Schemas.makeSurface(listEndpoints(others))
  const paths = new Set(others.map(({ path }) => path))
  const site = makeSite(catalogue, options, surface, paths)
  const written = guides({ baseUrl, catalogue, limits: defaultLimits, served: (path) => paths.has(path) })
  const counted = yield* countingDocuments(site, written, options.figures ?? Effect.succeed<Figures>({}))
  const front = yield* frontPage(catalogue, options)

  // These describe all routes, themselves included, so they are rendered last.
  let whole: Readonly<Record<"openapi" | "docs" | "search" | "pointer", Document>>
  let pageOf: (group: string, frame: Site, run?: Run) => string
  let all: Reference.Documentation
  const groups = new Set([
    ...listEndpoints(others).map(({ tag }) => tag),
    ...listDescribed(others).flatMap(({ operation }) => operation["tags"] as ReadonlyArray<string>),
    Fragments.discoveryTag,
  ])
  const runs = listRuns(catalogue, options.demo)
  const groupPage = (group: string): Document =>
    answered(
      (query, { remoteAddress }) =>
        runs.get(query.get("run") ?? "")?.run(query, Option.getOrUndefined(remoteAddress)) ?? Effect.succeed(undefined),
      (frame, run) => pageOf(group, frame, run),
    )
  const later = (name: keyof typeof whole): Document => Effect.suspend(() => whole[name])

  const routes: ReadonlyArray<Route> = [
    documentAt(openapiPath, "This document", types.json, later("openapi")),
    documentAt("/.well-known/openapi", "URL, version and SHA-256 of this document", types.json, later("pointer")),
    ...(yield* machineDocuments(site, options, counted)),
    documentAt("/", home, types.html, either(front, fixed(types.json, json(Manifests.home(site)))), {
      operation: { ...Fragments.documentOperation(home, "text/html", "application/json"), operationId: "home" },
    }),
    documentAt(docsPath, documented, types.html, later("docs")),
    documentAt(Search.path, searched, types.html, later("search"), {
      operation: { ...Fragments.documentOperation(searched, "text/html"), parameters: [Search.parameter] },
    }),
    ...documentsAt(
      groupDocsPath("{group}"),
      "The operations of a group, or what many have, as an HTML page",
      { name: "group", description: "The group, or `common`.", example: "weather" },
      new Map([
        ...[...groups].map((group) => [group, [types.html, groupPage(group)]] as const),
        ["common", [types.html, rendered((frame) => Reference.ofCommon(all, frame))]] as const,
      ]),
    ),
    ...guidePages(() => all, written),
    ...common(),
    ...operatorPages(catalogue, options),
    ...forCrawlers(
      site,
      [docsPath, ...written.map(({ path }) => path), Reference.common.path, ...[...groups].map(groupDocsPath)],
      others,
    ),
    ...schemaDocuments(surface, catalogue, baseUrl),
  ]
  for (const { path } of routes) paths.add(path)
  const described = OpenApi.document(catalogue, surface, listDescribed([...routes, ...others]), baseUrl)
  const openapi = json(described)
  const reference = read(described)
  all = { reference, guides: written }
  pageOf = (name, frame, run) =>
    Reference.ofGroup(all, reference.groups.find((group) => group.name === name)!, frame, baseUrl, runs, run)
  const search = Search.searchPage()
  whole = {
    openapi: fixed(types.json, openapi),
    docs: rendered((frame) => Reference.overview(all, frame, baseUrl)),
    search: answered(
      (query) => Effect.succeed(questionIn(query)),
      (frame, question) => search(all, frame, question),
    ),
    pointer: fixed(types.json, json(Manifests.pointer(baseUrl, createHash("sha256").update(openapi).digest("hex")))),
  }
  return routes
})
