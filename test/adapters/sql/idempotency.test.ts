import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { sweepIdempotency } from "../../../adapters/sql/sweepIdempotency.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { inMemory, tally } from "../../support/ledger.ts"
import { count, spend, spender, spent } from "../../support/spender.ts"

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
        assert.deepStrictEqual(tally(both), { Settled: 1, Raced: 99 })
        assert.deepStrictEqual(yield* spent(who.agentId), [100, 100])
        for (const [now, there] of [
          [at, true],
          [at + day - 1, true],
          [at + day, false],
        ] as const) {
          assert.strictEqual((yield* ledger.recall(who.keyId, key, now)) !== undefined, there, `${now}`)
        }
        assert.isUndefined(yield* ledger.recall("key_other", key, at))
        assert.strictEqual((yield* spend(who, 100, { at: at + day - 1, remember }))._tag, "Raced")
        const later = { ...remember, requestHash: "another" }
        assert.strictEqual((yield* spend(who, 100, { at: at + day, remember: later }))._tag, "Settled")
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

  it.effect("is deleted after its day, in any number", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const keyed = (n: number, at: number) => spend(who, 1, { at, remember: { ...remember, key: `${key}-${n}` } })
        yield* Effect.forEach(Arr.range(1, 2_500), (n) => keyed(n, n <= 2_300 ? 1_000 : 1_001), {
          concurrency: "unbounded",
        })
        assert.strictEqual(yield* sweepIdempotency(999), 0)
        assert.strictEqual(yield* sweepIdempotency(1_000), 2_300)
        assert.strictEqual(yield* count("idempotency"), 200)
      }),
    ),
  )
})
