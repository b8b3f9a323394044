import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../../adapters/lanes/baseball/mock/baseball.ts"
import { drawBatting, drawLineUp } from "../../../../../adapters/lanes/baseball/mock/batters.ts"
import {
  closingDay,
  type MockGame,
  openingDay,
  seasonGames,
} from "../../../../../adapters/lanes/baseball/mock/season.ts"
import { teams } from "../../../../../adapters/lanes/baseball/mock/teams.ts"
import { listGamesOnDay } from "../../../../../core/lanes/baseball/listings.ts"
import { parameters } from "../../../../../core/lanes/baseball/parameters.ts"
import { type ListedGame, Slates } from "../../../../../core/lanes/baseball/ports.ts"
import { whyImplausibleLineUp } from "../../../../../core/lanes/baseball/skill/lineUps.ts"
import { maxAppearances, whyImplausibleCounts } from "../../../../../core/lanes/baseball/skill/rates.ts"
import { dayOf } from "../../../../../core/time.ts"

const hour = 3_600_000
const day = 24 * hour

const season = seasonGames(2026)
const withFate = (fate: MockGame["fate"]): MockGame => season.find((game) => game.fate === fate)!

const slateAt = (date: string, now: number) =>
  Effect.zipRight(
    TestClock.setTime(now),
    Effect.flatMap(Slates, (slates) => Effect.map(slates.around(date), ({ games }) => listGamesOnDay(games, date))),
  ).pipe(Effect.provide(mock.layer))

describe("the invented league", () => {
  it("is played like baseball: about 162 games each, runs and winners as they are spread there", () => {
    const counts = new Map<string, number>()
    let runs = 0
    let homeWins = 0
    for (const { home, away } of season) {
      runs += home.runs + away.runs
      homeWins += home.runs > away.runs ? 1 : 0
      assert.notStrictEqual(home.runs, away.runs)
      for (const [side, other] of [
        [home, away],
        [away, home],
      ] as const) {
        counts.set(side.team.name, (counts.get(side.team.name) ?? 0) + 1)
        assert.isTrue(side.outs >= 3 && side.outs <= 27 && side.earnedRuns <= other.runs)
      }
    }
    assert.strictEqual(counts.size, teams.length)
    for (const [name, count] of counts) assert.isTrue(count >= 152 && count <= 172, `${name}: ${count}`)
    assert.approximately(runs / season.length / 2, 4.6, 0.4)
    assert.approximately(homeWins / season.length, 0.53, 0.04)
  })

  it("lets no team be in two places, save for both games of a doubleheader", () => {
    const places = new Map<string, MockGame>()
    for (const game of season.filter(({ fate }) => fate !== "cancelled")) {
      for (const { team } of [game.home, game.away]) {
        const key = `${team.id}/${game.playedOn}`
        const other = places.get(key)
        if (other !== undefined) {
          assert.strictEqual(other.home.team.id, game.home.team.id)
          assert.deepStrictEqual([other.gameNumber, game.gameNumber].sort(), [1, 2])
          assert.strictEqual(other.doubleHeader, game.doubleHeader)
          assert.match(game.doubleHeader, /^[YS]$/)
        }
        places.set(key, game)
      }
    }
  })

  it.effect("has games on every day of the season, and none outside of it", () =>
    Effect.gen(function* () {
      const now = Date.UTC(2026, 6, 9, 18)
      for (let at = openingDay(2026); at <= closingDay(2026); at += day) {
        assert.isNotEmpty(yield* slateAt(dayOf(at), now), dayOf(at))
      }
      for (const date of ["2026-01-15", "2026-03-25", "2026-11-02", "1998-07-04", "2101-07-04"]) {
        assert.deepStrictEqual(yield* slateAt(date, now), [], date)
      }
    }),
  )
})

describe("a game of the invented league", () => {
  it.effect("has starters who are named in the last days, some in the last hours", () =>
    Effect.gen(function* () {
      const named = (games: ReadonlyArray<ListedGame>) =>
        games.flatMap(({ home, away }) => [home, away]).filter(({ starter }) => starter !== undefined).length
      const noon = Date.UTC(2026, 5, 16, 12)
      assert.strictEqual(named(yield* slateAt("2026-06-23", noon)), 0)
      const [tomorrow, all] = [yield* slateAt("2026-06-18", noon), yield* slateAt("2026-06-15", noon)]
      assert.isTrue(named(tomorrow) > tomorrow.length && named(tomorrow) < 2 * tomorrow.length)
      assert.strictEqual(named(all), 2 * all.length)
    }),
  )

  it.effect(
    "has line-ups that are posted two to four hours before the first pitch, of batters who now and then rest",
    () =>
      Effect.gen(function* () {
        const { gamePk, firstPitch, home } = withFate("played")
        const postedAt = (now: number) =>
          Effect.zipRight(
            TestClock.setTime(now),
            Effect.flatMap(Slates, (slates) => slates.lineUps(gamePk)),
          ).pipe(Effect.provide(mock.layer))
        for (const [before, length] of [
          [4.1 * hour, 0],
          [1.9 * hour, 9],
          [-day, 9],
        ] as const) {
          const { home: own, away } = yield* postedAt(firstPitch - before)
          assert.deepStrictEqual([own.length, away.length], [length, length])
        }
        const own = season.filter(({ home: { team } }) => team === home.team).map((game) => drawLineUp(game, game.home))
        for (const lineUp of own) assert.isUndefined(whyImplausibleLineUp(lineUp, parameters))
        assert.isAbove(new Set(own.map(String)).size, own.length / 4)
        assert.isAtMost(new Set(own.flat()).size, 13)
        for (const batter of own[0]!) {
          const seasons = [2023, 2024, 2025].flatMap((year) => drawBatting(batter, year) ?? [])
          for (const counts of seasons) assert.isUndefined(whyImplausibleCounts(counts, maxAppearances))
        }
      }),
  )
})
