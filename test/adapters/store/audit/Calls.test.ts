import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as calls from "../../../../adapters/store/audit/Calls.ts"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import { type CallFilter, Calls } from "../../../../core/account/Calls.ts"
import { type Audit, Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { anyAccounts } from "../../../support/anyStore.ts"

const turn = Date.UTC(2026, 10, 1)
const endpoints = ["weather_settlement", "crypto_signal"] as const
const statuses = [200, 200, 404, 500, 302] as const

/** Calls over a month's end; every third is another account's, and every fifth has no key of an agent. */
const line = (n: number): Audit => ({
  at: turn + (n - 750) * 7_000,
  requestId: `req_${String(n).padStart(6, "0")}`,
  accountId: n % 3 === 0 ? "acct_other" : "acct_one",
  ...(n % 5 === 0 ? {} : { agentId: `agt_${n % 2}` }),
  keyId: `key_${n % 4}`,
  endpoint: n === 301 ? "rare" : endpoints[n % 2]!,
  paramsHash: "",
  status: statuses[n % statuses.length]!,
  ...(statuses[n % statuses.length]! < 400 ? {} : { code: n % 7 === 0 ? "not_found" : "internal_error" }),
  charged: MicroUsd(n % 5 < 2 ? 1_000 : 0),
  latencyMs: 1,
})

const environmentOf = (key: string) => (key === "key_3" ? "test" : "live")

const lines = Array.from({ length: 4_000 }, (_, n) => line(n))

/** Writes them through the ledger; the call at the turn of the month ends in the next one. */
const written = Effect.gen(function* () {
  const ledger = yield* Ledger
  const sql = yield* SqlClient.SqlClient
  for (const id of new Set(lines.map(({ accountId }) => accountId))) {
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${id}, ${id}, 0)`
    yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES (${id}, 1000000000)`
  }
  for (const id of new Set(lines.map(({ keyId }) => keyId))) {
    const key = { id, account_id: "acct_one", hash: id, last_four: "", environment: environmentOf(id), tier: "pro" }
    yield* sql`INSERT INTO api_keys ${sql.insert({ ...key, per_minute: 600, created_at: 0 })}`
  }
  for (let at = 0; at < lines.length; at += 200) {
    yield* Effect.forEach(
      lines.slice(at, at + 200),
      (audit) => {
        const { accountId, keyId, agentId } = audit
        const agent = agentId === undefined ? {} : { agent: { id: agentId, paused: false } }
        const caller = { accountId, keyId, livemode: true, perMinute: 6_000, ...agent }
        return ledger.charge({ caller, listMicros: MicroUsd(0), chargedMicros: audit.charged, audit })
      },
      { concurrency: "unbounded", discard: true },
    )
  }
})

/** Pages until the end, and how many there were. */
const allOf = (filter: CallFilter, limit: number, account = "acct_one") =>
  Effect.gen(function* () {
    const { page } = yield* Calls
    const rows: Array<Audit> = []
    for (let [pages, next] = [1, undefined as string | undefined]; ; pages++) {
      const got = yield* page(account, filter, limit, next)
      assert.isAtMost(got.rows.length, limit)
      rows.push(...got.rows)
      next = got.next
      if (next === undefined) return { rows, pages }
    }
  })

const isIn = ({ status, environment, from = 0, to = Number.POSITIVE_INFINITY, ...same }: CallFilter) => {
  return (row: Audit): boolean =>
    row.at >= from &&
    row.at < to &&
    (status === undefined ||
      (status === "failed"
        ? row.status >= 400
        : (status < 10 ? Math.floor(row.status / 100) : row.status) === status)) &&
    (environment === undefined || environmentOf(row.keyId) === environment) &&
    Object.entries(same).every(([name, value]) => row[name as keyof Audit] === value)
}

