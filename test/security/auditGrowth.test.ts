import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as auditTrail from "../../adapters/store/audit/AuditTrail.ts"
import { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import { start } from "../support/running.ts"
import { count, spend, spender } from "../support/spender.ts"
import { accountsOver, makeFolder, removeFolder } from "../support/store.ts"

const day = 86_400_000

/** The trail as an operator reads it, oldest first. */
const trail = Effect.flatMap(Agents, (agents) => agents.audit("bot", 1_000))

const inMemory = Effect.provide(auditTrail.layer.pipe(Layer.provideMerge(accountsOver(":memory:"))))

describe("calls that a key is refused at full speed", () => {
  it("leave a row for a minute and say how many there were", { timeout: 60_000 }, async () => {
    const folder = makeFolder()
    try {
      const sqliteFile = join(folder, "store.db")
      const service = await start({ sqliteFile })
      const token = await service.run(
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const request = { account: service.account.id, environment: "test", tier: "enterprise", rpm: 1 } as const
          return Redacted.value((yield* accounts.issueKey(request)).plaintext)
        }),
      )
      const statuses = await Promise.all(
        Array.from({ length: 300 }, async () => (await service.get("/v1/weather/stations", token)).status),
      )
      const refused = statuses.filter((status) => status === 429).length
      assert.isAbove(refused, 290)
      await service.stop()
      const rows = await Effect.runPromise(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ calls: number }>`SELECT calls FROM audit WHERE status = 429`,
        ).pipe(Effect.provide(sqlite.layer(sqliteFile))),
      )
      // One a minute, and the calls may have met the turn of one.
      assert.isAtMost(rows.length, 3)
      assert.strictEqual(
        rows.reduce((sum, { calls }) => sum + calls, 0),
        refused,
      )
    } finally {
      removeFolder(folder)
    }
  })
})

