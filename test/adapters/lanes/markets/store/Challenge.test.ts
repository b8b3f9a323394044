import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Failure } from "../../../../../core/Failure.ts"
import { ContractStore } from "../../../../../core/lanes/markets/ports.ts"
import { Captures } from "../../../../../core/record/captures/Captures.ts"
import * as merkle from "../../../../../core/record/log/merkle.ts"
import { isSealed, RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../../../../core/record/log/SyncSha256.ts"
import { many, opine, overStore as over, t, withdraw } from "../../../../support/challenge.ts"
import { contract, noon } from "../../../../support/contracts.ts"

const hour = 3_600_000
const { closeTime: close } = contract()

const opinionRows = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM bench_opinions`, ([row]) => row!.n),
)

const hintsOf = ({ hints = [] }: Failure) => hints.map(({ field, suggestion }) => [field, suggestion])

describe("opinions", () => {
  over(
    "are leaves of the record, sealed until the close, with their salt and in whole millionths",
    Effect.gen(function* () {
      const { size } = yield* RecordLog
      const before = yield* size
      const { opinions, recorded, opinions_left } = yield* opine("acct_a", "rain", { [t(0)]: 0.123_456_7, [t(1)]: 1 })
      assert.deepStrictEqual([recorded, opinions_left], [true, 998])
      assert.deepStrictEqual(
        opinions.map(({ prob }) => prob),
        [0.123_457, 1],
      )
      const log = yield* RecordLog
      assert.strictEqual(yield* size, before + 2)
      const entry = (yield* log.leafOf(opinions[0]!.leaf_id!))!
      assert.isTrue(isSealed(entry, close - 1))
      assert.isFalse(isSealed(entry, close))
      const { sha256 } = yield* SyncSha256
      assert.deepStrictEqual([...merkle.leafHash(sha256, new TextEncoder().encode(entry.text))], [...entry.hash])
      const { salt, ...text } = JSON.parse(entry.text)
      assert.match(salt, /^[\w-]{22}$/)
      assert.deepStrictEqual(text, {
        v: 1,
        ...{ id: entry.id, kind: "opinion", at: noon, lane: "weather", subject: t(0) },
        body: { model: "rain", venue: "kalshi", ticker: t(0), p: 123_457, close_time: close },
      })
      assert.notInclude(entry.text, "acct_a")
      assert.strictEqual(yield* opinionRows, 2)
    }),
  )

  over(
    "belong to their account, and to the agent that wrote them",
    Effect.gen(function* () {
      const { buyerOf } = yield* Captures
      const written = [
        yield* opine("acct_a", "rain", { [t(0)]: 0.2 }),
        yield* opine("acct_a", "rain", { [t(1)]: 0.2 }, "agt_1"),
        // Said before by the account: the leaf is the earlier one.
        yield* opine("acct_a", "rain", { [t(0)]: 0.2 }, "agt_1"),
      ]
      const leaves = written.map(({ opinions: [one] }) => one!.leaf_id!)
      assert.deepStrictEqual(yield* Effect.forEach(leaves, buyerOf), [
        { accountId: "acct_a" },
        { accountId: "acct_a", agentId: "agt_1" },
        { accountId: "acct_a" },
      ])
    }),
  )

  over(
    "that repeat what the model said last are not recorded again; other ones are",
    Effect.gen(function* () {
      const first = yield* opine("acct_a", "rain", { [t(0)]: 0.2 })
      const again = yield* opine("acct_a", "rain", { [t(0)]: 0.2, [t(1)]: 0.4 })
      assert.strictEqual(again.opinions[0]!.leaf_id, first.opinions[0]!.leaf_id)
      assert.strictEqual(again.opinions_left, 998)
      yield* opine("acct_a", "rain", { [t(0)]: 0.3 })
      const back = yield* opine("acct_a", "rain", { [t(0)]: 0.2 })
      assert.notStrictEqual(back.opinions[0]!.leaf_id, first.opinions[0]!.leaf_id)
      // What another model said is its own.
      yield* opine("acct_a", "sun", { [t(0)]: 0.2 })
      assert.strictEqual(yield* opinionRows, 5)
    }),
  )

  over(
    "are refused whole, with a hint for each bad row and nothing written",
    Effect.gen(function* () {
      yield* opine("acct_a", "rain", { [t(2)]: 0.5 })
      const log = yield* RecordLog
      const before = [yield* log.size, yield* opinionRows]
      const unknown = yield* Effect.flip(opine("acct_a", "rain", { [t(0)]: 0.5, "KXNOTHING-1": 0.5, [t(9)]: 0.1 }))
      assert.strictEqual(unknown.code, "invalid_request_body")
      assert.deepStrictEqual(
        hintsOf(unknown),
        ["KXNOTHING-1", t(9)].map((ticker, at) => [
          `opinions.${at + 1}.market`,
          `No open contract that our models price has the ticker ${ticker}: /v1/bench/contracts lists them.`,
        ]),
      )
      const named = yield* Effect.flip(opine("acct_b", "rain", { [t(0)]: 0.5 }))
      assert.deepStrictEqual(hintsOf(named), [["model", "The name rain belongs to another account."]])
      yield* TestClock.setTime(close)
      const late = yield* Effect.flip(opine("acct_a", "rain", { [t(0)]: 0.5 }))
      const closed = `Remove ${t(0)}, which closed at ${new Date(close).toISOString()}.`
      assert.deepStrictEqual(hintsOf(late), [["opinions.0.market", closed]])
      // The venue does not list it any more.
      yield* (yield* ContractStore).replace("kalshi", "weather", [], close + 1)
      assert.deepStrictEqual(hintsOf(yield* Effect.flip(opine("acct_a", "rain", { [t(0)]: 0.5 }))), hintsOf(late))
      assert.deepStrictEqual([yield* log.size, yield* opinionRows], before)
    }),
  )

  over(
    "are refused after an early close that the venue's result tells, though the contract is listed still",
    Effect.gen(function* () {
      yield* TestClock.setTime(noon + 2 * hour)
      yield* (yield* ContractStore).settle(
        "kalshi",
        [{ ticker: t(0), closedAt: noon + hour, result: "yes" }],
        noon + 2 * hour,
      )
      const late = yield* Effect.flip(opine("acct_a", "rain", { [t(1)]: 0.5, [t(0)]: 0.5 }))
      const closed = `Remove ${t(0)}, which closed at ${new Date(noon + hour).toISOString()}.`
      assert.deepStrictEqual(hintsOf(late), [["opinions.1.market", closed]])
      assert.strictEqual(yield* opinionRows, 0)
    }),
  )

  over(
    "have five models an account, whatever is asked at once, and a withdrawn one counts and takes no more",
    Effect.gen(function* () {
      const asked = Array.from({ length: 20 }, (_, at) =>
        Effect.either(opine("acct_a", `model-${at}`, { [t(0)]: 0.5 })),
      )
      const results = yield* Effect.all(asked, { concurrency: 20 })
      const taken = results.flatMap((one) => (one._tag === "Right" ? [one.right.model] : []))
      assert.strictEqual(taken.length, 5)
      assert.strictEqual(yield* opinionRows, 5)
      const [first] = taken as [string]
      const { withdrawn_at } = yield* withdraw("acct_a", first)
      assert.strictEqual(withdrawn_at, new Date(noon).toISOString())
      yield* TestClock.setTime(noon + hour)
      assert.strictEqual((yield* withdraw("acct_a", first)).withdrawn_at, withdrawn_at)
      for (const model of [first, "sixth"]) {
        const refused = yield* Effect.flip(opine("acct_a", model, { [t(1)]: 0.5 }))
        assert.deepStrictEqual(
          (refused.hints ?? []).map(({ field }) => field),
          ["model"],
        )
      }
      assert.deepStrictEqual(hintsOf(yield* Effect.flip(withdraw("acct_b", taken[1]!))), [
        ["model", `The name ${taken[1]} belongs to another account.`],
      ])
      assert.strictEqual((yield* Effect.flip(withdraw("acct_a", "nobody"))).code, "not_found")
      yield* opine("acct_b", "sixth", { [t(1)]: 0.5 })
    }),
  )

  over(
    "are a thousand an account and day to the last one, whatever is asked at once, and as many on the next day",
    Effect.gen(function* () {
      const said = (from: number, count: number, p: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [t(from + at), p]))
      for (let at = 0; at < 9; at++) yield* opine("acct_a", at % 2 === 0 ? "one" : "two", said(0, 100, (at + 1) / 100))
      yield* opine("acct_a", "one", said(0, 50, 0.5))
      // Fifty are left for two hundred.
      const asked = Array.from({ length: 20 }, (_, at) => Effect.either(opine("acct_a", "two", said(at * 5, 10, 0.6))))
      const results = yield* Effect.all(asked, { concurrency: 20 })
      const refused = results.flatMap((one) => (one._tag === "Left" ? [one.left] : []))
      const rows = yield* opinionRows
      assert.isTrue(rows > 990 && rows <= 1_000, String(rows))
      for (const { code, retryAfterMs } of refused) {
        assert.deepStrictEqual([code, retryAfterMs], ["rate_limit_exceeded", 12 * hour])
      }
      const left = 1_000 - rows
      if (left > 0) yield* opine("acct_a", "one", said(0, left, 0.7))
      assert.strictEqual(yield* opinionRows, 1_000)
      const { detail } = yield* Effect.flip(opine("acct_a", "one", { [t(0)]: 0.8 }))
      assert.match(
        detail ?? "",
        /recorded 1,000 of 1,000 opinions in this UTC day; 1 further one would exceed the limit/,
      )
      // What was said already needs no room, and another account has its own.
      assert.strictEqual((yield* opine("acct_a", "one", { [t(60)]: 0.09 })).opinions_left, 0)
      assert.strictEqual((yield* opine("acct_b", "three", { [t(0)]: 0.8 })).opinions_left, 999)
      yield* TestClock.setTime(noon + 12 * hour)
      assert.strictEqual((yield* opine("acct_a", "one", { [t(0)]: 0.8 })).opinions_left, 999)
    }),
    many(105),
  )
})
