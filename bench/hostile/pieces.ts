import { Agent } from "node:http"
import { catalogue } from "../../core/lanes/all.ts"
import { day, dayOf } from "../../core/time.ts"
import { type Asked, ask } from "./client.ts"
import type { Watched } from "./process.ts"
import type { Keys } from "./world.ts"

/** The longest task, milliseconds of CPU: in the first run, and the best of the later ones. */
export interface Piece {
  readonly name: string
  readonly first: number
  readonly later: number
  readonly said: string
  /** A refused request measures nothing of its route. */
  readonly isRefused?: boolean
}

const daysAgo = (days: number): string => dayOf(Date.now() - days * day)

/** Requests at the specification's sizes instead of an endpoint's example. */
const large: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  weather_settlement_history: { station: "KNYC", start: daysAgo(402), end: daysAgo(3), verbose: "true" },
  nfl_games: { season: "2025", verbose: "true" },
  markets_settled: { domain: "crypto", limit: "500", verbose: "true" },
  markets_performance: { verbose: "true" },
  markets_edge: { verbose: "true" },
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
  keys: Pick<Keys, "payer" | "tests">,
  times: number,
): Promise<ReadonlyArray<Piece>> => {
  const agent = new Agent({ keepAlive: true })
  const found: Array<Piece> = []
  let routeNumber = 0
  for (const whose of ["test", "live"] as const) {
    for (const [name, asked] of routes()) {
      routeNumber++
      const key = whose === "live" ? keys.payer : keys.tests[routeNumber]!
      const longest: Array<number> = []
      let [status, bytes] = [0, 0]
      for (let n = 0; n <= times; n++) {
        await server.reset()
        // Some routes admit few calls per minute and address.
        const from = `127.0.${1 + n}.${routeNumber}`
        ;({ status, bytes } = await ask(server.url, agent, { ...asked, key, from }))
        await new Promise((resolve) => setTimeout(resolve, 5))
        longest.push((await server.read()).longestMs)
      }
      const [first = 0, ...later] = longest
      found.push({
        name: `${name} (${whose} key)`,
        first,
        later: Math.min(...later),
        said: `${status}, ${bytes} bytes`,
        isRefused: status !== 200,
      })
    }
  }
  agent.destroy()
  return found
}
