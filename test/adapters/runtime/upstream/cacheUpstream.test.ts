import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as Tracer from "effect/Tracer"
import { cacheUpstream, type Options } from "../../../../adapters/runtime/upstream/cacheUpstream.ts"
import { toFailure, UpstreamError } from "../../../../adapters/runtime/upstream/UpstreamError.ts"
import * as CallContext from "../../../../core/CallContext.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import * as Step from "../../../../core/Step.ts"
import * as Tracing from "../../../../core/telemetry/Tracing.ts"

/** An upstream that returns the time, or fails, and counts requests. */
const made = (options: Partial<Options<number>> = {}) =>
  Effect.gen(function* () {
    const state = { asked: [] as Array<string>, failure: undefined as Failure | undefined, takes: 0 }
    const get = yield* cacheUpstream<number>(
      (key) =>
        Effect.gen(function* () {
          state.asked.push(key)
          yield* Effect.sleep(state.takes)
          if (state.failure !== undefined) return yield* Effect.fail(state.failure)
          return yield* Clock.currentTimeMillis
        }),
      { source: "The Iowa archive", ttlMs: 600_000, capacity: 3, ...options },
    )
    return { state, get }
  })

const down = (retryAfterMs: number) => fail("upstream_unavailable", { retryAfterMs })

