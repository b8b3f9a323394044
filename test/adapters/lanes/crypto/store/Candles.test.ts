import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { layerStore, layerTape } from "../../../../../adapters/lanes/crypto/store/Candles.ts"
import { type Agreement, type Candle, CandleStore, Tape } from "../../../../../core/lanes/crypto/ports.ts"
import { anyStore, sharedStore } from "../../../../support/anyStore.ts"

const both = Layer.merge(layerStore, layerTape)
const inMemory = <A, E>(effect: Effect.Effect<A, E, CandleStore | Tape | SqlClient.SqlClient>) =>
  Effect.provide(effect, both.pipe(Layer.provideMerge(anyStore)))

const first = 29_720_000
const candle = (minute: number, close = 60_000, changes: Partial<Candle> = {}): Candle => ({
  minute: first + minute,
  high: close + 5,
  low: close - 5,
  close,
  volume: 1.5,
  ...changes,
})
const candles = (from: number, to: number, close = 60_000) =>
  Array.from({ length: to - from }, (_, at) => candle(from + at, close + from + at))

const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM candles ORDER BY asset, minute`)

describe("the store of candles", () => {
  it.effect("stores a minute once, and changes it where its own exchange does", () =>
    inMemory(
      Effect.gen(function* () {
        const store = yield* CandleStore
        assert.strictEqual(yield* store.append("BTC", "coinbase", []), 0)
        assert.strictEqual(yield* store.append("BTC", "coinbase", candles(0, 3)), 3)
        const before = yield* rows
        assert.deepStrictEqual(before[0], {
          asset: "BTC",
          minute: first,
          high: 60_005,
          low: 59_995,
          close: 60_000,
          volume: 1.5,
          source: "coinbase",
        })
        assert.strictEqual(yield* store.append("BTC", "coinbase", candles(0, 3)), 0)
        assert.strictEqual(yield* store.append("BTC", "kraken", candles(0, 3, 70_000)), 0)
        assert.deepStrictEqual(yield* rows, before)
        assert.strictEqual(yield* store.append("BTC", "coinbase", candles(2, 3, 60_001)), 1)
        assert.deepInclude((yield* rows)[2], { close: 60_003, high: 60_008, source: "coinbase" })
        assert.strictEqual(yield* store.append("BTC", "coinbase", candles(2, 3)), 1)
        assert.deepStrictEqual(yield* rows, before)
        // New candles among known ones are stored.
        assert.strictEqual(yield* store.append("BTC", "kraken", candles(1, 5, 70_000)), 2)
        assert.deepStrictEqual((yield* rows).slice(0, 3), before)
        // Another asset has minutes of its own.
        assert.strictEqual(yield* store.append("ETH", "coinbase", candles(0, 3, 3_000)), 3)
        assert.deepStrictEqual(
          (yield* store.closes("BTC", first + 1)).map(({ minute }) => minute),
          [1, 2, 3, 4].map((minute) => first + minute),
        )
        assert.deepStrictEqual(
          (yield* store.closes("ETH", 0)).map(({ minute }) => minute),
          [0, 1, 2].map((minute) => first + minute),
        )
        assert.deepStrictEqual(
          (yield* store.closes("ETH", first + 3)).map(({ minute }) => minute),
          [],
        )
      }),
    ),
  )

  it.effect("takes all of a batch or nothing", () =>
    inMemory(
      Effect.gen(function* () {
        const store = yield* CandleStore
        for (const bad of [
          candle(1, 60_000, { low: 60_001 }),
          candle(1, 60_000, { high: 59_000 }),
          candle(1, 60_000, { low: 0 }),
          candle(1, 60_000, { volume: 0 }),
          candle(1, Number.NaN),
        ]) {
          assert.isTrue(Exit.isFailure(yield* Effect.exit(store.append("BTC", "bad", [candle(0), bad]))))
        }
        assert.deepStrictEqual(yield* rows, [])
        assert.isUndefined(yield* Effect.flatMap(Tape, (tape) => tape.window("BTC", 10)))
      }),
    ),
  )

  it.effect("forgets what is old, of both assets", () =>
    inMemory(
      Effect.gen(function* () {
        const store = yield* CandleStore
        const tape = yield* Tape
        yield* store.append("BTC", "coinbase", candles(0, 10))
        yield* store.append("ETH", "coinbase", candles(5, 8))
        assert.strictEqual((yield* tape.window("BTC", 10))!.closes.at(0), 60_000)
        assert.strictEqual(yield* store.prune(first), 0)
        assert.strictEqual(yield* store.prune(first + 6), 7)
        assert.deepStrictEqual(
          (yield* store.closes("BTC", 0)).map(({ minute }) => minute),
          [6, 7, 8, 9].map((minute) => first + minute),
        )
        assert.deepStrictEqual(
          (yield* store.closes("ETH", 0)).map(({ minute }) => minute),
          [6, 7].map((minute) => first + minute),
        )
        // A deletion also affects windows that were read before.
        assert.deepStrictEqual(
          [...(yield* tape.window("BTC", 6))!.closes],
          [Number.NaN, Number.NaN, 60_006, 60_007, 60_008, 60_009],
        )
        assert.deepStrictEqual([...(yield* tape.window("BTC", 10))!.closes].slice(0, 6), Array(6).fill(Number.NaN))
        assert.strictEqual(yield* store.prune(first + 1_000), 6)
        assert.isUndefined(yield* tape.window("BTC", 10))
      }),
    ),
  )
})

describe("the tape of a store", () => {
  it.effect("ends with the last candle, has gaps where there is none, and says who printed it", () =>
    inMemory(
      Effect.gen(function* () {
        const store = yield* CandleStore
        const tape = yield* Tape
        assert.strictEqual(tape.freshness, "live")
        assert.isUndefined(yield* tape.window("BTC", 5))
        yield* store.append("BTC", "kraken", [candle(2, 60_002), candle(5, 60_005)])
        yield* store.append("BTC", "coinbase", [candle(6, 60_006), candle(4, 60_004)])
        assert.isUndefined(yield* tape.window("ETH", 5))
        const nan = Number.NaN
        assert.deepStrictEqual(yield* tape.window("BTC", 5), {
          closes: Float64Array.of(60_002, nan, 60_004, 60_005, 60_006),
          lastMinute: first + 6,
          source: "coinbase, kraken",
          lastSource: "coinbase",
          flags: [],
        })
        assert.deepStrictEqual(yield* tape.window("BTC", 1), {
          closes: Float64Array.of(60_006),
          lastMinute: first + 6,
          source: "coinbase",
          lastSource: "coinbase",
          flags: [],
        })
      }),
    ),
  )

  it.scoped("is read again when another connection has changed it", () =>
    Effect.gen(function* () {
      const store = yield* sharedStore
      // In a memo map of its own each, or the second would be the first.
      const open = Effect.map(Layer.build(Layer.fresh(both).pipe(Layer.provide(Layer.fresh(store)))), (context) => ({
        store: Context.get(context, CandleStore),
        tape: Context.get(context, Tape),
      }))
      const [job, server] = [yield* open, yield* open]
      assert.isUndefined(yield* server.tape.window("BTC", 5))
      for (let minute = 0; minute < 4; minute++) {
        yield* job.store.append("BTC", "coinbase", [candle(minute, 60_000 + minute)])
        const window = yield* server.tape.window("BTC", 5)
        assert.deepStrictEqual([window!.lastMinute, window!.closes.at(-1)], [first + minute, 60_000 + minute])
        assert.strictEqual(yield* server.tape.window("BTC", 5), window)
        // The same again changes nothing, and neither does another asset.
        yield* job.store.append("BTC", "coinbase", [candle(minute, 60_000 + minute)])
        yield* job.store.append("ETH", "coinbase", [candle(minute)])
        assert.strictEqual(yield* server.tape.window("BTC", 5), window)
      }
      yield* job.store.recordComparison({ asset: "BTC", minute: first + 4, primary: "a", secondary: "b", gap: 0.1 })
      assert.deepStrictEqual((yield* server.tape.window("BTC", 5))!.flags, ["source_disagreement"])
    }),
  )

  const note = (minute: number, gap: number, asset: Agreement["asset"] = "BTC"): Agreement => ({
    asset,
    minute: first + minute,
    primary: "coinbase",
    secondary: "kraken",
    gap,
  })

  it.effect("is doubtful for a quarter of an hour after two sources disagreed", () =>
    inMemory(
      Effect.gen(function* () {
        const store = yield* CandleStore
        const tape = yield* Tape
        const flags = (asset: Agreement["asset"] = "BTC") =>
          Effect.map(tape.window(asset, 5), (window) => window!.flags)
        yield* store.append("BTC", "coinbase", candles(0, 10))
        yield* store.append("ETH", "coinbase", candles(0, 10, 3_000))
        assert.deepStrictEqual(yield* flags(), [])
        // Half a percent is still agreement.
        yield* store.recordComparison(note(10, 0.005))
        assert.deepStrictEqual(yield* flags(), [])
        yield* store.recordComparison(note(10, 0.0051))
        assert.deepStrictEqual(yield* flags(), ["source_disagreement"])
        assert.deepStrictEqual(yield* flags("ETH"), [])
        // Agreement five minutes later does not take it back.
        yield* store.append("BTC", "coinbase", candles(10, 15))
        yield* store.recordComparison(note(15, 0))
        assert.deepStrictEqual(yield* flags(), ["source_disagreement"])
        yield* store.append("BTC", "coinbase", candles(15, 25))
        assert.deepStrictEqual(yield* flags(), ["source_disagreement"])
        yield* store.append("BTC", "coinbase", candles(25, 26))
        assert.deepStrictEqual(yield* flags(), [])
      }),
    ),
  )

  it.effect("stores a day of comparisons, the last of each minute", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* CandleStore
        for (const minute of [0, 5, 1_440, 1_445]) yield* store.recordComparison(note(minute, minute))
        yield* store.recordComparison(note(1_445, 1))
        assert.deepStrictEqual(yield* sql`SELECT minute, gap FROM tape_agreements ORDER BY minute`, [
          { minute: first + 5, gap: 5 },
          { minute: first + 1_440, gap: 1_440 },
          { minute: first + 1_445, gap: 1 },
        ])
      }),
    ),
  )
})
