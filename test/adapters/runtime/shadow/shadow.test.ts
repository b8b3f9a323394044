import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as shadow from "../../../../adapters/runtime/shadow/shadow.ts"
import type { Freshness } from "../../../../core/endpoint/Answer.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { type Comparison, ShadowLog } from "../../../../core/shadow/ShadowLog.ts"

interface Prices {
  readonly freshness: Freshness
  readonly venue: string
  readonly assets: Effect.Effect<ReadonlyArray<string>, Failure>
  readonly price: (asset: unknown) => Effect.Effect<unknown, unknown>
  readonly tick: (asset: string) => number
}

class Port extends Context.Tag("market-signals/core/lanes/crypto/Prices")<Port, Prices>() {}

const prices = (freshness: Freshness, changes: Partial<Prices> = {}): Prices => ({
  freshness,
  venue: `the ${freshness} venue`,
  assets: Effect.succeed(["BTC"]),
  price: () => Effect.succeed({ bid: 1, ask: 2 }),
  tick: () => 5,
  ...changes,
})

/** The decorated mock, and the comparisons that have reached the log; each is there after the next second. */
const shadowed = (
  mock: Partial<Prices>,
  live: Partial<Prices>,
  options: shadow.Options = {},
): Effect.Effect<{ readonly port: Prices; readonly log: ReadonlyArray<Comparison> }, never, Scope.Scope> => {
  const log: Array<Comparison> = []
  return Effect.map(
    shadow
      .make(prices("mock", mock), prices("live", live), { port: "prices", ...options })
      .pipe(Effect.provide(ShadowLog.layerMemory(log))),
    (port) => ({ port, log }),
  )
}

class Odd extends Data.TaggedError("Odd")<{ readonly message: string }> {}

/** Every way in which a live service can fail. */
const behaviours: Readonly<Record<string, (value: unknown) => Effect.Effect<unknown, unknown>>> = {
  answers: (value) => Effect.succeed(value),
  "answers late": (value) => Effect.delay(Effect.succeed(value), "500 millis"),
  fails: () => Effect.fail(fail("upstream_unavailable")),
  "fails late": () => Effect.delay(Effect.fail(new Odd({ message: "odd" })), "500 millis"),
  "fails with nothing": () => Effect.fail(undefined),
  dies: () => Effect.die(new Error("a bug")),
  "interrupts itself": () => Effect.interrupt,
  throws: () => {
    throw new Error("not even an effect")
  },
  "gives no effect": () => undefined as never,
  "never answers": () => Effect.never,
  "cannot be interrupted": () => Effect.uninterruptible(Effect.delay(Effect.succeed(1), "2 seconds")),
  spins: () => Effect.forever(Effect.yieldNow()),
}

const answers: FastCheck.Arbitrary<Exit.Exit<unknown, unknown>> = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.jsonValue().map(Exit.succeed) },
  { weight: 1, arbitrary: FastCheck.constant(Exit.fail(fail("not_found"))) },
  { weight: 1, arbitrary: FastCheck.constant(Exit.die(new Error("a bug of the mock"))) },
)

