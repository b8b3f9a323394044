import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server"
import * as Release from "../../core/release.ts"

/** The server's name, version and description. */
export const identity = { name: Release.name, version: Release.version, description: Release.description } as const

/** The revision without sessions, served in addition to the older ones. */
const stateless = "2026-07-28"

/** Supported protocol revisions, newest first. */
export const protocolVersions: ReadonlyArray<string> = [stateless, ...SUPPORTED_PROTOCOL_VERSIONS]

/** The tool list is constant for the life of the process: no notifications, no subscriptions. */
export const capabilities = { tools: {} } as const

/** Paths of the HTTP transports. */
export const paths = { streamable: "/mcp", events: "/mcp/sse", messages: "/mcp/messages" } as const

export const transportNames = { stdio: "stdio", streamable: "streamable-http", sse: "http+sse" } as const

/** Enabled transports. */
export const transports = (legacySse: boolean): ReadonlyArray<string> => [
  transportNames.stdio,
  transportNames.streamable,
  ...(legacySse ? [transportNames.sse] : []),
]

/** Instructions for the model. */
export const instructions = [
  "Market data and model signals. Every tool's description states its price; `pricing` is free: it lists all prices or, with `calls`, quotes a plan.",
  "`dry_run: true` checks and quotes a call for free. Failed calls are free. With `idempotency_key` (UUIDv4), repeats within 24 hours are free.",
  "Answers have `results`, `_reasoning`, `_citations` and `_confidence`. On failure read `error.code`, then fix the arguments named in `error.hints`.",
  "The client's configured API key pays for calls. Tools that need no key are marked.",
].join("\n")
