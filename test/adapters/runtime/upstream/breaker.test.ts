import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as Breaker from "../../../../adapters/runtime/upstream/breaker.ts"
import { UpstreamError } from "../../../../adapters/runtime/upstream/UpstreamError.ts"
import * as CallContext from "../../../../core/CallContext.ts"

const of = (reason: UpstreamError["reason"]) => new UpstreamError({ upstream: "gauges", reason, message: "" })

type Attempt = Effect.Effect<string, UpstreamError>

const later = (ms: number, attempt: Attempt): Attempt => Effect.delay(attempt, ms)

const good: Attempt = Effect.succeed("good")
const away: Attempt = Effect.fail(of("transport"))

/** A source with a breaker: a request is one attempt. */
const made = () => {
  const { breaker } = Breaker.makeBreaker("gauges", "The gauges")
  let sent = 0
  const request = (attempt: Attempt, patience?: number) =>
    breaker.request(
      (ticket) =>
        breaker.attempt(
          ticket,
          Effect.suspend(() => {
            sent++
            return attempt
          }),
        ),
      patience,
    )
  return {
    breaker,
    sent: () => sent,
    /** As a job. */
    job: request,
    /** As a call that begins now. */
    call: (attempt: Attempt, patience?: number) =>
      Effect.flatMap(TestClock.currentTimeMillis, (now) => CallContext.within(request(attempt, patience), now)),
    outcome: (asked: Effect.Effect<string, UpstreamError>) =>
      Effect.map(
        Effect.either(asked),
        Either.match({ onLeft: ({ reason }) => reason as string, onRight: (value) => value }),
      ),
  }
}

