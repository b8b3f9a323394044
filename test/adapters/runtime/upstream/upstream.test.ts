import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { getJson, getText, toFailure, type UpstreamError } from "../../../../adapters/runtime/upstream/upstream.ts"
import { withFault } from "../../../support/faults.ts"
import { type Fault, json, replay } from "../../../support/replay.ts"

const said = { type: "https://upstream.test/problems/Expired", status: 503 }

/** The details of an error status. */
const refused = (reply: { readonly status: number; readonly body: string }, fault?: Fault, timeoutMs = 4_000) =>
  Effect.gen(function* () {
    const upstream = yield* replay([{ path: "/", reply }])
    upstream.spoil(fault)
    const client = yield* HttpClient.HttpClient
    const error = yield* Effect.flip(
      getText(client, { name: "upstream", baseUrl: upstream.url, timeoutMs, pauseMs: 1 }, "/"),
    )
    return { error, answered: upstream.requests[0]!.answered() }
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** A status with a body that never ends. */
const endless =
  (beginning: string, more: boolean): Fault =>
  (_, response) => {
    response.writeHead(404, { "content-type": "application/json" })
    response.write(beginning)
    const chunk = Buffer.alloc(65_536, "x")
    const flood = (): void => {
      while (!response.destroyed) if (!response.write(chunk)) return void response.once("drain", flood)
    }
    if (more) flood()
  }

describe("what a refusal says", () => {
  const cases: ReadonlyArray<readonly [status: number, body: string, known: UpstreamError["body"]]> = [
    [404, JSON.stringify(said), JSON.stringify(said)],
    [503, "<html>Access Denied</html>", "<html>Access Denied</html>"],
    [500, "", undefined],
    [400, "x".repeat(5_000), "x".repeat(4_096)],
  ]
  for (const [status, body, known] of cases) {
    it.scopedLive(`is known as far as it matters: ${status} with ${body.length} bytes`, () =>
      Effect.gen(function* () {
        const { error } = yield* refused({ ...json({}), status, body })
        assert.deepStrictEqual([error.reason, error.status, error.body], ["status", status, known])
        // None of it reaches a caller.
        const failure = toFailure(error)
        assert.strictEqual(failure.message, `upstream answered with an error (status ${status}).`)
      }),
    )
  }

  it.scopedLive("is not waited for, nor read to the end", () =>
    Effect.gen(function* () {
      for (const more of [false, true]) {
        const { error, answered } = yield* refused({ status: 404, body: "" }, endless("{", more))
        assert.deepStrictEqual([error.reason, error.status, error.body?.[0]], ["status", 404, "{"])
        assert.isAtMost(error.body!.length, 4_096)
        assert.isFalse(answered)
      }
    }),
  )

  it.scopedLive("does not hide how long to wait", () =>
    Effect.gen(function* () {
      const { error } = yield* refused({ status: 200, body: "" }, withFault.tooManyRequests(30))
      assert.deepStrictEqual([error.status, error.retryAfterMs, error.body], [429, 30_000, "{}"])
    }),
  )
})

describe("a NUL character, which PostgreSQL cannot store", () => {
  const answer = <A>(
    body: string,
    get: (client: HttpClient.HttpClient, url: string) => Effect.Effect<A, UpstreamError>,
  ) =>
    Effect.gen(function* () {
      const upstream = yield* replay([{ path: "/", reply: { ...json({}), body } }])
      return yield* get(yield* HttpClient.HttpClient, upstream.url)
    }).pipe(Effect.provide(FetchHttpClient.layer))

  it.scopedLive("is replaced in a text", () =>
    Effect.gen(function* () {
      const text = yield* answer("a\0b\0", (client, baseUrl) => getText(client, { name: "upstream", baseUrl }, "/"))
      assert.strictEqual(text, "a\uFFFDb\uFFFD")
    }),
  )

  const cases: ReadonlyArray<readonly [source: string, value: unknown]> = [
    [String.raw`"a\u0000b"`, "a\uFFFDb"],
    [String.raw`"\u0000\u0000\u0000"`, "\uFFFD\uFFFD\uFFFD"],
    [String.raw`{"\u0000":["\n\u0000\\\u0000"]}`, { "\uFFFD": ["\n\uFFFD\\\uFFFD"] }],
    // Not an escape: the backslash is one of the text.
    [String.raw`"\\u0000 \\\\u0000"`, String.raw`\u0000 \\u0000`],
    [String.raw`"\u00000 \u0001"`, "\uFFFD0 \u0001"],
  ]
  for (const [source, value] of cases) {
    it.scopedLive(`is replaced in JSON where it is one: ${source}`, () =>
      Effect.gen(function* () {
        const read = yield* answer(source, (client, baseUrl) =>
          getJson(client, { name: "upstream", baseUrl }, Schema.Unknown, "/"),
        )
        assert.deepStrictEqual(read, value)
      }),
    )
  }

  it.scopedLive("is no JSON where it stands bare", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        answer('"a\0b"', (client, baseUrl) => getJson(client, { name: "upstream", baseUrl }, Schema.Unknown, "/")),
      )
      assert.strictEqual(error.reason, "not-json")
    }),
  )
})
