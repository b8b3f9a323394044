import { Client, type FetchLike, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { program } from "../../../support/processes.ts"

/** The official client's transports over HTTP. */
export const overHttp = {
  "streamable HTTP, 2026-07-28": "2026-07-28",
  "streamable HTTP, 2025-11-25": "2025-11-25",
  "HTTP and SSE": "sse",
} as const
export type Way = (typeof overHttp)[keyof typeof overHttp]

const client = (way: Way) =>
  new Client(
    { name: "test", version: "1" },
    way === "2026-07-28" ? { versionNegotiation: { mode: { pin: way } } } : { versionNegotiation: { mode: "legacy" } },
  )

/**
 * Connects the official client to a running server; without a token it sends no key.
 *
 * @param ofStream the key of an event stream, which needs one
 */
export const connect = async (
  url: string,
  way: Way,
  token: string | undefined,
  through: FetchLike = fetch,
  ofStream?: string,
) => {
  const key = token ?? (way === "sse" ? ofStream : undefined)
  const requestInit: RequestInit = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }
  const options = { requestInit, fetch: through }
  const found = client(way)
  await found.connect(
    way === "sse"
      ? new SSEClientTransport(new URL("/mcp/sse", url), options)
      : new StreamableHTTPClientTransport(new URL("/mcp", url), options),
  )
  return found
}

/** Starts a stdio server for one client in its own process, in the folder that desktop clients use. */
export const connectStdio = async (
  environment: Readonly<Record<string, string>>,
  way: "2025-11-25" | "2026-07-28" = "2026-07-28",
  { args = [], cwd = "/" }: { readonly args?: ReadonlyArray<string>; readonly cwd?: string } = {},
) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program("services/cli.ts"), "mcp", ...args],
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stderr: "pipe",
  })
  let errors = ""
  transport.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const found = client(way)
  await found.connect(transport)
  return { client: found, transport, errors: () => errors }
}
