import { display } from "../../core/account/Money.ts"
import * as Tier from "../../core/account/Tier.ts"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { callsPerAddress } from "../../core/gateway/access.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { key, wallet } from "../../core/lanes/account/endpoints.ts"
import { planEstimate } from "../../core/lanes/account/plan.ts"
import * as Release from "../../core/release.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import { day, iso } from "../../core/time.ts"
import * as Clients from "./clients.ts"
import type { Figures } from "./figures.ts"
import { mcpPointer } from "./openapi.ts"
import { exampleTarget } from "./operation.ts"
import {
  capabilitiesPath,
  docsPath,
  errorsPath,
  llmsFullTxtPath,
  llmsTxtPath,
  openapiPath,
  schemasPath,
  statusPath,
} from "./paths.ts"
import { type Surface, schemaPath } from "./schemas.ts"
import * as Protocol from "./tools/protocol.ts"
import * as Tools from "./tools/tools.ts"
import * as Toolsets from "./tools/toolsets.ts"
import { schemasReleaseDay, schemasVersion } from "./versions.ts"

type Json = Readonly<Record<string, unknown>>

/** The installation that the documents describe. */
export interface DocumentSite {
  readonly baseUrl: string
  readonly catalogue: Catalogue.Any
  readonly surface: Surface
  /** MCP transports over HTTP; absent if none is served. */
  readonly mcp?: {
    readonly legacySse: boolean
    readonly toolsets?: ReadonlyArray<string>
  }
  /** Whether this server has a path. Absent: no optional page is listed, and guides keep their links. */
  readonly served?: (path: string) => boolean
  /** Each lane's data source for live keys, by lane name. */
  readonly freshness: Readonly<Record<string, Freshness>>
}

const authentication = {
  type: "http",
  scheme: "bearer",
  header: "Authorization",
  format: "Bearer <API key>",
  environments: {
    svk_live_: "charged from the prepaid wallet",
    svk_test_: "mock data, never charged",
  },
} as const

/** `/.well-known/openapi`: address and SHA-256 of the document. */
export const pointer = (baseUrl: string, sha256: string): Json => ({
  openapi: "3.1.0",
  url: baseUrl + openapiPath,
  version: Release.version,
  sha256,
})

/** `/.well-known/mcp`. */
export const mcp = ({ baseUrl, catalogue, surface, mcp, served: has = () => false }: DocumentSite): Json => {
  const legacySse = mcp?.legacySse === true
  const manages = surface.endpoints.some(({ tag }) => tag === manageScope) && Toolsets.manages(mcp?.toolsets)
  const served = Tools.entries(Toolsets.narrow(catalogue, mcp?.toolsets), manages)
  return {
    ...Protocol.identity,
    url: baseUrl + Protocol.paths.streamable,
    transports: Protocol.transports(legacySse),
    ...(legacySse
      ? {
          sse: {
            url: baseUrl + Protocol.paths.events,
            messages_url: baseUrl + Protocol.paths.messages,
            deprecated: true,
          },
        }
      : {}),
    protocol_versions: Protocol.protocolVersions,
    authentication: { ...authentication, required: false, note: "Not needed for tools/list or marked tools." },
    capabilities: Protocol.capabilities,
    ...(has(Clients.filePath("bridge")) ? { stdio: { ...Clients.bridge(baseUrl), env: ["MARKET_SIGNALS_KEY"] } } : {}),
    ...(has(Clients.path) ? { install_url: baseUrl + Clients.path } : {}),
    tools_count: served.filter((entry) => Toolsets.isListed(entry, {})).length,
    /** Selected by the parameter `toolsets` of the URL, comma-separated; default all. */
    toolsets: Toolsets.names(served),
    docs_url: baseUrl + docsPath,
  }
}