const filters: ReadonlyArray<CallFilter> = [
  {},
  { endpoint: "crypto_signal" },
  { endpoint: "rare" },
  { endpoint: "unknown" },
  { agentId: "agt_1" },
  { keyId: "key_2", status: "failed" },
  { status: 3 },
  { status: 404 },
  { code: "not_found" },
  { status: 500, code: "internal_error", environment: "test" },
  { environment: "live", agentId: "agt_1" },
  { requestId: "req_000301" },
  { from: turn },
  { to: turn },
  { from: turn - 60_000, to: turn + 60_000 },
  { from: turn - 3_600_000, to: turn + 3_600_000, status: 2, agentId: "agt_0", endpoint: "weather_settlement" },
]

describe("the calls of an account", () => {
  it.effect("are listed newest first, each once, by every filter and in pages of any size", () =>
    Effect.gen(function* () {
      yield* written
      const own = lines.filter(({ accountId }) => accountId === "acct_one").toReversed()
      for (const filter of filters) {
        const expected = own.filter(isIn(filter)).map(({ requestId }) => requestId)
        for (const limit of [97, 500]) {
          const { rows } = yield* allOf(filter, limit)
          assert.deepStrictEqual(
            rows.map(({ requestId }) => requestId),
            expected,
            JSON.stringify(filter),
          )
        }
      }
      const [last] = (yield* allOf({}, 500)).rows
      assert.deepStrictEqual(last, { ...own[0]!, calls: 1 })
      assert.deepStrictEqual((yield* allOf({}, 1, "acct_none")).rows, [])
      // A filter that hardly any call passes: short pages, of some thousand looked at each.
      assert.isAtLeast((yield* allOf({ endpoint: "rare" }, 500)).pages, 2)
      const { page } = yield* Calls
      for (const limit of [0, 501, 1.5]) {
        assert.strictEqual((yield* Effect.flip(page("acct_one", {}, limit))).code, "invalid_parameter")
      }
      for (const cursor of ["", "x", "1", "2026-11.1.2", "1.2;"]) {
        assert.strictEqual((yield* Effect.flip(page("acct_one", {}, 1, cursor))).code, "invalid_parameter")
      }
    }).pipe(Effect.provide(calls.layer), Effect.provide(anyAccounts)),
  )

  it.effect("are read by the index of accounts, without a sort", () =>
    Effect.gen(function* () {
      yield* written
      const sql = yield* SqlClient.SqlClient
      const { dialect } = yield* Transactions
      if (dialect !== "sqlite") return
      for (const [name, text] of Object.entries(calls.statements("sqlite"))) {
        const params = Array.from(text.matchAll(/\?/g), () => 1)
        const plan = (yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params))
          .map(({ detail }) => detail)
          .join("; ")
        assert.match(plan, /SEARCH i USING PRIMARY KEY \(account=\? AND at>\? AND at<\?\)/, name)
        assert.notMatch(plan, /TEMP B-TREE|SCAN [ace]\b/, name)
      }
    }).pipe(Effect.provide(anyAccounts)),
  )

  it.live("that were refused have the names of the bad fields, apart from their rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO accounts (id, name, created_at) VALUES ('acct_one', 'one', 0)`
      const { appendAudit } = yield* Ledger
      const { page, fields } = yield* Calls
      const refused = {
        ...line(3),
        accountId: "acct_one",
        charged: MicroUsd(0),
        status: 400,
        code: "invalid_parameter",
      }
      yield* appendAudit({ ...refused, requestId: "req_a", fields: "station, day" })
      yield* appendAudit({ ...refused, requestId: "req_b" })
      const rows = yield* Effect.repeat(page("acct_one", {}, 10), {
        until: ({ rows }) => rows.length === 2,
        schedule: Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(250)),
      })
      assert.notInclude(JSON.stringify(rows), "station")
      assert.deepStrictEqual([yield* fields("req_a"), yield* fields("req_b")], ["station, day", undefined])
    }).pipe(Effect.provide(calls.layer), Effect.provide(anyAccounts)),
  )
})
