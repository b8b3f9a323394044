import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { validateCandles } from "../../../../core/lanes/crypto/candles.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import { type Agreement, type Candle, type CandleSource, CandleStore } from "../../../../core/lanes/crypto/ports.ts"
import { syncTape } from "../../../../core/lanes/crypto/syncTape.ts"

/** 14:31 of a summer's day: no minute in which sources are compared. */
const nowMinute = Date.UTC(2026, 6, 8, 14, 31) / 60_000
const at = (minute: number, seconds = 7) => TestClock.setTime(minute * 60_000 + seconds * 1_000)

const candle = (minute: number, close = 60_000): Candle => ({ minute, high: close, low: close, close, volume: 1 })

type Range = readonly [from: number, to: number]

/** An exchange that traded in every minute but those it lacks, and in the one that is running. */
const exchange = (
  name: string,
  {
    span = 300,
    lacks = () => false,
    price = () => 60_000,
    fails = () => false,
  }: {
    readonly span?: number
    readonly lacks?: (minute: number) => boolean
    readonly price?: (minute: number) => number
    /** By the number of requests before. */
    readonly fails?: (before: number) => boolean
  } = {},
) => {
  const asked: Array<Range> = []
  const source: CandleSource = {
    name,
    span,
    candles: (_, from, to) =>
      Effect.suspend(() => {
        if (fails(asked.push([from, to]) - 1))
          return Effect.fail(fail("upstream_unavailable", { detail: `${name} is down.` }))
        const minutes = Array.from({ length: to - from }, (_, n) => from + n).filter((minute) => !lacks(minute))
        return Effect.succeed(minutes.map((minute) => candle(minute, price(minute))))
      }),
  }
  return { source, asked }
}

/** A store that can be looked into. */
const memory = () => {
  const stored = new Map<number, Candle & { readonly source: string }>()
  const notes: Array<Agreement> = []
  const layer = Layer.succeed(CandleStore, {
    closes: (_, from) =>
      Effect.sync(() =>
        [...stored.values()].filter(({ minute }) => minute >= from).sort((a, b) => a.minute - b.minute),
      ),
    append: (_, source, candles) =>
      Effect.sync(() => {
        assert.strictEqual(new Set(candles.map(({ minute }) => minute)).size, candles.length, "each minute once")
        const taken = candles.filter(({ minute, close }) => {
          const known = stored.get(minute)
          return known === undefined || (known.source === source && known.close !== close)
        })
        for (const one of taken) stored.set(one.minute, { ...one, source })
        return taken.length
      }),
    prune: () => Effect.succeed(0),
    recordComparison: (agreement) => Effect.sync(() => void notes.push(agreement)),
  })
  const run = (sources: ReadonlyArray<CandleSource>, full: boolean, asset: Asset = "BTC") =>
    Effect.provide(syncTape(asset, sources, full), layer)
  /** The minutes a source printed, in order. */
  const from = (source: string) =>
    [...stored.values()]
      .filter((one) => one.source === source)
      .map(({ minute }) => minute)
      .sort((a, b) => a - b)
  return { stored, notes, run, from }
}

const down = { fails: () => true }
const minutesOf = (ranges: ReadonlyArray<Range>) =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, n) => from + n))
const stretch = (from: number, to: number) => minutesOf([[from, to]])

