import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { Attempt, Coverage, Due } from "../../../core/feeds/Due.ts"
import { Feeds } from "../../../core/feeds/Feeds.ts"
import * as Job from "../../../core/jobs/Job.ts"
import { hourly } from "../../../core/jobs/schedule.ts"

const named = (name: string): Due => ({ name, title: `Levels of ${name}`, due: "Every hour.", absence: "Refused." })
const [east, west, south] = [named("east"), named("west"), named("south")]
const now = Date.UTC(2026, 10, 25, 12)
const complete: Coverage = { missing: [], gaps: [] }
const week = { order: 3, name: "week 3" }

/** A run of a job over sources, what it reports, and how it ends. */
const runOf = (
  parts: ReadonlyArray<readonly [due: Due, read: Effect.Effect<Job.Synced, Failure>]>,
  coverage: (due: Due) => Coverage = () => complete,
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const attempts: Array<Attempt> = []
    const feeds: Feeds["Type"] = {
      coverage: (due) => Effect.sync(() => coverage(due)),
      all: Effect.succeed([]),
      attempted: (some) => Effect.sync(() => void attempts.push(...some)),
    }
    const all = parts.map(([due, read]) => ({ due, read }))
    const job = yield* Job.sync(
      { name: "levels", description: "Read levels.", schedule: hourly(5) },
      Effect.succeed(all),
    ).pipe(Effect.provideService(Feeds, feeds))
    const ended = yield* Effect.either(job.run)
    return { ended, failure: Either.isLeft(ended) ? (ended.left as Failure) : undefined, attempts, job }
  })

const good = Effect.succeed({ counts: { new: 2, known: 1 } })

describe("a job that reads sources", () => {
  it.effect("reports each attempt and adds up what was read", () =>
    Effect.gen(function* () {
      const noted = Effect.succeed({ counts: { new: 3 }, notes: ["one is odd"], fields: ["cm"] })
      const { ended, attempts, job } = yield* runOf([
        [east, good],
        [west, noted],
      ])
      assert.deepInclude(ended, { _tag: "Right", right: "5 new, 1 known; one is odd" })
      assert.deepStrictEqual(attempts, [
        { feed: east, at: now },
        { feed: west, at: now, fields: ["cm"] },
      ])
      assert.strictEqual(job.catchUp, "latest")
    }),
  )

  it.effect("goes on after a source that fails, and fails with its code and the reasons of all, five at most", () =>
    Effect.gen(function* () {
      const refusals = ["a", "b", "c", "d", "e", "f"]
      const { failure, attempts } = yield* runOf([
        [east, fail("data_provider_unavailable", { detail: "It is off." })],
        [west, Effect.succeed({ counts: { new: 1 }, refusals })],
      ])
      assert.strictEqual(failure?.code, "data_provider_unavailable")
      const reasons = ["Levels of east: It is off.", ...["a", "b", "c", "d"].map((one) => `Levels of west: ${one}`)]
      assert.strictEqual(failure?.message, `1 new; ${reasons.join("; ")}; and 2 more`)
      assert.deepStrictEqual(
        attempts.map(({ refusal }) => refusal),
        ["It is off.", "a; b; c; d; e; and 1 more"],
      )
    }),
  )

  it.effect("fails where what is owed is late, though all was read", () =>
    Effect.gen(function* () {
      const late: Coverage = { expected: week, missing: [week], gaps: [] }
      const { failure } = yield* runOf([[east, good]], (due) => (due === east ? late : complete))
      assert.strictEqual(failure?.code, "data_freshness_stale")
      assert.strictEqual(failure?.message, "2 new, 1 known; late: Levels of east have not come yet; week 3 is due")
    }),
  )

  it.effect("takes a request that was not sent for no attempt, and a store that fails for no refusal of a source", () =>
    Effect.gen(function* () {
      const paused = fail("upstream_unavailable", { detail: "It is paused.", cause: { reason: "paused" } })
      const { failure, attempts } = yield* runOf([
        [east, paused],
        [south, fail("storage_unavailable", { detail: "The disk is full." })],
        [west, Effect.dieMessage("not asked")],
      ])
      assert.deepStrictEqual(attempts, [])
      assert.strictEqual(failure?.code, "storage_unavailable")
    }),
  )
})