describe("the months of the audit trail", () => {
  const months = [Date.UTC(2026, 7, 31), Date.UTC(2026, 8, 30), Date.UTC(2026, 9, 31), Date.UTC(2026, 10, 5)]

  const filled = Effect.gen(function* () {
    const who = yield* spender("bot", {})
    for (const [n, at] of months.entries()) {
      for (let call = 0; call < 3; call++) yield* spend(who, 1, { at: at + call, requestId: `req_${n}_${call}` })
    }
    yield* TestClock.setTime(months[3]! + day)
    return who
  })

  const ids = Effect.map(trail, (rows) => rows.map(({ requestId }) => requestId))
  const refused = <A>(
    effect: Effect.Effect<A, { readonly hints?: ReadonlyArray<{ readonly field: string }> }, never>,
  ) => Effect.map(Effect.flip(effect), ({ hints = [] }) => hints.map(({ field }) => field))

  it.effect("are read as one, in the order of writing, in pages of any size", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* filled
        // A row that had to wait, or whose process saw the month turn later, never goes behind a month that has begun.
        yield* spend(who, 1, { at: months[2]!, requestId: "req_late" })
        const all = yield* ids
        assert.deepStrictEqual(all, [
          ...months.flatMap((_, n) => [0, 1, 2].map((call) => `req_${n}_${call}`)),
          "req_late",
        ])
        const agents = yield* Agents
        for (const limit of [1, 2, 3, 4, 7]) {
          const read: Array<string> = []
          for (let since: string | undefined; ; since = read.at(-1)!) {
            const rows = yield* agents.audit("bot", limit, since)
            read.push(...rows.map(({ requestId }) => requestId))
            if (rows.length < limit) break
          }
          assert.deepStrictEqual(read, all, `${limit}`)
        }
      }),
    ),
  )

  it.effect("are append-only, but for rows that are not kept", () =>
    inMemory(
      Effect.gen(function* () {
        yield* filled
        const { db } = yield* Sqlite
        const sql = yield* SqlClient.SqlClient
        // The row before the first one that is kept stays too: places go on from it.
        yield* sql`UPDATE places SET seq = 4 WHERE name = 'kept'`
        for (const change of ["UPDATE audit_rows SET latency_ms = 0", "DELETE FROM audit_rows WHERE seq = 3"]) {
          assert.throws(() => db.exec(change), /append-only/)
        }
        // Rows name accounts, agents, callers and ends by numbers, which stay.
        for (const [table, column] of [
          ["audit_accounts", "account_id"],
          ["audit_agents", "agent_id"],
          ["audit_callers", "key_id"],
          ["audit_ends", "endpoint"],
        ] as const) {
          assert.isAbove(yield* count(table), 0)
          for (const change of [`UPDATE ${table} SET ${column} = 'x'`, `DELETE FROM ${table}`]) {
            assert.throws(() => db.exec(change), /append-only/)
          }
        }
        db.exec("DELETE FROM audit_rows WHERE seq < 3")
        assert.throws(() => db.exec("DELETE FROM audit_rows"), /append-only/)
        yield* sql`UPDATE places SET seq = 1 WHERE name = 'kept'`
        assert.strictEqual(yield* count("audit"), 10)
      }),
    ),
  )

  it.effect("go once they were exported whole, and never this one or the one before", () =>
    inMemory(
      Effect.gen(function* () {
        yield* filled
        const audits = yield* AuditTrail
        assert.deepStrictEqual(
          (yield* audits.months).map(({ month, rows, exportedAt }) => [month, rows, exportedAt]),
          ["2026-08", "2026-09", "2026-10", "2026-11"].map((month) => [month, 3, undefined]),
        )
        assert.deepStrictEqual(yield* refused(audits.drop("2026-08", false)), ["month"])
        for (const month of ["2026-09", "2026-10", "2026-11", "2027-01"]) {
          assert.deepStrictEqual(yield* refused(audits.drop(month, true)), ["month"], month)
        }
        assert.deepStrictEqual(yield* refused(audits.markExported("2026-08", 2)), ["rows"])
        assert.deepStrictEqual(yield* refused(audits.markExported("2026-11", 3)), ["month"])
        assert.deepStrictEqual(yield* refused(audits.page("2025-01", 0, 10)), ["month"])
        const page = yield* audits.page("2026-08", 1, 1)
        assert.deepStrictEqual([page.rows.map(({ requestId }) => requestId), page.next], [["req_0_1"], 2])
        yield* audits.markExported("2026-08", 3)
        assert.strictEqual((yield* audits.drop("2026-08", false)).rows, 3)
        assert.notInclude(yield* ids, "req_0_0")
        assert.strictEqual(yield* count("audit"), 9)
        assert.deepStrictEqual(
          (yield* audits.months).map(({ month }) => month),
          ["2026-09", "2026-10", "2026-11"],
        )
      }),
    ),
  )

  it.effect("older than the retention are dropped, also after an interrupted drop", () =>
    inMemory(
      Effect.gen(function* () {
        yield* filled
        const audits = yield* AuditTrail
        const sql = yield* SqlClient.SqlClient
        const kept = audits.dropOlderThan(2)
        const left = sql<{ first: number; rows: number; places: number }>`
          SELECT min(seq) AS first, count(*) AS rows, (SELECT count(*) FROM audit_index) AS places FROM audit_rows`
        assert.deepStrictEqual(
          (yield* kept).map(({ month }) => month),
          ["2026-08", "2026-09"],
        )
        // The row before those that are kept stays.
        assert.deepStrictEqual(yield* left, [{ first: 6, rows: 7, places: 6 }])
        // A process that ended after its decision.
        yield* sql`UPDATE places SET seq = 10 WHERE name = 'kept'`
        yield* audits.dropOlderThan(13)
        assert.deepStrictEqual(yield* left, [{ first: 9, rows: 4, places: 3 }])
        yield* sql`UPDATE places SET seq = 7 WHERE name = 'kept'`
        assert.deepStrictEqual(yield* kept, [])
      }),
    ),
  )
})