describe("the tape is brought up to date", () => {
  it.effect("from nothing: a week, in requests as long as the exchange allows", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      for (const span of [300, 720]) {
        const { source, asked } = exchange("one", { span })
        const { stored, run } = memory()
        assert.deepStrictEqual(yield* run([source], true), {
          asset: "BTC",
          stored: 10_080,
          revised: 0,
          missing: 0,
          failures: [],
        })
        assert.strictEqual(asked.length, Math.ceil(10_080 / span))
        assert.isTrue(asked.every(([from, to]) => to - from <= span))
        // The newest first.
        assert.deepStrictEqual(minutesOf(asked.toReversed()), stretch(nowMinute - 10_080, nowMinute))
        assert.deepStrictEqual([...stored.keys()].sort(), stretch(nowMinute - 10_080, nowMinute))
      }
    }),
  )

  it.effect("from nothing without the week: three hours", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const { source, asked } = exchange("one")
      const { run } = memory()
      assert.strictEqual((yield* run([source], false)).stored, 180)
      assert.deepStrictEqual(asked, [[nowMinute - 180, nowMinute]])
    }),
  )

  it.effect("with what is missing and no more", () =>
    Effect.gen(function* () {
      const { source, asked } = exchange("one")
      const { run, stored } = memory()
      yield* at(nowMinute)
      yield* run([source], true)
      asked.length = 0
      // Nothing to do within the same minute.
      assert.deepStrictEqual(yield* run([source], true), {
        asset: "BTC",
        stored: 0,
        revised: 0,
        missing: 0,
        failures: [],
      })
      assert.deepStrictEqual(asked, [])
      for (const later of [1, 2, 3]) {
        yield* at(nowMinute + later)
        assert.strictEqual((yield* run([source], false)).stored, 1)
      }
      // With stored minutes before it, which the answer has to continue.
      assert.deepStrictEqual(
        asked,
        [1, 2, 3].map((later) => [nowMinute + later - 16, nowMinute + later]),
      )
      // After a pause.
      asked.length = 0
      yield* at(nowMinute + 33)
      stored.delete(nowMinute - 20)
      stored.delete(nowMinute - 500)
      assert.strictEqual((yield* run([source], false)).stored, 31)
      // Gaps that are near share a request.
      assert.deepStrictEqual(asked, [[nowMinute - 35, nowMinute + 33]])
      // Older gaps are looked for when the whole week is.
      assert.strictEqual((yield* run([source], true)).stored, 1)
      assert.deepStrictEqual(asked.at(-1), [nowMinute - 515, nowMinute - 499])
    }),
  )

  it.effect("from the second source where the first has none", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const holes = [nowMinute - 100, nowMinute - 99, nowMinute - 40]
      const [first, second] = [
        exchange("first", { lacks: (minute) => holes.includes(minute) }),
        exchange("second", { lacks: (minute) => minute === nowMinute - 40, price: () => 60_010 }),
      ]
      const { run, stored, from } = memory()
      assert.deepStrictEqual(yield* run([first.source, second.source], false), {
        asset: "BTC",
        stored: 179,
        revised: 0,
        missing: 1,
        failures: [],
      })
      // To compare before a new tape, and for the holes.
      assert.deepStrictEqual(second.asked, [
        [nowMinute - 10, nowMinute],
        [nowMinute - 115, nowMinute - 39],
      ])
      assert.deepStrictEqual(from("second"), [nowMinute - 100, nowMinute - 99])
      assert.strictEqual(stored.get(nowMinute - 100)?.close, 60_010)
      // What nobody has stays a gap, and does not keep the tape from going on.
      yield* at(nowMinute + 1)
      assert.deepStrictEqual(yield* run([first.source, second.source], false), {
        asset: "BTC",
        stored: 1,
        revised: 0,
        missing: 1,
        failures: [],
      })
    }),
  )

  it.effect("from the first source alone while it is only a little late", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const late = exchange("first", { lacks: (minute) => minute >= nowMinute - 2 })
      const second = exchange("second", { price: () => 60_010 })
      const { run, from } = memory()
      assert.strictEqual((yield* run([late.source, second.source], false)).missing, 2)
      // A new tape is compared, and takes nothing of it.
      assert.deepStrictEqual([second.asked, from("second")], [[[nowMinute - 10, nowMinute]], []])
      // After three minutes the second is asked for what the first still lacks.
      yield* at(nowMinute + 2)
      yield* run([late.source, second.source], false)
      assert.deepStrictEqual(from("second"), [nowMinute - 2])
    }),
  )

  it.effect("without asking a source for what is beyond its reach", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const first = exchange("first", { lacks: () => true })
      const second = exchange("second", { span: 720 })
      const { run, from } = memory()
      yield* run([first.source, { ...second.source, reach: 720 }], true)
      assert.deepStrictEqual(from("second"), stretch(nowMinute - 720, nowMinute))
    }),
  )

  it.effect("from the second source alone when the first is down", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const [first, second] = [exchange("first", down), exchange("second", { span: 720 })]
      const { run, from } = memory()
      const synced = yield* run([first.source, second.source], true)
      assert.deepStrictEqual(synced, {
        asset: "BTC",
        stored: 10_080,
        revised: 0,
        missing: 0,
        failures: ["first: first is down."],
      })
      // One request to compare, and one that tells that it is down.
      assert.strictEqual(first.asked.length, 2)
      assert.strictEqual(from("second").length, 10_080)
    }),
  )

  it.effect("with the second source where the first broke off", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const first = exchange("first", { fails: (before) => before === 3 })
      // As an exchange that knows the last twelve hours only.
      const second = exchange("second", { span: 720, lacks: (minute) => minute < nowMinute - 720 })
      const { run, from } = memory()
      const synced = yield* run([first.source, second.source], true)
      assert.deepStrictEqual(synced, {
        asset: "BTC",
        stored: 720,
        revised: 0,
        missing: 10_080 - 720,
        failures: ["first: first is down."],
      })
      assert.deepStrictEqual(from("first"), stretch(nowMinute - 480, nowMinute))
      assert.deepStrictEqual(from("second"), stretch(nowMinute - 720, nowMinute - 480))
    }),
  )

  it.effect("not at all when both are down: it fails and stores nothing", () =>
    Effect.gen(function* () {
      yield* at(nowMinute - 1)
      const { run, stored, notes } = memory()
      const both = [exchange("first", down).source, exchange("second", down).source]
      for (const full of [true, false]) {
        const failure: Failure = yield* Effect.flip(run(both, full))
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.include(failure.message, "BTC")
        assert.include(failure.message, "first is down.")
        assert.include(failure.message, "second is down.")
      }
      assert.strictEqual(stored.size, 0)
      assert.deepStrictEqual(notes, [])
      assert.strictEqual((yield* Effect.flip(run([], false))).code, "upstream_unavailable")
    }),
  )

  it.effect("without a failure when both are down and nothing is missing", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const { run } = memory()
      yield* run([exchange("first").source], false)
      const both = [exchange("first", down), exchange("second", down)]
      const synced = yield* run(
        both.map(({ source }) => source),
        false,
      )
      assert.deepStrictEqual(synced, { asset: "BTC", stored: 0, revised: 0, missing: 0, failures: [] })
      assert.deepStrictEqual(
        both.map(({ asked }) => asked),
        [[], []],
      )
    }),
  )

  it.effect("never to the minute that is running", () =>
    Effect.gen(function* () {
      const { run, stored } = memory()
      const { source, asked } = exchange("one")
      // An exchange that answers with more than it was asked for, as they do.
      const eager: CandleSource = {
        ...source,
        candles: (asset, from, to) =>
          Effect.map(source.candles(asset, from - 3, to + 1), (rows) =>
            Either.getOrThrow(validateCandles(rows, from, to, to)),
          ),
      }
      for (const minute of [nowMinute, nowMinute + 1, nowMinute + 5]) {
        for (const seconds of [0, 59.999]) {
          yield* at(minute, seconds)
          yield* run([eager], false)
          assert.strictEqual(Math.max(...stored.keys()), minute - 1)
        }
      }
      assert.isTrue(asked.every(([, to]) => to - 1 <= nowMinute + 5))
    }),
  )

  it.effect("with the closes that their exchange has revised since, which are counted", () =>
    Effect.gen(function* () {
      let revised = 60_000
      // The range that is asked for again begins before the revised minute.
      const { source } = exchange("one", {
        price: (minute) => (minute === nowMinute - 3 ? revised : 60_000),
        lacks: (minute) => minute === nowMinute - 6,
      })
      const { stored, run } = memory()
      yield* at(nowMinute)
      yield* run([source], false)
      revised = 60_020
      yield* at(nowMinute + 1)
      assert.deepInclude(yield* run([source], false), { stored: 1, revised: 1, missing: 1, failures: [] })
      assert.strictEqual(stored.get(nowMinute - 3)!.close, 60_020)
      yield* at(nowMinute + 2)
      assert.deepInclude(yield* run([source], false), { stored: 1, revised: 0 })
    }),
  )

  const damages: ReadonlyArray<
    readonly [what: string, change: (rows: ReadonlyArray<Candle>) => ReadonlyArray<Candle>, reason: string]
  > = [
    ["nothing", () => [], "no candle of the last 15 minutes"],
    [
      "the answer of yesterday",
      (rows) => rows.map((row) => ({ ...row, minute: row.minute - 1_440 })),
      "no candle of the last 15",
    ],
    [
      "closes that are shifted by a row",
      (rows) => rows.map((row, n) => candle(row.minute, rows[n + 1]?.close ?? row.close)),
      "another close in 15 of 15 minutes that it had before",
    ],
  ]
  for (const [what, change, reason] of damages) {
    it.effect(`without ${what} of the first source, which the second replaces, and says why`, () =>
      Effect.gen(function* () {
        const price = (minute: number) => 60_000 + (minute % 7)
        let isDamaged = false
        const { source } = exchange("first", { price })
        const first: CandleSource = {
          ...source,
          candles: (asset, from, to) =>
            Effect.map(source.candles(asset, from, to), (rows) =>
              isDamaged ? change(rows).filter(({ minute }) => minute >= from && minute < to) : rows,
            ),
        }
        const second = exchange("second", { price })
        const { run, stored, from } = memory()
        yield* at(nowMinute)
        yield* run([first, second.source], false)
        isDamaged = true
        yield* at(nowMinute + 1)
        const { failures, missing } = yield* run([first, second.source], false)
        assert.strictEqual(failures.length, 1)
        assert.include(failures[0], `first: refused: ${reason}`)
        assert.deepStrictEqual([missing, from("second")], [0, [nowMinute]])
        isDamaged = false
        yield* at(nowMinute + 2)
        assert.deepStrictEqual((yield* run([first, second.source], false)).failures, [])
        assert.strictEqual(stored.get(nowMinute + 1)?.source, "first")
      }),
    )
  }

  it.effect("fails as the store fails", () =>
    Effect.gen(function* () {
      yield* at(nowMinute)
      const failure = fail("storage_unavailable")
      const broken = Layer.succeed(CandleStore, {
        closes: () => Effect.succeed([]),
        append: () => Effect.fail(failure),
        prune: () => Effect.fail(failure),
        recordComparison: () => Effect.fail(failure),
      })
      const failed = yield* Effect.flip(Effect.provide(syncTape("BTC", [exchange("one").source], false), broken))
      assert.strictEqual(failed, failure)
    }),
  )
})

