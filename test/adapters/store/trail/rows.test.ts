import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { make } from "../../../../adapters/store/trail/rows.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"

const hash = "0123456789abcdef".repeat(4)

const line = (n: number, at: number, more: Partial<Audit> = {}): Audit => ({
  at,
  requestId: `req_${n}`,
  accountId: "acct_1",
  keyId: "key_1",
  endpoint: "crypto_signal",
  paramsHash: hash,
  status: 200,
  charged: MicroUsd(10_000),
  latencyMs: 1,
  ...more,
})

const over = <A, E>(work: (rows: ReturnType<typeof make>) => Effect.Effect<A, E, SqlClient.SqlClient | Sqlite>) =>
  Effect.flatMap(Sqlite, ({ db }) => work(make(db))).pipe(Effect.provide(sqlite.layer(":memory:")))

/** The month of each row, in the order of writing. */
const months = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ month: string }>`SELECT month FROM audit ORDER BY seq`, (rows) => rows.map(({ month }) => month)),
)

const [september, october, november] = [8, 9, 10].map((month) => Date.UTC(2026, month, 15)) as [number, number, number]

describe("the audit trail", () => {
  it.effect("is read as it was written, with rising places over all months", () =>
    over(({ write }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT * FROM audit`, [])
        write(line(2, october))
        write(line(1, october, { agentId: "agt_1", keyId: "key_2", paramsHash: "", status: 429, code: "x", calls: 3 }))
        write(line(4, november, { paramsHash: "odd" }))
        const row = {
          ...{ account_id: "acct_1", agent_id: null, key_id: "key_1", endpoint: "crypto_signal", params_hash: hash },
          ...{ status: 200, code: null, charged_micros: 10_000, latency_ms: 1, calls: 1 },
        }
        assert.deepStrictEqual(yield* sql`SELECT * FROM audit ORDER BY seq`, [
          { month: "2026-10", seq: 1, request_id: "req_2", at: october, ...row },
          {
            ...{ month: "2026-10", seq: 2, request_id: "req_1", at: october, ...row },
            ...{ agent_id: "agt_1", key_id: "key_2", params_hash: "", status: 429, code: "x", calls: 3 },
          },
          { month: "2026-11", seq: 3, request_id: "req_4", at: november, ...row, params_hash: "odd" },
        ])
        assert.deepStrictEqual(yield* sql`SELECT month, first, last FROM audit_parts ORDER BY first`, [
          { month: "2026-10", first: 1, last: 2 },
          { month: "2026-11", first: 3, last: 3 },
        ])
        // A call of an agent is written once.
        assert.throws(() => write(line(1, october, { agentId: "agt_1" })), /UNIQUE/)
      }),
    ),
  )

  it.effect("has a row in the month in which its call ended, or in the newest one if it comes late", () =>
    over(({ write }) =>
      Effect.gen(function* () {
        write(line(1, Date.UTC(2026, 10, 1) - 5))
        write(line(2, Date.UTC(2026, 10, 1) - 5, { latencyMs: 5 }))
        for (const [n, at] of [october, september, 0, november].entries()) write(line(n + 3, at))
        assert.deepStrictEqual(yield* months, ["2026-10", ...Array.from({ length: 5 }, () => "2026-11")])
      }),
    ),
  )

  it.effect("takes a month back that a clock began too early, once there is a call of the present", () =>
    over(({ write }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ahead = Date.UTC(2031, 0, 1)
        write(line(1, october))
        write(line(2, ahead))
        assert.deepStrictEqual(yield* months, ["2026-10", "2031-01"])
        write(line(3, october))
        assert.deepStrictEqual(yield* months, ["2026-10", "2026-10", "2026-10"])
        write(line(4, ahead))
        write(line(5, november))
        // One that comes late tells nothing.
        write(line(6, september))
        assert.deepStrictEqual(yield* months, [
          ...Array.from({ length: 3 }, () => "2026-10"),
          "2026-11",
          "2026-11",
          "2026-11",
        ])
        assert.deepStrictEqual(yield* sql`SELECT month FROM audit_months ORDER BY month`, [
          { month: "2026-10" },
          { month: "2026-11" },
        ])
      }),
    ),
  )

  it.effect("begins a month again with the next row after a batch that was undone", () =>
    over(({ write, forget }) =>
      Effect.gen(function* () {
        const { db } = yield* Sqlite
        db.exec("BEGIN")
        write(line(1, october))
        db.exec("ROLLBACK")
        forget()
        write(line(2, october))
        assert.deepStrictEqual(yield* months, ["2026-10"])
      }),
    ),
  )
})
