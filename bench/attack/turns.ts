// The longest task on the server's thread, by route and by job, and the CPU of each request that costs nothing, in plain paid calls, at
// the specification's sizes. A download of many megabytes may cost 1.5 times what a bare server takes to write as many bytes.
// `--only words` chooses rows.
import { Agent } from "node:http"
import { fileURLToPath } from "node:url"
import { exampleTarget } from "../../adapters/describe/operation.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { addDays, day, dayOf } from "../../core/time.ts"
import { type Bars, define, runCase } from "../load/driver.ts"
import { pause } from "../load/measure.ts"
import { type Running, read, reset, started, stopped } from "../load/servers.ts"
import { type Asked, ask } from "./client.ts"
import { besieged, sizes } from "./world.ts"

type Serving = Running & { readonly url: string }

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
  /** Each turn may ask another question, so that no cache answers. */
  readonly asked: Asked | ((turn: number) => Asked)
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
        opinions: many(100, (at) => `KXNOTHING-${at}`).map((market) => ({ market, prob: 0.5 })),
      }),
    },
  ],
]

const today = daysAgo(0)
const rich = "verbose=true&include=_alternatives,_counterfactual,_suggestions,_market_anchored"
const turned: ReadonlyArray<readonly [name: string, path: (turn: number) => string]> = [
  [
    "signals of other days",
    (turn) => `/v1/weather/signal?station=KNYC&target=${addDays(today, 1 + (turn % 6))}&${rich}`,
  ],
  [
    "signals of 50 strikes",
    (turn) =>
      `/v1/crypto/signal?asset=BTC&horizon_minutes=${5 + (turn % 1_400)}&${rich}&strikes=${many(50, (at) => `${50_000 + at * 1_000 + turn}`).join()}`,
  ],
  [
    "forecasts by the hour",
    (turn) => `/v1/weather/forecast?lat=${30 + (turn % 100) / 10}&lon=-100&hours=168&hourly=true&verbose=true`,
  ],
  ["seasons", (turn) => `/v1/nfl/games?season=${1999 + (turn % 27)}&verbose=true`],
  ["slates", (turn) => `/v1/mlb/games?date=${addDays("2025-05-01", turn)}&verbose=true`],
  ["fair lines", (turn) => `/v1/nfl/fair-line?team=${["KC", "BUF", "DAL", "GB", "SF"][turn % 5]}&${rich}`],
]

const documents = [
  ...["/scoreboard", "/scoreboard/settled.csv", "/scoreboard/settled.json", "/scoreboard/settled.ndjson", "/record"],
  ...["/openapi.json", "/docs", "/llms.txt", "/v1/proof/leaves", "/v1/proof/checkpoint", "/healthz", "/readyz"],
  ...["/", "/status", "/v1/key", "/v1/wallet", "/scoreboard/markets", "/forecasts"],
  ...["/weather/KNYC", "/crypto/BTC", "/dashboard/enter"],
]

/** Live, no venue answers here, and no station's readings. */
const asksOthers = new Set(["markets_edge", "markets_history", "weather_signal"])

