import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Failure } from "../../core/Failure.ts"
import * as Step from "../../core/Step.ts"
import { clockAt } from "../support/clock.ts"
import { bug, everyCase, formOf, forms, inForm, oops, pending, plain } from "../support/steps.ts"

const sum = Step.fn(function* (first: Step.Step<number, Failure>, second: Step.Step<number, Failure>) {
  const a = yield* first
  const b = yield* second
  return a + b
})

describe("a combinator of steps", () => {
  for (const [form, name, exit] of everyCase) {
    it.effect(`preserves the form and the result: ${form}, ${name}`, () =>
      Effect.gen(function* () {
        const next = Step.andThen(inForm(form, exit), (value) => Exit.succeed(value + 1))
        const caught = Step.catchCause(inForm(form, exit), (cause) => Exit.succeed(Cause.pretty(cause)))
        let ended = 0
        const ensured = Step.ensuring(inForm(form, exit), () => ended++)
        const either = Step.either(inForm<number, Failure>(form, exit))
        assert.deepStrictEqual([next, caught, ensured, either].map(formOf), [form, form, form, form])
        assert.strictEqual(ended, form === "done" ? 1 : 0)

        assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(ensured))), plain(exit))
        assert.strictEqual(ended, 1)
        assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(next))), exit._tag === "Success" ? 2 : plain(exit))
        const expected = yield* Effect.exit(Effect.either(exit))
        assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(either))), plain(expected))
        assert.strictEqual(yield* Step.run(caught), exit._tag === "Success" ? 1 : (plain(exit) as string))
      }),
    )

    it.effect(`turns an exception in a continuation into a defect: ${form}, ${name}`, () =>
      Effect.gen(function* () {
        const thrower = (): never => {
          throw bug
        }
        const step = inForm(form, exit)
        const thrown = exit._tag === "Success" ? Step.andThen(step, thrower) : Step.catchCause(step, thrower)
        assert.strictEqual(formOf(thrown), form)
        assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(thrown))), plain(Exit.die(bug)))
      }),
    )
  }

  it("changes the effect of a step only where it waits for a fiber", () => {
    const changed = Effect.succeed(2)
    const steps = forms.map((form) => Step.mapRemaining(inForm<number, never>(form, Exit.succeed(1)), () => changed))
    assert.deepStrictEqual(
      steps.map((step) => step === changed),
      [false, false, true],
    )
  })

  it("does not mistake an error with the tag Failure for a done step", () => {
    assert.isFalse(Step.isDone(oops as never))
    assert.deepStrictEqual(
      Step.fn(function* () {
        return yield* oops
      })(),
      Exit.fail(oops),
    )
  })
})

