import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import * as Release from "../../../core/release.ts"

export const identity = { name: Release.name, version: Release.version, description: Release.description } as const

/** The revision without sessions, served in addition to the older ones. */
export const stateless = "2026-07-28"

/** Supported protocol revisions, newest first. */
export const protocolVersions: ReadonlyArray<string> = [stateless, ...SUPPORTED_PROTOCOL_VERSIONS]

/** Tools, resources and prompts are constant for the life of the process: no changes to tell of, no subscriptions. */
export const capabilities = { tools: {}, resources: {}, prompts: {} } as const

const scheme = `${Release.name}://`

/** Addresses of the resources. */
export const resourceUris = {
  reference: `${scheme}llms-full.txt`,
  errors: `${scheme}errors`,
  error: `${scheme}schemas/error`,
  /** The whole schema of a tool's answer. */
  schema: (tool: string): string => `${scheme}schemas/${tool}`,
} as const

/** Paths of the HTTP transports. */
export const paths = { streamable: "/mcp", events: "/mcp/sse", messages: "/mcp/messages" } as const

/** Names of x402 in `_meta`: a signed payment with a call, and its receipt. */
export const paymentMeta = { payment: "x402/payment", receipt: "x402/payment-response" } as const

/** The parameter of `/mcp` and `/mcp/sse` that selects toolsets. */
export const selection = "toolsets"

export const transportNames = { stdio: "stdio", streamable: "streamable-http", sse: "http+sse" } as const

/** Enabled transports. */
export const transports = (legacySse: boolean): ReadonlyArray<string> => [
  transportNames.stdio,
  transportNames.streamable,
  ...(legacySse ? [transportNames.sse] : []),
]

export const instructions = [
  "Market data and model signals. Descriptions state each tool's price; `pricing` quotes a plan of calls for free, `wallet` tells the money left.",
  "Options: `fields` (dotted paths in `results`, `*` is all), `verbose` (all fields, with provenance), `include` (envelope fields to add), `dry_run: true` (a free check and quote), `idempotency_key` (UUIDv4: repeats within 24 hours are charged once). Failed calls are free.",
  "Answers have `results`, `_reasoning`, `_citations` and `_confidence`. On failure read `error.code`, then fix the arguments named in `error.hints`.",
  "The client's configured API key pays for calls. Tools that need no key are marked. Keys whose scopes include `manage` have tools for alerts and webhooks too (`alerts_create`).",
  `Resources: \`${resourceUris.reference}\` (full reference), \`${resourceUris.errors}\` (error codes), \`${resourceUris.schema("<tool>")}\` (whole schema of an answer; tools list an outline).`,
].join("\n")