const routes = (isLive: boolean): ReadonlyArray<Route> => [
  ...catalogue.entries.flatMap(({ endpoint }): ReadonlyArray<Route> => {
    const params = large[endpoint.id] ?? (endpoint.example as Readonly<Record<string, unknown>>)
    const isFree = !isLive || endpoint.priceMicros === 0
    if (endpoint.method === "POST") {
      const asked = { method: "POST", path: endpoint.path, body: JSON.stringify(params) }
      return [{ name: endpoint.id, asked, isFree, mayFail: isLive }]
    }
    const path = exampleTarget({ ...endpoint, example: params })
    const mayFail = isLive && asksOthers.has(endpoint.id)
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
  // Test keys ask generated data for nothing.
  ...(isLive
    ? []
    : turned.map(([name, path]) => ({ name, asked: (turn: number) => ({ path: path(turn) }), isFree: true }))),
]

/** Main-thread CPU of a request, milliseconds: of the best of some rounds, since collections of garbage are not its work. */
const cheapest = async (
  server: Serving,
  rounds: number,
  perRound: number,
  work: () => Promise<unknown>,
): Promise<number> => {
  const all: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    await reset(server)
    for (let n = 0; n < perRound; n++) await work()
    await pause(5)
    all.push((await read(server)).cpuMs / perRound)
  }
  return Math.min(...all.slice(1))
}

/** Answers that are measured against a bare server's: their bytes alone cost more than some calls. */
const manyBytes = 10_000_000

/** A server that answers with so many bytes as its path names, and does nothing else. */
const bare = async (): Promise<Serving> => {
  const program = fileURLToPath(new URL("bare.mjs", import.meta.url))
  const { child, value } = await started([program], {}, (output) => /on (http:\S+)/.exec(output)?.[1], {
    isWatched: true,
  })
  return { child, url: value }
}

export const load = define(
  { times: [6, 1], ...sizes, only: "" },
  async ({ options: { times, only, ...counts }, folder, row }) => {
    const { server, keys, environment } = await besieged(folder, counts)
    const agent = new Agent({ keepAlive: true })
    const paid: Asked = { path: "/v1/weather/settlement?station=KNYC", key: keys.payer }
    const plain = await cheapest(server, 8, 100, () => ask(server.url, agent, paid))
    row("a plain paid call", { "CPU ms": plain })
    const other = await bare()
    let number = 0
    for (const whose of ["test", "live"] as const) {
      for (const { name, asked, isFree, mayFail = false } of routes(whose === "live")) {
        number++
        if (!name.includes(only)) continue
        const key = whose === "live" ? keys.payer : keys.tests[number % keys.tests.length]!
        const [longest, cpu]: [Array<number>, Array<number>] = [[], []]
        let [status, bytes] = [0, 0]
        for (let n = 0; n <= times; n++) {
          await reset(server)
          // Some routes admit few calls per minute and address.
          const from = `127.${number >> 8}.${1 + n}.${1 + (number % 250)}`
          ;({ status, bytes } = await ask(server.url, agent, {
            ...(typeof asked === "function" ? asked(n) : asked),
            key,
            from,
          }))
          await pause(5)
          const { longestMs, cpuMs } = await read(server)
          longest.push(longestMs)
          cpu.push(cpuMs)
        }
        const bareCpu =
          isFree && bytes > manyBytes
            ? await cheapest(other, times, 1, () => ask(other.url, agent, { path: `/${bytes}` }))
            : 0
        const [first = 0, ...later] = longest
        const isAnswered = status === 200 || (mayFail && [400, 404, 503].includes(status))
        const bars: Bars = {
          later: { most: 20 },
          answered: { least: 1, isExact: true },
          ...(isFree ? { "plain calls": { most: Math.max(40, (1.5 * bareCpu) / plain) } } : {}),
        }
        const calls = isFree ? { "plain calls": Math.min(...cpu.slice(1)) / plain } : {}
        const figures = { "first ms": first, later: Math.min(...later), status, bytes, answered: Number(isAnswered) }
        row(`${name} (${whose} key)`, { ...figures, ...calls }, bars)
      }
    }
    agent.destroy()
    await stopped(server)
    if (only !== "" && !"job".includes(only)) return
    const program = fileURLToPath(new URL("jobs.ts", import.meta.url))
    const { output } = await started(
      ["--import", "tsx", program],
      { ...environment, DATA_FRESHNESS_FOOTBALL: "live" },
      (output) => (output.includes("END") ? "" : undefined),
      { isWatched: true },
    )
    for (const line of output.split("\n").filter((each) => each.startsWith("{"))) {
      const { name, longestMs, outcome } = JSON.parse(line) as Record<"name" | "outcome", string> & {
        longestMs: number
      }
      row(`${name}: ${outcome}`.slice(0, 90), { later: longestMs }, { later: { most: 20 } })
    }
  },
)

if (process.argv[1] === fileURLToPath(import.meta.url)) await runCase(load, process.argv.slice(2))