describe("a generator of steps", () => {
  const sums: ReadonlyArray<
    readonly [name: string, first: Exit.Exit<number, Failure>, second: Exit.Exit<number, Failure>]
  > = [
    ["two values", Exit.succeed(1), Exit.succeed(2)],
    ["a failure first", Exit.fail(oops), Exit.succeed(2)],
    ["a failure second", Exit.succeed(1), Exit.fail(oops)],
    ["a defect", Exit.succeed(1), Exit.die(bug)],
  ]
  for (const [name, first, second] of sums) {
    const expected = Exit.isFailure(first) ? first : Exit.isFailure(second) ? second : Exit.succeed(3)
    for (const [a, b] of forms.flatMap((one) => forms.map((other) => [one, other] as const))) {
      it.effect(`continues in the form of the step it waits for: ${name}, ${a} and ${b}`, () =>
        Effect.gen(function* () {
          const step = sum(inForm(a, first), inForm(b, second))
          // The second one is not reached in this turn if the first one waits.
          const form = a !== "done" ? a : Exit.isFailure(first) ? "done" : b
          assert.strictEqual(formOf(step), form)
          assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(step))), plain(expected))
        }),
      )
    }
  }

  it.effect("turns an exception into a defect, before and after waiting", () =>
    Effect.gen(function* () {
      const throwing = Step.fn(function* (first: Step.Step<number>) {
        yield* first
        throw bug
      })
      for (const form of forms) {
        const step = throwing(inForm(form, Exit.succeed(1)))
        assert.strictEqual(formOf(step), form)
        assert.deepStrictEqual(plain(yield* Effect.exit(Step.run(step))), plain(Exit.die(bug)))
      }
    }),
  )

  it.effect("waits for an effect in the middle before it starts the next", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<number>()
      const passed: Array<string> = []
      const step = Step.fn(function* () {
        passed.push("first")
        const value = yield* Deferred.await(gate)
        passed.push("second")
        return value
      })()
      assert.deepStrictEqual(passed, ["first"])
      const fiber = yield* Effect.fork(Step.run(step))
      yield* Effect.yieldNow()
      assert.deepStrictEqual(passed, ["first"])
      yield* Deferred.succeed(gate, 7)
      assert.strictEqual(yield* Fiber.join(fiber), 7)
      assert.deepStrictEqual(passed, ["first", "second"])
    }),
  )

  it("is done by callbacks alone if it waits for nothing else", () => {
    const [one, two] = [pending<number>(), pending<number>()]
    const ends: Array<unknown> = []
    const step = sum(one.step, two.step)
    assert.isTrue(Step.isPending(step))
    const listen = (some: Step.Step<number, Failure>): void => {
      if (Step.isDone(some)) ends.push(plain(some))
      else if (Step.isPending(some)) some.listen(listen)
      else assert.fail("it waits for a fiber")
    }
    listen(step)
    one.call(Exit.succeed(1))
    assert.deepStrictEqual(ends, [])
    two.call(Exit.succeed(2))
    assert.deepStrictEqual(ends, [3])
  })

  it.effect("resumes a fiber that waits for a callback, and is not interrupted there", () =>
    Effect.gen(function* () {
      const one = pending<number>()
      const fiber = yield* Effect.fork(Step.run(sum(one.step, Exit.succeed(2))))
      yield* Effect.yieldNow()
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* Effect.yieldNow()
      assert.isNull(fiber.unsafePoll())
      one.call(Exit.succeed(1))
      // It ends as soon as it may.
      assert.isTrue(Exit.isInterrupted(yield* Fiber.join(interrupting)))
    }),
  )

  const eithers: ReadonlyArray<readonly [Either.Either<number, Failure>, Exit.Exit<number, Failure>]> = [
    [Either.right(1), Exit.succeed(1)],
    [Either.left(oops), Exit.fail(oops)],
  ]
  for (const [either, exit] of eithers) {
    it(`treats an Either as a done step: ${either._tag}`, () => {
      assert.deepStrictEqual(Step.ofEither(either), exit)
    })
  }
})

describe("a step", () => {
  it("is no effect, which could be run twice: the compiler refuses it", () => {
    expectTypeOf<Step.Step<number, Failure>>().not.toExtend<Effect.Effect<number, Failure>>()
    expectTypeOf<Step.Pending<number>>().not.toExtend<Effect.Effect<number>>()
    expectTypeOf(Step.fn(function* () {})()).not.toExtend<Effect.Effect<unknown, unknown>>()
    expectTypeOf(Step.eager(Step.method(function* () {}))()).not.toExtend<Effect.Effect<unknown, unknown>>()
    expectTypeOf(Step.run(Step.fn(function* () {})())).toEqualTypeOf<Effect.Effect<void>>()
    expectTypeOf(Step.method(function* () {})()).toEqualTypeOf<Effect.Effect<void>>()
    // @ts-expect-error it may not be retried
    const retried = () => Effect.retry(sum(oops, oops), { times: 1 })
    const yielded = () =>
      // @ts-expect-error nor be part of a generator of effects
      Effect.gen(function* () {
        return yield* sum(oops, oops)
      })
    assert.isFunction(retried ?? yielded)
  })

  const addOne = (value: number) => Exit.succeed(value + 1)
  const uses: Readonly<Record<string, (step: Step.Step<number>) => unknown>> = {
    andThen: (step) => Step.andThen(step, addOne),
    catchCause: (step) => Step.catchCause(step, () => Exit.succeed(0)),
    ensuring: (step) => Step.ensuring(step, () => {}),
    listen: (step) => Step.isPending(step) && step.listen(() => {}),
    "yield*": (step) => {
      const begun = sum(step, Exit.succeed(1))
      if (Step.isDone(begun)) Effect.runSync(begun)
    },
  }
  for (const [first, use] of Object.entries(uses)) {
    for (const [second, useAgain] of Object.entries(uses)) {
      it(`that waits for a callback is used once: ${second} after ${first} is a defect`, () => {
        const { step } = pending<number>()
        use(step)
        assert.throws(() => useAgain(step), "A step was used twice.")
      })
    }
  }

  for (const form of ["pending", "fiber"] as const) {
    it.effect(`that has begun is run once, and the second run is a defect: ${form}`, () =>
      Effect.gen(function* () {
        let ran = 0
        const whole = Step.run(
          Step.fn(function* () {
            const value = yield* inForm(form, Exit.succeed(1))
            ran++
            return value
          })(),
        )
        assert.strictEqual(yield* whole, 1)
        const again = yield* Effect.exit(whole)
        assert.include(plain(again), "A step was used twice.")
        assert.strictEqual(ran, 1)
      }),
    )
  }
})

