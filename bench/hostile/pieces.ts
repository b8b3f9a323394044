import { Agent } from "node:http"
import { catalogue } from "../../core/lanes/all.ts"
import { day, dayOf } from "../../core/time.ts"
import { type Asked, ask } from "./client.ts"
import type { Watched } from "./process.ts"

/** The longest task, milliseconds of CPU: in the first run, and the best of the later ones. */
export interface Piece {
  readonly name: string
  readonly first: number
  readonly later: number
  readonly said: string
}

const daysAgo = (days: number): string => dayOf(Date.now() - days * day)

/** Requests at the specification's sizes instead of an endpoint's example. */
const large: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  weather_history: { station: "KNYC", start: daysAgo(402), end: daysAgo(3), verbose: "true" },
  nfl_games: { season: "2025", verbose: "true" },
  markets_settled: { domain: "crypto", limit: "500", verbose: "true" },
  markets_performance: { verbose: "true" },
  markets_edge: { verbose: "true", limit: "200" },
}

const mcpList: Asked = {
  method: "POST",
  path: "/mcp",
  headers: { accept: "application/json, text/event-stream" },
  body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`,
}

const routes = (): ReadonlyArray<readonly [string, Asked]> => [
  ...catalogue.entries.flatMap(({ endpoint }) => {
    const params = large[endpoint.id] ?? (endpoint.example as Readonly<Record<string, unknown>>)
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const path = `${endpoint.path}?${query}`
    const lists: ReadonlyArray<readonly [string, Asked]> =
      endpoint.rows === undefined ? [] : [[`${endpoint.id} as CSV`, { path, headers: { accept: "text/csv" } }]]
    return [[endpoint.id, { path }] as const, ...lists]
  }),
  ["/v1/key", { path: "/v1/key" }],
  [
    "plan of 100",
    {
      method: "POST",
      path: "/v1/plan/estimate",
      body: JSON.stringify({
        calls: Array.from({ length: 100 }, () => ({ endpoint: "weather_settlement", params: { station: "KNYC" } })),
      }),
    },
  ],
  ...["/scoreboard", "/scoreboard/settled.csv", "/scoreboard/settled.json", "/scoreboard/settled.ndjson"].map(
    (path) => [path, { path }] as const,
  ),
  ...["/openapi.json", "/docs", "/llms.txt", "/v1/proof/leaves", "/v1/proof/checkpoint", "/healthz", "/readyz"].map(
    (path) => [path, { path }] as const,
  ),
  ["MCP tools/list", mcpList],
]

/**
 * Calls each route several times and measures the longest task of the server's thread. The best of the later runs
 * counts, since garbage collection is not the route's work.
 */
export const pieces = async (
  server: Watched & { readonly url: string },
  keys: ReadonlyArray<string>,
  times: number,
): Promise<ReadonlyArray<Piece>> => {
  const agent = new Agent({ keepAlive: true })
  const found: Array<Piece> = []
  for (const [whose, key] of [
    ["test", keys[0]!],
    ["live", keys[1]!],
  ] as const) {
    for (const [name, asked] of routes()) {
      const longest: Array<number> = []
      let [status, bytes] = [0, 0]
      for (let n = 0; n <= times; n++) {
        await server.reset()
        ;({ status, bytes } = await ask(server.url, agent, { ...asked, key }))
        await new Promise((resolve) => setTimeout(resolve, 5))
        longest.push((await server.read()).longestMs)
      }
      const [first = 0, ...later] = longest
      found.push({
        name: `${name} (${whose} key)`,
        first,
        later: Math.min(...later),
        said: `${status}, ${bytes} bytes`,
      })
    }
  }
  agent.destroy()
  return found
}
