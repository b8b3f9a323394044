import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import { make } from "../../../adapters/store/trail/rows.ts"
import { MicroUsd } from "../../../core/account/Money.ts"

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

for (const present of [rows, []]) {
  it.effect(`an audit trail of ${present.length} rows is read by months as it was written`, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { db } = yield* Sqlite
      const audit = make(db)
      const write = (row: (typeof rows)[number]) =>
        audit.write({
          at: row.at,
          requestId: row.request_id,
          accountId: row.account_id,
          ...(row.agent_id === null ? {} : { agentId: row.agent_id }),
          keyId: row.key_id,
          endpoint: row.endpoint,
          paramsHash: row.params_hash,
          status: row.status,
          ...(row.code === null ? {} : { code: row.code }),
          charged: MicroUsd(row.charged_micros),
          latencyMs: row.latency_ms,
        })
      present.forEach(write)
      const found = yield* sql<Record<string, unknown>>`SELECT * FROM audit ORDER BY month, seq`
      assert.deepStrictEqual(
        found.map(({ month: _, seq: __, calls, ...row }) => ({ ...row, calls })),
        present.map((row) => ({ ...row, calls: 1 })),
      )
      assert.deepStrictEqual(
        found.map(({ month, seq }) => [month, seq]),
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
      // A call of an agent is written once.
      assert.throws(() => write(present[2]!), /UNIQUE/)
    }).pipe(Effect.provide(sqlite.layer(":memory:"))),
  )
}