describe("two sources", () => {
  const fifth = nowMinute + 4

  it.effect("are compared in every fifth minute over the last ten", () =>
    Effect.gen(function* () {
      const { run, notes } = memory()
      // In the worst minute of the ten, 1 % apart; further apart before them.
      const second = exchange("second", {
        price: (minute) => (minute < fifth - 10 ? 90_000 : minute === fifth - 7 ? 60_600 : 60_001),
      })
      const first = exchange("first")
      yield* at(fifth - 4)
      yield* run([first.source], false, "ETH")
      for (let minute = fifth - 4; minute <= fifth + 4; minute++) {
        yield* at(minute)
        yield* run([first.source, second.source], false, "ETH")
      }
      assert.strictEqual(notes.length, 1)
      const [{ gap, ...note }] = notes as [Agreement]
      assert.deepStrictEqual(note, { asset: "ETH", minute: fifth, primary: "first", secondary: "second" })
      assert.closeTo(gap, Math.log(1.01), 1e-15)
      // Nothing was missing: the second was asked for the comparison alone.
      assert.deepStrictEqual(second.asked, [[fifth - 10, fifth]])
      yield* at(fifth + 5)
      yield* run([first.source, second.source], false, "ETH")
      assert.strictEqual(notes.length, 2)
    }),
  )

  it.effect("begin no tape where they disagree", () =>
    Effect.gen(function* () {
      const { run, notes, stored } = memory()
      let factor = 1.02
      const [first, second] = [exchange("first"), exchange("second", { price: () => factor * 60_000 })]
      yield* at(nowMinute)
      const failure = yield* Effect.flip(run([first.source, second.source], false))
      assert.strictEqual(failure.message, "first and second differ by 1.98 %, so no BTC tape is begun.")
      assert.deepStrictEqual([stored.size, notes.map(({ minute }) => minute)], [0, [nowMinute]])
      factor = 1.001
      yield* at(nowMinute + 1)
      assert.strictEqual((yield* run([first.source, second.source], false)).missing, 0)
      // A tape that goes on is held against what it has.
      factor = 1.02
      yield* at(nowMinute + 2)
      assert.strictEqual((yield* run([first.source, second.source], false)).stored, 1)
      assert.deepStrictEqual(
        notes.map(({ minute }) => minute),
        [nowMinute, nowMinute + 1],
      )
    }),
  )

  it.effect("are not compared where one fails, has nothing, or is not there", () =>
    Effect.gen(function* () {
      yield* at(fifth)
      const good = () => exchange("good").source
      for (const sources of [
        [good()],
        [good(), exchange("second", down).source],
        [exchange("first", down).source, good()],
        [good(), exchange("second", { lacks: () => true }).source],
      ]) {
        const { run, notes } = memory()
        assert.strictEqual((yield* run(sources, false)).stored, 180)
        assert.deepStrictEqual(notes, [])
      }
      // One that has just failed is not asked again for the comparison: the first is that before a new tape.
      const hanging = exchange("first", down)
      yield* memory().run([hanging.source, good()], false)
      assert.strictEqual(hanging.asked.length, 2)
    }),
  )

  it.effect("are compared where the second continues the minutes of the first, and one that fails is named", () =>
    Effect.gen(function* () {
      let isDown = false
      const first = exchange("first", { fails: () => isDown })
      let price = 60_000
      const second = exchange("second", { price: () => price })
      const { run, notes } = memory()
      yield* at(nowMinute)
      yield* run([first.source, second.source], false)
      isDown = true
      price = 60_600
      yield* at(nowMinute + 1)
      yield* run([first.source, second.source], false)
      const note = notes.find(({ minute }) => minute === nowMinute + 1)
      assert.deepStrictEqual([note?.primary, note?.secondary], ["first", "second"])
      assert.closeTo(note!.gap, Math.log(1.01), 1e-15)
      yield* at(fifth)
      const synced = yield* memory().run([exchange("good").source, exchange("second", down).source], false)
      assert.deepStrictEqual(synced.failures, ["second: second is down."])
    }),
  )
})