describe("a method", () => {
  /** Each with the number of times that its work began. */
  const methods = () => {
    let began = 0
    const work = (n: number): number => {
      began++
      return 2 * n
    }
    const all: Readonly<Record<string, (n: number) => Effect.Effect<number>>> = {
      method: Step.method(function* (n: number) {
        return yield* Effect.succeed(work(n))
      }),
      methodFrom: Step.methodFrom((n: number) => Exit.succeed(work(n))),
      "methodFrom with a change": Step.methodFrom((n: number) => Exit.succeed(work(n)), Effect.uninterruptible),
      methodSync: Step.methodSync(work),
      "a function that returns `gen`": (n) =>
        Step.gen(function* () {
          return yield* Effect.succeed(work(n))
        }),
      "a function that returns `suspend`": (n) => Step.suspend(() => Exit.succeed(work(n))),
      "a function that returns `map`": (n) => Step.map(Effect.succeed(n), work),
    }
    return { all, began: () => began }
  }

  for (const name of Object.keys(methods().all)) {
    it.effect(`does nothing before it is run, and the same each time: ${name}`, () =>
      Effect.gen(function* () {
        const { all, began } = methods()
        const effect = all[name]!(21)
        assert.isFalse(Step.isDone(effect))
        assert.strictEqual(began(), 0)
        assert.deepStrictEqual([yield* effect, yield* effect, Effect.runSync(effect)], [42, 42, 42])
        assert.strictEqual(began(), 3)
      }),
    )

    it(`begins at once in its other form: ${name}`, () => {
      const { all, began } = methods()
      assert.deepStrictEqual(Step.eager(all[name]!)(21), Exit.succeed(42))
      assert.strictEqual(began(), 1)
    })

    it.effect(`does nothing if it is interrupted before it began: ${name}`, () =>
      Effect.gen(function* () {
        const { all, began } = methods()
        const fiber = yield* Effect.fork(all[name]!(21))
        const exit = yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.isInterrupted(exit))
        assert.strictEqual(began(), 0)
      }),
    )

    it.effect(`is begun by a generator that yields it, each time anew: ${name}`, () =>
      Effect.gen(function* () {
        const { all, began } = methods()
        const one = all[name]!(1)
        const twice = Step.method(function* () {
          return (yield* one) + (yield* one)
        })
        const step = Step.eager(twice)()
        assert.strictEqual(formOf(step), name === "methodFrom with a change" ? "fiber" : "done")
        assert.strictEqual(yield* Step.run(step), 4)
        assert.strictEqual(began(), 2)
      }),
    )
  }

  it("turns an exception into a defect in both forms", () => {
    const throwing = Step.methodFrom((): Step.Step<number> => {
      throw bug
    })
    const begun = Step.eager(throwing)()
    assert.isTrue(Step.isDone(begun))
    assert.deepStrictEqual(plain(Effect.runSyncExit(Step.run(begun))), plain(Exit.die(bug)))
    assert.deepStrictEqual(plain(Effect.runSyncExit(throwing())), plain(Exit.die(bug)))
  })

  it("is unchanged where it cannot start at once", () => {
    const ordinary = (n: number) => Effect.sync(() => n)
    assert.strictEqual(formOf(Step.eager(ordinary)(1)), "fiber")
  })
})

describe("the time of a step", () => {
  const read = Step.method(function* () {
    return yield* Step.now
  })
  const nested = Step.method(function* () {
    return yield* Step.map(read(), (at) => at)
  })
  const afterWaiting = Step.method(function* () {
    yield* Effect.yieldNow()
    return yield* Step.now
  })

  for (const [name, method] of Object.entries({ read, nested, afterWaiting })) {
    it.effect(`comes from the fiber's clock: ${name}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_000)
        assert.strictEqual(yield* method(), 1_000)
        assert.strictEqual(yield* Effect.withClock(method(), clockAt(77)), 77)
        assert.strictEqual(yield* method(), 1_000)
      }),
    )

    it.effect(`comes from the clock it was started with: ${name}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_000)
        assert.strictEqual(yield* Step.run(Step.eager(method, clockAt(77))()), 77)
        // Without a clock it waits for a fiber's.
        const step = Step.eager(method)()
        assert.strictEqual(formOf(step), "fiber")
        assert.strictEqual(yield* Step.run(step), yield* Clock.currentTimeMillis)
      }),
    )
  }

  it("needs no fiber if it was begun with a clock", () => {
    assert.deepStrictEqual(Step.eager(nested, clockAt(77))(), Exit.succeed(77))
  })
})
