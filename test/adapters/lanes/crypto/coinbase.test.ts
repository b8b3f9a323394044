import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as coinbase from "../../../../adapters/lanes/crypto/coinbase.ts"
import * as kraken from "../../../../adapters/lanes/crypto/kraken.ts"
import { lastMinutes } from "../../../../adapters/lanes/crypto/minutes.ts"
import type { RequestPolicy, UpstreamError } from "../../../../adapters/runtime/upstream/upstream.ts"
import type { Failure } from "../../../../core/Failure.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import { asking, exchanges, good, type Make, nowMinute, over } from "../../../support/exchanges.ts"
import { faults, isSaid, withFault } from "../../../support/faults.ts"
import { impatient, patient } from "../../../support/policy.ts"
import { type Fault, json, type Payload, type Replay, replay } from "../../../support/replay.ts"

it("a probe asks for the last ten minutes that are complete", () => {
  assert.deepStrictEqual(lastMinutes(60_000 * nowMinute + 59_999), {
    ...{ asset: "BTC", from: nowMinute - 10, to: nowMinute },
  })
})

for (const exchange of exchanges) {
  const { name, make, path, row, written } = exchange
  const serving = (rows: ReadonlyArray<unknown>): Effect.Effect<Replay, never, Scope.Scope> =>
    replay([{ path, reply: exchange.payload(rows) }])
  const range = [nowMinute - 5, nowMinute] as const
  const whole = [5, 4, 3, 2, 1].map((ago) => nowMinute - ago)
  /** What becomes of these rows. */
  const read = (rows: ReadonlyArray<unknown>) =>
    Effect.flatMap(serving(rows), (upstream) => asking(over(make, upstream), range))

  describe.concurrent(`candles of ${name}`, () => {
    it.scopedLive("are parsed exactly and sorted oldest first", () =>
      Effect.gen(function* () {
        const rows = whole.map((minute) => row(minute))
        const expected = whole.map((minute) => good(minute))
        assert.deepStrictEqual(yield* read(rows), expected)
        assert.deepStrictEqual(yield* read(rows.toReversed()), expected)
      }),
    )

    it.scopedLive("include only complete minutes of the range", () =>
      Effect.gen(function* () {
        const rows = [-9, -6, -5, -4, -1, 0, 1].map((by) => row(nowMinute + by))
        const sorted = exchange.newestFirst ? rows.toReversed() : rows
        const expected = [good(nowMinute - 5), good(nowMinute - 4), good(nowMinute - 1)]
        assert.deepStrictEqual(yield* read(sorted), expected)
        // Also where the range itself reaches into the minute that is running.
        const upstream = yield* serving(sorted)
        assert.deepStrictEqual(yield* asking(over(make, upstream), [nowMinute - 5, nowMinute + 5]), expected)
      }),
    )

    const left: ReadonlyArray<readonly [name: string, rows: ReadonlyArray<unknown>, minutes: ReadonlyArray<number>]> = [
      ["an empty list", [], []],
      ["minutes without a row", [row(nowMinute - 5), row(nowMinute - 2)], [5, 2]],
      ["flat rows without trades", [row(nowMinute - 3, { volume: written(0) }), row(nowMinute - 2)], [2]],
      ["a row that comes twice", [row(nowMinute - 3), row(nowMinute - 3)], [3]],
    ]
    for (const [what, rows, minutes] of left) {
      it.scopedLive(`have gaps where minutes are missing: ${what}`, () =>
        Effect.gen(function* () {
          const found = yield* read(rows)
          assert.deepStrictEqual(
            found.map(({ minute }) => nowMinute - minute),
            minutes,
          )
        }),
      )
    }

    /** Fails as it should after so many requests; nothing of the upstream's text reaches the caller. */
    const refused = (
      upstream: Replay,
      reason: UpstreamError["reason"],
      requests: number,
      policy: RequestPolicy = patient,
    ): Effect.Effect<Failure> =>
      Effect.gen(function* () {
        const before = upstream.requests.length
        const failure = yield* Effect.flip(asking(over(make, upstream, policy), range)).pipe(Effect.orDie)
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.strictEqual(failure.status, 503)
        assert.isTrue(isSaid(failure.message.toLowerCase(), name, reason), failure.message)
        assert.strictEqual(upstream.requests.length - before, requests)
        return failure
      })

    const odd: ReadonlyArray<readonly [name: string, row: unknown]> = [
      ["null", null],
      ["an object", {}],
      ["text", "row"],
      ["an empty row", []],
      ["a row that is too short", row(nowMinute - 3).slice(0, -1)],
      ["a row that is too long", [...row(nowMinute - 3), 1]],
      ["null for a price", row(nowMinute - 3, { close: null })],
      ["true for a price", row(nowMinute - 3, { close: true })],
      ["a list for a price", row(nowMinute - 3, { close: [60_000] })],
      ["a word for a price", row(nowMinute - 3, { close: "dear" })],
      ["no digits for a price", row(nowMinute - 3, { close: "" })],
      ["NaN for a price", row(nowMinute - 3, { close: "NaN" })],
      ["Infinity for a price", row(nowMinute - 3, { close: "Infinity" })],
      ["text for a time", row(nowMinute - 3, { time: String((nowMinute - 3) * 60) })],
      ["null for a time", row(nowMinute - 3, { time: null })],
      ["a price of the other kind", row(nowMinute - 3, { close: name === "kraken" ? 60_000.5 : "60000.5" })],
    ]
    for (const [what, bad] of odd) {
      it.scopedLive(`fail on an unexpected shape: ${what}`, () =>
        Effect.gen(function* () {
          const upstream = yield* serving([row(nowMinute - 5), bad, row(nowMinute - 1)])
          yield* refused(upstream, "shape", 1)
        }),
      )
    }

    const impossible: ReadonlyArray<readonly [what: string, row: unknown, reason: string]> = [
      ["a price of 0", row(nowMinute - 3, { low: written(0), close: written(0) }), "a price that is not positive"],
      [
        "a negative price",
        row(nowMinute - 3, { low: written(-1), close: written(-1) }),
        "a price that is not positive",
      ],
      ["a close outside", row(nowMinute - 3, { close: written(70_000) }), "a close of 70000 outside 59990.25 to 60010"],
      ["half a minute", row(nowMinute - 3, { time: nowMinute * 60 - 150 }), "does not begin at a full minute"],
      ["another zone", row(nowMinute + 237), "a candle of 2026-07-08T18:28Z is in the future"],
      ["milliseconds", row(nowMinute - 3, { time: (nowMinute - 3) * 60_000 }), "is in the future"],
      ["a second close", row(nowMinute - 1, { close: written(60_001) }), "two closes, 60000.5 and 60001"],
    ]
    for (const [what, bad, reason] of impossible) {
      it.scopedLive(`are refused whole, with the reason: ${what}`, () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(read([row(nowMinute - 5), row(nowMinute - 1), bad]))
          assert.strictEqual(failure.code, "upstream_unavailable")
          assert.include(failure.message, "sent an answer that cannot be true: ")
          assert.include(failure.message, reason)
        }),
      )
    }

    const cases: ReadonlyArray<
      readonly [fault: Fault, reason: UpstreamError["reason"], requests: number, retryAfterMs?: number]
    > = [
      [faults.hang, "timeout", 3],
      [faults.drip, "timeout", 3],
      [faults.reset, "transport", 3],
      [faults.halfBody, "transport", 3],
      [faults.truncated, "not-json", 1],
      [faults.html, "not-json", 1],
      [faults.notANumber, "not-json", 1],
      [faults.infinite, "shape", 1],
      [faults.wrongTypes, "shape", 1],
      [faults.nothing, "shape", 1],
      [faults.huge, "too-large", 1],
      [faults.tooManyRequests, "status", 1, 30_000],
      [withFault.tooManyRequests(0), "status", 3],
      [faults.serverError, "status", 3],
      [faults.badGateway, "status", 3],
      [faults.unavailable, "status", 1, 30_000],
      [faults.forbidden, "status", 1],
      [withFault.status(404), "status", 1],
    ]
    const nameOf = new Map<Fault, string>(Object.entries(faults).map(([word, fault]) => [fault, word]))
    for (const [fault, reason, requests, retryAfterMs = 5_000] of cases) {
      it.scopedLive(`fail, then recover: ${nameOf.get(fault) ?? "another status"}, ${reason}`, () =>
        Effect.gen(function* () {
          const upstream = yield* serving(whole.map((minute) => row(minute)))
          upstream.spoil(fault)
          const failure = yield* refused(upstream, reason, requests, reason === "timeout" ? impatient : patient)
          assert.strictEqual(failure.retryAfterMs, retryAfterMs)
          upstream.spoil()
          const found = yield* asking(over(make, upstream), range)
          assert.strictEqual(found.length, 5)
        }),
      )
    }

    it.scopedLive("arrive after two failed attempts", () =>
      Effect.gen(function* () {
        const upstream = yield* serving(whole.map((minute) => row(minute)))
        upstream.spoilNext(faults.reset, faults.serverError)
        assert.strictEqual((yield* asking(over(make, upstream), range)).length, 5)
        assert.strictEqual(upstream.requests.length, 3)
      }),
    )

    it.scopedLive("are not requested again before Retry-After", () =>
      Effect.gen(function* () {
        const upstream = yield* serving([row(nowMinute - 1)])
        const times: Array<number> = []
        const noted: Fault = (answer, response) => {
          times.push(performance.now())
          withFault.tooManyRequests(1)(answer, response)
        }
        upstream.spoilNext(noted, (answer, response) => {
          times.push(performance.now())
          faults.none(answer, response)
        })
        assert.strictEqual((yield* asking(over(make, upstream), range)).length, 1)
        assert.isAtLeast(times[1]! - times[0]!, 990)
      }),
    )

    it.scopedLive("are rejected when the response is too large", () =>
      Effect.gen(function* () {
        const upstream = yield* serving([])
        upstream.spoil(faults.huge)
        yield* refused(upstream, "too-large", 1)
        assert.isFalse(upstream.requests[0]!.answered())
      }),
    )

    it.live("fail when nothing listens", () =>
      Effect.gen(function* () {
        // A port that was free a moment ago.
        const port = yield* Effect.async<number>((resume) => {
          const server = createServer()
          server.listen(0, "127.0.0.1", () => {
            const { port: free } = server.address() as AddressInfo
            server.close(() => resume(Effect.succeed(free)))
          })
        })
        const failure = yield* Effect.flip(asking(over(make, { url: `http://127.0.0.1:${port}` }), range))
        assert.isTrue(isSaid(failure.message.toLowerCase(), name, "transport"), failure.message)
      }),
    )
  })
}

