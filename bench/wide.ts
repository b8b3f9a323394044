// A store of many beside an empty one, in one run: 10⁶ accounts with a wallet and a key each, 10⁷ calls (a tenth of them of the
// account that is looked at), 10⁶ leaves of the record, 10⁴ open contracts and 10⁴ webhooks. Prints starts, calls, every page
// of the dashboard, public pages and exports in both; ends with 1 where a call costs over 1.2 times, or a page takes over 2 s.
// `BENCH_SCALE` takes a share of all of it; `BENCH_STORE` names the wide store, which is kept and used again.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Database } from "../adapters/store/engine/sqlite/client.ts"
import { open } from "../adapters/store/engine/sqlite/driver.ts"
import { chargesIn } from "../adapters/store/money/charge.ts"
import * as AuditRows from "../adapters/store/trail/rows.ts"
import { allPages } from "../adapters/web/dashboard/pages/all.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { catalogue } from "../core/lanes/all.ts"
import { day } from "../core/time.ts"
import { signIn } from "../test/adapters/web/dashboard/visitor.ts"
import { type Running, start } from "../test/support/running.ts"
import { recordOf } from "./grown.ts"
import { median } from "./medians.ts"
import { progress } from "./progress.ts"
import { print } from "./turns.ts"

const scale = Number(process.env["BENCH_SCALE"] ?? 1)
const many = (n: number): number => Math.max(100, Math.round(n * scale))
const sizes = {
  accounts: many(1_000_000),
  calls: many(10_000_000),
  leaves: many(1_000_000),
  contracts: many(10_000),
  webhooks: many(10_000),
}
const bars = { call: 1.2, pageMs: 2_000 }

const folder = mkdtempSync(join(tmpdir(), "market-signals-wide-"))
const wideFile = process.env["BENCH_STORE"] ?? join(folder, "wide.db")
/** The account that is looked at: it has a tenth of the calls. */
const shown = "shown"

const each = (count: number): string =>
  `WITH RECURSIVE each(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM each WHERE i + 1 < ${count})`

const accounts = (db: Database, now: number): void => {
  db.exec(`
    INSERT INTO accounts (id, name, created_at)
      ${each(sizes.accounts)} SELECT 'acct_0' || printf('%025d', i), 'account ' || i, ${now} - i FROM each;
    INSERT INTO wallets (account_id, balance_micros) SELECT id, 1000000000000 FROM accounts WHERE id LIKE 'acct_0%' AND name LIKE 'account %';
    INSERT INTO api_keys (id, account_id, hash, last_four, name, environment, tier, per_minute, created_at)
      ${each(sizes.accounts)}
      SELECT 'key_0' || printf('%025d', i), 'acct_0' || printf('%025d', i), printf('%064x', i), 'aaaa', 'key ' || i, 'live', 'pro',
        60, ${now} FROM each;
    INSERT INTO webhooks (id, account_id, url, status, secret, created_at)
      ${each(sizes.webhooks)}
      SELECT 'whk_0' || printf('%025d', i), 'acct_0' || printf('%025d', i), 'https://one.example/' || i, 'paused', 'sealed', ${now}
      FROM each;
    INSERT INTO open_contracts (venue, ticker, domain, lane, subject, contract)
      ${each(sizes.contracts)} SELECT 'kalshi', 'KXWIDE-' || i, 'crypto', 'crypto', 'BTC', '{}' FROM each;`)
}

/** As a server does in the background: wallets and the sums of usage take the calls up. */
const folded = (): void => {
  const db = open(wideFile)
  db.exec("BEGIN")
  chargesIn(db).foldAll()
  db.exec("COMMIT")
  db.close()
}

