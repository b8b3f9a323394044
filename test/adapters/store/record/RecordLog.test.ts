import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import { Captures, leafOf } from "../../../../core/record/captures/Captures.ts"
import { partOf, RecordInputs } from "../../../../core/record/captures/RecordInputs.ts"
import { textOf } from "../../../../core/record/log/leaf.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { inAnyStore } from "../../../support/anyStore.ts"
import { captured } from "../../../support/captures.ts"
import { isPostgres } from "../../../support/postgres.ts"
import { leaf, leaves } from "../../../support/record.ts"

const tables = ["record_leaves", "record_checkpoints", "record_inputs"]

const bytes = isPostgres ? "'\\x00'" : "x'00'"

const capture = (n: number) => captured({ id: `01J${String(n).padStart(23, "0")}`, at: n * 3_600_000 })

describe("the record in a store", () => {
  it.effect("cannot be changed, removed or appended to out of order, whoever asks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const log = yield* RecordLog
      yield* log.append(leaves(0, 4))
      yield* signCheckpoint
      yield* (yield* RecordInputs).keep([partOf({ hash: "aa", text: '{"a":1}' })])
      const rows = Effect.forEach(tables, (table) => sql.unsafe(`SELECT * FROM ${table}`))
      const before = yield* rows
      assert.deepStrictEqual(
        before.map(({ length }) => length),
        [4, 1, 1],
      )
      for (const statement of [
        "UPDATE record_leaves SET text = text || ' ' WHERE position = 2",
        "UPDATE record_leaves SET sealed_until = 1 WHERE position = 2",
        "UPDATE record_checkpoints SET at = at - 1000",
        "UPDATE record_inputs SET text = '{}'",
        ...tables.map((table) => `DELETE FROM ${table}`),
        ...tables.map((table) =>
          isPostgres ? `TRUNCATE ${table} CASCADE` : `REPLACE INTO ${table} SELECT * FROM ${table}`,
        ),
        ...[5, -1].map((at) => `INSERT INTO record_leaves VALUES (${at}, 'other', ${bytes}, ${bytes}, '{}', NULL)`),
      ]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(sql.unsafe(statement))), statement)
      }
      assert.deepStrictEqual(yield* rows, before)
    }).pipe(Effect.provide(inAnyStore)),
  )
})

