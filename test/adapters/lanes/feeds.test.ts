import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { type LaneFeed, register } from "../../../adapters/lanes/feeds.ts"
import type { Due } from "../../../core/feeds/Due.ts"
import { hourly } from "../../../core/jobs/schedule.ts"
import { hour, minute } from "../../../core/time.ts"
import { anyStore } from "../../support/anyStore.ts"

const named = (name: string): Due => ({ name, title: `The ${name}`, due: "Every hour.", absence: "Refused." })
const [hourlyFeed, askedFeed, weeklyFeed] = [named("levels"), named("slates"), named("reports")]
const schedule = hourly(5)
const week = { order: 3, name: "week 3" }

/** A register of a scheduled feed, one that is asked on calls, and one that knows its periods. */
const over = (missing: ReadonlyArray<typeof week> = []) => {
  const feeds: ReadonlyArray<LaneFeed> = [
    { feed: hourlyFeed, upstreams: ["gauges"], schedule },
    { feed: askedFeed, upstreams: ["league"] },
    {
      feed: weeklyFeed,
      upstreams: ["archive"],
      schedule,
      coverage: () => Effect.succeed({ expected: week, missing, gaps: [] }),
    },
  ]
  return register([["tides", feeds]])
}

const start = Date.UTC(2026, 10, 25, 12)

describe("the register of feeds", () => {
  it.effect("knows of a schedule what must have been read: one slot may fail, two are a gap", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const feeds = yield* over()
      const missing = Effect.map(feeds.coverage(hourlyFeed), (coverage) => coverage!.missing.length)
      assert.strictEqual(yield* missing, 1)
      yield* feeds.attempted([{ feed: hourlyFeed, at: start }])
      assert.strictEqual(yield* missing, 0)
      yield* TestClock.setTime(start + 2 * hour)
      assert.strictEqual(yield* missing, 0)
      yield* TestClock.setTime(start + 2 * hour + 2 * minute)
      assert.strictEqual(yield* missing, 1)
      assert.strictEqual((yield* feeds.coverage(hourlyFeed))!.nextAttemptAt, start + 2 * hour + 5 * minute)
    }).pipe(Effect.provide(anyStore)),
  )

  it.effect("keeps the last good read, the last refusal with its reason, and which is the later", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const feeds = yield* over()
      const status = Effect.map(feeds.all, ([, asked]) => asked!)
      assert.deepInclude(yield* status, { lane: "tides", state: "complete", upstreams: ["league"] })
      yield* feeds.attempted([{ feed: askedFeed, at: start }])
      yield* TestClock.setTime(start + minute)
      yield* feeds.attempted([{ feed: askedFeed, at: start + minute, refusal: "Not a slate." }])
      assert.deepInclude(yield* status, {
        state: "refused",
        goodAt: start,
        attemptedAt: start + minute,
        refusal: { at: start + minute, reason: "Not a slate." },
      })
      yield* TestClock.setTime(start + 2 * minute)
      yield* feeds.attempted([{ feed: askedFeed, at: start + 2 * minute }])
      assert.deepInclude(yield* status, { state: "complete", goodAt: start + 2 * minute })
    }).pipe(Effect.provide(anyStore)),
  )

  it.effect("is behind while a due period is missing, whatever the last attempt brought", () =>
    Effect.gen(function* () {
      const feeds = yield* over([week])
      yield* feeds.attempted([{ feed: weeklyFeed, at: start }])
      const [, , status] = yield* feeds.all
      assert.deepInclude(status, { state: "behind", goodAt: start, expected: week })
    }).pipe(Effect.provide(anyStore)),
  )

  it.effect("knows fields that came later than the first ones", () =>
    Effect.gen(function* () {
      const feeds = yield* over()
      const fields = (at: number, ...names: ReadonlyArray<string>) =>
        feeds.attempted([{ feed: hourlyFeed, at, fields: names }])
      const fresh = Effect.map(feeds.all, ([status]) => status!.newFields)
      yield* fields(start, "a", "b")
      assert.deepStrictEqual(yield* fresh, [])
      yield* fields(start + hour, "a", "b", "c")
      yield* fields(start + 2 * hour, "a", "c")
      assert.deepStrictEqual(yield* fresh, [{ name: "c", at: start + hour }])
    }).pipe(Effect.provide(anyStore)),
  )

  it.effect("owes nothing for what it does not list", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* (yield* over()).coverage(named("others")))
    }).pipe(Effect.provide(anyStore)),
  )
})
