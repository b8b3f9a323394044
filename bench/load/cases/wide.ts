// A store of many beside an empty one: 10⁶ accounts with a wallet and a key each, 10⁷ calls (a tenth of them of the account that is
// looked at), 10⁶ leaves of the record, 10⁴ open contracts and 10⁴ webhooks. `--scale` takes a share of all of it; `--store FILE` keeps
// the wide store, and measures it again where it exists.
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import type { Database } from "../../../adapters/store/engine/sqlite/client.ts"
import { sqliteQueries, valueOrThrow } from "../../../adapters/store/engine/Transactions.ts"
import { getCharges } from "../../../adapters/store/money/charge.ts"
import { makeSteps, toWritable } from "../../../adapters/store/record/RecordLog.ts"
import * as AuditRows from "../../../adapters/store/trail/rows.ts"
import { allPages } from "../../../adapters/web/dashboard/pages/all.ts"
import { zero } from "../../../core/account/Money.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { day } from "../../../core/time.ts"
import { define } from "../driver.ts"
import { capture, changed, each, manyAccounts } from "../fills.ts"
import { alternate, answered, drive, idle, median, times } from "../measure.ts"
import * as Questions from "../questions.ts"
import { funded, inStore, serve, signedIn, sqliteAt, stopped } from "../servers.ts"

/** The account that is looked at. */
const shown = "shown"

interface Sizes {
  readonly accounts: number
  readonly calls: number
  readonly leaves: number
  readonly contracts: number
  readonly webhooks: number
}

