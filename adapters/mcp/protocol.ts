import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import * as Release from "../../core/release.ts"

/** What the server says it is. */
export const identity = { name: Release.name, version: Release.version, description: Release.description } as const

/** The revision without sessions, which the library serves beside the older ones. */
const stateless = "2026-07-28"

/** Revisions of the protocol that are served, the newest first. */
export const protocolVersions: ReadonlyArray<string> = [stateless, ...SUPPORTED_PROTOCOL_VERSIONS]

/** The list of tools is the same as long as the process lives: no notifications, no subscriptions. */
export const capabilities = { tools: {} } as const

/** Where each transport over HTTP listens. */
export const paths = { streamable: "/mcp", events: "/mcp/sse", messages: "/mcp/messages" } as const

export const transportNames = { stdio: "stdio", streamable: "streamable-http", sse: "http+sse" } as const

/** The transports that are served; the deprecated one can be switched off. */
export const transports = (legacySse: boolean): ReadonlyArray<string> => [
  transportNames.stdio,
  transportNames.streamable,
  ...(legacySse ? [transportNames.sse] : []),
]

/** What a model should know before its first call. */
export const instructions = [
  "Market data and model signals. Every tool's description says what one call costs; `pricing` lists all prices and, given `calls`, quotes a plan. Both are free.",
  "`dry_run: true` checks a call and quotes it without charging. A failed call is never charged. `idempotency_key` (a UUIDv4) makes a repeated call free for 24 hours.",
  "Answers carry `_reasoning`, `_citations` and `_confidence` beside `results`; failures carry `error.code` and `error.hints`, which name the argument to mend.",
  "Calls are paid for by the API key that the client was configured with. Tools that need no key say so.",
].join("\n")
