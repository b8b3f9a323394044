import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Breaker from "../../../../adapters/runtime/upstream/breaker.ts"
import { getText, toFailure, type Upstream } from "../../../../adapters/runtime/upstream/upstream.ts"
import { second } from "../../../../core/time.ts"
import { clockAt, type SetClock } from "../../../support/clock.ts"
import { type Fault, faults, withFault } from "../../../support/faults.ts"
import { impatient, patient } from "../../../support/policy.ts"
import { json, type Replay, replay } from "../../../support/replay.ts"

interface World {
  readonly host: Replay
  readonly clock: SetClock
  /** A further client of the same upstream. */
  readonly client: (
    changes?: Partial<Upstream>,
  ) => Effect.Effect<(path?: string) => ReturnType<typeof getText>, never, HttpClient.HttpClient>
}

/** Clients of one upstream in one process, by the test's clock. */
const within = <E>(
  sentence: string,
  body: (world: World) => Effect.Effect<void, E, HttpClient.HttpClient | Scope.Scope>,
) =>
  it.scopedLive(sentence, () => {
    const clock = clockAt(Date.UTC(2026, 6, 9, 12))
    return Effect.gen(function* () {
      const host = yield* replay([{ path: /^\//, reply: json("good") }])
      const client: World["client"] = (changes = {}) =>
        Effect.map(HttpClient.HttpClient, (http) => {
          const upstream = { ...Breaker.makeBreaker("host", "The host"), baseUrl: host.url, ...patient, ...changes }
          return (path = "/") => getText(http, upstream, path)
        })
      yield* body({ host, clock, client })
    }).pipe(
      Effect.provide(FetchHttpClient.layer),
      Effect.provideService(Breaker.Sources, Breaker.makeSourceList()),
      Effect.withClock(clock),
    )
  })

const later = (clock: SetClock, ms: number): void => clock.set(clock.unsafeCurrentTimeMillis() + ms)

const limited =
  (status: number, retryAfter: () => string): Fault =>
  (_, response) => {
    response.writeHead(status, { "retry-after": retryAfter() }).end("{}")
  }

/** The time by which Node's server dates its answers. */
const inHalfAMinute = (): string => new Date(Date.now() + 30 * second).toUTCString()

describe("the clients of one upstream in a process", () => {
  within("share a breaker: the silence that one met is refused to the others without a request", ({ host, client }) =>
    Effect.gen(function* () {
      host.spoil(faults.hang)
      const [first, other] = [yield* client(impatient), yield* client(impatient)]
      assert.strictEqual((yield* Effect.flip(first())).reason, "timeout")
      const asked = host.requests.length
      assert.strictEqual((yield* Effect.flip(other("/other"))).reason, "paused")
      assert.strictEqual(host.requests.length, asked)
    }),
  )
})

describe("an upstream that asks for a pause", () => {
  for (const [what, fault] of [
    ["429 of seconds", limited(429, () => "30")],
    ["429 until a date", limited(429, inHalfAMinute)],
    ["503 of seconds", limited(503, () => "30")],
  ] as const) {
    within(`is not asked before its end, whoever asks: ${what}`, ({ host, clock, client }) =>
      Effect.gen(function* () {
        host.spoilNext(fault)
        const [first, other] = [yield* client(), yield* client()]
        const { reason, retryAfterMs = 0 } = yield* Effect.flip(first())
        assert.strictEqual(reason, "status")
        // A date has no fractions of a second.
        assert.isTrue(retryAfterMs > 28_000 && retryAfterMs <= 31_000, String(retryAfterMs))
        later(clock, 10 * second)
        const refused = yield* Effect.flip(other("/other"))
        assert.deepStrictEqual([refused.reason, refused.retryAfterMs], ["throttled", retryAfterMs - 10 * second])
        const failure = toFailure(refused)
        assert.deepStrictEqual(
          [failure.code, failure.retryAfterMs],
          ["upstream_unavailable", retryAfterMs - 10 * second],
        )
        assert.match(failure.message, /^The host asked for a pause\. It is asked again in \d\d s\.$/)
        assert.strictEqual(host.requests.length, 1)
        later(clock, retryAfterMs - 10 * second)
        assert.strictEqual(yield* other(), '"good"')
      }),
    )
  }

  within("without its length is asked three times, and by nobody for five seconds", ({ host, clock, client }) =>
    Effect.gen(function* () {
      host.spoil(withFault.status(429))
      const ask = yield* client()
      assert.strictEqual((yield* Effect.flip(ask())).status, 429)
      assert.strictEqual(host.requests.length, 3)
      host.spoil()
      later(clock, 2 * second)
      assert.strictEqual((yield* Effect.flip(ask())).reason, "throttled")
      assert.strictEqual(host.requests.length, 3)
      later(clock, 3 * second)
      assert.strictEqual(yield* ask(), '"good"')
    }),
  )

  within("may mean one request alone: its client says what concerns all", ({ host, client }) =>
    Effect.gen(function* () {
      host.spoilNext(limited(503, () => "30"))
      const ask = yield* client({ isOverload: ({ body }) => body !== "{}" })
      assert.strictEqual((yield* Effect.flip(ask())).status, 503)
      assert.strictEqual(yield* ask("/other"), '"good"')
    }),
  )

  within("is not silent: neither operators nor its breaker take it for an outage", ({ host, client }) =>
    Effect.gen(function* () {
      host.spoilNext(withFault.tooManyRequests(30))
      yield* Effect.flip((yield* client())())
      assert.deepStrictEqual(
        (yield* Breaker.Sources).all().map(({ name, outage }) => [name, outage()]),
        [["host", undefined]],
      )
    }),
  )
})
