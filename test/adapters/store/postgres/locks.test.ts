import { randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Client from "../../../../adapters/store/engine/postgres/client.ts"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import * as Charge from "../../../../adapters/store/money/postgres/charge.ts"
import * as Ending from "../../../../adapters/store/money/postgres/ending.ts"
import { zero } from "../../../../core/account/Money.ts"
import { day } from "../../../../core/time.ts"
import { price } from "../../../support/calling.ts"
import { books, stranger } from "../../../support/history.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { spend, spender, spent } from "../../../support/spender.ts"

describe("a lock that another program holds", () => {
  it.scopedLive("for a move of usage sums holds up no call but one that began weeks ago", () =>
    Effect.gen(function* () {
      const url = yield* database
      const own = yield* node(url)
      const who = yield* Effect.provide(spender("bot", {}), own)
      const other = yield* stranger(url)
      yield* Effect.promise(() => other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('usage', 0))"))
      const at = Date.now()
      const begun = performance.now()
      assert.strictEqual((yield* Effect.provide(spend(who, price, { at }), own))._tag, "Accepted")
      assert.isBelow(performance.now() - begun, 1_000)
      const late = Effect.provide(spend(who, price, { at: at - 40 * day }), own)
      assert.strictEqual((yield* Effect.flip(late)).code, "storage_unavailable")
      yield* Effect.promise(() => other.query("ROLLBACK"))
      assert.strictEqual((yield* late)._tag, "Accepted")
    }),
  )
})

describe("the tables of the audit trail", () => {
  it.scopedLive("stand ready for this month and the next two, and are append-only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const partitions = yield* sql<{ name: string }>`
        SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit'::regclass ORDER BY 1`
      assert.isAtLeast(partitions.length, 3)
      for (const { name } of partitions) {
        const refused = yield* Effect.flip(sql.unsafe(`TRUNCATE ${name}`))
        assert.include(String((refused.cause as Error).message), "append-only")
      }
    }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(database, (url) => Postgres.layer(url))))),
  )
})

describe("a batch that was settled and whose answers nobody was given", () => {
  const at = Date.now()

  it.scopedLive(
    "is ended by any node: given back once, exactly, and marked in trail and usage as not charged",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const first = yield* node(url)
        const who = yield* Effect.provide(spender("bot", {}, 10_000), first)
        const postgres = Context.get(first, Client.Postgres)
        const settle = Charge.make(postgres)
        const idem = { key: "3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a31", requestHash: "h" }
        const call = (requestId: string, micros: number, isFree = false): Charge.Item => {
          const paid = settlementOf({ ...who, requestId, micros, at })
          const free = { ...paid, chargedMicros: zero, audit: { ...paid.audit, charged: zero } }
          return isFree ? Charge.makeCall(free, idem) : Charge.makeCall(paid)
        }
        const paid = [0, 1].map((n) => call(`req_paid${n}`, 1_000))
        const [free, repeated] = [call("req_free0", 500, true), call("req_free1", 500, true)]
        const [charged, again] = [randomUUID(), randomUUID()]
        const sql = Context.get(first, SqlClient.SqlClient)
        const answers = [
          yield* settle(charged, paid, false),
          yield* settle(randomUUID(), [free], false),
          yield* settle(again, [repeated], false),
        ]
        assert.deepStrictEqual([...new Set(answers.flat().map(({ _tag }) => _tag))], ["Accepted"])
        // Asked again, a batch changes nothing.
        assert.deepStrictEqual(yield* settle(charged, paid, false), answers[0])
        const handOver = (batch: string, items: ReadonlyArray<Charge.Item>) =>
          sql`INSERT INTO cancels (batch, calls) VALUES (${batch}::uuid, ${JSON.stringify(Ending.toCancelled(items))}::json)`
        // The first paid call's answer came: only the others' batches are ended.
        yield* handOver(charged, paid)
        yield* handOver(again, [repeated])
        // Another node finds them.
        yield* node(url)
        const left = Effect.delay(sql<{ n: number }>`SELECT count(*) AS n FROM cancels`, "50 millis")
        yield* Effect.repeat(left, { until: ([row]) => row!.n === 0 })
        assert.deepStrictEqual(yield* Effect.provide(books, first), { kept: 0, wrong: 0, spent: 500 })
        assert.deepStrictEqual(yield* Effect.provide(spent(who.agentId), first), [500, 500])
        // Asked again it is refused, and ended again it changes nothing.
        assert.isTrue(Either.isLeft(yield* Effect.either(settle(charged, paid, false))))
        yield* handOver(charged, paid)
        assert.strictEqual(yield* Ending.cancelBatch(postgres, charged), 0)
        assert.deepStrictEqual(yield* Effect.provide(books, first), { kept: 0, wrong: 0, spent: 500 })
        const trail = yield* sql`
          SELECT request_id, status, code, charged_micros, calls FROM audit WHERE request_id LIKE 'req_paid%' ORDER BY 1`
        assert.deepStrictEqual(
          trail.map((row) => Object.values(row)),
          [0, 1].flatMap((n) => [
            [`req_paid${n}`, 200, null, 1_000, 1],
            [`req_paid${n}-cancelled`, 200, "storage_unavailable", -1_000, 0],
          ]),
        )
        const sums = yield* sql`
          SELECT kind, calls, charged_micros FROM usage_sums WHERE span = 3600000 ORDER BY kind`
        assert.deepStrictEqual(
          sums.map((row) => Object.values(row)),
          ["agent", "endpoint", "key", "status"].map((kind) => [kind, 4, 0]),
        )
      }),
    60_000,
  )

  it.scopedLive("is forgotten after ten minutes by the store's clock", () =>
    Effect.gen(function* () {
      const own = yield* Effect.flatMap(database, node)
      const sql = Context.get(own, SqlClient.SqlClient)
      yield* sql`
        INSERT INTO charge_batches (id, at)
        SELECT gen_random_uuid(), now() - n * interval '1 minute' FROM generate_series(0, 2500) AS n`
      yield* Ending.deleteOldBatches(Context.get(own, Client.Postgres))
      const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM charge_batches`
      assert.strictEqual(row!.n, 10)
    }),
  )

  it.scopedLive("that never reached the store can never be settled", () =>
    Effect.gen(function* () {
      const own = yield* Effect.flatMap(database, node)
      const postgres = Context.get(own, Client.Postgres)
      const batch = randomUUID()
      yield* postgres.rows("handOver", "INSERT INTO cancels (batch, calls) VALUES ($1::uuid, '[]')", [batch])
      yield* Ending.cancelBatch(postgres, batch)
      const late = yield* Effect.flip(Charge.make(postgres)(batch, [], false))
      assert.include(late.message, "was cancelled")
    }),
  )
})
