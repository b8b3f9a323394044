import { assert, describe } from "@effect/vitest"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import * as Step from "../../../core/Step.ts"
import * as mlb from "../../support/mlbWorld.ts"
import * as nws from "../../support/nwsWorld.ts"
import type { Replay } from "../../support/replay.ts"

/** Asks twice: only the second time everything is in memory. */
const cached = (
  reads: Readonly<Record<string, Effect.Effect<unknown, Failure>>>,
  clock: Clock.Clock,
  upstream: Replay,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    for (const [name, read] of Object.entries(reads)) {
      const begin = Step.eager(() => read, clock)
      const first = begin()
      assert.isFalse(Step.isDone(first), name)
      const answer = yield* Step.run(first)
      const requests = upstream.requests.length
      const second = begin()
      assert.isTrue(Step.isDone(second), name)
      assert.deepStrictEqual(yield* Step.run(second), answer, name)
      assert.strictEqual(upstream.requests.length, requests, name)
    }
  })

describe("an upstream's cached answer needs no fiber", () => {
  const station = byId.get("KNYC")!
  nws.within("of the weather service", ({ nws: upstream, clock, forecasts, observations }) =>
    cached(
      {
        halfDays: forecasts.point(40.7789, -73.9692, false),
        hours: forecasts.point(40.7789, -73.9692, true),
        observations: observations.since(station, nws.now - 3 * 3_600_000),
      },
      clock,
      upstream,
    ),
  )

  nws.within("of the weather service's grid", ({ nws: upstream, clock, forecasts }) =>
    cached({ grid: forecasts.grid(station) }, clock, upstream),
  )

  mlb.within("of the statistics service", ({ upstream, clock, slates, lines }) =>
    cached(
      {
        slate: slates.around("2026-07-09"),
        game: slates.of(500_001),
        standings: lines.teams(2026, "2026-07-09"),
        lastSeason: lines.teams(2025),
        pitcher: lines.pitcher(7001, 2026, "2026-07-09"),
      },
      clock,
      upstream,
    ),
  )
})
