import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import { defaultLimits } from "../../adapters/http/listener.ts"
import { upstreamDeadlineMs } from "../../core/CallContext.ts"
import { hurried } from "../support/clock.ts"
import { faults } from "../support/faults.ts"
import { type Replay, replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"

/** Factor by which the server's clock runs faster than real time. */
const times = 20

const scope = Effect.runSync(Scope.make())
let upstream: Replay
let server: Running

beforeAll(async () => {
  upstream = await Effect.runPromise(Scope.extend(replay([]), scope))
  upstream.spoil(faults.hang)
  const { upstreams } = settings()
  const names = Object.keys(upstreams).filter((name) => name !== "userAgent")
  server = await start(
    {
      baseball: "live",
      crypto: "live",
      football: "live",
      markets: "live",
      weather: "live",
      termsAccepted: { baseball: true },
      upstreams: { ...upstreams, ...Object.fromEntries(names.map((name) => [name, upstream.url])) },
    },
    // The transport gives up after 48 of the server's seconds: twice a call's wait, below an upstream's three attempts.
    { clock: hurried(times), limits: { answerMs: 48_000 / times } },
  )
})
afterAll(async () => {
  await server.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

describe("with upstreams that say nothing", () => {
  it("a call gives up before the transport does", () => {
    assert.isAtMost(upstreamDeadlineMs, defaultLimits.answerMs - 5_000)
  })

  /** The call, and the upstreams it waited for. */
  const calls: ReadonlyArray<readonly [path: string, asks: RegExp | undefined]> = [
    // These read stored data and query no upstream. They come first: upstream requests of the others outlive their calls.
    ["/v1/nfl/games", undefined],
    ["/v1/crypto/spot?asset=BTC", undefined],
    ["/v1/markets/edge", undefined],
    ["/v1/weather/settlement?station=KNYC", /^\/json\/cli/],
    ["/v1/weather/settlement?station=KMIA&day=2003-07-08", /^\/json\/cli/],
    ["/v1/weather/settlement/history?station=KDEN&start=2003-12-01&end=2004-01-31", /^\/json\/cli/],
    ["/v1/weather/forecast?lat=40.7&lon=-74", /^\/points/],
    ["/v1/weather/signal?station=KBOS", /^\/points/],
    ["/v1/mlb/games?date=2026-07-04", /^\/api\/v1\/schedule/],
    ["/v1/mlb/fair-odds?game_pk=745000", /^\/api\/v1\/schedule/],
  ]
  for (const [path, asks] of calls) {
    it(`is 503 and free, with a time to try again: ${path}`, async () => {
      const asked = upstream.requests.length
      const { status, headers, json } = await server.get(path)
      assert.deepStrictEqual([status, json.error?.code], [503, "upstream_unavailable"])
      assert.isAbove(json.error.retry_after_ms, 0)
      assert.strictEqual(headers.get("retry-after"), String(Math.ceil(json.error.retry_after_ms / 1_000)))
      assert.strictEqual(await server.charges(), 0)
      const paths = upstream.requests.slice(asked).map((request) => request.path)
      if (asks === undefined) assert.isEmpty(paths)
      else assert.isTrue(paths.some((each) => asks.test(each)))
    })
  }
})