describe("shadow mode", () => {
  it.scoped.prop(
    "never changes nor delays an answer, whatever live does",
    { behaviour: FastCheck.constantFrom(...Object.keys(behaviours)), answer: answers, live: FastCheck.jsonValue() },
    ({ behaviour, answer, live }) =>
      Effect.gen(function* () {
        const { port, log } = yield* shadowed(
          { price: () => answer },
          { price: () => behaviours[behaviour]!(live) },
          { timeLimit: "1 second" },
        )
        for (const call of [port.price("BTC"), Effect.uninterruptible(port.price("BTC"))]) {
          const caller = yield* Effect.fork(call)
          // No time passes, and the caller has its answer in its first turn.
          yield* Effect.yieldNow()
          assert.deepStrictEqual(yield* Fiber.poll(caller), Option.some(answer))
        }
        if (behaviour !== "spins") {
          yield* TestClock.adjust("2 seconds")
          assert.strictEqual(log.length, 2)
        }
      }),
    { fastCheck: { numRuns: 60 } },
  )

  it.scoped("writes down whether both answer, whatever they say", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const { port, log } = yield* shadowed(
        {},
        {
          assets: Effect.fail(fail("upstream_unavailable")),
          price: (asset) =>
            asset === "BTC"
              ? Effect.delay(Effect.succeed({ quotes: [] }), "250 millis")
              : Effect.succeed({ bid: 3, ask: 2.5 }),
        },
      )
      assert.deepStrictEqual(yield* port.price("ETH"), { bid: 1, ask: 2 })
      assert.deepStrictEqual(yield* port.price("BTC"), { bid: 1, ask: 2 })
      assert.deepStrictEqual(yield* port.assets, ["BTC"])
      yield* TestClock.adjust("1 second")
      const row = { at: 5_000, port: "prices", liveMs: 0, dropped: 0 }
      assert.deepStrictEqual(log, [
        { ...row, method: "price", args: '["ETH"]', agreed: true },
        {
          ...row,
          method: "assets",
          args: "[]",
          agreed: false,
          difference: "mock: answers; live: upstream_unavailable",
          failure: "upstream_unavailable",
        },
        {
          ...row,
          method: "price",
          args: '["BTC"]',
          agreed: false,
          difference: "mock: answers; live: nothing",
          liveMs: 250,
        },
      ])
    }),
  )

  it.scoped("names how live failed, and agrees where both fail alike", () =>
    Effect.gen(function* () {
      const { port, log } = yield* shadowed(
        { price: () => Effect.fail(fail("not_found")) },
        { price: (name) => (name === "alike" ? Effect.fail(fail("not_found")) : behaviours[String(name)]!(1)) },
        { timeLimit: "1 second" },
      )
      const asked = ["alike", "fails", "fails late", "dies", "throws", "gives no effect", "never answers", "answers"]
      for (const behaviour of asked) {
        yield* Effect.exit(port.price(behaviour))
        yield* TestClock.adjust("2 seconds")
      }
      assert.deepStrictEqual(
        log.map(({ agreed, failure }) => [agreed, failure]),
        [
          [true, "not_found"],
          [false, "upstream_unavailable"],
          [false, "Odd"],
          [false, "defect"],
          [false, "defect"],
          [false, "defect"],
          [false, "timeout"],
          [false, undefined],
        ],
      )
      assert.strictEqual(log.at(-1)?.difference, "mock: not_found; live: answers")
    }),
  )

  it.scoped("asks for a few answers at once, drops the rest and counts them", () =>
    Effect.gen(function* () {
      let begun = 0
      const never = Effect.zipRight(
        Effect.sync(() => begun++),
        Effect.never,
      )
      const { port, log } = yield* shadowed({}, { price: () => never }, { inFlight: 2, timeLimit: "10 seconds" })
      for (let n = 0; n < 7; n++) yield* port.price("BTC")
      // Another method shares the slots, with its own count.
      yield* port.assets
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(begun, 2)
      assert.deepStrictEqual(
        log.map(({ failure, dropped }) => [failure, dropped]),
        [
          ["timeout", 5],
          ["timeout", 0],
        ],
      )
      // Both slots are free again.
      yield* port.assets
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([log[2]?.method, log[2]?.dropped], ["assets", 1])
    }),
  )

  it.scoped("keeps a thousand comparisons for the log's next second, and counts the rest", () =>
    Effect.gen(function* () {
      const { port, log } = yield* shadowed({}, {}, { inFlight: 2_000 })
      for (let n = 0; n < 1_003; n++) yield* port.assets
      yield* TestClock.adjust("1 second")
      assert.strictEqual(log.length, 1_000)
      yield* port.assets
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        log.slice(1_000).map(({ dropped }) => dropped),
        [3],
      )
    }),
  )

  it.scoped("holds the slot of an answer that cannot be interrupted", () =>
    Effect.gen(function* () {
      const { port, log } = yield* shadowed(
        {},
        { price: behaviours["cannot be interrupted"]! },
        { inFlight: 1, timeLimit: "200 millis" },
      )
      yield* port.price("BTC")
      yield* TestClock.adjust("1500 millis")
      assert.strictEqual(log[0]?.failure, "timeout")
      yield* port.assets
      yield* TestClock.adjust("1 second")
      assert.strictEqual(log.length, 1)
      yield* port.assets
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([log[1]?.method, log[1]?.dropped], ["assets", 1])
    }),
  )

  it.scoped("serves on when the log fails or dies", () =>
    Effect.gen(function* () {
      let recorded = 0
      const broken = Layer.succeed(
        ShadowLog,
        ShadowLog.of({
          record: (batch) =>
            batch.length === 0
              ? Effect.void
              : recorded++ === 0
                ? Effect.fail(fail("storage_unavailable"))
                : Effect.die(new Error("malformed")),
          agreement: Effect.succeed([]),
          differences: () => Effect.succeed([]),
        }),
      )
      const port = yield* shadow.make(prices("mock"), prices("live"), {}).pipe(Effect.provide(broken))
      for (let n = 1; n <= 3; n++) {
        assert.deepStrictEqual(yield* port.price("BTC"), { bid: 1, ask: 2 })
        yield* TestClock.adjust("1 second")
        assert.strictEqual(recorded, n)
      }
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))),
  )

  it.scoped("is the mock in everything else", () =>
    Effect.gen(function* () {
      const { port } = yield* shadowed({}, { tick: () => 7 })
      assert.strictEqual(port.freshness, "shadow")
      assert.strictEqual(port.venue, "the mock venue")
      assert.strictEqual(port.tick("BTC"), 5)
      const some = { price: () => Option.some(1) }
      const { port: optional } = yield* shadowed(some, some)
      assert.isTrue(Option.isOption(optional.price("BTC")))
    }),
  )

  it.scoped("does not compare an answer that nobody waited for", () =>
    Effect.gen(function* () {
      const { port, log } = yield* shadowed({ price: () => Effect.never }, {})
      yield* Effect.flatMap(Effect.fork(port.price("BTC")), (caller) =>
        Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(caller)),
      )
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(log, [])
    }),
  )

  it.scoped("shows arguments as JSON, and no secret among them", () =>
    Effect.gen(function* () {
      const { port, log } = yield* shadowed({}, {})
      const circle: { self?: unknown } = {}
      circle.self = circle
      for (const argument of [{ key: Redacted.make("hush") }, circle, 10n, "x".repeat(5_000)]) {
        yield* port.price(argument)
      }
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        log.slice(0, 3).map(({ args }) => args),
        ['[{"key":"<redacted>"}]', "not JSON", "not JSON"],
      )
      assert.strictEqual(log[3]?.args, `["${"x".repeat(1_998)}`)
    }),
  )

  it.effect("writes down at its end what was not yet written", () =>
    Effect.gen(function* () {
      const log: Array<Comparison> = []
      const both = {
        mock: Layer.succeed(Port, prices("mock")),
        live: Layer.succeed(Port, prices("live", { price: () => Effect.never })),
      }
      yield* Effect.gen(function* () {
        const port = yield* Port
        assert.strictEqual(port.freshness, "shadow")
        yield* port.assets
        yield* port.price("BTC")
        yield* Effect.repeatN(Effect.yieldNow(), 50)
      }).pipe(Effect.provide(shadow.ports(both, [Port])), Effect.provide(ShadowLog.layerMemory(log)))
      assert.deepStrictEqual(
        log.map(({ port, method, agreed }) => [port, method, agreed]),
        [["crypto/Prices", "assets", true]],
      )
    }),
  )
})
