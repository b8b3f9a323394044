import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as coinbase from "../../../../adapters/lanes/crypto/coinbase.ts"
import * as kraken from "../../../../adapters/lanes/crypto/kraken.ts"
import type { RequestPolicy, UpstreamError } from "../../../../adapters/upstream/upstream.ts"
import type { Failure } from "../../../../core/Failure.ts"
import type { Asset } from "../../../../core/lanes/crypto/endpoints.ts"
import type { Candle, CandleSource } from "../../../../core/lanes/crypto/ports.ts"
import { clockAt } from "../../../support/clock.ts"
import { faults, withFault } from "../../../support/faults.ts"
import { impatient, patient } from "../../../support/policy.ts"
import { describeRealData } from "../../../support/realData.ts"
import { type Fault, json, type Payload, type Replay, recorded, replay } from "../../../support/replay.ts"

/** 14:31:07 of a summer's day. */
const nowMinute = Date.UTC(2026, 6, 8, 14, 31) / 60_000
const now = nowMinute * 60_000 + 7_000

/** A source over a real socket, by the clock of the test. */
const asking = (
  source: Effect.Effect<CandleSource, never, HttpClient.HttpClient>,
  [from, to]: readonly [from: number, to: number],
  asset: Asset = "BTC",
  at = now,
): Effect.Effect<ReadonlyArray<Candle>, Failure> =>
  Effect.flatMap(source, ({ candles }) => candles(asset, from, to)).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.withClock(clockAt(at)),
  )

type Make = typeof coinbase.make

const over = (make: Make, { url }: Pick<Replay, "url">, policy: RequestPolicy = patient) =>
  Effect.map(HttpClient.HttpClient, (client) => make(client, url, policy))

interface Exchange {
  readonly name: string
  readonly make: Make
  /** Where it is asked for the candles of BTC. */
  readonly path: string
  /** A payload in its own shape. */
  readonly payload: (rows: ReadonlyArray<unknown>) => Payload
  /** A row in its own shape; what is given replaces a column as it is. */
  readonly row: (minute: number, changes?: Partial<Record<keyof Candle | "open" | "time", unknown>>) => Array<unknown>
  /** A number as it writes one. */
  readonly written: (value: number) => unknown
  readonly newestFirst: boolean
}

const exchanges: ReadonlyArray<Exchange> = [
  {
    name: "coinbase",
    make: coinbase.make,
    path: "/products/BTC-USD/candles",
    payload: json,
    row: (minute, changes = {}) => {
      const { time, low, high, open, close, volume } = {
        ...{ time: minute * 60, low: 59_990.25, high: 60_010, open: 60_000, close: 60_000.5, volume: 3.25 },
        ...changes,
      }
      return [time, low, high, open, close, volume]
    },
    written: (value) => value,
    newestFirst: true,
  },
  {
    name: "kraken",
    make: kraken.make,
    path: "/0/public/OHLC",
    payload: (rows) => json({ error: [], result: { XXBTZUSD: rows, last: (nowMinute - 1) * 60 } }),
    row: (minute, changes = {}) => {
      const { time, low, high, open, close, volume } = {
        ...{ time: minute * 60, low: "59990.25", high: "60010.0", open: "60000.0", close: "60000.5" },
        ...{ volume: "3.25000000" },
        ...changes,
      }
      return [time, open, high, low, close, "60000.1", volume, 42]
    },
    written: (value) => String(value),
    newestFirst: false,
  },
]

