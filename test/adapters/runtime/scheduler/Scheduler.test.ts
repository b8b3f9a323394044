// Proof: takes about ten seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import * as jobRuns from "../../../../adapters/store/upkeep/JobRuns.ts"
import { fail } from "../../../../core/Failure.ts"
import { JobRuns } from "../../../../core/jobs/JobRuns.ts"
import { hourly } from "../../../../core/jobs/schedule.ts"
import { storeFile } from "../../../support/store.ts"
import { claimed, job, logs, minute, noting, states } from "./jobs.ts"
import { logging, started } from "./scheduling.ts"

for (const [where, log] of logs) {
  describe(`the scheduler over a run log ${where}`, () => {
    it.effect("meets every slot once, on time", () =>
      Effect.gen(function* () {
        const times: Array<number> = []
        const scheduler = yield* started([
          job(
            "a",
            Effect.map(Clock.currentTimeMillis, (now) => `${times.push(now / minute)} times`),
          ),
        ])
        yield* TestClock.adjust("24 minutes")
        yield* scheduler.stop
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(times, [5, 10, 15, 20])
        assert.deepStrictEqual(
          (yield* states("a", 0)).map(([slot, state, { finished }]) => [slot, state, finished?.detail]),
          [
            [5, "ok", "1 times"],
            [10, "ok", "2 times"],
            [15, "ok", "3 times"],
            [20, "ok", "4 times"],
          ],
        )
      }).pipe(Effect.provide(log)),
    )

    it.effect("makes up for downtime with one run, or with none", () =>
      Effect.gen(function* () {
        const [latest, none]: [Array<number>, Array<number>] = [[], []]
        const jobs = [
          job("latest", noting(latest), { schedule: hourly(5), catchUp: "latest" }),
          job("none", noting(none), { schedule: hourly(5) }),
        ]
        yield* TestClock.setTime(6 * minute)
        const before = yield* started(jobs)
        yield* TestClock.adjust("1 hour")
        // A job that has never run starts at once.
        assert.deepStrictEqual(latest, [5, 65])
        assert.deepStrictEqual(none, [65])
        yield* before.stop
        yield* TestClock.adjust("10 hours")
        const after = yield* started(jobs)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(latest, [5, 65, 665])
        assert.deepStrictEqual(none, [65])
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(latest, [5, 65, 665, 725])
        assert.deepStrictEqual(none, [65, 725])
        yield* after.stop
        // Started again within the same slot: nothing was missed.
        const again = yield* started(jobs)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(latest, [5, 65, 665, 725])
        yield* again.stop
      }).pipe(Effect.provide(log)),
    )

    it.effect("takes over a run that was killed, once it is silent, and goes on with the next slot", () =>
      Effect.gen(function* () {
        const slots: Array<number> = []
        yield* TestClock.setTime(10 * minute)
        // The unfinished run of a killed process.
        yield* claimed("a", 10 * minute, 10 * minute)
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual((yield* states("a", yield* Clock.currentTimeMillis))[0]![1], "running")
        const scheduler = yield* started([job("a", noting(slots), { catchUp: "latest" })])
        yield* TestClock.adjust("4 seconds")
        assert.deepStrictEqual(slots, [])
        yield* TestClock.adjust("6 minutes")
        assert.deepStrictEqual(
          (yield* states("a", yield* Clock.currentTimeMillis)).map(([slot, state, run]) => [slot, state, run.attempt]),
          [
            [10, "ok", 2],
            [15, "ok", 1],
          ],
        )
        assert.deepStrictEqual(slots, [10, 15])
        yield* scheduler.stop
      }).pipe(Effect.provide(log)),
    )

    it.effect(
      "takes over a slot without catch-up whose process died after the first minute, and begins none late",
      () =>
        Effect.gen(function* () {
          const slots: Array<number> = []
          const { claim, alive, finish } = yield* JobRuns
          yield* TestClock.setTime(4 * minute)
          const scheduler = yield* started([job("a", noting(slots))])
          /** Another process runs a slot until an instant; it is then silent, or finished. */
          const other = (slot: number, until: number, ends: boolean) =>
            Effect.gen(function* () {
              const got = yield* claim("a", slot, slot)
              assert(got._tag === "Claimed")
              for (let at = slot; at < until; at += 5_000) {
                assert.isTrue(yield* alive(got.run, at))
                yield* TestClock.adjust(at + 5_000 - (yield* Clock.currentTimeMillis))
              }
              if (ends) yield* finish(got.run, { at: until, outcome: "ok", detail: "" })
            })
          yield* other(5 * minute, 8 * minute, false)
          assert.deepStrictEqual(slots, [])
          yield* TestClock.adjust("25 seconds")
          assert.deepStrictEqual(slots, [5])
          yield* TestClock.setTime(14 * minute)
          assert.deepStrictEqual(slots, [5, 10])
          // Longer than its period: the next slot does not begin within its first minute.
          yield* other(14 * minute + 1_000, 18 * minute, true)
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(slots, [5, 10])
          yield* TestClock.adjust("2 minutes")
          assert.deepStrictEqual(slots, [5, 10, 20])
          yield* scheduler.stop
        }).pipe(Effect.provide(log)),
    )

    it.effect("waits for a run that someone started by hand", () =>
      Effect.gen(function* () {
        const slots: Array<number> = []
        const runs = yield* JobRuns
        yield* TestClock.setTime(9 * minute + 50_000)
        const scheduler = yield* started([
          job("latest", noting(slots), { catchUp: "latest" }),
          job("none", noting(slots)),
        ])
        yield* TestClock.adjust("2 seconds")
        const now = yield* Clock.currentTimeMillis
        const byHand = [yield* claimed("latest", undefined, now), yield* claimed("none", undefined, now)]
        for (const wait of ["8 seconds", "10 seconds"] as const) {
          yield* TestClock.adjust(wait)
          for (const run of byHand) assert.isTrue(yield* runs.alive(run, yield* Clock.currentTimeMillis))
        }
        assert.deepStrictEqual(slots, [5])
        for (const run of byHand) yield* runs.finish(run, { at: now, outcome: "ok", detail: "by hand" })
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(slots, [5, 10, 10])
        yield* scheduler.stop
      }).pipe(Effect.provide(log)),
    )
  })
}

