// The pages of the dashboard over a million rows of the audit trail, on disk: the longest work of the store in one turn of
// the event loop, a reading for open pages, and the time to the first byte of each page.
// `BENCH_ROWS` changes the number of rows, `BENCH_STORE` is the path of a store that is kept, `BENCH_ENDPOINTS` the number
// of endpoints that each of 20 keys calls, `BENCH_KEYS` the number of further keys with which the pages are measured again.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Reading from "../adapters/web/dashboard/live/reading.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { Agents } from "../core/account/Agents.ts"
import { Calls } from "../core/account/Calls.ts"
import { Ledger } from "../core/account/Ledger.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { Usage } from "../core/account/Usage.ts"
import { catalogue } from "../core/lanes/all.ts"
import { day, hour } from "../core/time.ts"
import { signIn } from "../test/adapters/web/dashboard/visitor.ts"
import { start } from "../test/support/running.ts"
import { progress } from "./progress.ts"
import { longest, print, quantile, say, times } from "./turns.ts"

const rows = Number(process.env["BENCH_ROWS"] ?? 1_000_000)
/** Endpoints that a key calls: the sums have a row for each, per hour and status. */
const perKey = Number(process.env["BENCH_ENDPOINTS"] ?? 4)
const folder = mkdtempSync(join(tmpdir(), "market-signals-bench-"))
const file = process.env["BENCH_STORE"] ?? join(folder, "store.db")
if (existsSync(file)) throw new Error(`${file} exists.`)

const running = await start({ sqliteFile: file })
const accountId = running.account.id
const now = Date.now()

/** 20 keys, half of them of 5 agents; each has called some endpoints with three results. */
const fill = Effect.gen(function* () {
  const accounts = yield* Accounts
  const agents = yield* Agents
  const ledger = yield* Ledger
  const sql = yield* SqlClient.SqlClient
  const keys: Array<{ readonly keyId: string; readonly agentId?: string }> = []
  for (let n = 0; n < 20; n++) {
    const agent = n % 4 === 0 ? yield* agents.create(accountId, `bot ${n}`, {}) : undefined
    const { key } = yield* accounts.issueKey({
      account: accountId,
      environment: "live",
      tier: "pro",
      name: `key ${n}`,
      ...(agent === undefined ? {} : { agent: agent.id }),
    })
    keys.push({ keyId: key.id, ...(agent === undefined ? {} : { agentId: agent.id }) })
  }
  let n = 0
  const all = catalogue.entries.map(({ endpoint }) => endpoint.id)
  for (const [at, who] of keys.entries()) {
    // Other ones for each key.
    const endpoints = [...all, ...all].slice(at % all.length).slice(0, perKey)
    for (const endpoint of endpoints) {
      for (const status of [200, 200, 404, 500]) {
        const { keyId, agentId } = who
        const agent = agentId === undefined ? {} : { agent: { id: agentId, paused: false } }
        yield* ledger.charge({
          caller: { accountId, keyId, livemode: true, perMinute: 6_000, ...agent },
          list: MicroUsd(0),
          micros: MicroUsd(0),
          audit: {
            at: now - n,
            requestId: `req_fill_${n++}`,
            accountId,
            ...who,
            endpoint,
            paramsHash: "",
            status,
            charged: MicroUsd(0),
            latencyMs: 1,
          },
        })
      }
    }
  }
  const [{ account } = { account: 0 }] = yield* sql<{ account: number }>`
    SELECT id AS account FROM audit_accounts WHERE account_id = ${accountId}`
  yield* sql`CREATE TEMP TABLE kinds AS SELECT row_number() OVER (ORDER BY random()) - 1 AS n, account, caller, agent, ended
    FROM audit_rows`
  const [{ kinds } = { kinds: 0 }] = yield* sql<{ kinds: number }>`SELECT count(*) AS kinds FROM kinds`
  // Spread over 30 days, oldest first.
  const step = (30 * day) / rows
  for (let at = 0; at < rows; at += 50_000) {
    progress("rows of the audit trail", at, rows)
    yield* sql`
      INSERT INTO audit_rows (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms)
      WITH RECURSIVE each(i) AS (SELECT ${at} UNION ALL SELECT i + 1 FROM each WHERE i + 1 < ${Math.min(rows, at + 50_000)})
      SELECT ${now - 30 * day} + CAST(i * ${step} AS INTEGER), 'req_' || printf('%026d', i), ${account}, k.caller, k.agent,
        k.ended, x'00', 1000 + i % 5000, i % 90
      FROM each JOIN kinds k ON k.n = (i * 7919) % ${kinds}`
  }
  // Rows of the past are folded; their charges are in no wallet here.
  yield* sql`INSERT OR IGNORE INTO audit_index SELECT account, at, seq FROM audit_rows ORDER BY 1, 2, 3`
  yield* sql`UPDATE places SET seq = (SELECT max(seq) FROM audit_rows) WHERE name = 'folded'`
})

