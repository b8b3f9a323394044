import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { fail } from "../../../core/Failure.ts"
import type { Attempt, Due } from "../../../core/feeds/Due.ts"
import { Feeds } from "../../../core/feeds/Feeds.ts"
import { onCalls } from "../../../core/feeds/onCalls.ts"

const feed: Due = { name: "tides", title: "Tides", due: "With each call.", absence: "None." }
const other: Due = { ...feed, name: "winds" }

/** Runs reads that report, and returns what was written. */
const writing = <A>(body: (report: Effect.Effect.Success<typeof onCalls>) => Effect.Effect<A, unknown>) => {
  const written: Array<readonly [name: string, at: number, refusal: string | undefined]> = []
  const attempted = (attempts: ReadonlyArray<Attempt>) =>
    Effect.sync(() => {
      for (const { feed: of, at, refusal } of attempts) written.push([of.name, at, refusal])
    })
  return Effect.flatMap(onCalls, body).pipe(
    Effect.provideService(Feeds, { coverage: () => Effect.succeed(undefined), all: Effect.succeed([]), attempted }),
    Effect.as(written),
  )
}

const broken = fail("upstream_unavailable", { detail: "The source is away.", cause: new Error("Status 500.") })

describe("reads on calls", () => {
  it.effect("are written when their outcome changes, or after a minute, each feed by itself", () =>
    Effect.gen(function* () {
      const written = yield* writing((report) =>
        Effect.gen(function* () {
          const read = report(feed, Effect.succeed("high"))
          assert.strictEqual(yield* read, "high")
          yield* TestClock.setTime(59_999)
          yield* read
          yield* Effect.either(report(other, Effect.fail(broken)))
          yield* Effect.either(report(feed, Effect.fail(broken)))
          yield* Effect.either(report(feed, Effect.fail(broken)))
          yield* read
          yield* TestClock.setTime(119_999)
          yield* read
        }),
      )
      const reason = "The source is away. Status 500."
      assert.deepStrictEqual(written, [
        ["tides", 0, undefined],
        ["winds", 59_999, reason],
        ["tides", 59_999, reason],
        ["tides", 59_999, undefined],
        ["tides", 119_999, undefined],
      ])
    }),
  )

  it.effect("pass failures on; that there is no such thing is an answer of the source", () =>
    Effect.gen(function* () {
      const written = yield* writing((report) =>
        Effect.gen(function* () {
          const found = yield* Effect.flip(report(feed, Effect.fail(fail("not_found"))))
          assert.strictEqual(found.code, "not_found")
          assert.strictEqual(yield* Effect.flip(report(other, Effect.fail(broken))), broken)
        }),
      )
      assert.deepStrictEqual(
        written.map(([name, , refusal]) => [name, refusal === undefined]),
        [
          ["tides", true],
          ["winds", false],
        ],
      )
    }),
  )

  it.effect("that were not sent are no attempts", () =>
    Effect.gen(function* () {
      const reasons = ["busy", "paused", "throttled", "timeout"]
      const written = yield* writing((report) =>
        Effect.forEach(reasons, (reason) => {
          const cause = Object.assign(new Error(reason), { reason })
          return Effect.either(report(feed, Effect.fail(fail("upstream_unavailable", { cause }))))
        }),
      )
      assert.lengthOf(written, 1)
      assert.include(written[0]![2], "timeout")
    }),
  )

  it.effect("say what an answer lacks", () =>
    Effect.gen(function* () {
      const lacking = (rows: number, at: number) => (rows < 3 ? `${rows} of 3 rows at ${at}.` : undefined)
      const written = yield* writing((report) =>
        Effect.zipRight(report(feed, Effect.succeed(2), lacking), report(feed, Effect.succeed(3), lacking)),
      )
      assert.deepStrictEqual(
        written.map(([, , refusal]) => refusal),
        ["2 of 3 rows at 0.", undefined],
      )
    }),
  )
})
