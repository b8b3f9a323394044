import { randomBytes, randomUUID } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sweepIdempotency } from "../../adapters/store/upkeep/sweeps.ts"
import { dailyReplyBytes } from "../../core/account/decide.ts"
import { Ledger } from "../../core/account/Ledger.ts"
import { start } from "../support/running.ts"
import { charge, settlementOf } from "../support/settlement.ts"
import { count, spender, spent } from "../support/spender.ts"
import { accountsOver } from "../support/store.ts"

const inMemory = Effect.provide(accountsOver(":memory:"))

/** Text that no compression makes much shorter. */
const noise = (bytes: number): string => randomBytes(bytes / 2).toString("hex")

const history = "/v1/weather/settlement/history?station=KNYC&start=2025-06-01&end=2026-07-05&verbose=true"

const storeBytes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    Effect.all([
      sql<{ page_count: number }>`PRAGMA page_count`,
      sql<{ freelist_count: number }>`PRAGMA freelist_count`,
      sql<{ page_size: number }>`PRAGMA page_size`,
    ]),
    ([[pages], [free], [size]]) => (pages!.page_count - free!.freelist_count) * size!.page_size,
  ),
)

describe("stored answers of an Idempotency-Key", () => {
  it("22 long ones of a test key take a few kilobytes, and each is answered again", { timeout: 60_000 }, async () => {
    const service = await start()
    try {
      const { token } = service.account.test
      const keys = Array.from({ length: 22 }, () => randomUUID())
      const ask = (key: string, path = history) => service.get(path, token, { headers: { "idempotency-key": key } })
      const before = await service.run(storeBytes)
      for (const key of keys) assert.strictEqual((await ask(key)).status, 200)
      // 164,209 bytes a call before.
      assert.isBelow(((await service.run(storeBytes)) - before) / keys.length, 2_000)
      // Nothing whole was kept of it: it is answered anew, and is not said to be a replay.
      const again = await ask(keys[0]!)
      assert.deepStrictEqual([again.status, again.headers.get("x-idempotent-replay")], [200, null])
      assert.lengthOf(again.json.results.days, 400)
      // The key still stands for its request.
      const other = await ask(keys[0]!, `${history}&fields=days.day`)
      assert.deepStrictEqual([other.status, other.json.error.code], [422, "idempotency_key_reused"])
      assert.deepStrictEqual([await service.balance(), await service.charges()], [1_000_000, 0])
    } finally {
      await service.stop()
    }
  })

  it("that were paid are stored in full, compressed", { timeout: 60_000 }, async () => {
    const service = await start()
    try {
      const init = { headers: { "idempotency-key": randomUUID() } }
      const first = await service.get(history, undefined, init)
      const again = await service.get(history, undefined, init)
      assert.deepStrictEqual(
        [first.headers.get("x-idempotent-replay"), again.headers.get("x-idempotent-replay")],
        [null, "true"],
      )
      const results = (text: string) => text.slice(0, text.indexOf(',"_meta":'))
      assert.strictEqual(results(again.text), results(first.text))
      assert.strictEqual(await service.charges(), 1)
      const bytes = await service.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.map(sql<{ n: number }>`SELECT SUM(length(stored)) AS n FROM idempotency`, ([row]) => row!.n),
        ),
      )
      assert.isBelow(bytes, first.text.length / 5)
    } finally {
      await service.stop()
    }
  })

  it.effect("of calls that cost nothing have a megabyte a key and day, whatever they hold", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const who = yield* spender("bot", {})
        const { agentId: _, ...key } = who
        const free = (n: number, size: number, at = 0) =>
          charge({
            ...key,
            requestId: `req_${at}_${n}`,
            micros: 1,
            livemode: false,
            at,
            remember: { key: `k${at}-${n}`, requestHash: "h", stored: noise(size) },
          })
        // Short ones are kept whole at first, then only that the call was made, then nothing; all are answered.
        for (let n = 0; n < 6_000; n++) assert.isTrue(yield* free(n, 1_000))
        const bytes = sql<{ whole: number; marks: number; bytes: number }>`
          SELECT COUNT(stored) AS whole, COUNT(*) - COUNT(stored) AS marks, SUM(coalesce(length(stored), 0)) AS bytes
          FROM idempotency`
        const [kept] = yield* bytes
        assert.isAbove(kept!.whole, 100)
        assert.isAbove(kept!.marks, 100)
        assert.isAtMost(kept!.bytes, dailyReplyBytes.freeReplies)
        assert.isBelow(kept!.whole + kept!.marks, 6_000)
        const [{ free: counted }] = (yield* sql`SELECT free FROM reply_bytes`) as unknown as [{ free: number }]
        assert.isAtMost(counted, dailyReplyBytes.free)
        // The next day has its own, and the sweep takes the count along.
        assert.isTrue(yield* free(0, 1_000, 86_400_000))
        assert.isDefined(yield* (yield* Ledger).recall(who.keyId, "k86400000-0", 86_400_000))
        assert.strictEqual(yield* sweepIdempotency(86_399_999), kept!.whole + kept!.marks)
        assert.strictEqual(yield* sweepIdempotency(86_400_000), 1)
        assert.strictEqual(yield* count("reply_bytes"), 1)
      }),
    ),
  )

  it.effect("a call without a stored answer counts once against the cap of its agent's test keys", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 1_000 })
        const ledger = yield* Ledger
        const asked = { ...who, requestId: "req_1", micros: 100, livemode: false, at: 0 }
        const remember = { key: "k", requestHash: "h", stored: noise(100_000) }
        for (const requestId of ["req_1", "req_2", "req_3"]) {
          assert.isTrue(yield* charge({ ...asked, requestId, remember }))
        }
        assert.deepStrictEqual(yield* spent(who.agentId, false), [100, 100])
        assert.deepStrictEqual(yield* ledger.recall(who.keyId, "k", 0), { key: "k", requestHash: "h" })
        const other = settlementOf({ ...asked, requestId: "req_4", remember: { ...remember, requestHash: "other" } })
        assert.strictEqual((yield* ledger.charge(other))._tag, "Concurrent")
        // Should the same call cost something now, its answer is kept, and it is charged once.
        const paid = { ...asked, livemode: true, remember }
        assert.isTrue(yield* charge({ ...paid, requestId: "req_5" }))
        assert.isFalse(yield* charge({ ...paid, requestId: "req_6" }))
        assert.deepStrictEqual(yield* ledger.recall(who.keyId, "k", 0), remember)
      }),
    ),
  )

  it.effect("that are paid have bytes of their own a key and day: beyond them nothing is charged", () =>
    inMemory(
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { agentId: _, ...key } = yield* spender("bot", {})
        const settle = (n: number, remembered: boolean) => {
          const settlement = settlementOf({
            ...key,
            requestId: `req_${n}`,
            micros: 10,
            at: 0,
            ...(remembered ? { remember: { key: `k${n}`, requestHash: "h", stored: noise(600_000) } } : {}),
          })
          return ledger.charge({ ...settlement, caller: { ...settlement.caller, perMinute: 1 } })
        }
        const verdicts: Array<string> = []
        for (let n = 0; n < 24; n++) verdicts.push((yield* settle(n, true))._tag)
        const kept = verdicts.filter((tag) => tag === "Accepted").length
        assert.deepStrictEqual(verdicts, [
          ...Array(kept).fill("Accepted"),
          ...Array(24 - kept).fill("ReplyQuotaExceeded"),
        ])
        assert.isAbove(kept, 3)
        assert.isBelow(kept, 24)
        assert.isAtMost(kept * 290_000, dailyReplyBytes.charged(1))
        assert.strictEqual((yield* settle(100, false))._tag, "Accepted")
        assert.strictEqual(yield* ledger.balance(key.accountId), 1_000_000_000 - 10 * (kept + 1))
        for (let n = 0; n < kept; n++) assert.isDefined((yield* ledger.recall(key.keyId, `k${n}`, 0))?.stored)
      }),
    ),
  )
})
