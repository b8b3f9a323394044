import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { make } from "../../../adapters/sql/client.sqlite.ts"
import accounts from "../../../adapters/sql/migrations/0001_accounts.ts"
import captures from "../../../adapters/sql/migrations/0006_captures.ts"
import predictions from "../../../adapters/sql/migrations/0012_predictions.ts"
import record from "../../../adapters/sql/migrations/0014_record.ts"
import contracts from "../../../adapters/sql/migrations/0016_contracts.ts"
import soldCaptures from "../../../adapters/sql/migrations/0027_sold_captures.ts"

const said = { model_version: "m-1", params: "{}", output: "{}", inputs_hash: "aa" }
const game = { lane: "football", endpoint: "nfl_fair_line", subject: "2024_03_LV_KC" }

it.scoped("captures, predictions and outcomes of a store that was there before are captures with outcomes", () =>
  Effect.gen(function* () {
    const context = yield* make(":memory:")
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const migration of [accounts, captures, predictions, record, contracts]) yield* migration
      const price = { lane: "crypto", endpoint: "crypto_signal", subject: "BTC/60", kind: "scheduled" }
      yield* sql`INSERT INTO captures ${sql.insert({ id: "c", at: 1, quotes: "[]", ...price, ...said })}`
      yield* sql`INSERT INTO predictions ${sql.insert({ id: "p", at: 2, closes_at: 9, market: "{}", ...game, ...said })}`
      yield* sql`INSERT INTO prediction_outcomes ${sql.insert({
        ...{ prediction_id: "p", revision: 1, at: 10, outcome: "{}", scores: '{"mae":1}' },
      })}`
      const contract = { venue: "v", ticker: "t", capture_id: "c", at: 1, close_time: 5, contract: "{}" }
      yield* sql`INSERT INTO captured_contracts ${sql.insert(contract)}`
      yield* sql`INSERT INTO record_leaves ${sql.insert({
        ...{ position: 0, id: "c", leaf_hash: new Uint8Array(32), subtrees: new Uint8Array(0), text: "{}" },
      } as never)}`

      yield* soldCaptures
      assert.deepStrictEqual(yield* sql`SELECT * FROM captures ORDER BY id`, [
        { id: "c", at: 1, ...price, request_id: null },
        { id: "p", at: 2, ...game, kind: "on_demand", request_id: null },
      ])
      assert.deepStrictEqual(yield* sql`SELECT * FROM capture_outcomes`, [
        { capture_id: "p", revision: 1, at: 10, outcome: "{}", scores: '{"mae":1}' },
      ])
      // What was public stays so, and what is on the record stays as it is.
      assert.deepStrictEqual(yield* sql`SELECT id, sealed_until FROM record_leaves`, [{ id: "c", sealed_until: null }])
      for (const change of ["UPDATE captures SET at = 0", "DELETE FROM captures", "DELETE FROM capture_outcomes"]) {
        assert.strictEqual((yield* Effect.either(sql.unsafe(change)))._tag, "Left", change)
      }
    }).pipe(Effect.provide(context))
  }).pipe(Effect.provide(Reactivity.layer)),
)