describe("what is remembered", () => {
  it.effect("is a good answer, as long as it is good", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made()
      for (const [at, value, asked] of [
        [0, 0, 1],
        [600_000, 0, 1],
        [600_001, 600_001, 2],
      ] as const) {
        yield* TestClock.setTime(at)
        assert.deepStrictEqual(yield* get("a"), { value, stale: false, ttlMs: 600_000 } as never)
        assert.strictEqual(state.asked.length, asked)
      }
    }),
  )

  it.effect("needs no fiber while it is remembered, good or bad", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made()
      const begin = Step.eager(get, yield* Effect.clock)
      const isDone = (key: string) => Step.isDone(begin(key))
      assert.isFalse(isDone("good"))
      yield* get("good")
      state.failure = down(30_000)
      yield* Effect.flip(get("bad"))
      const done = [begin("good"), begin("bad")]
      assert.deepStrictEqual(done.map(Step.isDone), [true, true])
      assert.strictEqual((yield* Step.run(done[0]!)).value, 0)
      assert.strictEqual((yield* Effect.flip(Step.run(done[1]!))).code, "upstream_unavailable")
      yield* TestClock.setTime(30_001)
      assert.deepStrictEqual([isDone("good"), isDone("bad")], [true, false])
      yield* TestClock.setTime(600_001)
      assert.isFalse(isDone("good"))
      assert.deepStrictEqual(state.asked, ["good", "bad"])
    }),
  )

  const lives: ReadonlyArray<readonly [what: string, failure: Failure, forMillis: number]> = [
    ["one that says nothing", fail("upstream_unavailable"), 2_000],
    ["one that asks for less", down(10), 2_000],
    ["one that asks for more", down(30_000), 30_000],
    ["one that asks for far too much", down(3_600_000), 60_000],
    ["that there is no such thing", fail("not_found"), 600_000],
  ]
  for (const [what, failure, forMillis] of lives) {
    it.effect(`is a failure for a moment: ${what}, ${forMillis} ms`, () =>
      Effect.gen(function* () {
        const { state, get } = yield* made()
        state.failure = failure
        for (const [at, asked] of [
          [0, 1],
          [forMillis, 1],
          [forMillis + 1, 2],
        ] as const) {
          yield* TestClock.setTime(at)
          assert.strictEqual((yield* Effect.flip(get("a"))).code, failure.code)
          assert.strictEqual(state.asked.length, asked)
        }
        state.failure = undefined
        yield* TestClock.setTime(3 * forMillis)
        assert.strictEqual((yield* get("a")).value, 3 * forMillis)
      }),
    )
  }

  it.effect("is no failure of a request that was not sent", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made()
      for (const reason of ["busy", "paused", "throttled"] as const) {
        state.failure = toFailure(new UpstreamError({ upstream: "iem", reason, message: "Not sent." }))
        yield* Effect.flip(get("a"))
        const asked = state.asked.length
        yield* Effect.flip(get("a"))
        assert.strictEqual(state.asked.length, asked + 1, reason)
      }
      state.failure = undefined
      assert.strictEqual((yield* get("a")).value, 0)
    }),
  )

  it.effect("stands in for a newer answer as long as it is usable, and says so", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made({ usableUntil: (at) => at + 3_600_000 })
      yield* get("a")
      state.failure = down(30_000)
      yield* TestClock.setTime(600_001)
      const { value, stale } = yield* get("a")
      assert.deepStrictEqual([value, stale], [0, true])
      // The cached failure is within the upstream's `Retry-After`: no new request.
      yield* TestClock.setTime(630_001)
      assert.isTrue((yield* get("a")).stale)
      assert.strictEqual(state.asked.length, 2)
      yield* TestClock.setTime(3_599_999)
      assert.isTrue((yield* get("a")).stale)
      yield* TestClock.setTime(3_600_000 + 30_000)
      assert.strictEqual((yield* Effect.flip(get("a"))).code, "upstream_unavailable")
      assert.strictEqual((yield* Effect.flip(get("b"))).code, "upstream_unavailable")
      state.failure = undefined
      yield* TestClock.setTime(3_700_000)
      assert.isFalse((yield* get("a")).stale)
    }),
  )

  it.effect("does not stand in for something that is gone, or where none may", () =>
    Effect.gen(function* () {
      const [usable, strict] = [yield* made({ usableUntil: () => Number.POSITIVE_INFINITY }), yield* made()]
      for (const { get } of [usable, strict]) yield* get("a")
      usable.state.failure = fail("not_found")
      strict.state.failure = down(1_000)
      yield* TestClock.setTime(600_001)
      assert.strictEqual((yield* Effect.flip(usable.get("a"))).code, "not_found")
      assert.strictEqual((yield* Effect.flip(strict.get("a"))).code, "upstream_unavailable")
    }),
  )

  it.effect("is so many keys, those that were asked for last", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made({ usableUntil: () => Number.POSITIVE_INFINITY })
      for (let index = 0; index < 50; index++) yield* get(`key ${index}`)
      state.asked.length = 0
      for (const index of [49, 48, 47]) yield* get(`key ${index}`)
      assert.isEmpty(state.asked)
      yield* get("key 0")
      assert.deepStrictEqual(state.asked, ["key 0"])
      // An evicted value is not returned on failure.
      state.failure = down(1_000)
      yield* TestClock.setTime(600_001)
      assert.strictEqual((yield* Effect.flip(get("key 10"))).code, "upstream_unavailable")
      assert.isTrue((yield* get("key 0")).stale)
    }),
  )

  it.effect("is one question of a crowd, also when the one who asked first goes away", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made()
      state.takes = 1_000
      const first = yield* Effect.fork(get("a"))
      const others = yield* Effect.fork(Effect.all([get("a"), get("a")], { concurrency: 2 }))
      yield* TestClock.adjust(500)
      const gone = yield* Fiber.interrupt(first)
      assert.isTrue(Exit.isInterrupted(gone))
      yield* TestClock.adjust(500)
      const [one, two] = yield* Fiber.join(others)
      assert.deepStrictEqual([one.value, two.value, state.asked.length], [1_000, 1_000, 1])
    }),
  )

  it.effect("is not waited for longer than a call has, over all that it asks; the request goes on", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made()
      state.takes = 6_000
      const call = yield* Effect.fork(CallContext.within(Effect.flip(Effect.zipRight(get("a"), get("b"))), 0))
      yield* TestClock.adjust(8_999)
      assert.isTrue(Option.isNone(yield* Fiber.poll(call)))
      yield* TestClock.adjust(1)
      const { code, retryAfterMs, message } = yield* Fiber.join(call)
      assert.deepStrictEqual(
        [code, retryAfterMs, message],
        ["upstream_unavailable", 5_000, "The Iowa archive did not answer in 9 s."],
      )
      const later = yield* Effect.fork(get("b"))
      yield* TestClock.adjust(3_000)
      assert.strictEqual((yield* Fiber.join(later)).value, 12_000)
      assert.deepStrictEqual(state.asked, ["a", "b"])
    }),
  )

  it.effect("is not waited for by a call that begins when it has taken a call's whole time; by a job it is", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made()
      state.takes = 12_000
      const first = yield* Effect.fork(CallContext.within(Effect.flip(get("a")), 0))
      yield* TestClock.adjust(9_000)
      assert.strictEqual((yield* Fiber.join(first)).code, "upstream_unavailable")
      const failure = yield* CallContext.within(Effect.flip(get("a")), 9_000)
      assert.strictEqual(failure.message, "The Iowa archive did not answer in 9 s.")
      const job = yield* Effect.fork(get("a"))
      yield* TestClock.adjust(3_000)
      assert.strictEqual((yield* Fiber.join(job)).value, 12_000)
      assert.strictEqual((yield* CallContext.within(get("a"), 12_000)).value, 12_000)
      assert.deepStrictEqual(state.asked, ["a"])
    }),
  )

  it.effect("stands in where a call cannot wait for a newer one, for whoever asks meanwhile", () =>
    Effect.gen(function* () {
      const { state, get } = yield* made({ usableUntil: (at) => at + 3_600_000 })
      yield* get("a")
      state.takes = 60_000
      yield* TestClock.setTime(600_001)
      const call = yield* Effect.fork(CallContext.within(get("a"), 600_001))
      yield* TestClock.adjust(20_000)
      assert.deepStrictEqual([(yield* Fiber.join(call)).value, state.asked.length], [0, 2])
      yield* TestClock.adjust(40_000)
      assert.deepStrictEqual(yield* get("a"), { value: 660_001, stale: false, ttlMs: 600_000 } as never)
      assert.strictEqual(state.asked.length, 2)
    }),
  )

  it.effect("is asked for with the rank and the span of the call that asked first, and with nothing else of it", () =>
    Effect.gen(function* () {
      class Own extends Context.Reference<Own>()("test/Own", { defaultValue: () => "the cache's" }) {}
      const span = Tracer.externalSpan({ spanId: "0".repeat(16), traceId: "0".repeat(32) })
      const get = yield* cacheUpstream(() => Effect.all([CallContext.rank, Tracing.CallSpan, Own]), {
        ttlMs: 600_000,
        capacity: 3,
      })
      const as = (rank: CallContext.Rank, key: string) =>
        CallContext.within(get(key), 0, rank).pipe(
          Effect.provideService(Tracing.CallSpan, span),
          Effect.provideService(Own, "the call's"),
          Effect.map(({ value }) => value),
        )
      assert.deepStrictEqual(yield* as("paid", "a"), ["paid", span, "the cache's"])
      assert.deepStrictEqual(yield* as("behind", "a"), ["paid", span, "the cache's"])
      assert.deepStrictEqual(yield* as("unpaid", "b"), ["unpaid", span, "the cache's"])
      assert.deepStrictEqual((yield* get("c")).value, ["behind", undefined, "the cache's"])
    }),
  )

  it.effect("is no bug: one that was met is met again", () =>
    Effect.gen(function* () {
      let bugs = 0
      const get = yield* cacheUpstream<number>(
        () => Effect.sync(() => bugs++).pipe(Effect.zipRight(Effect.die("bug"))),
        {
          ttlMs: 600_000,
          capacity: 3,
        },
      )
      for (const at of [0, 2_001, 4_002]) {
        yield* TestClock.setTime(at)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(get("a"))))
      }
      assert.strictEqual(bugs, 3)
    }),
  )
})