/** A reversed host name, the namespace in server registries; an IP address is not reversed. */
const namespace = (baseUrl: string): string => {
  const { hostname } = new URL(baseUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? hostname.replace(/[[\]:]/g, "") : hostname.split(".").reverse().join(".")
}

/** `/.well-known/mcp/server-card`: the same in the format of server registries. */
export const serverCard = ({ baseUrl, mcp }: DocumentSite): Json => {
  const headers = [
    {
      name: "Authorization",
      description: "Bearer <API key>. Tools that need no key are marked.",
      isRequired: false,
      isSecret: true,
    },
  ]
  const supportedProtocolVersions = Protocol.protocolVersions
  const { streamable, events } = Protocol.paths
  return {
    name: `${namespace(baseUrl)}/${Release.name}`,
    title: Release.name,
    version: Release.version,
    description: Release.description,
    websiteUrl: baseUrl + docsPath,
    remotes: [
      { type: "streamable-http", url: baseUrl + streamable, headers, supportedProtocolVersions },
      ...(mcp?.legacySse === true ? [{ type: "sse", url: baseUrl + events, headers }] : []),
    ],
  }
}

const tool = ({ endpoint, input, answer, tag }: Surface["endpoints"][number]): Json => ({
  name: endpoint.id,
  lane: tag,
  kind: endpoint.kind,
  summary: endpoint.summary,
  method: Endpoint.methodOf(endpoint),
  path: Endpoint.pathTemplate(endpoint),
  auth: endpoint.auth,
  price: { display: display(endpoint.priceMicros), micros: endpoint.priceMicros },
  input: schemaPath(input),
  output: schemaPath(answer),
  example: exampleTarget(endpoint),
  ...ifDefined("deprecation", endpoint.deprecation),
})

export const countsJson = (catalogue: Catalogue.Any, figures: Figures): Json => {
  const { endpoints, free, lowestPaidMicros } = Catalogue.counts(catalogue)
  return { endpoints, free_endpoints: free, lowest_paid_micros: lowestPaidMicros, ...figures }
}

/** The documents for programs. */
const listDocuments = (site: Pick<DocumentSite, "mcp" | "served">): Json => ({
  openapi: openapiPath,
  ...(site.mcp === undefined ? {} : { mcp: mcpPointer }),
  schemas: schemasPath,
  llms: llmsTxtPath,
  llms_full: llmsFullTxtPath,
  docs: docsPath,
  ...(site.served?.(Clients.path) === true ? { install: Clients.path } : {}),
  errors: errorsPath,
})

/** `/` for programs: where everything is. Addresses are relative to `base_url`. */
export const home = (site: DocumentSite): Json => ({
  ...Protocol.identity,
  base_url: site.baseUrl,
  links: { agent_capabilities: capabilitiesPath, ...listDocuments(site), key: key.path, wallet: wallet.path },
})

/** Maximum bytes of a request's body and of its target. */
interface SizeLimits {
  readonly body: number
  readonly uri: number
}

/** `/.well-known/agent-capabilities`: an agent's starting point. Addresses are relative to `base_url`. */
export const capabilities = (site: DocumentSite, limits: SizeLimits, figures: Figures): Json => {
  const { baseUrl, catalogue, surface } = site
  const live = new Set<Endpoint.Any>(Catalogue.live(catalogue).map(({ endpoint }) => endpoint))
  return {
    ...Protocol.identity,
    base_url: baseUrl,
    api_version: "v1",
    schema_version: schemasVersion,
    schema_released: schemasReleaseDay,
    authentication,
    documents: listDocuments(site),
    figures: countsJson(catalogue, figures),
    ...(Object.keys(site.freshness).length === 0 ? {} : { data_freshness: site.freshness }),
    pricing: {
      currency: "USD",
      charged: "per successful call, from a prepaid wallet; failures, HEAD and 304 are free",
      quote_one: "dry_run=true on any keyed call",
      quote_plan: planEstimate.path,
      empty_wallet: "402 insufficient_funds with error.quote; its accepts are terms of x402",
      repeat: "Idempotency-Key (UUIDv4): repeats within 24 hours get the stored answer for free",
    },
    limits: {
      calls_per_minute: { ...Tier.tiers, enterprise: "per key", without_key: callsPerAddress },
      page_size: 200,
      body_bytes: limits.body,
      target_bytes: limits.uri,
    },
    options: ["fields", "verbose", "include", "dry_run"],
    tools: surface.endpoints.filter(({ endpoint }) => live.has(endpoint)).map(tool),
    free_services: surface.endpoints
      .filter(({ endpoint }) => catalogue.byId.get(endpoint.id) === undefined)
      .map(({ endpoint }) => ({
        name: endpoint.id,
        summary: endpoint.summary,
        method: Endpoint.methodOf(endpoint),
        path: Endpoint.pathTemplate(endpoint),
        auth: endpoint.auth,
      })),
  }
}

const lifetime = 180 * day

/** `/.well-known/security.txt` (RFC 9116), valid for 180 days; the standard recommends less than a year. */
export const security = (baseUrl: string, contact: string, startedAt: number): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${iso(startedAt + lifetime)}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "",
  ].join("\n")

export const apiCatalogPath = "/.well-known/api-catalog"

/** `/.well-known/api-catalog` (RFC 9727): the service's APIs as a set of links (RFC 9264). */
export const apiCatalog = (site: DocumentSite): Json => {
  const { baseUrl } = site
  const link = (path: string, type: string) => ({ href: baseUrl + path, type })
  const doc = [link(docsPath, "text/html"), link(llmsTxtPath, "text/markdown")]
  return {
    linkset: [
      {
        anchor: `${baseUrl}/v1`,
        "service-desc": [link(openapiPath, "application/json")],
        "service-doc": doc,
        "service-meta": [link(capabilitiesPath, "application/json")],
        status: [link(statusPath, "text/html")],
      },
      ...(site.mcp === undefined
        ? []
        : [
            {
              anchor: baseUrl + Protocol.paths.streamable,
              "service-desc": [link(`${mcpPointer}/server-card`, "application/json")],
              "service-doc": doc,
              "service-meta": [link(mcpPointer, "application/json")],
            },
          ]),
    ],
  }
}

/** `/robots.txt`: pages and documents may be read; those of an account and calls may not. */
export const robots = (baseUrl: string): string =>
  `User-agent: *\nAllow: /\nDisallow: /dashboard\nDisallow: /v1/\nDisallow: /mcp\n\nSitemap: ${baseUrl}/sitemap.xml\n`

/** `/sitemap.xml`: the pages for people. */
export const sitemap = (baseUrl: string, paths: ReadonlyArray<string>): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `<url><loc>${new URL(path, baseUrl).href}</loc></url>`),
    "</urlset>",
    "",
  ].join("\n")
