// The CPU of the server's thread for the dearest request that costs nothing of each route, in plain paid calls: a server of its
// own on loopback, generated data, each request warmed up. Exits 1 above the bar, or where a request is not answered as it should.
// `npm run build && npx tsx bench/routes.ts [words]`; words choose rows.
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { addDays, dayOf } from "../core/time.ts"
import { type Asked, ask } from "./hostile/client.ts"
import { server as start } from "./hostile/process.ts"

const bar = 40
const warmUps = 12
const [rounds, perRound] = [5, 4]

const today = dayOf(Date.now())
const all = "verbose=true&include=_alternatives,_counterfactual,_suggestions,_market_anchored"
const list = (count: number, of: (at: number) => unknown): string =>
  Array.from({ length: count }, (_, at) => of(at)).join()
const plan = (endpoint: string, params: unknown): Asked => ({
  method: "POST",
  path: "/v1/plan/estimate",
  body: JSON.stringify({ calls: Array.from({ length: 100 }, () => ({ endpoint, params })) }),
})
const fields = (count: number, stem: string) => ({ fields: Array.from({ length: count }, (_, at) => stem + at) })
const days = `start=${addDays(today, -402)}&end=${addDays(today, -3)}`

/** Each turn may ask another question, so that no cache answers. */
type Row = readonly [name: string, asked: (turn: number) => Asked]
const get = (path: string, headers = {}): Row => [path.slice(0, 70), () => ({ path, headers })]
const turned = (name: string, path: (turn: number) => string): Row => [name, (turn) => ({ path: path(turn) })]

const withKey: ReadonlyArray<Row> = [
  ["plan of 100", () => plan("markets_performance", {})],
  ["plan of 100, a long unknown field", () => plan("markets_performance", { fields: ["z".repeat(200)] })],
  [
    "plan of 100, unknown parameters",
    () => plan("markets_performance", Object.fromEntries(fields(20, "staton").fields.map((name) => [name, 1]))),
  ],
  ["plan of 100, bad forecasts", () => plan("weather_forecast", { lat: 99, lon: "x", ...fields(20, "perods.temp") })],
  [
    "plan of 100, bad histories",
    () => plan("weather_settlement_history", { station: "KNYX", start: "x", end: "y", fields: ["days.hihg_f"] }),
  ],
  ["plan of 100, unknown fields of edges", () => plan("markets_edge", fields(20, "edgess.titel"))],
  get(`/v1/weather/settlement/history?station=KNYC&${days}&verbose=true`),
  get(`/v1/weather/settlement/history?station=KNYC&${days}&verbose=true`, { accept: "text/csv" }),
  get(`/v1/markets/edge?${all}`),
  turned(
    "signals of other days",
    (turn) => `/v1/weather/signal?station=KNYC&target=${addDays(today, 1 + (turn % 6))}&${all}`,
  ),
  turned(
    "signals of 50 strikes",
    (turn) =>
      `/v1/crypto/signal?asset=BTC&horizon_minutes=${5 + (turn % 1_400)}&${all}&strikes=${list(50, (at) => 50_000 + at * 1_000 + turn)}`,
  ),
  turned(
    "forecasts by the hour",
    (turn) => `/v1/weather/forecast?lat=${30 + (turn % 100) / 10}&lon=-100&hours=168&hourly=true&verbose=true`,
  ),
  turned("seasons", (turn) => `/v1/nfl/games?season=${1999 + (turn % 27)}&verbose=true`),
  turned("slates", (turn) => `/v1/mlb/games?date=${addDays("2025-05-01", turn)}&verbose=true`),
  turned("fair lines", (turn) => `/v1/nfl/fair-line?team=${["KC", "BUF", "DAL", "GB", "SF"][turn % 5]}&${all}`),
]
const withoutKey: ReadonlyArray<Row> = [
  get("/v1/markets/settled?domain=crypto&limit=500&verbose=true"),
  get("/v1/markets/settled?domain=weather&limit=500", { accept: "text/csv" }),
  get("/v1/markets/performance?verbose=true"),
  ...[
    "/",
    "/docs",
    "/openapi.json",
    "/scoreboard",
    "/scoreboard/learned",
    "/scoreboard/markets",
    "/record",
    "/forecasts",
  ].map((path) => get(path)),
  ...["/weather/KNYC", "/crypto/BTC", "/status", "/dashboard/enter", "/nope", "/v1/proof/leaves?from=0"].map((path) =>
    get(path),
  ),
]

