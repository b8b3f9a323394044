import { Client, type FetchLike, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { program } from "../../support/processes.ts"

/** The ways in which the official client reaches the server over HTTP. */
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

/** Opens the stream of events, which needs a key, with one of its own; the messages bring theirs. */
const opening =
  (token: string, through: FetchLike): FetchLike =>
  (url, init) => {
    if (init?.method === "POST") return through(url, init)
    const headers = new Headers(init?.headers)
    headers.set("authorization", `Bearer ${token}`)
    return through(url, { ...init, headers })
  }

/**
 * Connects the official client to a running server; without a token it brings no key.
 *
 * @param opener the key that opens a stream of events, where that is another
 */
export const connect = async (
  url: string,
  way: Way,
  token: string | undefined,
  through: FetchLike = fetch,
  opener: string | undefined = token,
) => {
  const requestInit: RequestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  const options = {
    requestInit,
    fetch: way === "sse" && opener !== undefined ? opening(opener, through) : through,
  }
  const found = client(way)
  await found.connect(
    way === "sse"
      ? new SSEClientTransport(new URL("/mcp/sse", url), options)
      : new StreamableHTTPClientTransport(new URL("/mcp", url), options),
  )
  return found
}

/** Starts the server of one client as a process of its own. */
export const connectStdio = async (
  environment: Readonly<Record<string, string>>,
  way: "2025-11-25" | "2026-07-28" = "2026-07-28",
) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program("services/mcp.ts")],
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
