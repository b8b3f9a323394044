import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { crypto } from "../../../../adapters/lanes/crypto/module.ts"
import * as candles from "../../../../adapters/lanes/crypto/store/Candles.ts"
import { register } from "../../../../adapters/lanes/feeds.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { tapeFeeds } from "../../../../core/lanes/crypto/coverage.ts"
import { CandleStore } from "../../../../core/lanes/crypto/ports.ts"

const now = Date.UTC(2026, 6, 8, 14, 30, 20)
const nowMinute = Math.floor(now / 60_000)
const context = {
  mode: "live",
  modes: {},
  settings: { coinbase: "http://127.0.0.1:9", kraken: "http://127.0.0.1:9", userAgent: "" },
} as const

describe("the register's knowledge of the stored tapes", () => {
  it.effect("has holes of the last week, late minutes, and the next attempt; each asset has its own", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const feeds = yield* Effect.flatMap(crypto.feeds(context), (owed) => register([["crypto", owed]]))
      const { append } = yield* CandleStore
      const put = (minutes: ReadonlyArray<number>) =>
        append(
          "BTC",
          "coinbase",
          minutes.map((minute) => ({ minute, high: 1, low: 1, close: 1, volume: 1 })),
        )
      const known = Effect.map(feeds.coverage(tapeFeeds.BTC), (found) => ({
        ...{ newest: found?.newest?.order, missing: found?.missing.length, next: found?.nextAttemptAt },
        gaps: found?.gaps.map(({ name }) => name),
      }))
      const next = Date.UTC(2026, 6, 8, 14, 31, 5)
      assert.deepStrictEqual(yield* known, { newest: undefined, missing: 60, next, gaps: [] })
      // A hole of eight minutes that began before the week, then one of four, and one of six minutes.
      const first = nowMinute - 10_080
      const whole = Array.from({ length: 10_080 }, (_, at) => first + at)
      const isThere = (minute: number) =>
        minute >= first + 8 &&
        !(minute >= first + 50 && minute < first + 54) &&
        !(minute >= first + 90 && minute < first + 96)
      yield* put([first - 20, ...whole.filter(isThere)])
      const name = (minute: number) => new Date(minute * 60_000).toISOString().replace(":00.000Z", "Z")
      const gaps = [`8 minutes from ${name(first)}`, `6 minutes from ${name(first + 90)}`]
      assert.deepStrictEqual(yield* known, { newest: nowMinute - 1, missing: 0, next, gaps })
      // The job fills them.
      yield* put(whole)
      assert.deepStrictEqual((yield* known).gaps, [])
      yield* TestClock.adjust("4 minutes")
      assert.strictEqual((yield* known).missing, 3)
      const [bitcoin, ether] = yield* feeds.all
      assert.deepStrictEqual([bitcoin?.state, ether?.state, ether?.newest], ["behind", "behind", undefined])
    }).pipe(Effect.provide(candles.layerStore.pipe(Layer.provideMerge(sqlite.layer(":memory:"))))),
  )
})
