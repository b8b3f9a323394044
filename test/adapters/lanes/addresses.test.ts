import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mlb as league } from "../../../adapters/lanes/baseball/mlb/api.ts"
import { nws as service } from "../../../adapters/lanes/weather/nws/source.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import { game, mlbRoutes, now as opening } from "../../support/mlb.ts"
import * as mlb from "../../support/mlbWorld.ts"
import * as nws from "../../support/nwsWorld.ts"

/** Every locator in an answer. */
const locators = (answer: unknown): ReadonlyArray<string> =>
  typeof answer !== "object" || answer === null
    ? []
    : Object.entries(answer).flatMap(([name, value]) =>
        /locator$/i.test(name) && typeof value === "string" ? [value] : locators(value),
      )

describe("citations name an upstream's public address, wherever it is asked", () => {
  it.scopedLive("the weather service", () =>
    Effect.gen(function* () {
      const { forecasts, clock } = yield* nws.world()
      const answers = yield* Effect.all([forecasts.point(40.7, -74, true), forecasts.grid(byId.get("KNYC")!)]).pipe(
        Effect.withClock(clock),
      )
      const found = locators(answers)
      assert.strictEqual(found.length, 3)
      for (const locator of found) assert.isTrue(locator.startsWith(`${service.url}/`), locator)
      assert.strictEqual(service.url, "https://api.weather.gov")
    }),
  )

  it.scopedLive("the league's statistics service", () =>
    Effect.gen(function* () {
      const { slates, lines, clock } = yield* mlb.world(mlbRoutes(() => [{ game: game() }]))
      const day = new Date(opening).toISOString().slice(0, 10)
      const answers = yield* Effect.all([slates.around(day), lines.teams(2025), lines.pitcher(7001, 2026, day)]).pipe(
        Effect.withClock(clock),
      )
      const found = locators(answers)
      assert.strictEqual(found.length, 3)
      for (const locator of found) assert.isTrue(locator.startsWith(`${league.url}/api/v1/`), locator)
      assert.strictEqual(league.url, "https://statsapi.mlb.com")
    }),
  )
})