describe("captures on the record", () => {
  const layer = Layer.provideMerge(captures.layer, inAnyStore)

  it.effect("are leaves, in the order in which they were taken, once", () =>
    Effect.gen(function* () {
      const { append } = yield* Captures
      const log = yield* RecordLog
      const [one, two, three] = [capture(1), capture(2), capture(3)]
      assert.deepStrictEqual(yield* append([one, two]), [one, two])
      yield* log.append([leaf(0)])
      assert.deepStrictEqual(yield* append([captured({ at: one.capture.at }), two, three]), [three])
      const entries = yield* log.range(0, 10)
      assert.deepStrictEqual(
        entries.map(({ id }) => id),
        [one.capture.id, two.capture.id, leaf(0).id, three.capture.id],
      )
      assert.strictEqual(entries[3]!.text, textOf(leafOf(three.capture)))
      assert.strictEqual(
        entries[0]!.text,
        '{"at":3600000,"body":{"close_time":7200000,"endpoint":"crypto_signal","inputs_hash":"aa","model_version":"1","output":{"probabilities":[0.51,0.25],"strikes":[60000,61000]},"params":{"asset":"BTC","horizon":60},"quotes":[],"trigger":"scheduled"},"id":"01J00000000000000000000001","kind":"capture","lane":"crypto","salt":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a","subject":"BTC/60","v":1}',
      )
    }).pipe(Effect.provide(layer)),
  )

  it.effect("are found by the calls that bought them, and their buyers by them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { append, buyerOf, ofCall } = yield* Captures
      const bought = (n: number, keyId: string) =>
        captured({ kind: "on_demand", bought: { requestId: `req_${n}`, accountId: "acct_1", keyId } })
      const [paid, unpaid] = [bought(1, "key_1"), bought(2, "key_0")]
      yield* append([paid, unpaid, capture(1)])
      yield* sql`INSERT INTO accounts ${sql.insert({ id: "acct_1", name: "one", created_at: 1 })}`
      const key = { id: "key_1", account_id: "acct_1", environment: "live", tier: "pro", per_minute: 1, created_at: 1 }
      yield* sql`INSERT INTO api_keys ${sql.insert({ ...key, hash: "h", last_four: "0000" })}`
      assert.deepStrictEqual(yield* Effect.all(["req_1", "req_2", paid.capture.id].map(ofCall)), [
        { id: paid.capture.id, accountId: "acct_1" },
        undefined,
        undefined,
      ])
      const free = captured({
        kind: "on_demand",
        bought: { requestId: "req_3", accountId: "acct_1", keyId: "key_1", agentId: "agt_1" },
      })
      yield* append([free])
      assert.deepStrictEqual(yield* Effect.all([ofCall("req_3"), buyerOf(free.capture.id)]), [
        { id: free.capture.id, accountId: "acct_1", agentId: "agt_1" },
        { accountId: "acct_1", agentId: "agt_1" },
      ])
      assert.deepStrictEqual(
        yield* Effect.all([paid.capture.id, unpaid.capture.id, capture(1).capture.id].map(buyerOf)),
        [{ accountId: "acct_1" }, undefined, undefined],
      )
    }).pipe(Effect.provide(layer)),
  )

  it.effect("bring contracts that are tracked, each with its newest close", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { append } = yield* Captures
      const hour = 3_600_000
      const about = (n: number, ...closes: ReadonlyArray<number>) =>
        captured(
          { id: capture(n).capture.id, at: n * hour },
          {
            contracts: closes.map((closeTime, at) => ({
              ...({ venue: "kalshi", domain: "crypto" } as const),
              ticker: `t${at}`,
              closeTime,
            })),
          },
        )
      yield* append([about(1, 9 * hour, 8 * hour), about(2, 7 * hour)])
      yield* append([about(1, 5 * hour), about(3, 6 * hour, 8 * hour, 8 * hour)])
      assert.deepStrictEqual(yield* sql`SELECT ticker, close_time FROM tracked_contracts ORDER BY ticker`, [
        { ticker: "t0", close_time: 6 * hour },
        { ticker: "t1", close_time: 8 * hour },
        { ticker: "t2", close_time: 8 * hour },
      ])
      const kept = yield* sql<{ ticker: string; at: number; contract: string }>`
        SELECT ticker, at, contract FROM captured_contracts ORDER BY at, ticker`
      assert.deepStrictEqual(
        kept.map(({ ticker, at, contract }) => [ticker, at, JSON.parse(contract).closeTime]),
        [
          ["t0", hour, 9 * hour],
          ["t1", hour, 8 * hour],
          ["t0", 2 * hour, 7 * hour],
          ["t0", 3 * hour, 6 * hour],
          ["t1", 3 * hour, 8 * hour],
          ["t2", 3 * hour, 8 * hour],
        ],
      )
    }).pipe(Effect.provide(layer)),
  )

  it.effect("leave neither row nor leaf where one of them cannot be", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { append } = yield* Captures
      const log = yield* RecordLog
      // A leaf that has taken a capture's id: its row could be written, its leaf could not.
      yield* log.append([leaf(0, { id: capture(2).capture.id })])
      assert.isTrue(Exit.isFailure(yield* Effect.exit(append([capture(1), capture(2)]))))
      assert.deepStrictEqual([yield* log.size, yield* sql`SELECT id FROM captures`], [1, []])
      assert.strictEqual((yield* append([capture(1)])).length, 1)
    }).pipe(Effect.provide(layer)),
  )
})