const folder = mkdtempSync(join(tmpdir(), "market-signals-routes-"))
const env = { DATABASE_URL: `sqlite:${join(folder, "store.db")}`, LOG_LEVEL: "error" }
const cli = (line: string) =>
  JSON.parse(
    execFileSync(process.execPath, ["dist/services/cli.js", ...line.split(" "), "--json"], {
      env: { ...process.env, ...env },
      encoding: "utf8",
    }),
  ) as { readonly key: string }
cli("account create --name acme")
cli("wallet credit --account acme --usd 100")
const [live, test] = ["live", "test"].map(
  (kind) => cli(`keys create --account acme --env ${kind} --tier enterprise --rpm 1000000`).key,
)
const server = await start(env)
const agent = new Agent({ keepAlive: true })
const words = process.argv.slice(2)
try {
  // What the start does after it serves.
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  let turn = 0
  /** Milliseconds of CPU: the best round's mean, since collections of garbage and compilations are not the route's. */
  const measured = async ([, asked]: Row, key: string | undefined, [warm, count] = [warmUps, perRound]) => {
    const found: Array<number> = []
    let status = 0
    const once = async () => {
      turn++
      // A page admits few visits of one address.
      const from = `127.${1 + (turn % 200)}.${Math.floor(turn / 200) % 250}.7`
      status = (await ask(server.url, agent, { ...asked(turn), ...(key === undefined ? { from } : { key }) })).status
    }
    for (let n = 0; n < warm; n++) await once()
    for (let round = 0; round < rounds; round++) {
      await server.reset()
      for (let n = 0; n < count; n++) await once()
      found.push((await server.read()).cpuMs / count)
    }
    return { cpu: Math.min(...found), status }
  }
  const plain = await measured(get("/v1/weather/settlement?station=KNYC"), live, [300, 200])
  const headers = { authorization: `Bearer ${test}` }
  const board = await fetch(`${server.url}/v1/markets/edge?min_edge=0`, { headers }).then(
    async (answer) => await answer.json(),
  )
  const { edges } = (board as { readonly results: { readonly edges: ReadonlyArray<{ readonly market: string }> } })
    .results
  // One event of each series.
  const events = new Map(edges.map(({ market }) => [market.split("-")[0], market.slice(0, market.lastIndexOf("-"))]))
  const histories = [...events.values()].map((event) =>
    get(`/v1/markets/history?event=${event}&limit=500&verbose=true`),
  )
  const rows = [
    ...[...withKey, ...histories].map((row) => [row, test] as const),
    ...withoutKey.map((row) => [row, undefined] as const),
  ]
  const table: Array<readonly [name: string, cpu: number, status: number]> = []
  for (const [row, key] of rows) {
    if (words.length > 0 && !words.some((word) => row[0].includes(word))) continue
    const { cpu, status } = await measured(row, key)
    table.push([row[0], cpu, status])
  }
  process.stdout.write(`A plain paid call: ${plain.cpu.toFixed(3)} ms.\n`)
  for (const [name, cpu, status] of table.sort((a, b) => b[1] - a[1])) {
    const ratio = cpu / plain.cpu
    if (ratio > bar || status >= 500) process.exitCode = 1
    process.stdout.write(
      `${ratio > bar ? "MISSED" : "ok    "} ${ratio.toFixed(1).padStart(6)} ${cpu.toFixed(2).padStart(8)} ms ${status} ${name}\n`,
    )
  }
} finally {
  agent.destroy()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