describe("the breaker of a source", () => {
  it.effect("refuses calls at once after a request without any answer, and tells when it asks again", () =>
    Effect.gen(function* () {
      const { call, breaker, sent } = made()
      assert.strictEqual((yield* Effect.flip(call(away))).reason, "transport")
      const { reason, title, retryAfterMs = 0 } = yield* Effect.flip(call(good))
      assert.deepStrictEqual([reason, title, sent()], ["paused", "The gauges", 1])
      // Five seconds, with jitter.
      assert.isTrue(retryAfterMs >= 4_000 && retryAfterMs <= 6_000, String(retryAfterMs))
      assert.deepStrictEqual(breaker.outage(), { since: 0, nextAt: retryAfterMs })
      yield* TestClock.adjust(retryAfterMs - 1)
      assert.strictEqual((yield* Effect.flip(call(good))).reason, "paused")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* call(good), "good")
      assert.isUndefined(breaker.outage())
      assert.strictEqual(yield* call(good), "good")
    }),
  )

  for (const reason of ["status", "shape", "not-json", "too-large", "implausible"] as const) {
    it.effect(`stays closed for a source that answers badly: ${reason}`, () =>
      Effect.gen(function* () {
        const { call, breaker } = made()
        for (let count = 0; count < 5; count++) yield* Effect.flip(call(Effect.fail(of(reason))))
        assert.isUndefined(breaker.outage())
      }),
    )
  }

  it.effect("is failing from the first request on that got something else, until one got what it asked for", () =>
    Effect.gen(function* () {
      const { call, breaker } = made()
      const missing = new UpstreamError({ upstream: "gauges", reason: "status", status: 404, message: "" })
      yield* Effect.flip(call(Effect.fail(missing)))
      assert.isUndefined(breaker.failingSince())
      yield* TestClock.adjust(1_000)
      yield* Effect.flip(call(Effect.fail(of("status"))))
      yield* TestClock.adjust(1_000)
      yield* Effect.flip(call(Effect.fail(of("too-large"))))
      yield* Effect.flip(call(Effect.fail(missing)))
      assert.deepStrictEqual([breaker.failingSince(), breaker.outage()], [1_000, undefined])
      yield* call(good)
      assert.isUndefined(breaker.failingSince())
      yield* Effect.flip(call(away))
      assert.strictEqual(breaker.failingSince(), 2_000)
    }),
  )

  it.effect("stays closed for one slow path of a source that answers others", () =>
    Effect.gen(function* () {
      const { call, breaker } = made()
      const slow = yield* Effect.fork(Effect.flip(call(later(8_000, Effect.fail(of("timeout"))))))
      yield* TestClock.adjust(4_000)
      yield* call(good)
      yield* TestClock.adjust(4_000)
      assert.strictEqual((yield* Fiber.join(slow)).reason, "timeout")
      assert.isUndefined(breaker.outage())
    }),
  )

  it.effect(
    "does not wait for the end of a request: it opens after the patience, and closes if an answer comes late",
    () =>
      Effect.gen(function* () {
        const { call, breaker, outcome } = made()
        const slow = yield* Effect.fork(call(later(12_000, good), 8_000))
        yield* TestClock.adjust(7_999)
        assert.isUndefined(breaker.outage())
        yield* TestClock.adjust(1)
        assert.strictEqual(breaker.outage()?.since, 8_000)
        assert.strictEqual(yield* outcome(call(good)), "paused")
        yield* TestClock.adjust(4_000)
        assert.strictEqual(yield* Fiber.join(slow), "good")
        assert.isUndefined(breaker.outage())
      }),
  )

  it.effect("lets one request through: calls wait for it a second at most, jobs until it ends", () =>
    Effect.gen(function* () {
      const { call, job, sent, outcome } = made()
      yield* Effect.flip(call(away))
      yield* TestClock.adjust(6_000)
      const probe = yield* Effect.fork(outcome(call(later(8_000, away))))
      yield* TestClock.adjust(0)
      const waiting = yield* Effect.fork(outcome(call(good)))
      const working = yield* Effect.fork(outcome(job(good)))
      yield* TestClock.adjust(1_000)
      assert.strictEqual(yield* Fiber.join(waiting), "paused")
      assert.strictEqual(yield* outcome(call(good)), "paused")
      assert.strictEqual(sent(), 2)
      yield* TestClock.adjust(7_000)
      // The probe failed, and the next attempt is not due.
      assert.deepStrictEqual([yield* Fiber.join(probe), yield* Fiber.join(working)], ["transport", "paused"])
      assert.strictEqual(sent(), 2)
    }),
  )

  it.effect("serves everybody who came while a job's request showed that the source is back", () =>
    Effect.gen(function* () {
      const { call, job, outcome } = made()
      yield* Effect.flip(job(away))
      yield* TestClock.adjust(6_000)
      const probe = yield* Effect.fork(job(later(400, good)))
      yield* TestClock.adjust(0)
      const asked = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 20 }, () => outcome(call(good))),
          { concurrency: "unbounded" },
        ),
      )
      yield* TestClock.adjust(400)
      assert.strictEqual(yield* Fiber.join(probe), "good")
      assert.deepStrictEqual(new Set(yield* Fiber.join(asked)), new Set(["good"]))
    }),
  )

  it.effect("asks more and more rarely, at least every 36 s", () =>
    Effect.gen(function* () {
      const { call, breaker } = made()
      const pauses: Array<number> = []
      for (let count = 0; count < 8; count++) {
        yield* Effect.flip(call(away))
        const { nextAt } = breaker.outage()!
        const now = yield* TestClock.currentTimeMillis
        pauses.push(nextAt - now)
        yield* TestClock.setTime(nextAt)
      }
      const expected = [5, 10, 20, 30, 30, 30, 30, 30].map((s) => s * 1_000)
      for (const [at, pause] of pauses.entries()) {
        assert.isAtLeast(pause, expected[at]! * 0.8)
        assert.isAtMost(pause, expected[at]! * 1.2 + 1)
      }
      assert.strictEqual(breaker.outage()!.since, 0)
    }),
  )

  it.effect("is not stuck by a probe that is interrupted", () =>
    Effect.gen(function* () {
      const { call, breaker } = made()
      yield* Effect.flip(call(away))
      yield* TestClock.adjust(6_000)
      const probe = yield* Effect.fork(call(Effect.never))
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(probe)
      assert.isDefined(breaker.outage())
      assert.strictEqual(yield* call(good), "good")
    }),
  )

  it.effect("waits for the end of a short pause that the source asked for, and refuses during a longer one", () =>
    Effect.gen(function* () {
      const { call, job, breaker, sent, outcome } = made()
      yield* breaker.rest(2_000)
      const waiting = yield* Effect.fork(Effect.all([outcome(call(good)), outcome(job(good))]))
      yield* TestClock.adjust(1_999)
      assert.strictEqual(sent(), 0)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(waiting), ["good", "good"])
      yield* breaker.rest(30_000)
      // A shorter one does not end it.
      yield* breaker.rest(1_000)
      const { reason, retryAfterMs } = yield* Effect.flip(job(good))
      assert.deepStrictEqual([reason, retryAfterMs, sent()], ["throttled", 30_000, 2])
      yield* TestClock.adjust(30_000)
      assert.strictEqual(yield* call(good), "good")
    }),
  )

  it.effect("ends the retries of a request while another has been asked for a pause", () =>
    Effect.gen(function* () {
      const { breaker, outcome } = made()
      const twice = breaker.request(
        (ticket) =>
          Effect.zipRight(
            Effect.ignore(breaker.attempt(ticket, away)),
            Effect.zipRight(breaker.rest(30_000), breaker.attempt(ticket, good)),
          ),
        undefined,
      )
      assert.strictEqual(yield* outcome(twice), "throttled")
    }),
  )
})