/** The rows of calls: each tenth of the account that is looked at, the others spread over all. Oldest first, over 20 days of a month. */
const calls = (db: Database, now: number): void => {
  const own = db.prepare("SELECT id FROM accounts WHERE name = ?").pluck().get(shown) as string
  const key = db.prepare("SELECT id FROM api_keys WHERE account_id = ? LIMIT 1").pluck().get(own) as string
  const { write } = AuditRows.make(db)
  const ends = catalogue.entries
    .slice(0, 10)
    .flatMap(({ endpoint: { id } }) => [200, 200, 200, 404].map((status) => [id, status] as const))
  for (const [n, [endpoint, status]] of ends.entries()) {
    const line = { endpoint, status, charged: MicroUsd(0), latencyMs: 1, paramsHash: "" }
    write({ ...line, at: now, requestId: `req_first_${n}`, accountId: own, keyId: key })
  }
  db.exec(`
    INSERT OR IGNORE INTO audit_accounts (account_id) SELECT id FROM accounts;
    INSERT OR IGNORE INTO audit_callers (key_id, account_id) SELECT id, account_id FROM api_keys WHERE id LIKE 'key_0%';
    CREATE TEMP TABLE callers AS SELECT row_number() OVER (ORDER BY c.id) - 1 AS n, c.id AS caller, a.id AS account
      FROM audit_callers c JOIN audit_accounts a ON a.account_id = c.account_id;
    CREATE UNIQUE INDEX temp.callers_n ON callers (n);
    CREATE TEMP TABLE ends AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM audit_ends;`)
  const count = (name: string) => db.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number
  const [callers, kinds] = [count("callers"), count("ends")]
  const ownCaller = db
    .prepare("SELECT n FROM callers WHERE account = (SELECT id FROM audit_accounts WHERE account_id = ?) LIMIT 1")
    .pluck()
    .get(own) as number
  const [from, step, part] = [now - 20 * day, (20 * day) / sizes.calls, 250_000]
  for (let at = 0; at < sizes.calls; at += part) {
    progress("calls", at, sizes.calls)
    db.exec(`
      INSERT INTO audit_rows (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms)
      WITH RECURSIVE each(i) AS (SELECT ${at} UNION ALL SELECT i + 1 FROM each WHERE i + 1 < ${Math.min(sizes.calls, at + part)})
      SELECT ${from} + CAST(i * ${step} AS INTEGER), 'req_' || printf('%026d', i), k.account, k.caller, NULL,
        (SELECT id FROM ends WHERE n = (i * 7919) % ${kinds}), x'00', 1000 + i % 5000, i % 90
      FROM each JOIN callers k ON k.n = CASE i % 10 WHEN 0 THEN ${ownCaller} ELSE (i * 104729) % ${callers} END`)
    db.exec("COMMIT")
    folded()
    db.exec("BEGIN")
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const fill = async (): Promise<void> => {
  const first = await start({ sqliteFile: wideFile }, { name: shown, balance: 1_000_000_000_000 })
  await first.stop()
  const db = open(wideFile)
  const now = Date.now()
  const parts = { accounts, calls, record: (each: Database) => recordOf(each, sizes.leaves) }
  for (const [name, part] of Object.entries(parts)) {
    const began = performance.now()
    db.exec("BEGIN")
    part(db, now)
    db.exec("COMMIT")
    print(`filled: ${name} in ${((performance.now() - began) / 1e3).toFixed(0)} s`)
  }
  db.exec("ANALYZE")
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

/** The two stores, each with a server of its own in this process. */
const names = ["empty", "wide"] as const
type Name = (typeof names)[number]
const both = async <A>(work: (name: Name) => Promise<A>): Promise<Readonly<Record<Name, A>>> => ({
  empty: await work("empty"),
  wide: await work("wide"),
})

let isOver = false
const row = (name: string, { empty, wide }: Readonly<Record<Name, number>>, unit: string, over: boolean): void => {
  isOver ||= over
  print(
    `${name.padEnd(44)} ${empty.toFixed(2).padStart(9)} ${wide.toFixed(2).padStart(9)} ${unit}  ×${(wide / empty).toFixed(2)}${over ? "  OVER" : ""}`,
  )
}

if (!existsSync(wideFile)) await fill()
const files = { empty: join(folder, "empty.db"), wide: wideFile }

// The first start of a process compiles its code: both files are opened once before they are measured.
const starts: Record<Name, Array<number>> = { empty: [], wide: [] }
for (let round = 0; round < 4; round++) {
  await both(async (name) => {
    let running: Running | undefined
    const ms = await timed(async () => {
      running = await start({ sqliteFile: files[name] }, { name: `${name} ${process.pid} ${round}` })
    })
    if (round > 0) starts[name].push(ms)
    await running!.stop()
  })
}
print(`\n${"".padEnd(44)} ${"empty".padStart(9)} ${"wide".padStart(9)}`)
row("start, in a warm process", { empty: median(starts.empty), wide: median(starts.wide) }, "ms", false)

const servers = await both((name) =>
  start({ sqliteFile: files[name] }, { name: `measured ${name} ${process.pid}`, balance: 1_000_000_000 }),
)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
/** Bytes of a good answer. */
const got = (name: Name, path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    get(servers[name].url + path, { agent, headers }, (response) => {
      let bytes = 0
      response.on("data", (piece: Buffer) => {
        bytes += piece.length
      })
      response.once("end", () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path} answered ${response.statusCode}.`)),
      )
    }).once("error", reject)
  })
const called = (name: Name, n: number): Promise<number> =>
  got(name, `/v1/crypto/signal?asset=BTC&horizon_minutes=${5 + (n % 1_000)}`, {
    authorization: `Bearer ${servers[name].account.live.token}`,
  })
row("first call", await both((name) => timed(() => called(name, 0))), "ms", false)
const callUs: Record<Name, Array<number>> = { empty: [], wide: [] }
for (let round = 0; round < 12; round++) {
  await both(async (name) => {
    const cpu = process.cpuUsage()
    for (let n = 0; n < 250; n++) await called(name, round * 250 + n)
    const { user, system } = process.cpuUsage(cpu)
    if (round > 1) callUs[name].push((user + system) / 250)
  })
}
const perCall = { empty: median(callUs.empty), wide: median(callUs.wide) }
row("a paid call with its client, CPU", perCall, "µs", perCall.wide / perCall.empty > bars.call)

const cookies = await both(async (name) => ({
  member: (await signIn(servers[name], { account: name === "wide" ? shown : `measured ${name} ${process.pid}` }))
    .cookie,
  operator: (await signIn(servers[name], { operator: true, name: "op" })).cookie,
}))
const pages = [
  ...allPages(catalogue).map(({ path }) => path),
  ...["/dashboard/calls?status=failed", "/dashboard/usage?group=key", "/dashboard/operator?q=account%20777"],
  ...["/", "/docs", "/record", "/scoreboard", "/status"],
].filter((path) => !path.includes(":"))
for (const path of new Set(pages)) {
  const whose = path.startsWith("/dashboard/operator") ? "operator" : "member"
  const visits: Record<Name, Array<number>> = { empty: [], wide: [] }
  for (let visit = 0; visit < 7; visit++) {
    await both(async (name) => {
      const ms = await timed(() => got(name, path, { cookie: cookies[name][whose] }))
      if (visit > 1) visits[name].push(ms)
    })
  }
  const most = { empty: Math.max(...visits.empty), wide: Math.max(...visits.wide) }
  row(path, most, "ms, slowest of 5", most.wide > bars.pageMs)
}

const csv = await both(async (name) => {
  let bytes = 0
  const ms = await timed(async () => {
    bytes = await got(name, "/dashboard/calls.csv", { cookie: cookies[name].member })
  })
  return { ms, bytes }
})
print(
  `export of all calls as CSV: ${(csv.wide.bytes / 1e6).toFixed(0)} MB in ${(csv.wide.ms / 1e3).toFixed(1)} s (empty: ${csv.empty.ms.toFixed(0)} ms)`,
)
await both((name) => servers[name].stop())
print(`The wide store has ${JSON.stringify(sizes)}.`)
rmSync(folder, { recursive: true, force: true })
process.exit(isOver ? 1 : 0)
