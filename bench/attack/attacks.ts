import { randomUUID } from "node:crypto"
import { Agent } from "node:http"
import { fileURLToPath } from "node:url"
import { type Arms, ask, flood, sockets } from "./client.ts"

/** An attack of the security review. */
export interface Attack {
  /** Number of the finding. */
  readonly finding: number
  readonly name: string
  /** The customer's calls during it: signals need CPU only, forecasts an upstream. */
  readonly payer?: "forecast"
  /** Whether it requires a key. */
  readonly needsKey?: boolean
  readonly run: (arms: Arms) => Promise<void>
}

const unknown = "z".repeat(200)
const plan = JSON.stringify({
  calls: Array.from({ length: 100 }, () => ({ endpoint: "markets_performance", params: { fields: [unknown] } })),
})
const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

const mcp = (method: string, params: string, id = 1) => ({
  method: "POST",
  path: "/mcp",
  headers: { accept: "application/json, text/event-stream" },
  body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
})

/** A point in the United States that no other call uses. */
const point = (turn: number): string =>
  `lat=${(30 + (turn % 1_500) / 100).toFixed(2)}&lon=${(-90 - Math.floor(turn / 1_500) / 100).toFixed(2)}`

export const attacks: ReadonlyArray<Attack> = [
  {
    finding: 3,
    name: "unknown fields",
    run: (arms) =>
      flood(arms, 6, () =>
        arms.key === undefined
          ? { path: `/v1/markets/performance?fields=${unknown}` }
          : { method: "POST", path: "/v1/plan/estimate", body: plan },
      ),
  },
  {
    finding: 4,
    name: "scoreboard downloads",
    run: (arms) => flood(arms, 10, (turn) => ({ path: `/scoreboard/settled.${["csv", "json", "ndjson"][turn % 3]}` })),
  },
  {
    finding: 5,
    name: "slow bodies",
    run: (arms) =>
      sockets(arms, 200, (socket, at) => {
        const path = at % 2 === 0 ? "/mcp" : "/"
        const key = arms.key === undefined ? "" : `Authorization: Bearer ${arms.key}\r\n`
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\n${key}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
        )
        const drip = setInterval(() => socket.write(" "), 1_000)
        socket.once("close", () => clearInterval(drip))
        socket.resume()
      }),
  },
  {
    finding: 6,
    name: "idempotency keys",
    needsKey: true,
    run: (arms) =>
      flood(arms, 6, () => ({
        path: "/v1/nfl/games?season=2024&verbose=true",
        headers: { "idempotency-key": randomUUID() },
      })),
  },
  {
    finding: 7,
    name: "answers not read",
    run: (arms) =>
      sockets(arms, 50, (socket, at) => {
        const path = at % 2 === 0 ? "/openapi.json" : "/v1/proof/leaves"
        socket.pause()
        for (let n = 0; n < 10; n++) socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
      }),
  },
  {
    finding: 8,
    name: "refused calls",
    run: (arms) => flood(arms, 16, () => ({ path: "/v1/crypto/spot?asset=BTC" })),
  },
  {
    finding: 12,
    name: "/v1/key and plans",
    needsKey: true,
    run: async (arms) => {
      const agent = new Agent({ keepAlive: true })
      for (const key of arms.keys.others) arms.saw((await ask(arms.url, agent, { path: "/v1/key", key })).status)
      agent.destroy()
      await flood(arms, 4, (turn) => ({ path: "/v1/key", key: arms.keys.others[turn % arms.keys.others.length] }))
    },
  },
  {
    finding: 13,
    name: "HEAD of distinct points",
    payer: "forecast",
    needsKey: true,
    run: (arms) =>
      flood(arms, 64, (turn) => ({
        method: "HEAD",
        path: `/v1/weather/forecast?${point(turn)}`,
        key: arms.keys.poor,
      })),
  },
  {
    finding: 14,
    name: "deep JSON",
    run: (arms) =>
      flood(arms, 4, () =>
        arms.key === undefined
          ? mcp("tools/call", `{"name":"markets_settled","arguments":{"domain":${deep(20_000)}}}`)
          : { method: "POST", path: "/v1/plan/estimate", body: `{"calls":${deep(20_000)}}` },
      ),
  },
  {
    finding: 15,
    name: "event streams",
    run: (arms) =>
      sockets(arms, 256, (socket) => {
        const key = arms.key === undefined ? "" : `Authorization: Bearer ${arms.key}\r\n`
        socket.write(`GET /mcp/sse HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n${key}\r\n`)
        socket.once("data", (data) => arms.saw(data.toString("latin1", 9, 12)))
      }),
  },
  {
    finding: 16,
    name: "documents, tools/list",
    run: (arms) =>
      flood(arms, 8, (turn) => (turn % 2 === 0 ? { path: "/openapi.json" } : mcp("tools/list", "{}", turn))),
  },
  {
    finding: 17,
    name: "cursors by HEAD",
    needsKey: true,
    run: async (arms) => {
      const agent = new Agent({ keepAlive: true })
      let cursor = ""
      while (performance.now() < arms.until) {
        const { status, headers } = await ask(arms.url, agent, {
          method: "HEAD",
          path: `/v1/nfl/games?season=2025&limit=1${cursor}`,
          headers: { accept: "text/csv" },
          key: arms.keys.poor,
        })
        const next = headers["x-next-cursor"]
        arms.saw(next === undefined ? status : `${status} with a cursor`)
        cursor = next === undefined ? "" : `&cursor=${String(next)}`
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      agent.destroy()
    },
  },
]

// One attack in a process of its own, so that its cost does not slow the measurement: its name and its resources as JSON.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name, given] = process.argv
  const { seconds, ...arms } = JSON.parse(given!) as Omit<Arms, "until" | "saw"> & { readonly seconds: number }
  const seen = new Map<string, number>()
  await attacks
    .find((one) => one.name === name)!
    .run({
      ...arms,
      until: performance.now() + seconds * 1_000,
      saw: (what) => void seen.set(String(what), (seen.get(String(what)) ?? 0) + 1),
    })
  process.stdout.write([...seen].map(([what, count]) => (count === 1 ? what : `${count} × ${what}`)).join(", "))
  process.exit(0)
}
