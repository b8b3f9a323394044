// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import * as Breaker from "../../adapters/runtime/upstream/breaker.ts"
import { defaultLimits } from "../../adapters/server/http/listener.ts"
import { upstreamDeadlineMs } from "../../core/CallContext.ts"
import { minute, second } from "../../core/time.ts"
import { archiveRoutes } from "../support/climateUpstreams.ts"
import { clockAt, hurried, type SetClock } from "../support/clock.ts"
import { faults, withFault } from "../support/faults.ts"
import { nwsRoutes } from "../support/nws.ts"
import { type Replay, type Route, replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"

/** Sleepers wake so many times earlier; the time itself is the test's, so that no pause of a breaker ends by itself. */
const times = 20

const begun = Date.UTC(2026, 6, 9, 18, 20)

const { upstreams } = settings()
type Name = Exclude<keyof typeof upstreams, "userAgent">

/** A server with live lanes over sources on this machine; one without routes says nothing. */
const over = async (
  routes: Readonly<Partial<Record<Name, (clock: () => number) => ReadonlyArray<Route>>>>,
  clock: Clock.Clock & Partial<SetClock> = clockAt(begun, times),
) => {
  const scope = Effect.runSync(Scope.make())
  const sources = Breaker.makeSourceList()
  const names = (Object.keys(upstreams) as ReadonlyArray<Name | "userAgent">).filter((name) => name !== "userAgent")
  const stands = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => {
        const made = replay(routes[name]?.(() => clock.unsafeCurrentTimeMillis()) ?? [])
        const stand = await Effect.runPromise(Scope.extend(made, scope))
        if (routes[name] === undefined) stand.spoil(faults.hang)
        return [name, stand] as const
      }),
    ),
  ) as Readonly<Record<Name, Replay>>
  const server: Running = await start(
    {
      baseball: "live",
      crypto: "live",
      football: "live",
      markets: "live",
      weather: "live",
      upstreams: { ...upstreams, ...Object.fromEntries(names.map((name) => [name, stands[name].url])) },
    },
    // The transport gives up after 48 of the sleepers' seconds: five times a call's wait.
    { clock, sources, limits: { answerMs: 48_000 / times } },
  )
  return {
    ...server,
    stands,
    later: (ms: number) => clock.set!(clock.unsafeCurrentTimeMillis() + ms),
    outage: (name: Name) =>
      sources
        .all()
        .find((source) => source.name === name)
        ?.outage(),
    stop: async () => {
      await server.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe("with upstreams that say nothing", () => {
  it("a call gives up before the transport does", () => {
    assert.isAtMost(upstreamDeadlineMs, defaultLimits.answerMs - 5_000)
  })

  let server: Awaited<ReturnType<typeof over>>
  beforeAll(async () => {
    server = await over({})
  })
  afterAll(() => server.stop())

  /** The call, and the source it waits for. */
  const calls: ReadonlyArray<readonly [path: string, name: Name | undefined, asks?: RegExp]> = [
    ["/v1/nfl/games", undefined],
    ["/v1/crypto/spot?asset=BTC", undefined],
    ["/v1/markets/edge", undefined],
    ["/v1/weather/settlement?station=KNYC", "iem", /^\/json\/cli/],
    ["/v1/weather/settlement?station=KMIA&day=2003-07-08", "iem", /^\/json\/cli/],
    ["/v1/weather/settlement/history?station=KDEN&start=2003-12-01&end=2004-01-31", "iem", /^\/json\/cli/],
    ["/v1/weather/forecast?lat=40.7&lon=-74", "nws", /^\/points/],
    ["/v1/weather/signal?station=KBOS", "nws", /^\/points/],
    ["/v1/mlb/games?date=2026-07-04", "mlb", /^\/api\/v1\/schedule/],
    ["/v1/mlb/fair-odds?game_pk=745000", "mlb", /^\/api\/v1\/schedule/],
  ]
  for (const [at, [path, name, asks]] of calls.entries()) {
    const isFirst = name !== undefined && calls.findIndex(([, other]) => other === name) === at
    const how = name === undefined ? "at once" : isFirst ? "after a call's wait" : "at once, without a further request"
    it(`is 503 and free ${how}, with a time to try again: ${path}`, async () => {
      const asked = () => (name === undefined ? [] : server.stands[name].requests)
      const before = asked().length
      const { status, headers, json } = await server.get(path)
      // Of a tape it is known what is due.
      const code = path.startsWith("/v1/crypto") ? "data_freshness_stale" : "upstream_unavailable"
      assert.deepStrictEqual([status, json.error?.code], [503, code])
      assert.isAbove(json.error.retry_after_ms, 0)
      assert.strictEqual(headers.get("retry-after"), String(Math.ceil(json.error.retry_after_ms / 1_000)))
      assert.strictEqual(await server.charges(), 0)
      const paths = asked()
        .slice(before)
        .map((request) => request.path)
      if (!isFirst) assert.isEmpty(paths)
      if (name === undefined) return
      if (isFirst) {
        assert.isTrue(paths.some((each) => asks!.test(each)))
        await until(() => server.outage(name) !== undefined)
      }
      const said = isFirst ? / did not answer in [89] s\.$/ : / does not answer\. It is asked again in \d+ s\.$/
      assert.match(json.error.message, said)
    })
  }
})

describe("a source that says nothing beside one that answers", () => {
  it("costs one wait, whatever is asked of it; others go on; when it is back, it is asked again", async () => {
    const { get, stands, outage, later, charges, stop } = await over({ nws: nwsRoutes, iem: archiveRoutes })
    const settlement = (station: string) => get(`/v1/weather/settlement?station=${station}&day=2003-07-08`)
    const forecast = async () => (await get("/v1/weather/forecast?lat=40.7&lon=-74")).status
    stands.iem.spoil(faults.hang)
    assert.match((await settlement("KNYC")).json.error.message, /^The Iowa archive did not answer in 9 s\.$/)
    await until(() => outage("iem") !== undefined)
    const asked = stands.iem.requests.length
    for (const station of ["KMIA", "KDEN", "KBOS", "KNYC"]) {
      const { status, json } = await settlement(station)
      assert.deepStrictEqual([status, json.error.code], [503, "upstream_unavailable"])
    }
    assert.strictEqual(stands.iem.requests.length, asked)
    assert.strictEqual(await charges(), 0)
    assert.strictEqual(await forecast(), 200)
    assert.isUndefined(outage("nws"))
    stands.iem.spoil()
    // The first request still waits for its answer: it ends by its own limit before another one is let through.
    let [last, tries] = [503, 0]
    while (last !== 200 && tries++ < 200) {
      later(minute)
      last = (await settlement("KMIA")).status
    }
    assert.strictEqual(last, 200)
    assert.isUndefined(outage("iem"))
    assert.strictEqual(await charges(), 2)
    await stop()
  })
})

describe("a source that asks for a pause", () => {
  it("is not asked before its end for any other call, and callers are told how long", async () => {
    // Nobody sleeps: the answers have the time that they need.
    const { get, stands, later, charges, stop } = await over({ nws: nwsRoutes, iem: archiveRoutes }, clockAt(begun))
    for (const [name, paths] of [
      ["iem", ["KNYC", "KMIA", "KDEN"].map((station) => `/v1/weather/settlement?station=${station}&day=2003-07-08`)],
      ["nws", ["40.7", "40.71", "40.72"].map((lat) => `/v1/weather/forecast?lat=${lat}&lon=-74`)],
    ] as const) {
      const { requests, spoilNext } = stands[name]
      const before = requests.length
      spoilNext(withFault.tooManyRequests(30))
      const told: Array<number> = []
      for (const path of paths.slice(0, 2)) {
        const { status, json } = await get(path)
        assert.deepStrictEqual([status, json.error.code], [503, "upstream_unavailable"])
        told.push(json.error.retry_after_ms)
        later(10 * second)
      }
      assert.deepStrictEqual(told, [30_000, 20_000])
      // A forecast asks for the point and its alerts at once: both are under way when the pause is asked for.
      assert.strictEqual(requests.length, before + (name === "nws" ? 2 : 1))
      assert.strictEqual(await charges(), name === "iem" ? 0 : 1)
      later(10 * second)
      assert.strictEqual((await get(paths[2]!)).status, 200)
    }
    await stop()
  })
})

describe("a source that answers each request slowly", () => {
  it("has one wait for all requests of a call together", async () => {
    // Points, then the forecast beside the alerts: each two thirds of a call's time.
    const { get, stands, charges, stop } = await over({ nws: nwsRoutes }, hurried(times))
    stands.nws.spoil(withFault.delay((upstreamDeadlineMs * 2) / 3 / times))
    const { status, json } = await get("/v1/weather/forecast?lat=40.7&lon=-74")
    assert.strictEqual(status, 503)
    assert.match(json.error.message, /^The National Weather Service did not answer in 9 s\.$/)
    assert.strictEqual(await charges(), 0)
    await stop()
  })
})
