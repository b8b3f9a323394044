import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { faults, withFault } from "./faults.ts"
import { type Fault, json, type Replay, replay } from "./replay.ts"

const candles = [[1_782_000_000, 60_000.5, 60_100, 60_010, 60_050, 1.25]]
const recordedText = JSON.stringify(candles)

const routes = [
  { path: "/candles", query: (query: URLSearchParams) => query.get("granularity") === "60", reply: json(candles) },
  { path: "/candles", reply: { status: 400, body: "granularity" } },
  { path: /^\/markets\/[A-Z]+$/, reply: json({ market: { bid: "0.3100", open: true } }) },
  { method: "POST", path: "/echo", reply: ({ query }: { query: URLSearchParams }) => json([...query]) },
]

/** Over the real client of this runtime; what comes back is its status and text, or how it failed. */
const ask = (url: string, patienceMs = 10_000, init: RequestInit = {}) =>
  Effect.promise(async () => {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
      const { status, headers } = response
      return { status, headers, text: await response.text() }
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      return { failed: name === "TimeoutError" ? "timeout" : (cause?.code ?? name) }
    }
  })

const spoiled = (upstream: Replay, fault: Fault, path = "/candles?granularity=60", patienceMs?: number) => {
  upstream.spoil(fault)
  return ask(upstream.url + path, patienceMs)
}

describe("a replayed upstream", () => {
  it.scopedLive("answers with recorded payloads by method, path and query, and logs requests", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(routes)
      const good = yield* ask(`${upstream.url}/candles?granularity=60`, undefined, {
        headers: { "user-agent": "tester" },
      })
      assert.deepStrictEqual(JSON.parse(good.text!), candles)
      assert.strictEqual(good.headers!.get("content-type"), "application/json")
      const answers = yield* Effect.forEach(
        ["/candles?granularity=300", "/markets/ABC", "/markets/abc", "/candles/"],
        (path) => ask(upstream.url + path),
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [400, 200, 404, 404],
      )
      const echoed = yield* ask(`${upstream.url}/echo?a=1&a=2`, undefined, { method: "POST", body: "ignored" })
      assert.deepStrictEqual(JSON.parse(echoed.text!), [
        ["a", "1"],
        ["a", "2"],
      ])
      assert.deepStrictEqual(
        upstream.requests.map(({ method, path, matched }) => [method, path, matched]),
        [
          ["GET", "/candles", true],
          ["GET", "/candles", true],
          ["GET", "/markets/ABC", true],
          ["GET", "/markets/abc", false],
          ["GET", "/candles/", false],
          ["POST", "/echo", true],
        ],
      )
      assert.strictEqual(upstream.requests[0]!.headers["user-agent"], "tester")
      assert.strictEqual(upstream.requests[1]!.query.get("granularity"), "300")
    }),
  )

  it.scopedLive("delays a response, or cuts it off", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(routes)
      for (const silent of [faults.hang, withFault.delay(60_000), faults.drip])
        assert.deepStrictEqual(yield* spoiled(upstream, silent, undefined, 400), { failed: "timeout" })
      assert.deepStrictEqual(yield* spoiled(upstream, faults.reset), { failed: "ECONNRESET" })
      assert.deepStrictEqual(yield* spoiled(upstream, faults.halfBody), { failed: "UND_ERR_SOCKET" })
      const late = yield* spoiled(upstream, withFault.delay(50))
      const dripped = yield* spoiled(upstream, withFault.drip(1))
      for (const { text } of [late, dripped]) assert.deepStrictEqual(JSON.parse(text!), candles)
    }),
  )

  it.scopedLive("answers 200 with something else", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(routes)
      const text = (fault: Fault, path?: string) =>
        Effect.map(spoiled(upstream, fault, path), (answer) => {
          assert.strictEqual(answer.status, 200)
          return answer.text!
        })
      assert.match(yield* text(faults.html), /^<!doctype html>/)
      assert.strictEqual(yield* text(faults.empty), "")
      assert.strictEqual(yield* text(faults.truncated), recordedText.slice(0, recordedText.length / 2))
      assert.strictEqual(yield* text(faults.nothing), "null")
      const wrong = { wrong: "number" }
      assert.deepStrictEqual(JSON.parse(yield* text(faults.wrongTypes)), [[wrong, wrong, wrong, wrong, wrong, wrong]])
      assert.strictEqual(yield* text(faults.notANumber), "[[NaN,NaN,NaN,NaN,NaN,NaN]]")
      assert.strictEqual(yield* text(faults.notANumber, "/markets/ABC"), '{"market":{"bid":"NaN","open":true}}')
      assert.deepStrictEqual(JSON.parse(yield* text(faults.infinite)), [Array(6).fill(Number.POSITIVE_INFINITY)])
    }),
  )

  it.scopedLive("refuses, and says when to come back", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(routes)
      const seen: Array<readonly [number | undefined, string | null | undefined]> = []
      for (const fault of [
        faults.tooManyRequests,
        withFault.tooManyRequests(1),
        faults.serverError,
        faults.badGateway,
        faults.unavailable,
        faults.forbidden,
        withFault.status(418),
      ]) {
        const { status, headers } = yield* spoiled(upstream, fault)
        seen.push([status, headers?.get("retry-after")])
      }
      assert.deepStrictEqual(seen, [
        [429, "30"],
        [429, "1"],
        [500, null],
        [502, null],
        [503, "30"],
        [403, null],
        [418, null],
      ])
    }),
  )

  it.scopedLive("sends fifty megabytes to whoever reads them, and no more than is read", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(routes)
      upstream.spoil(faults.huge)
      const size = yield* Effect.promise(async () => {
        let bytes = 0
        for await (const chunk of (await fetch(upstream.url)).body!) bytes += chunk.length
        return bytes
      })
      assert.strictEqual(size, 50 * 1_048_576 + '{"pad":""}'.length)
      const first = yield* Effect.promise(async () => {
        const reader = (await fetch(upstream.url)).body!.getReader()
        const { value } = await reader.read()
        await reader.cancel()
        return value!.length
      })
      assert.isAbove(first, 0)
      assert.deepStrictEqual(
        upstream.requests.map(({ answered }) => answered()),
        [true, false],
      )
    }),
  )

  it.scopedLive("spoils only the next answers, and recovers on demand", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(routes)
      const statuses = () =>
        Effect.forEach([1, 2, 3], () => Effect.map(ask(`${upstream.url}/markets/ABC`), ({ status }) => status))
      upstream.spoilNext(faults.unavailable, faults.serverError)
      assert.deepStrictEqual(yield* statuses(), [503, 500, 200])
      upstream.spoil(faults.badGateway)
      upstream.spoilNext(faults.none)
      assert.deepStrictEqual(yield* statuses(), [200, 502, 502])
      upstream.spoil()
      assert.deepStrictEqual(yield* statuses(), [200, 200, 200])
    }),
  )
})
