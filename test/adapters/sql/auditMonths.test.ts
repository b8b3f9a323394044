import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { make } from "../../../adapters/sql/client.sqlite.ts"
import accounts from "../../../adapters/sql/migrations/0001_accounts.ts"
import agents from "../../../adapters/sql/migrations/0003_agents.ts"
import auditOrder from "../../../adapters/sql/migrations/0010_audit_order.ts"
import auditPages from "../../../adapters/sql/migrations/0018_audit_pages.ts"
import auditMonths from "../../../adapters/sql/migrations/0024_audit_months.ts"

const hash = "0123456789abcdef".repeat(4)

const rows = [
  { request_id: "req_2", at: Date.UTC(2026, 9, 31, 23), agent_id: null, params_hash: hash, code: null, status: 200 },
  { request_id: "req_1", at: Date.UTC(2026, 9, 31, 22), agent_id: "agt_1", params_hash: "", code: "x", status: 429 },
  { request_id: "req_4", at: Date.UTC(2026, 10, 1), agent_id: "agt_1", params_hash: hash, code: null, status: 200 },
  // Written behind the turn of the month, though it ended before it.
  {
    request_id: "req_3",
    at: Date.UTC(2026, 9, 31, 23, 59),
    agent_id: null,
    params_hash: "odd",
    code: null,
    status: 200,
  },
].map((row) => ({
  ...row,
  account_id: "acct_1",
  key_id: row.agent_id === null ? "key_1" : "key_2",
  endpoint: "crypto_signal",
  charged_micros: 10_000,
  latency_ms: 1,
}))

const read = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Record<string, unknown>>`SELECT * FROM audit ORDER BY month, seq`,
)

for (const present of [rows, []]) {
  it.scoped(`an audit trail of ${present.length} rows is read by months as it was read before`, () =>
    Effect.gen(function* () {
      const context = yield* make(":memory:")
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* accounts
        yield* agents
        yield* auditOrder
        yield* auditPages
        for (const row of present) yield* sql`INSERT INTO audit ${sql.insert(row)}`
        yield* auditMonths
        assert.deepStrictEqual(
          (yield* read).map(({ month: _, seq: __, calls, ...row }) => ({ ...row, calls })),
          present.map((row) => ({ ...row, calls: 1 })),
        )
        assert.deepStrictEqual(
          (yield* read).map(({ month, seq }) => [month, seq]),
          present.length === 0
            ? []
            : [
                ["2026-10", 1],
                ["2026-10", 2],
                ["2026-11", 1],
                ["2026-11", 2],
              ],
        )
        if (present.length === 0) return
        for (const change of ["UPDATE audit_2026_10 SET at = 0", "DELETE FROM audit_2026_10"]) {
          assert.strictEqual((yield* Effect.either(sql.unsafe(change)))._tag, "Left", change)
        }
      }).pipe(Effect.provide(context))
    }).pipe(Effect.provide(Reactivity.layer)),
  )
}