const accounts = (db: Database, now: number, sizes: Sizes): void =>
  void db.exec(`
    ${manyAccounts(sizes.accounts, 1_000_000_000_000, now)}
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

/** The rows of calls, oldest first, over 20 days: each tenth of the account that is looked at, the others spread over all. */
const calls = (db: Database, now: number, sizes: Sizes, file: string): void => {
  const account = db.prepare("SELECT id FROM accounts WHERE name = ?").pluck().get(shown) as string
  const key = db.prepare("SELECT id FROM api_keys WHERE account_id = ? LIMIT 1").pluck().get(account) as string
  const { write } = AuditRows.make(db)
  const ends = catalogue.entries
    .slice(0, 10)
    .flatMap(({ endpoint: { id } }) => [200, 200, 200, 404].map((status) => [id, status] as const))
  for (const [n, [endpoint, status]] of ends.entries()) {
    const line = { endpoint, status, charged: zero, latencyMs: 1, paramsHash: "" }
    write({ ...line, at: now, requestId: `req_first_${n}`, accountId: account, keyId: key })
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
    .get(account) as number
  const [from, step, part] = [now - 20 * day, (20 * day) / sizes.calls, 250_000]
  for (let at = 0; at < sizes.calls; at += part) {
    db.exec(`
      INSERT INTO audit_rows (at, request_id, account, caller, agent, ended, params_hash, charged_micros, latency_ms)
      ${each(Math.min(sizes.calls, at + part), at)}
      SELECT ${from} + CAST(i * ${step} AS INTEGER), 'req_' || printf('%026d', i), k.account, k.caller, NULL,
        (SELECT id FROM ends WHERE n = (i * 7919) % ${kinds}), x'00', 1000 + i % 5000, i % 90
      FROM each JOIN callers k ON k.n = CASE i % 10 WHEN 0 THEN ${ownCaller} ELSE (i * 104729) % ${callers} END;
      COMMIT; BEGIN`)
    // As a server does in the background: wallets and the sums of usage take the calls up. Only an opening finds them.
    changed(file, (opened) => getCharges(opened).foldAll())
  }
}

const record = (db: Database, _: number, { leaves }: Sizes): void => {
  const queries = { prepare: sqliteQueries(db), dialect: "sqlite" } as const
  const { append } = makeSteps(queries, (bytes) => createHash("sha256").update(bytes).digest())
  const page = 10_000
  for (let from = 0; from < leaves; from += page) {
    const captures = Array.from({ length: Math.min(page, leaves - from) }, (_, n) => capture(from + n))
    valueOrThrow(append(captures.map(toWritable)))
  }
}

const fill = (file: string, sizes: Sizes, print: (line: string) => void): void => {
  for (const part of [accounts, calls, record]) {
    const begun = performance.now()
    changed(file, (db) => part(db, Date.now(), sizes, file))
    print(`filled: ${part.name} in ${((performance.now() - begun) / 1e3).toFixed(0)} s`)
  }
  changed(file, (db) => db.exec("ANALYZE"))
}

export const load = define(
  { scale: [1, 0.001], starts: [4, 2], rounds: [12, 3], visits: [7, 3], store: "" },
  async ({ options: { scale, starts, rounds, visits, store }, folder, print, row }) => {
    const many = (n: number): number => Math.max(100, Math.round(n * scale))
    const sizes: Sizes = {
      ...{ accounts: many(1e6), calls: many(1e7), leaves: many(1e6) },
      ...{ contracts: many(1e4), webhooks: many(1e4) },
    }
    const file = store === "" ? join(folder, "wide.db") : store
    const stores = { empty: sqliteAt(join(folder, "empty.db")), wide: sqliteAt(file) }
    const isNew = !existsSync(file)
    if (isNew) await inStore(stores.wide, funded(shown, 1_000_000_000_000))
    if (isNew) fill(file, sizes, print)
    await inStore(stores.empty, funded(shown, 1_000_000_000_000))
    const names = ["empty", "wide"] as const
    const compared = (name: string, [empty, wide]: readonly [number, number], bars = {}) =>
      row(name, { empty, wide, ratio: wide / empty }, bars)

    const started = await alternate(names, starts, async (name) => {
      let server: Awaited<ReturnType<typeof serve>> | undefined
      const [ms] = await times(1, async () => {
        server = await serve(stores[name])
      })
      await stopped(server!)
      return ms!
    })
    compared("ms of a start", [median(started[0]!.slice(1)), median(started[1]!.slice(1))])

    const keys: Array<string> = []
    for (const name of names) keys.push((await inStore(stores[name], funded(`measured ${process.pid}`, 1e12))).key)
    const servers = [await serve(stores.empty), await serve(stores.wide)]
    for (const server of servers) await idle(server)
    const next = Questions.plain()
    const loads = await alternate([0, 1], rounds, (at) =>
      drive([servers[at]!], 8, { amount: 1_000 }, () => ({ ...next(), key: keys[at]! })),
    )
    const cpu = loads.map((all) => median(all.slice(2).map((each) => each.cpu))) as [number, number]
    compared("CPU of a call, µs", cpu, { ratio: { most: 1.2 } })

    const cookies: Array<Readonly<Record<"member" | "operator", string>>> = []
    for (const [at, name] of names.entries()) {
      const sign = (guest: object) => signedIn(stores[name], servers[at]!.url, guest)
      cookies.push({ member: await sign({ account: shown }), operator: await sign({ operator: true, name: "op" }) })
    }
    const pages = [
      ...allPages(catalogue).map(({ path }) => path),
      ...["/dashboard/calls?status=failed", "/dashboard/usage?group=key", "/dashboard/operator?q=account%20777"],
      ...["/", "/docs", "/record", "/scoreboard", "/status"],
    ].filter((path) => !path.includes(":"))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const path of new Set(pages)) {
      const who = path.startsWith("/dashboard/operator") ? "operator" : "member"
      const all = await alternate([0, 1], visits, (at) =>
        answered(servers[at]!.url + path, { cookie: cookies[at]![who] }, agent).then(({ ms }) => ms),
      )
      const slowest = all.map((times) => Math.max(...times.slice(2))) as [number, number]
      compared(`${path}, ms, slowest visit`, slowest, { wide: { most: 2_000 } })
    }
    for (const [at, name] of names.entries()) {
      const csv = `${servers[at]!.url}/dashboard/calls.csv`
      const { ms, bytes } = await answered(csv, { cookie: cookies[at]!.member }, agent)
      row(`export of all calls, ${name}`, { MB: bytes / 1e6, s: ms / 1e3 })
    }
    print(`The wide store has ${JSON.stringify(sizes)}.`)
  },
)
