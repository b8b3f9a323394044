import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../../adapters/lanes/baseball/mock/baseball.ts"
import { listGames } from "../../../../../adapters/lanes/baseball/mock/listings.ts"
import { closingDay, gameSeason, openingDay, seasonGames } from "../../../../../adapters/lanes/baseball/mock/season.ts"
import {
  findPitcher,
  hittingFactor,
  pitcherSlot,
  pitchingFactor,
  teams,
} from "../../../../../adapters/lanes/baseball/mock/teams.ts"
import { SeasonLines, Slates } from "../../../../../core/lanes/baseball/ports.ts"
import { dayOf, hour } from "../../../../../core/time.ts"
import { digest } from "../../../../support/digest.ts"

const pitchers = [2025, 2026].flatMap((season) =>
  teams.flatMap(({ index }) => [0, 1, 4, 5].map((slot) => findPitcher(index, slot, season))),
)

// Whoever tries the service compares its answers with those of the documents: a change belongs into CHANGELOG.md.
describe("the invented baseball league is the same in each release", () => {
  it("its calendar", () => {
    assert.deepStrictEqual(
      [2025, 2026, 2032].map((season) => [dayOf(openingDay(season)), dayOf(closingDay(season))]),
      [
        ["2025-03-27", "2025-09-21"],
        ["2026-03-26", "2026-09-20"],
        ["2032-03-25", "2032-09-19"],
      ],
    )
    assert.deepStrictEqual([777_000, 777_001, 781_000, 781_001].map(gameSeason), [2025, 2026, 2026, 2027])
    assert.deepStrictEqual(
      [1999, 2000, 2099, 2100].map((season) => seasonGames(season).length),
      [0, 2435, 2435, 0],
    )
  })

  it("its ids of pitchers, and no others", () => {
    assert.deepStrictEqual([599_999, 600_000, 600_899, 600_900, 629_899, 630_000].map(pitcherSlot), [
      undefined,
      {
        slot: 0,
        team: 0,
      },
      {
        slot: 5,
        team: 0,
      },
      undefined,
      {
        slot: 5,
        team: 29,
      },
      undefined,
    ])
  })

  it("its teams and games", () => {
    const { games, finished } = mock.season(2026)
    const may = games.filter(({ listedOn }) => dayOf(listedOn).startsWith("2026-05")).slice(0, 150)
    const hours = Array.from({ length: 15 * 24 }, (_, at) => Date.UTC(2026, 3, 28) + at * hour)
    assert.deepStrictEqual(
      {
        teams: digest(teams),
        hitting: digest(teams.map(({ index }) => hittingFactor(index, 2026))),
        pitchers: digest(pitchers),
        pitching: digest(pitchers.map(({ id }) => pitchingFactor(id))),
        games: [2000, 2026].map((season) => digest(seasonGames(season))),
        listings: digest(hours.map((now) => digest(listGames(may, finished, now)))),
      },
      {
        games: ["fb30c73d", "ca2bda7b"],
        hitting: "c4681d1b",
        listings: "3b0e28cb",
        pitchers: "0efb6a6e",
        pitching: "ebff5374",
        teams: "af98d1be",
      },
    )
  })

  it.effect("its slates and lines", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 6, 9, 18))
      const slates = yield* Slates
      const lines = yield* SeasonLines
      const dates = ["2026-03-25", "2026-03-26", "2026-07-01", "2026-07-09", "2026-07-12", "2026-09-20", "2026-09-21"]
      const ids = [0, 3, 5].map((slot) => findPitcher(7, slot, 2026).id)
      assert.deepStrictEqual(
        {
          slates: digest(yield* Effect.forEach(dates, slates.around)),
          games: digest(yield* Effect.forEach([777_001, 778_601, 1], slates.of)),
          teams: digest(yield* Effect.forEach(["2026-07-01", undefined], (before) => lines.teams(2026, before))),
          pitchers: digest(yield* Effect.forEach([...ids, 1], (id) => lines.pitcher(id, 2026, "2026-07-09"))),
        },
        {
          games: "63bea22d",
          pitchers: "28ae923f",
          slates: "4a833d8d",
          teams: "4d71bf46",
        },
      )
    }).pipe(Effect.provide(mock.layer)),
  )
})
