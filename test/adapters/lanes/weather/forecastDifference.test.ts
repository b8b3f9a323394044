import { assert, describe, it } from "@effect/vitest"
import { forecasts, observations } from "../../../../adapters/lanes/weather/difference.ts"

const hour = 3_600_000

/** A point forecast, as far as it is compared: updated so many hours ago, with periods for so many hours. */
const point = (ago: number, hours: number, timezone = "America/New_York", flags: ReadonlyArray<string> = []) => ({
  location: { timezone },
  updatedAt: -ago * hour,
  periods: Array.from({ length: hours }, (_, index) => ({ endsAt: (index + 1) * hour })),
  flags,
})

const grid = (ago: number, hours: number) => ({
  updatedAt: -ago * hour,
  hourly: Array.from({ length: hours }, (_, index) => ({ at: index * hour })),
})

const readings = (...hoursAgo: ReadonlyArray<number>) => hoursAgo.map((ago) => ({ at: -ago * hour, tempF: 60 }))

describe("how forecasts of two worlds differ", () => {
  const points: ReadonlyArray<readonly [what: string, live: unknown, difference: string | undefined]> = [
    ["in nothing", point(0, 156), undefined],
    ["in some hours", point(6, 140), undefined],
    ["in age", point(7, 156), "the live grid was updated 7 h earlier"],
    ["in reach", point(0, 96), "the live forecast ends 60 h earlier"],
    ["in time", point(0, 156, "America/Chicago"), "timezone: America/New_York | America/Chicago"],
    ["in doubts", point(0, 156, "America/New_York", ["last_good"]), "the live forecast has the flags last_good"],
    [
      "in all",
      point(9, 48, "UTC"),
      "timezone: America/New_York | UTC; the live grid was updated 9 h earlier; the live forecast ends 108 h earlier",
    ],
  ]
  for (const [what, live, difference] of points) {
    it(`points: ${what}`, () => assert.strictEqual(forecasts.differs(point(0, 156), live, "point"), difference))
  }

  it("grids: in age and reach", () => {
    assert.isUndefined(forecasts.differs(grid(0, 180), grid(5, 170), "grid"))
    assert.strictEqual(
      forecasts.differs(grid(0, 180), grid(8, 100), "grid"),
      "the live grid was updated 8 h earlier; the live forecast ends 80 h earlier",
    )
  })

  it("thermometers: in how long they have been silent", () => {
    assert.isUndefined(observations.differs(readings(3, 2, 1), readings(4, 3), "since"))
    assert.isUndefined(observations.differs([], [], "since"))
    assert.isUndefined(observations.differs([], readings(1), "since"))
    assert.strictEqual(observations.differs(readings(2, 1), [], "since"), "no live observation")
    assert.strictEqual(
      observations.differs(readings(2, 1), readings(6), "since"),
      "the last live observation is 5 h older",
    )
  })
})
