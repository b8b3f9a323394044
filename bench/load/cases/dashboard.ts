// The pages of the dashboard and the public ones over a million rows of the audit trail, on disk: the time to the first byte, CPU and
// the longest turn of the server's event loop. Then those of an account with many keys. `--endpoints N`: that each of 20 keys calls.
import { Agent } from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { zero } from "../../../core/account/Money.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { day, hour } from "../../../core/time.ts"
import { define } from "../driver.ts"
import { changed, each, manyAccounts } from "../fills.ts"
import { answered, idle, spread } from "../measure.ts"
import { funded, inStore, read, reset, serve, signedIn, sqliteAt, stopped } from "../servers.ts"

const ids = catalogue.entries.map(({ endpoint }) => endpoint.id)

/** 20 keys, half of them of 5 agents; each has called some endpoints with three results. The id of their account. */
const callers = (now: number, endpoints: number) =>
  Effect.gen(function* () {
    const { id: accountId } = yield* funded("tester", 1_000_000)
    const [accounts, agents, ledger] = [yield* Accounts, yield* Agents, yield* Ledger]
    let calls = 0
    for (let n = 0; n < 20; n++) {
      const agent = n % 4 === 0 ? (yield* agents.create(accountId, `bot ${n}`, {})).id : undefined
      const { key } = yield* accounts.issueKey({
        account: accountId,
        environment: "live",
        tier: "pro",
        name: `key ${n}`,
        ...(agent === undefined ? {} : { agent }),
      })
      const who = { accountId, keyId: key.id }
      // Other ones for each key.
      for (const endpoint of [...ids, ...ids].slice(n % ids.length).slice(0, endpoints)) {
        for (const status of [200, 200, 404, 500]) {
          const [at, requestId] = [now - calls, `req_fill_${calls++}`]
          const result = { endpoint, paramsHash: "", status, charged: zero, latencyMs: 1 }
          yield* ledger.charge({
            caller: {
              ...{ ...who, livemode: true, perMinute: 6_000 },
              ...(agent === undefined ? {} : { agent: { id: agent, paused: false } }),
            },
            ...{ listMicros: zero, chargedMicros: zero },
            audit: { ...who, ...(agent === undefined ? {} : { agentId: agent }), at, requestId, ...result },
          })
        }
      }
    }
    return accountId
  })

/** Rows like those of the callers, over 30 days; accounts and ended deliveries, as an installation has them after a year. */
const fill = (file: string, account: string, now: number, rows: number): void =>
  changed(file, (db) => {
    db.exec(`CREATE TEMP TABLE kinds AS SELECT row_number() OVER (ORDER BY random()) - 1 AS n, account, caller, agent, ended
      FROM audit_rows`)
    const kinds = db.prepare("SELECT count(*) FROM kinds").pluck().get() as number
    const [page, step] = [50_000, (30 * day) / rows]
    for (let from = 0; from < rows; from += page) {
      db.exec(`
        INSERT INTO audit_rows (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms)
        ${each(Math.min(rows, from + page), from)}
        SELECT ${now - 30 * day} + CAST(i * ${step} AS INTEGER), 'req_' || printf('%026d', i), k.account, k.caller, k.agent, k.ended,
          x'00', 1000 + i % 5000, i % 90
        FROM each JOIN kinds k ON k.n = (i * 7919) % ${kinds}`)
    }
    // Rows of the past are folded; their charges are in no wallet here.
    db.exec(`
      INSERT OR IGNORE INTO audit_index SELECT account, at, seq FROM audit_rows ORDER BY 1, 2, 3;
      UPDATE places SET seq = (SELECT max(seq) FROM audit_rows) WHERE name = 'folded';
      ${manyAccounts(10_000, 0, now)}
      INSERT INTO webhooks (id, account_id, url, status, secret, created_at)
        VALUES ('whk_crowd', '${account}', 'https://one.example/', 'paused', 'sealed', ${now});
      INSERT INTO webhook_deliveries (webhook_id, event_id, type, cause, created_at, due_at, ended_at, outcome, reason)
        ${each(300_000)}
        SELECT 'whk_crowd', 'e' || i, 'agent.budget_warning', 'event', ${now}, ${now}, ${now} - i,
          CASE i % 100 WHEN 0 THEN 'dead' ELSE 'delivered' END, CASE i % 100 WHEN 0 THEN 'exhausted' END FROM each`)
  })

