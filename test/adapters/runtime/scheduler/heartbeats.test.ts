import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { JobRuns } from "../../../../core/jobs/JobRuns.ts"
import { every } from "../../../../core/jobs/schedule.ts"
import { job, states } from "./jobs.ts"
import { started } from "./scheduling.ts"

/** A run log in memory that answers heartbeats as a test says. */
const beatsAs = (answer: (stored: Effect.Effect<boolean, Failure>) => Effect.Effect<boolean, Failure>) =>
  Layer.effect(
    JobRuns,
    Effect.map(JobRuns, (runs) =>
      JobRuns.of({ ...runs, alive: (...args) => Effect.suspend(() => answer(runs.alive(...args))) }),
    ),
  ).pipe(Layer.provide(JobRuns.layerMemory))

describe("a run whose heartbeats are not stored", () => {
  /** Starts a job at minute 5 and waits; returns the slots, in minutes, at which it began and was interrupted. */
  const ran = (wait: DurationInput) =>
    Effect.gen(function* () {
      const [begun, stopped]: [Array<number>, Array<number>] = [[], []]
      const at = (list: Array<number>) =>
        Effect.map(Clock.currentTimeMillis, (now) => void list.push(now / 1_000 - 300))
      const hangs = Effect.onInterrupt(Effect.never, () => at(stopped))
      const scheduler = yield* started([job("a", Effect.zipRight(at(begun), hangs), { schedule: every(30, 300) })])
      yield* TestClock.adjust("5 minutes")
      yield* TestClock.adjust(wait)
      const found = { begun: [...begun], stopped: [...stopped] }
      yield* Effect.zip(scheduler.stop, TestClock.adjust("6 seconds"), { concurrent: true })
      return found
    })

  it.effect.each<readonly [string, Effect.Effect<boolean, Failure>]>([
    ["fails", Effect.fail(fail("storage_unavailable"))],
    ["has a defect", Effect.die(new Error("malformed"))],
    ["never answers, not even to an interruption", Effect.uninterruptible(Effect.never)],
  ])("since the store %s, stops after ten seconds, before another process takes it over", ([, answer]) =>
    Effect.gen(function* () {
      const { begun, stopped } = yield* ran("25 seconds")
      assert.deepStrictEqual([begun, stopped], [[0, 20], [10]])
      assert.deepStrictEqual(
        (yield* states("a", 325_000)).map(([slot, , { attempt }]) => [slot, attempt]),
        [[5, 2]],
      )
    }).pipe(Effect.provide(beatsAs(() => answer))),
  )

  it.effect("goes on if the store answers again in time", () => {
    let asked = 0
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* ran("29 seconds"), { begun: [0], stopped: [] })
      assert.isAbove(asked, 5)
    }).pipe(
      Effect.provide(beatsAs((stored) => (++asked % 4 === 0 ? stored : Effect.fail(fail("storage_unavailable"))))),
    )
  })

  it.effect("stops at once if another process has its run", () =>
    Effect.gen(function* () {
      const { begun, stopped } = yield* ran("8 seconds")
      assert.deepStrictEqual([begun, stopped], [[0], [5]])
    }).pipe(Effect.provide(beatsAs(() => Effect.succeed(false)))),
  )
})
