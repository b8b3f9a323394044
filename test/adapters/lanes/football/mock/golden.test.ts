import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../../adapters/lanes/football/mock/football.ts"
import {
  drawAbsence,
  headCoach,
  listRoster,
  playerQuality,
  startingQuarterback,
} from "../../../../../adapters/lanes/football/mock/players.ts"
import {
  drawTop100,
  injuryRows,
  newestList,
  reserveRows,
  rosterWeek,
} from "../../../../../adapters/lanes/football/mock/reports.ts"
import { listFixtures } from "../../../../../adapters/lanes/football/mock/schedule.ts"
import { playedSeason } from "../../../../../adapters/lanes/football/mock/season.ts"
import { drawStatLine, drawTeamWeeks } from "../../../../../adapters/lanes/football/mock/stats.ts"
import { drawStrength, homeVenue } from "../../../../../adapters/lanes/football/mock/teams.ts"
import { teams } from "../../../../../core/lanes/football/data/teams.ts"
import { Games, Injuries, Quarterbacks, Top100 } from "../../../../../core/lanes/football/ports.ts"
import { digest } from "../../../../support/digest.ts"

const at =
  (now: string) =>
  <A, E>(effect: Effect.Effect<A, E, Games | Injuries | Quarterbacks | Top100>) =>
    Effect.zipRight(TestClock.setTime(Date.parse(now)), effect).pipe(Effect.provide(mock.layer))

// Whoever tries the service compares its answers with those of the documents: a change belongs into CHANGELOG.md.
describe("the invented football league is the same in each release", () => {
  it("its teams and players", () => {
    const weeks = [1, 3, 6, 9, 12, 15, 18]
    const starters = [2001, 2019, 2025].flatMap((season) =>
      teams.flatMap((team) =>
        weeks.flatMap((week) => [
          startingQuarterback(team, season, week),
          startingQuarterback(team, season, week, true),
        ]),
      ),
    )
    assert.deepStrictEqual(
      {
        venues: digest(teams.map(homeVenue)),
        strengths: digest(teams.map((team) => [drawStrength(team, 1999), drawStrength(team, 2021)])),
        coaches: digest(teams.map((team) => [2019, 2020, 2021, 2022].map((season) => headCoach(team, season)))),
        absences: digest(teams.map((team) => [2020, 2021].map((season) => drawAbsence(team, season)))),
        starters: digest(starters),
        qualities: digest(starters.map(playerQuality)),
        rosters: digest(teams.map((team) => listRoster(team, 2021))),
      },
      {
        absences: "0234a495",
        coaches: "756d1bea",
        qualities: "c680b119",
        rosters: "3bceb896",
        starters: "b64fa25a",
        strengths: "b2f1d8bf",
        venues: "df8888b5",
      },
    )
  })

  it("its seasons", () => {
    const seasons = [1999, 2005, 2010, 2022]
    const played = seasons.flatMap(playedSeason)
    assert.deepStrictEqual(
      {
        fixtures: seasons.map((season) => digest(listFixtures(season))),
        games: seasons.map((season) => digest(playedSeason(season))),
        lines: digest(played.map((one) => [drawStatLine(one, "home"), drawStatLine(one, "away")])),
        weeks: digest(played.map(drawTeamWeeks)),
      },
      {
        fixtures: ["b31292d0", "80e2f854", "4760d8dd", "7b280748"],
        games: ["4d708727", "fa9f4c14", "3ab20bee", "f70bed60"],
        lines: "1dd14d47",
        weeks: "c8858130",
      },
    )
  })

  it("its reports", () => {
    const now = Date.parse("2022-12-01T17:00:00Z")
    const days = Array.from({ length: 200 }, (_, n) => Date.UTC(2022, 1, 20, 17) + 2 * n * 86_400_000)
    assert.deepStrictEqual(
      {
        injuries: digest([2008, 2009, 2015, 2022].map((season) => injuryRows(season, "KC", now))),
        reserves: digest([0, 1, 9].map((week) => teams.map((team) => reserveRows(2022, team, week)))),
        rosterWeeks: digest(days.map((day) => rosterWeek(2022, day) ?? -1)),
        newestLists: digest(days.map(newestList)),
        top100: digest(drawTop100(2022)),
      },
      {
        injuries: "e2792226",
        newestLists: "6f4ef265",
        reserves: "74ad0f56",
        rosterWeeks: "8590fc64",
        top100: "af2475fc",
      },
    )
  })

  it.effect("its ports by the clock", () =>
    Effect.gen(function* () {
      const games = yield* Effect.forEach(
        ["2001-09-10", "2001-12-30", "2002-01-15", "2002-07-01"].map((day) => `${day}T18:00:00Z`),
        (now) => at(now)(Effect.flatMap(Games, ({ season }) => Effect.all([season(2001), season(2002), season(2004)]))),
      )
      const rest = yield* at("2003-11-05T18:00:00Z")(
        Effect.gen(function* () {
          const [quarterbacks, injuries, top100] = yield* Effect.all([Quarterbacks, Injuries, Top100])
          const careers = yield* quarterbacks.careers
          return {
            league: digest(yield* (yield* Games).league),
            careers: digest(careers),
            quarterbackSeasons: yield* quarterbacks.seasons,
            weeks: digest(yield* quarterbacks.weeks(careers[3]!.playerId, { last: 4 })),
            seasonWeeks: digest(yield* quarterbacks.weeks(careers[3]!.playerId, { season: 2002, last: 4 })),
            rostered: yield* injuries.rostered,
            reported: digest(yield* Effect.forEach([1998, 2003], (season) => injuries.reported(season, "KC"))),
            reserved: digest(
              yield* Effect.forEach([1998, 1999, 2003, 2004], (season) => injuries.reserved(season, "KC", undefined)),
            ),
            reservedThen: digest(yield* injuries.reserved(2003, "KC", 3)),
            listed: yield* top100.seasons,
            list: yield* top100.list(2003),
          }
        }),
      )
      const lists = yield* at("2012-11-05T18:00:00Z")(
        Effect.flatMap(Top100, ({ seasons, list }) =>
          Effect.all([seasons, Effect.forEach([2010, 2011, 2012, 2013], list)]),
        ),
      )
      assert.deepStrictEqual(
        { games: games.map(digest), ...rest, lists: digest(lists) },
        {
          careers: "e843f597",
          games: ["439841d0", "24684cc1", "7b5a0946", "bacdee64"],
          league: "a871f516",
          list: undefined,
          listed: [],
          lists: "ce780a40",
          quarterbackSeasons: [2002, 2003],
          reported: "860ab788",
          reserved: "f1dcecda",
          reservedThen: "98910b0f",
          rostered: [1999, 2000, 2001, 2002, 2003],
          seasonWeeks: "ec4a663e",
          weeks: "ec4a663e",
        },
      )
    }),
  )
})