/** Accounts and ended deliveries, as an installation has them after a year. */
const crowd = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO accounts (id, name, created_at)
    WITH RECURSIVE each(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM each WHERE i < 9999)
    SELECT 'acct_0' || printf('%025d', i), 'account ' || i, ${now} FROM each`
  yield* sql`INSERT INTO wallets (account_id, balance_micros) SELECT id, 0 FROM accounts WHERE id LIKE 'acct_0%' AND id <> ${accountId}`
  yield* sql`
    INSERT INTO webhooks (id, account_id, url, status, secret, created_at)
    VALUES ('whk_crowd', ${accountId}, 'https://one.example/', 'paused', 'sealed', ${now})`
  yield* sql`
    INSERT INTO webhook_deliveries (webhook_id, event_id, type, cause, created_at, due_at, ended_at, outcome, reason)
    WITH RECURSIVE each(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM each WHERE i < 299999)
    SELECT 'whk_crowd', 'e' || i, 'agent.budget_warning', 'event', ${now}, ${now}, ${now} - i,
      CASE i % 100 WHEN 0 THEN 'dead' ELSE 'delivered' END, CASE i % 100 WHEN 0 THEN 'exhausted' END FROM each`
})

const filled = performance.now()
await running.run(fill as Effect.Effect<void, never, Accounts>)
await running.run(crowd.pipe(Effect.orDie))
print(`${rows} rows in ${((performance.now() - filled) / 1e3).toFixed(0)} s`)

const { sums, totals } = await running.run(Usage)

const { page } = await running.run(Calls)
for (const [name, filter] of [
  ["calls, 50 rows", {}],
  ["calls, failed, 50 rows", { status: "failed" }],
  ["calls that are not there, one look", { endpoint: "nothing" }],
] as const) {
  say(`port: ${name}`, await times(50, () => longest(() => running.run(page(accountId, filter, 50)))))
}
say("port: calls, 500 rows", await times(50, () => longest(() => running.run(page(accountId, {}, 500)))))
const today = now - (now % day)
for (const [span, days] of [
  ["day", 30],
  ["hour", 7],
] as const) {
  for (const group of ["status", "endpoint", "key"] as const) {
    const query = { from: today - (days - 1) * day, to: today + day, span, group }
    const all = await times(20, () => longest(() => running.run(sums(accountId, query))))
    say(`port: usage, ${days} days by ${span} and ${group}`, all)
    const both = await times(20, () => longest(() => running.run(totals(accountId, query, { skip: 0, limit: 50 }))))
    say(`port: totals, ${days} days by ${span} and by ${group}`, both)
  }
}

const read = (await running.run(Reading.make))(accountId)
/** The time of a reading for open pages. */
const readings = async (): Promise<number> => {
  const begun = performance.now()
  await running.run(read)
  return performance.now() - begun
}
say("live: the first reading of a minute", [await readings()])
say("live: a reading", await times(200, readings))
say("live: a reading, its longest turn", await times(50, () => longest(() => running.run(read))))

const { cookie } = await signIn(running, { account: "tester" })
const { cookie: operator } = await signIn(running, { operator: true, name: "op" })

/** A page, from an address of its own, since requests of an address are limited. Its head comes with the first byte. */
const asked = (path: string, agent: Agent, cookie: string) =>
  new Promise<{ readonly ms: number; readonly bytes: number }>((resolve, reject) => {
    const begun = performance.now()
    get(`${running.url}${path}`, { agent, headers: { cookie } }, (response) => {
      const ms = performance.now() - begun
      let bytes = 0
      response.on("data", (piece: Buffer) => {
        bytes += piece.length
      })
      response.once("end", () =>
        response.statusCode === 200 ? resolve({ ms, bytes }) : reject(new Error(`${path}: ${response.statusCode}`)),
      )
    }).once("error", reject)
  })

let addresses = 1
const firstBytes = async (paths: ReadonlyArray<string>, visits = 100, whose = cookie): Promise<void> => {
  for (const path of paths) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.0.${++addresses}` })
    for (let n = 0; n < visits / 5; n++) await asked(path, agent, whose)
    const cpu = process.cpuUsage()
    const all: Array<{ readonly ms: number; readonly bytes: number }> = []
    const turns = await times(visits, () =>
      longest(async () => {
        all.push(await asked(path, agent, whose))
      }),
    )
    agent.destroy()
    const { user, system } = process.cpuUsage(cpu)
    const size = Math.round(Math.max(...all.map(({ bytes }) => bytes)) / 1e3)
    say(
      `${path} (${size} kB)`,
      all.map(({ ms }) => ms),
      `, CPU ${((user + system) / 1e3 / all.length).toFixed(1)} ms, turn p95 ${quantile(turns, 0.95)} ms`,
    )
  }
}
print("pages: first byte, CPU with the client in this process, and the longest turn of the event loop")
await firstBytes([
  "/dashboard",
  "/dashboard/wallet",
  "/dashboard/calls",
  "/dashboard/calls?status=failed",
  "/dashboard/calls?endpoint=sec_filing&status=3xx",
  "/dashboard/usage",
  "/dashboard/usage?group=key",
  "/dashboard/usage?by=hour",
])