describe("the request", () => {
  const requestOf = (make: Make, asset: Asset, range: readonly [number, number], reply: Payload) =>
    Effect.gen(function* () {
      const upstream = yield* replay([{ path: /.*/, reply }])
      // With a slash at the end of the address and without.
      for (const url of [upstream.url, `${upstream.url}/`]) yield* asking(over(make, { url }), range, asset)
      const seen = upstream.requests.map(({ method, path, query, headers }) => ({
        method,
        path,
        query: Object.fromEntries(query),
        accept: headers.accept,
      }))
      assert.deepStrictEqual(seen[1], seen[0])
      return seen[0]
    })

  for (const asset of ["BTC", "ETH"] as const) {
    it.scopedLive(`to Coinbase names ${asset}, the granularity and both ends, the last one included`, () =>
      Effect.gen(function* () {
        const from = Date.UTC(2026, 6, 8, 9, 31) / 60_000
        assert.deepStrictEqual(yield* requestOf(coinbase.make, asset, [from, nowMinute], json([])), {
          method: "GET",
          path: `/products/${asset}-USD/candles`,
          query: { granularity: "60", start: "2026-07-08T09:31:00.000Z", end: "2026-07-08T14:30:00.000Z" },
          accept: "application/json",
        })
        // From 9:31 to 14:30 are 300 minutes: what one request may cover.
        const { span } = yield* Effect.provide(over(coinbase.make, { url: "http://127.0.0.1" }), FetchHttpClient.layer)
        assert.strictEqual(span, 300)
        assert.strictEqual(nowMinute - from, span)
      }),
    )

    it.scopedLive(`to Kraken names ${asset}, the interval and the minute before the first`, () =>
      Effect.gen(function* () {
        const from = Date.UTC(2026, 6, 8, 14, 26) / 60_000
        const reply = json({ error: [], result: { [asset === "BTC" ? "XXBTZUSD" : "XETHZUSD"]: [], last: 0 } })
        assert.deepStrictEqual(yield* requestOf(kraken.make, asset, [from, nowMinute], reply), {
          method: "GET",
          path: "/0/public/OHLC",
          query: {
            pair: asset === "BTC" ? "XBTUSD" : "ETHUSD",
            interval: "1",
            since: String(Date.UTC(2026, 6, 8, 14, 25) / 1_000),
          },
          accept: "application/json",
        })
      }),
    )
  }
})

describe("Coinbase's errors", () => {
  it.scopedLive("too many candles asked for, with status 400", () =>
    Effect.gen(function* () {
      const message = "granularity too small for the requested time range. Count of aggregations requested exceeds 300"
      const upstream = yield* replay([{ path: /.*/, reply: { ...json({ message }), status: 400 } }])
      const failure = yield* Effect.flip(asking(over(coinbase.make, upstream), [nowMinute - 500, nowMinute]))
      assert.strictEqual(failure.code, "upstream_unavailable")
      assert.strictEqual(upstream.requests.length, 1)
      assert.notInclude(failure.message, "granularity")
    }),
  )
})
