import { assert } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { faults } from "../support/faults.ts"
import { json, replay } from "../support/replay.ts"
import { contract } from "./frame.ts"

/** A port as a lane has them, with a generator behind it and a client of an upstream. */
class Tides extends Context.Tag("test/Tides")<
  Tides,
  {
    readonly freshness: Freshness
    readonly height: (harbour: string) => Effect.Effect<number, Failure>
  }
>() {}

const layerMock = Layer.succeed(Tides, {
  freshness: "mock",
  height: (harbour) =>
    harbour === "atlantis"
      ? Effect.fail(fail("not_found"))
      : Effect.map(Clock.currentTimeMillis, (now) => 1 + Math.sin(now / 1e7 + harbour.length)),
})

const layerOver = (url: string): Layer.Layer<Tides> =>
  Layer.succeed(Tides, {
    freshness: "live",
    height: (harbour) =>
      Effect.tryPromise({
        try: async () => {
          const response = await fetch(`${url}/tides?harbour=${harbour}`)
          return response.status === 404 ? "missing" : ((await response.json()) as { height: number }).height
        },
        catch: (cause) => fail("upstream_unavailable", { cause }),
      }).pipe(
        Effect.filterOrFail(
          (height) => height !== "missing",
          () => fail("not_found"),
        ),
      ),
  })

const known = (query: URLSearchParams) => query.get("harbour") !== "atlantis"
const upstream = replay([{ path: "/tides", query: known, reply: json({ height: 1.25 }) }])
const layerReplay = Layer.unwrapScoped(Effect.map(upstream, ({ url }) => layerOver(url)))
const layerBroken = Layer.unwrapScoped(
  Effect.map(upstream, ({ url, spoil }) => {
    spoil(faults.reset)
    return layerOver(url)
  }),
)

const cases = {
  "give a finite height": ({ height }: Tides["Type"]) =>
    Effect.map(height("hamburg"), (metres) => assert.isTrue(Number.isFinite(metres) && metres >= 0 && metres <= 2)),
  "do not know every harbour": ({ height }: Tides["Type"]) =>
    Effect.map(Effect.flip(height("atlantis")), ({ code }) => assert.strictEqual(code, "not_found")),
}

contract("tides", Tides, { mock: layerMock, live: layerReplay }, cases, Date.UTC(2026, 6, 9, 18))

const failing = {
  "say that it does not answer, when live": ({ freshness, height }: Tides["Type"]) =>
    Effect.map(Effect.exit(height("hamburg")), ({ _tag }) =>
      assert.strictEqual(_tag, freshness === "live" ? "Failure" : "Success"),
    ),
}

contract("tides over an upstream that breaks every connection", Tides, { mock: layerMock, live: layerBroken }, failing)