const begun = performance.now()
let exported = 0
const blocked = await longest(async () => {
  const response = await fetch(`${running.url}/dashboard/calls.csv`, { headers: { cookie } })
  for await (const piece of response.body!) exported += (piece as Uint8Array).length
})
print(
  `export of all as CSV: ${(exported / 1e6).toFixed(0)} MB in ${((performance.now() - begun) / 1e3).toFixed(1)} s, longest turn ${blocked.toFixed(1)} ms (with the reader in this process)`,
)

/** Keys of one account, each with a call of today and of other days. */
const many = Number(process.env["BENCH_KEYS"] ?? 10_000)
await running.run(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO api_keys (id, account_id, hash, last_four, name, environment, tier, per_minute, created_at)
      WITH RECURSIVE each(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM each WHERE i < ${many})
      SELECT 'key_' || printf('%026d', i), ${accountId}, 'hash ' || i, 'aaaa', 'key ' || i, 'live', 'pro', 60, ${now} FROM each`
    yield* sql`
      INSERT INTO usage_sums (account_id, span, kind, start, name, livemode, calls, charged_micros)
      WITH RECURSIVE days(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 29)
      SELECT ${accountId}, ${hour}, 'key', ${today} - n * ${day}, k.id, 1, 1, 1000 FROM days CROSS JOIN api_keys k
      WHERE k.hash LIKE 'hash %'`
  }) as Effect.Effect<void, never, SqlClient.SqlClient>,
)
print(`with ${many} keys more`)
await firstBytes([
  "/dashboard",
  "/dashboard/wallet",
  "/dashboard/keys",
  "/dashboard/calls",
  "/dashboard/usage",
  "/dashboard/usage?by=hour",
])
await firstBytes(["/dashboard/keys?q=nothing", "/dashboard/keys?state=ended"])
await firstBytes(["/dashboard/usage?group=key"], 20)
print("public pages, which all readers share (bar: 5 ms of CPU for the landing page)")
await firstBytes(["/", "/docs", "/docs/weather", "/record", "/weather/KNYC"], 20)
await firstBytes(["/scoreboard"], 5)
print("an operator's pages")
const operators = ["", "?q=nobody", "/service", "/deliveries", "/store", "/changes"]
await firstBytes(
  operators.map((path) => `/dashboard/operator${path}`),
  100,
  operator,
)
await running.stop()
rmSync(folder, { recursive: true, force: true })