const good = (minute: number, changes: Partial<Candle> = {}): Candle => ({
  minute,
  high: 60_010,
  low: 59_990.25,
  close: 60_000.5,
  volume: 3.25,
  ...changes,
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

  describe(`candles of ${name}`, () => {
    it.scopedLive("are read as they are printed, oldest first", () =>
      Effect.gen(function* () {
        const rows = whole.map((minute) => row(minute))
        const expected = whole.map((minute) => good(minute))
        assert.deepStrictEqual(yield* read(rows), expected)
        assert.deepStrictEqual(yield* read(rows.toReversed()), expected)
      }),
    )

    it.scopedLive("are complete ones of the range", () =>
      Effect.gen(function* () {
        const rows = [-9, -6, -5, -4, -1, 0, 1, 99].map((by) => row(nowMinute + by))
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
      ["a price of 0", [row(nowMinute - 3, { low: written(0), close: written(0) }), row(nowMinute - 2)], [2]],
      ["a negative price", [row(nowMinute - 3, { low: written(-1), close: written(-1) }), row(nowMinute - 2)], [2]],
      ["a close outside", [row(nowMinute - 3, { close: written(70_000) }), row(nowMinute - 2)], [2]],
      ["half a minute", [row(nowMinute - 3, { time: nowMinute * 60 - 150 }), row(nowMinute - 2)], [2]],
      ["milliseconds in place of seconds", [row(nowMinute - 3, { time: (nowMinute - 3) * 60_000 })], []],
      ["a row that comes twice", [row(nowMinute - 3), row(nowMinute - 3)], [3]],
      ["a minute with two closes", [row(nowMinute - 3), row(nowMinute - 3, { close: written(60_001) })], []],
    ]
    for (const [what, rows, minutes] of left) {
      it.scopedLive(`are gaps where there are none: ${what}`, () =>
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
        assert.strictEqual(failure.message, `${name} request failed: ${reason}.`)
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
      it.scopedLive(`are none where the shape is another: ${what}`, () =>
        Effect.gen(function* () {
          const upstream = yield* serving([row(nowMinute - 5), bad, row(nowMinute - 1)])
          yield* refused(upstream, "shape", 1)
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
      [withFault.tooManyRequests(0), "status", 3, 0],
      [faults.serverError, "status", 3],
      [faults.badGateway, "status", 3],
      [faults.unavailable, "status", 1, 30_000],
      [faults.forbidden, "status", 1],
      [withFault.status(404), "status", 1],
    ]
    const nameOf = new Map<Fault, string>(Object.entries(faults).map(([word, fault]) => [fault, word]))
    for (const [fault, reason, requests, retryAfterMs = 5_000] of cases) {
      it.scopedLive(`are none, and good again later: ${nameOf.get(fault) ?? "another status"}, ${reason}`, () =>
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

    it.scopedLive("come after an upstream has stumbled twice", () =>
      Effect.gen(function* () {
        const upstream = yield* serving(whole.map((minute) => row(minute)))
        upstream.spoilNext(faults.reset, faults.serverError)
        assert.strictEqual((yield* asking(over(make, upstream), range)).length, 5)
        assert.strictEqual(upstream.requests.length, 3)
      }),
    )

    it.scopedLive("are not asked for again before the upstream wants it", () =>
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

    it.scopedLive("are not read to the end when there is too much of them", () =>
      Effect.gen(function* () {
        const upstream = yield* serving([])
        upstream.spoil(faults.huge)
        yield* refused(upstream, "too-large", 1)
        assert.isFalse(upstream.requests[0]!.answered())
      }),
    )

    it.live("are none where nobody listens", () =>
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
        assert.strictEqual(failure.message, `${name} request failed: transport.`)
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
        const reply = json({ error: [], result: { PAIR: [], last: 0 } })
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

describe("Kraken's errors", () => {
  const cases: ReadonlyArray<readonly [name: string, body: unknown, reason: string]> = [
    ["an unknown pair, with status 200", { error: ["EQuery:Unknown asset pair"] }, "said-error"],
    ["too many requests, with status 200", { error: ["EGeneral:Too many requests"] }, "said-error"],
    ["an error beside rows", { error: ["EService:Busy"], result: { XXBTZUSD: [], last: 1 } }, "said-error"],
    ["no result", { error: [] }, "said-error"],
    ["no rows", { error: [], result: {} }, "said-error"],
    ["no rows but the last", { error: [], result: { last: 1 } }, "said-error"],
    ["no list of errors", { result: { XXBTZUSD: [], last: 1 } }, "shape"],
    ["an error that is no list", { error: "EGeneral:Internal error" }, "shape"],
    ["null for a result", { error: [], result: null }, "shape"],
    ["null for rows", { error: [], result: { XXBTZUSD: null, last: 1 } }, "shape"],
    ["a list", [], "shape"],
  ]
  for (const [name, body, reason] of cases) {
    it.scopedLive(`${name}: ${reason}`, () =>
      Effect.gen(function* () {
        const upstream = yield* replay([{ path: "/0/public/OHLC", reply: json(body) }])
        const failure = yield* Effect.flip(asking(over(kraken.make, upstream), [nowMinute - 5, nowMinute]))
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.strictEqual(failure.message, `kraken request failed: ${reason}.`)
        assert.strictEqual(upstream.requests.length, 1)
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

describeRealData("what Kraken answered on 2025-11-11", (root) => {
  const file = join(root, "crypto/exchange/kraken/http_ohlc.json")
  it.scopedLive("is read without the minutes in which nobody traded, and without the one that was running", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [number, ...Array<string>]> = JSON.parse(readFileSync(file, "utf8")).result
        .XBTUSDT
      const [from, to] = [rows[0]![0] / 60, rows.at(-1)![0] / 60 + 1]
      // Four seconds into the last minute.
      const at = (to - 1) * 60_000 + 4_000
      const upstream = yield* replay([{ path: "/0/public/OHLC", reply: recorded(file) }])
      const found = yield* asking(over(kraken.make, upstream), [from, to], "BTC", at)
      const expected = rows
        .filter(([time, , , , , , volume]) => Number(volume) > 0 && time < (to - 1) * 60)
        .map(([time, , high, low, close, , volume]) => ({
          minute: time / 60,
          high: Number(high),
          low: Number(low),
          close: Number(close),
          volume: Number(volume),
        }))
      assert.strictEqual(rows.length, 721)
      assert.strictEqual(found.length, 505)
      assert.deepStrictEqual(found, expected)
      // A part of it.
      const part = yield* asking(over(kraken.make, upstream), [from + 100, from + 200], "BTC", at)
      assert.deepStrictEqual(
        part,
        expected.filter(({ minute }) => minute >= from + 100 && minute < from + 200),
      )
    }),
  )
})
