import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { make } from "../../../adapters/sql/client.sqlite.ts"
import accounts from "../../../adapters/sql/migrations/0001_accounts.ts"
import agents from "../../../adapters/sql/migrations/0003_agents.ts"
import auditOrder from "../../../adapters/sql/migrations/0010_audit_order.ts"

const row = (sql: SqlClient.SqlClient, requestId: string) =>
  sql`INSERT INTO audit ${sql.insert({
    request_id: requestId,
    at: 1,
    account_id: "acct_1",
    agent_id: "agt_1",
    key_id: "key_1",
    endpoint: "crypto_signal",
    params_hash: "",
    status: 200,
    code: null,
    charged_micros: 10_000,
    latency_ms: 1,
  })}`

it.scoped("an audit trail that was there before keeps its rows and stays append-only", () =>
  Effect.gen(function* () {
    const context = yield* make(":memory:")
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* accounts
      yield* agents
      yield* Effect.forEach(["req_2", "req_1", "req_3"], (id) => row(sql, id))
      yield* auditOrder
      yield* row(sql, "req_4")
      const rows = yield* sql<{ request_id: string }>`SELECT request_id FROM audit ORDER BY seq`
      assert.deepStrictEqual(
        rows.map((each) => each.request_id),
        ["req_1", "req_2", "req_3", "req_4"],
      )
      const refusals = [sql`UPDATE audit SET status = 500`, sql`DELETE FROM audit`, row(sql, "req_4")]
      for (const refusal of refusals) assert.strictEqual((yield* Effect.either(refusal))._tag, "Left")
      assert.deepStrictEqual(yield* sql`SELECT count(*) AS n FROM audit WHERE status = 200`, [{ n: 4 }])
    }).pipe(Effect.provide(context))
  }).pipe(Effect.provide(Reactivity.layer)),
)
