import { Agent } from "node:http"
import { catalogue } from "../../core/lanes/all.ts"
import { day, dayOf } from "../../core/time.ts"
import { type Asked, ask } from "./client.ts"
import { bare, type Watched } from "./process.ts"
import type { Keys } from "./world.ts"

/** The longest task, milliseconds of CPU: in the first run, and the best of the later ones. */
export interface Piece {
  readonly name: string
  readonly first: number
  readonly later: number
  /** All CPU of a request that costs nothing, as a multiple of a plain paid call's: the best of the later runs. */
  readonly plainCalls?: number
  /** The same of a bare server that answers with as many bytes, where these are many. */
  readonly barePlainCalls?: number
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

const plan = (endpoint: string, params: unknown): Asked => ({
  method: "POST",
  path: "/v1/plan/estimate",
  body: JSON.stringify({ calls: Array.from({ length: 100 }, () => ({ endpoint, params })) }),
})
const many = (count: number, text: (at: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => text(at))
const z = (length: number): string => "z".repeat(length)

interface Route {
  readonly name: string
  readonly asked: Asked
  readonly isFree: boolean
  /** Refusing it is its work. */
  readonly mayFail?: boolean
}

/** Requests that are refused or repeat themselves, as long as a body or an address may be. */
const wasteful: ReadonlyArray<readonly [name: string, asked: Asked]> = [
  ["plan of 100, a long unknown field", plan("markets_performance", { fields: [z(200)] })],
  ["plan of 100, 64 unknown fields", plan("markets_performance", { fields: many(64, () => z(5)) })],
  ["plan of 100, 55 fields", plan("markets_performance", { fields: many(55, () => "overall") })],
  [
    "plan of 100, 40 unknown parameters",
    plan("crypto_signal", Object.fromEntries(many(40, (at) => z(5) + at).map((name) => [name, 1]))),
  ],
  [
    "plan of 100, each parameter bad",
    plan("crypto_signal", {
      asset: z(9),
      horizon_minutes: z(9),
      strikes: [z(9)],
      verbose: 3,
      fields: [1],
      include: [z(9)],
      dry_run: 4,
    }),
  ],
  ["plan of 100 unknown endpoints", plan(z(500), {})],
  [
    "64 unknown fields",
    { path: `/v1/markets/performance?fields=${many(64, (at) => `overal${at}.brier_modle`).join()}` },
  ],
  ["300 unknown parameters", { path: `/v1/crypto/spot?${many(300, (at) => `horizon_minuets${at}=1`).join("&")}` }],
  [
    "100 unknown contracts",
    {
      method: "POST",
      path: "/v1/bench/opinions",
      body: JSON.stringify({
        model: "my-model",
        opinions: many(100, (at) => `KXNOTHING-${at}`).map((ticker) => ({ ticker, p: 0.5 })),
      }),
    },
  ],
]

const documents = [
  ...["/scoreboard", "/scoreboard/settled.csv", "/scoreboard/settled.json", "/scoreboard/settled.ndjson", "/record"],
  ...["/openapi.json", "/docs", "/llms.txt", "/v1/proof/leaves", "/v1/proof/checkpoint", "/healthz", "/readyz"],
  ...["/", "/status", "/v1/key", "/v1/wallet"],
]

/** Live, no venue answers here. */
const asksVenues = new Set(["markets_edge", "markets_history"])

const routes = (isLive: boolean): ReadonlyArray<Route> => [
  ...catalogue.entries.flatMap(({ endpoint }): ReadonlyArray<Route> => {
    const params = large[endpoint.id] ?? (endpoint.example as Readonly<Record<string, unknown>>)
    const isFree = !isLive || endpoint.priceMicros === 0
    if (endpoint.method === "POST") {
      const asked = { method: "POST", path: endpoint.path, body: JSON.stringify(params) }
      return [{ name: endpoint.id, asked, isFree, mayFail: isLive }]
    }
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const path = `${endpoint.path}?${query}`
    const mayFail = isLive && asksVenues.has(endpoint.id)
    const asCsv = { name: `${endpoint.id} as CSV`, asked: { path, headers: { accept: "text/csv" } }, isFree, mayFail }
    return [
      { name: endpoint.id, asked: { path }, isFree, mayFail },
      ...(endpoint.rows === undefined ? [] : [asCsv]),
      ...(isFree ? [] : [{ name: `HEAD of ${endpoint.id}`, asked: { method: "HEAD", path }, isFree: true, mayFail }]),
    ]
  }),
  { name: "plan of 100", asked: plan("weather_settlement", { station: "KNYC" }), isFree: true },
  ...documents.map((path) => ({ name: path, asked: { path }, isFree: true })),
  { name: "MCP tools/list", asked: mcpList, isFree: true },
  ...wasteful.map(([name, asked]) => ({ name, asked, isFree: true, mayFail: true })),
]

/** Main-thread CPU of a plain paid call, milliseconds: the best of some hundreds. */
const plainCall = async (server: Watched & { readonly url: string }, agent: Agent, key: string): Promise<number> => {
  const found: Array<number> = []
  for (let turn = 0; turn < 8; turn++) {
    await server.reset()
    for (let n = 0; n < 100; n++) await ask(server.url, agent, { path: "/v1/weather/settlement?station=KNYC", key })
    found.push((await server.read()).cpuMs / 100)
  }
  return Math.min(...found)
}

/** Answers that are measured against a bare server's: their bytes alone cost more than some calls. */
const manyBytes = 10_000_000

/**
 * Calls each route several times and measures the longest task of the server's thread, and of free requests all CPU. The best
 * of the later runs counts, since garbage collection is not the route's work.
 */
export const pieces = async (
  server: Watched & { readonly url: string },
  keys: Pick<Keys, "payer" | "tests">,
  times: number,
): Promise<ReadonlyArray<Piece>> => {
  const agent = new Agent({ keepAlive: true })
  const found: Array<Piece> = []
  const plain = await plainCall(server, agent, keys.payer)
  const other = await bare()
  const bareCpu = async (bytes: number): Promise<number> => {
    const cpu: Array<number> = []
    for (let n = 0; n <= times; n++) {
      await other.reset()
      await ask(other.url, agent, { path: `/${bytes}` })
      await new Promise((resolve) => setTimeout(resolve, 5))
      cpu.push((await other.read()).cpuMs)
    }
    return Math.min(...cpu.slice(1))
  }
  let routeNumber = 0
  for (const whose of ["test", "live"] as const) {
    for (const { name, asked, isFree, mayFail = false } of routes(whose === "live")) {
      routeNumber++
      const key = whose === "live" ? keys.payer : keys.tests[routeNumber]!
      const [longest, cpu]: [Array<number>, Array<number>] = [[], []]
      let [status, bytes] = [0, 0]
      for (let n = 0; n <= times; n++) {
        await server.reset()
        // Some routes admit few calls per minute and address.
        const from = `127.0.${1 + n}.${routeNumber}`
        ;({ status, bytes } = await ask(server.url, agent, { ...asked, key, from }))
        await new Promise((resolve) => setTimeout(resolve, 5))
        const { longestMs, cpuMs } = await server.read()
        longest.push(longestMs)
        cpu.push(cpuMs)
      }
      const [first = 0, ...later] = longest
      found.push({
        name: `${name} (${whose} key)`,
        ...{ first, later: Math.min(...later) },
        ...(isFree ? { plainCalls: Math.min(...cpu.slice(1)) / plain } : {}),
        ...(isFree && bytes > manyBytes ? { barePlainCalls: (await bareCpu(bytes)) / plain } : {}),
        said: `${status}, ${bytes} bytes`,
        isRefused: status !== 200 && !(mayFail && [400, 404, 503].includes(status)),
      })
    }
  }
  agent.destroy()
  await other.stop()
  return found
}
