// The pages of calls and usage over a million rows of the audit trail, on disk: the longest work of the store in one turn
// of the event loop, a reading for open pages, and the time to the first byte of each page. `BENCH_ROWS` changes the number
// of rows, `BENCH_STORE` is the path of a store that is kept, `BENCH_ENDPOINTS` the number of endpoints that each of 20 keys
// calls.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { perform } from "../adapters/admin/AdminOperation.ts"
import { peopleVerbs } from "../adapters/admin/peopleVerbs.ts"
import * as Reading from "../adapters/http/dashboard/live/reading.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { Agents } from "../core/account/Agents.ts"
import { Calls } from "../core/account/Calls.ts"
import { Ledger } from "../core/account/Ledger.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { Usage } from "../core/account/Usage.ts"
import { catalogue } from "../core/lanes/all.ts"
import { day } from "../core/time.ts"
import { start } from "../test/support/running.ts"

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
        yield* ledger.settle({
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
  const [{ month } = { month: "" }] = yield* sql<{ month: string }>`SELECT max(month) AS month FROM audit_months`
  const table = sql.literal(`audit_${month.replace("-", "_")}`)
  const [{ account } = { account: 0 }] = yield* sql<{ account: number }>`
    SELECT id AS account FROM audit_accounts WHERE account_id = ${accountId}`
  yield* sql`CREATE TEMP TABLE kinds AS SELECT row_number() OVER (ORDER BY random()) - 1 AS n, account, caller, agent, ended
    FROM ${table}`
  const [{ kinds } = { kinds: 0 }] = yield* sql<{ kinds: number }>`SELECT count(*) AS kinds FROM kinds`
  // Spread over 30 days, oldest first. The rows of a month are in its table, wherever their calls began.
  const step = (30 * day) / rows
  for (let at = 0; at < rows; at += 50_000) {
    yield* sql`
      INSERT INTO ${table} (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms)
      WITH RECURSIVE each(i) AS (SELECT ${at} UNION ALL SELECT i + 1 FROM each WHERE i + 1 < ${Math.min(rows, at + 50_000)})
      SELECT ${now - 30 * day} + CAST(i * ${step} AS INTEGER), 'req_' || printf('%026d', i), ${account}, k.caller, k.agent,
        k.ended, x'00', 1000 + i % 5000, i % 90
      FROM each JOIN kinds k ON k.n = (i * 7919) % ${kinds}`
  }
})

/** The longest time in which the event loop did not turn. */
const longest = async (work: () => Promise<unknown>): Promise<number> => {
  let [most, last, isOver] = [0, performance.now(), false]
  const tick = () => {
    const at = performance.now()
    most = Math.max(most, at - last)
    last = at
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  await new Promise((done) => setImmediate(done))
  return most
}

const quantile = (values: ReadonlyArray<number>, q: number): string =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * q))]!.toFixed(1)

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const say = (name: string, values: ReadonlyArray<number>): void =>
  print(`${name.padEnd(46)} p50 ${quantile(values, 0.5)} ms, p95 ${quantile(values, 0.95)} ms`)

const times = async (count: number, work: () => Promise<number>): Promise<ReadonlyArray<number>> => {
  const all: Array<number> = []
  for (let n = 0; n < count; n++) all.push(await work())
  return all
}

const filled = performance.now()
await running.run(fill as Effect.Effect<void, never, Accounts>)
print(`${rows} rows in ${((performance.now() - filled) / 1e3).toFixed(0)} s`)

const { fold, sums } = await running.run(Usage)
const folds: Array<number> = []
for (let more = true; more; ) {
  const begun = performance.now()
  more = (await running.run(fold)).more
  folds.push(performance.now() - begun)
}
say("a fold of 1000 rows", folds)

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

const { path } = await running.run(perform(peopleVerbs.dashboardLink, { account: "tester" }))
const entered = await fetch(`${running.url}/dashboard/enter`, {
  method: "POST",
  body: new URLSearchParams({ code: path.split("#")[1]! }),
  headers: { "sec-fetch-site": "same-origin" },
  redirect: "manual",
})
const cookie = entered.headers.get("set-cookie")!.split(";")[0]!
for (const each of [
  "",
  "/wallet",
  "/calls",
  "/calls?status=failed",
  "/calls?endpoint=sec_filing&status=3xx",
  "/usage",
  "/usage?group=key",
  "/usage?by=hour",
]) {
  const bytes: Array<number> = []
  const first = await times(100, async () => {
    const begun = performance.now()
    // The head comes with the first byte: a page is rendered whole.
    const response = await fetch(`${running.url}/dashboard${each}`, { headers: { cookie } })
    const taken = performance.now() - begun
    if (response.status !== 200) throw new Error(`${each}: ${response.status}`)
    bytes.push((await response.text()).length)
    // Within the limit of requests per minute.
    await new Promise((done) => setTimeout(done, 5))
    return taken
  })
  say(`page: /dashboard${each} (${Math.round(Math.max(...bytes) / 1e3)} kB)`, first)
}
const begun = performance.now()
let exported = 0
const blocked = await longest(async () => {
  const response = await fetch(`${running.url}/dashboard/calls.csv`, { headers: { cookie } })
  for await (const piece of response.body!) exported += (piece as Uint8Array).length
})
print(
  `export of all as CSV: ${(exported / 1e6).toFixed(0)} MB in ${((performance.now() - begun) / 1e3).toFixed(1)} s, longest turn ${blocked.toFixed(1)} ms (with the reader in this process)`,
)
await running.stop()
rmSync(folder, { recursive: true, force: true })