describe("the scheduler", () => {
  it.effect("isolates jobs that fail, die, throw, interrupt themselves or hang", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      const good: Array<number> = []
      const scheduler = yield* started([
        job("fails", Effect.fail(fail("upstream_unavailable"))),
        job("fails-otherwise", Effect.fail({ _tag: "Odd", message: "in\n  two lines" })),
        job("dies", Effect.die(new Error("a bug"))),
        job(
          "throws",
          Effect.sync((): string => {
            throw new TypeError("not a function")
          }),
        ),
        job("interrupts", Effect.interrupt),
        job("hangs", Effect.never),
        job("hangs-a-while", Effect.never, { limit: "7 minutes" }),
        job("good", noting(good)),
      ])
      // By minutes: the runs of eight jobs are written before the next slot.
      for (let at = 0; at < 21; at++) yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(good, [5, 10, 15, 20])
      for (const [name, detail] of [
        ["fails", "upstream_unavailable: The data source is not responding."],
        ["fails-otherwise", "Odd: in two lines"],
        ["dies", "a bug"],
        ["throws", "not a function"],
        ["interrupts", "Interrupted."],
      ] as const) {
        const runs = yield* states(name, 21 * minute)
        assert.deepStrictEqual(
          runs.map(([slot, state]) => [slot, state]),
          [5, 10, 15, 20].map((slot) => [slot, "failed"]),
          name,
        )
        for (const [, , { finished }] of runs) assert.include(finished!.detail, detail)
        // A failure that stays has one line an hour; what is a bug is logged each time.
        const isBug = ["dies", "throws", "interrupts"].includes(name)
        assert.strictEqual(logged.filter((line) => line.startsWith(`Job ${name} failed: `)).length, isBug ? 4 : 1, name)
      }
      // With the cause, whose stack shows the bug.
      assert.match(logged.find((line) => line.includes("Job dies"))!, /Error: a bug\n\s+at /)
      assert.deepStrictEqual(
        (yield* states("hangs", 21 * minute)).map(([slot, state]) => [slot, state]),
        [[5, "running"]],
      )
      // 5 to 12, so 10 is missed; 15 to 22.
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        (yield* states("hangs-a-while", 23 * minute)).map(([slot, state, { finished }]) => [
          slot,
          state,
          finished?.detail,
        ]),
        [
          [5, "failed", "JobOverdue: Timed out after 7m."],
          [15, "failed", "JobOverdue: Timed out after 7m."],
        ],
      )
      yield* Effect.zip(scheduler.stop, TestClock.adjust("6 seconds"), { concurrent: true })
    }).pipe(Effect.provide(JobRuns.layerMemory), Effect.provide(logging(logged)))
  })

  it.effect("never runs a job beside itself", () =>
    Effect.gen(function* () {
      const [latest, none]: [Array<number>, Array<number>] = [[], []]
      let running = 0
      const slow = Effect.acquireUseRelease(
        Effect.sync(() => assert.strictEqual(++running, 1)),
        () => Effect.sleep("12 minutes"),
        () => Effect.sync(() => void running--),
      )
      const scheduler = yield* started([
        job("latest", noting(latest, slow), { catchUp: "latest" }),
        job("none", noting(none, Effect.sleep("12 minutes"))),
      ])
      yield* TestClock.adjust("25 minutes")
      // From 0 to 12, then at once for 10 until 24, then for 20; from 5 to 17, then from 20 on.
      assert.deepStrictEqual(latest, [0, 10, 20])
      assert.deepStrictEqual(none, [5, 20])
      yield* Effect.zip(scheduler.stop, TestClock.adjust("6 seconds"), { concurrent: true })
    }).pipe(Effect.provide(JobRuns.layerMemory)),
  )

  it.effect("lets running jobs finish at its end, starts no more, and interrupts after the grace", () =>
    Effect.gen(function* () {
      const slots: Array<number> = []
      const scheduler = yield* started(
        [
          job("quick", noting(slots)),
          job("three-seconds", Effect.as(Effect.sleep("3 seconds"), "done")),
          job("stuck", Effect.never),
          job("stubborn", Effect.uninterruptible(Effect.never)),
        ],
        { grace: "5 seconds" },
      )
      yield* TestClock.adjust("299 seconds")
      yield* TestClock.adjust("1 second")
      const stopping = yield* Effect.fork(scheduler.stop)
      yield* TestClock.adjust("4 seconds")
      assert.isNull(yield* Fiber.poll(stopping).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit))))
      assert.strictEqual((yield* states("three-seconds", 0))[0]?.[1], "ok")
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(stopping)))
      const now = yield* Clock.currentTimeMillis
      assert.strictEqual(now, 306_000)
      const [stuck] = yield* states("stuck", now)
      assert.deepStrictEqual(stuck?.[2].finished, {
        at: 305_000,
        outcome: "failed",
        detail: "Interrupted.",
      })
      assert.strictEqual((yield* states("stubborn", now))[0]?.[1], "running")
      yield* TestClock.adjust("6 minutes")
      assert.deepStrictEqual(slots, [5])
    }).pipe(Effect.provide(JobRuns.layerMemory)),
  )

  it.scoped("runs each slot exactly once, however many of them share a store", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const slots: Array<number> = []
      const jobs = [job("a", noting(slots), { catchUp: "latest" }), job("b", noting(slots))]
      const one = yield* Layer.build(jobRuns.layer.pipe(Layer.provide(Layer.fresh(sqlite.layer(file)))))
      const two = yield* Layer.build(jobRuns.layer.pipe(Layer.provide(Layer.fresh(sqlite.layer(file)))))
      const schedulers = [
        yield* Effect.provide(started(jobs), one),
        yield* Effect.provide(started(jobs), two),
        yield* Effect.provide(started(jobs), two),
      ]
      yield* TestClock.adjust("54 minutes")
      const expected = Array.from({ length: 10 }, (_, n) => 5 + 5 * n)
      const numerically = [...slots].sort((a, b) => a - b)
      assert.deepStrictEqual(numerically, [0, ...expected.flatMap((slot) => [slot, slot])])
      for (const { stop } of schedulers) yield* stop
    }),
  )

  it.effect("does not repeat slots when the clock is set back, nor lose the next when it is set forward", () =>
    Effect.gen(function* () {
      const slots: Array<number> = []
      yield* TestClock.setTime(60 * minute)
      const scheduler = yield* started([job("a", noting(slots), { catchUp: "latest" })])
      yield* TestClock.adjust("6 minutes")
      yield* TestClock.setTime(56 * minute)
      yield* TestClock.adjust("15 minutes")
      assert.deepStrictEqual([...new Set(slots)].length, slots.length)
      yield* TestClock.setTime(200 * minute + 1)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(slots.slice(-2), [200, 205])
      yield* scheduler.stop
    }).pipe(Effect.provide(JobRuns.layerMemory)),
  )

  it.effect("meets a slot a little later when the store is busy, and survives one that breaks", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const lines: Array<string> = []
      let asked = 0
      const flaky = Layer.effect(
        JobRuns,
        Effect.map(JobRuns, (runs) =>
          JobRuns.of({
            ...runs,
            claim: (...args) => {
              asked++
              if (asked <= 2) return Effect.fail(fail("storage_unavailable"))
              return asked === 3 ? Effect.die(new Error("malformed")) : runs.claim(...args)
            },
          }),
        ),
      ).pipe(Layer.provide(JobRuns.layerMemory))
      yield* Effect.gen(function* () {
        const scheduler = yield* started([
          job(
            "a",
            Effect.map(Clock.currentTimeMillis, (now) => `${times.push(now / 1_000)}`),
          ),
        ])
        yield* TestClock.adjust("11 minutes")
        assert.deepStrictEqual(times, [315, 600])
        // Not a line an attempt.
        assert.deepStrictEqual(
          lines.map((line) => line.split("\n")[0]!.replace(/ (All fibers|Error: ).*/, "")),
          [
            "Jobs wait: their run log does not answer. The store cannot be used at the moment.",
            "Jobs wait: their run log does not answer. Internal error.",
            "Jobs run again",
          ],
        )
        yield* scheduler.stop
      }).pipe(Effect.provide(flaky), Effect.provide(logging(lines)))
    }),
  )

  it.effect("refuses two jobs of one name", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(started([job("a", Effect.succeed("")), job("a", Effect.succeed(""))]))
      assert.isTrue(Exit.isFailure(exit))
    }).pipe(Effect.provide(JobRuns.layerMemory)),
  )
})