/** Keys of one account, each with a call of today and of other days. */
const addKeys = (file: string, account: string, now: number, count: number): void =>
  changed(file, (db) =>
    db.exec(`
      INSERT INTO api_keys (id, account_id, hash, last_four, name, environment, tier, per_minute, created_at)
        ${each(count)}
        SELECT 'key_' || printf('%026d', i), '${account}', 'hash ' || i, 'aaaa', 'key ' || i, 'live', 'pro', 60, ${now} FROM each;
      INSERT INTO usage_sums (account_id, span, kind, start, name, livemode, calls, charged_micros)
        WITH RECURSIVE days(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 29)
        SELECT '${account}', ${hour}, 'key', ${now - (now % day)} - n * ${day}, k.id, 1, 1, 1000 FROM days CROSS JOIN api_keys k
        WHERE k.hash LIKE 'hash %'`),
  )

const memberPages = ["", "/wallet", "/calls", "/usage", "/usage?by=hour"]
const filteredPages = ["/calls?status=failed", "/calls?endpoint=sec_filing&status=3xx", "/usage?group=key"]
const operatorPages = ["", "?q=nobody", "/service", "/deliveries", "/store", "/changes"]

export const load = define(
  { rows: [1_000_000, 10_000], endpoints: 4, keys: [10_000, 200], visits: [100, 5] },
  async ({ options: { rows, endpoints, keys, visits }, folder, row }) => {
    const file = join(folder, "store.db")
    const [database, now] = [sqliteAt(file), Date.now()]
    const account = await inStore(database, callers(now, endpoints))
    fill(file, account, now, rows)
    let addresses = 1
    const measured = async (
      name: string,
      pages: ReadonlyArray<readonly [path: string, visits: number, who?: string]>,
    ) => {
      const server = await serve(database, { isWatched: true })
      await idle(server)
      const cookies: Readonly<Record<string, string>> = {
        member: await signedIn(database, server.url, { account }),
        operator: await signedIn(database, server.url, { operator: true, name: "op" }),
      }
      for (const [path, count, who = "member"] of pages) {
        // From an address of its own, since requests of an address are limited.
        const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.0.${++addresses}` })
        const visit = () => answered(server.url + path, { cookie: cookies[who]! }, agent)
        for (let n = 0; n < count / 5; n++) await visit()
        const [first, turns]: [Array<number>, Array<number>] = [[], []]
        let [cpu, size] = [0, 0]
        for (let n = 0; n < count; n++) {
          await reset(server)
          const { firstMs, bytes } = await visit()
          const { longestMs, cpuMs } = await read(server)
          first.push(firstMs)
          turns.push(longestMs)
          cpu += cpuMs / count
          size = Math.max(size, bytes)
        }
        agent.destroy()
        const { p50, p95 } = spread(first)
        const figures = {
          "p50 ms": p50,
          "p95 ms": p95,
          "CPU ms": cpu,
          "turn p95": spread(turns).p95,
          kB: size / 1e3,
        }
        row(`${name}${path}`, figures, path === "/" ? { "CPU ms": { most: 5 } } : {})
      }
      return { server, cookie: cookies["member"]! }
    }
    const few = Math.ceil(visits / 5)
    const { server, cookie } = await measured("", [
      ...[...memberPages, ...filteredPages].map((path) => [`/dashboard${path}`, visits] as const),
      [`/dashboard/live.json?account=${account}`, visits],
      ...operatorPages.map((path) => [`/dashboard/operator${path}`, visits, "operator"] as const),
      ...["/", "/docs", "/docs/weather", "/record", "/weather/KNYC", "/scoreboard"].map((path) => [path, few] as const),
    ])
    await reset(server)
    const { ms, bytes } = await answered(`${server.url}/dashboard/calls.csv`, { cookie })
    row("export of all calls", { MB: bytes / 1e6, s: ms / 1e3, "turn ms": (await read(server)).longestMs })
    await stopped(server)
    addKeys(file, account, now, keys)
    await measured(`${keys} keys: `, [
      ...[...memberPages, "/keys", "/keys?q=nothing", "/keys?state=ended"].map(
        (path) => [`/dashboard${path}`, visits] as const,
      ),
      ["/dashboard/usage?group=key", few],
    ])
  },
)
