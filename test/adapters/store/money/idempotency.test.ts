import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { inMemory, tally } from "../../../support/ledger.ts"
import { count, spend, spender, spent } from "../../../support/spender.ts"

/** Bytes by key and UTC day, as they are counted and as the rows have them. */
const bytesOfReplies = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.all({
    counted: sql`SELECT key_id, day, CAST(charged AS INTEGER) AS bytes FROM reply_bytes ORDER BY key_id, day`,
    stored: sql`
      SELECT key_id, CAST(at / 86400000 AS INTEGER) AS day, CAST(SUM(256 + length(stored)) AS INTEGER) AS bytes
      FROM idempotency GROUP BY 1, 2 ORDER BY 1, 2`,
  }),
)

describe("a stored reply of an Idempotency-Key", () => {
  const key = "3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a34"
  const remember = { key, requestHash: "hash", stored: "{}" }
  const day = 86_400_000

  it.effect("lasts 24 hours, belongs to one charge, and may be replaced afterwards", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const ledger = yield* Ledger
        assert.isUndefined(yield* ledger.recall(who.keyId, key, 0))
        const at = 1_000
        const both = yield* Effect.all(
          Arr.makeBy(100, () => spend(who, 100, { at, remember })),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(tally(both), { Accepted: 1, Concurrent: 99 })
        assert.deepStrictEqual(yield* spent(who.agentId), [100, 100])
        for (const [now, there] of [
          [at, true],
          [at + day - 1, true],
          [at + day, false],
        ] as const) {
          assert.strictEqual((yield* ledger.recall(who.keyId, key, now)) !== undefined, there, `${now}`)
        }
        assert.isUndefined(yield* ledger.recall("key_other", key, at))
        assert.strictEqual((yield* spend(who, 100, { at: at + day - 1, remember }))._tag, "Concurrent")
        const later = { ...remember, requestHash: "another" }
        assert.strictEqual((yield* spend(who, 100, { at: at + day, remember: later }))._tag, "Accepted")
        assert.deepStrictEqual(yield* ledger.recall(who.keyId, key, at + day), later)
        assert.strictEqual(yield* count("audit"), 2)
      }),
    ),
  )

  it.effect("is not stored for a rejected call", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 10 })
        assert.strictEqual((yield* spend(who, 100, { remember }))._tag, "Capped")
        assert.isUndefined(yield* (yield* Ledger).recall(who.keyId, key, 0))
      }),
    ),
  )

  for (const [name, stored] of [
    ["ASCII", '{"a":1}\n{"head":"b"}'],
    ["one compressed apart", "x€".repeat(40_000)],
  ] as const) {
    it.effect(`has its text again: ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", {})
          const asked = { ...remember, stored }
          assert.strictEqual((yield* spend(who, 100, { at: 0, remember: asked }))._tag, "Accepted")
          assert.deepStrictEqual(yield* (yield* Ledger).recall(who.keyId, key, 0), asked)
        }),
      ),
    )
  }

  it.effect("is counted in the bytes of its key and day, by calls of one batch and of many", () =>
    inMemory(
      Effect.gen(function* () {
        const [one, other] = [yield* spender("one", {}), yield* spender("other", {})]
        const keyed = (n: number) =>
          spend((n % 50) % 3 === 0 ? other : one, 1, {
            at: n % 2 === 0 ? day - 1 : day,
            // Calls of the second fifty repeat keys of the first: they are not stored, nor counted.
            remember: { ...remember, key: `${key}-${n % 50}`, stored: "x".repeat(n % 50) },
          })
        const first = yield* Effect.forEach(Arr.range(0, 49), keyed, { concurrency: "unbounded" })
        const second = yield* Effect.forEach(Arr.range(50, 99), keyed, { concurrency: 7 })
        assert.deepStrictEqual([tally(first), tally(second)], [{ Accepted: 50 }, { Concurrent: 50 }])
        const { counted, stored } = yield* bytesOfReplies
        assert.lengthOf(counted, 4)
        assert.deepStrictEqual(counted, stored)
      }),
    ),
  )

  it.effect("is not counted where its batch was rolled back", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const keyed = (requestId: string, other: string) =>
          Effect.exit(spend(who, 1, { requestId, remember: { ...remember, key: other } }))
        yield* keyed("req_a", "k1")
        // The journal takes req_a once: the batch is undone, and each call tried again alone.
        const all = [keyed("req_b", "k2"), keyed("req_a", "k3"), keyed("req_c", "k4")]
        const exits = yield* Effect.all(all, { concurrency: "unbounded" })
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
        const { counted, stored } = yield* bytesOfReplies
        assert.strictEqual(yield* count("idempotency"), 3)
        assert.deepStrictEqual(counted, stored)
      }),
    ),
  )
})
