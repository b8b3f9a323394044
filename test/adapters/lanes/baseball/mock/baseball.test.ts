import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../../adapters/lanes/baseball/mock/baseball.ts"
import { drawBatting, drawLineUp } from "../../../../../adapters/lanes/baseball/mock/batters.ts"
import {
  closes,
  gameSeason,
  type MockGame,
  opens,
  seasonGames,
} from "../../../../../adapters/lanes/baseball/mock/season.ts"
import { teams } from "../../../../../adapters/lanes/baseball/mock/teams.ts"
import { listGamesOnDay } from "../../../../../core/lanes/baseball/listings.ts"
import { parameters } from "../../../../../core/lanes/baseball/parameters.ts"
import { type ListedGame, SeasonLines, Slates } from "../../../../../core/lanes/baseball/ports.ts"
import { whyImplausibleLineUp } from "../../../../../core/lanes/baseball/skill/lineUps.ts"
import { maxAppearances, whyImplausibleCounts } from "../../../../../core/lanes/baseball/skill/rates.ts"
import { dayOf } from "../../../../../core/time.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const season = seasonGames(2026)
const withFate = (fate: MockGame["fate"]): MockGame => season.find((game) => game.fate === fate)!

/** A game as it is listed at a time. */
const listedAt = (gamePk: number, now: number) =>
  Effect.zipRight(
    TestClock.setTime(now),
    Effect.flatMap(Slates, (slates) => Effect.map(slates.of(gamePk), ({ games }) => games)),
  ).pipe(Effect.provide(mock.layer))

const stateAt = (gamePk: number, now: number) =>
  Effect.map(listedAt(gamePk, now), (games) => games.map(({ state }) => state))

const slateAt = (date: string, now: number) =>
  Effect.zipRight(
    TestClock.setTime(now),
    Effect.flatMap(Slates, (slates) => Effect.map(slates.around(date), ({ games }) => listGamesOnDay(games, date))),
  ).pipe(Effect.provide(mock.layer))

describe("the invented league", () => {
  it("is the same on every run, and another one every year", () => {
    assert.deepStrictEqual(seasonGames(2026), season)
    assert.notDeepEqual(
      seasonGames(2027)
        .slice(0, 15)
        .map(({ home }) => home.runs),
      season.slice(0, 15).map(({ home }) => home.runs),
    )
    assert.strictEqual(season[0]!.gamePk, 777_001)
    assert.strictEqual(dayOf(opens(2026)), "2026-03-26")
    assert.deepStrictEqual([seasonGames(1999), seasonGames(2100)], [[], []])
  })

  it("has unique game ids that identify the season", () => {
    const all = [2025, 2026, 2027].flatMap(seasonGames)
    assert.strictEqual(new Set(all.map(({ gamePk }) => gamePk)).size, all.length)
    for (const { gamePk, season: year } of all) assert.strictEqual(gameSeason(gamePk), year)
  })

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
      for (let at = opens(2026); at <= closes(2026); at += day) {
        assert.isNotEmpty(yield* slateAt(dayOf(at), now), dayOf(at))
      }
      for (const date of ["2026-01-15", "2026-03-25", "2026-11-02", "1998-07-04", "2101-07-04"]) {
        assert.deepStrictEqual(yield* slateAt(date, now), [], date)
      }
    }),
  )
})

describe("a game of the invented league", () => {
  it.effect("goes by the clock from scheduled to final", () =>
    Effect.gen(function* () {
      const { gamePk, firstPitch, endsAt } = withFate("played")
      for (const [at, state] of [
        [firstPitch - 30 * day, "Scheduled"],
        [firstPitch - 80 * minute, "Pre-Game"],
        [firstPitch - 10 * minute, "Warmup"],
        [firstPitch, "In Progress"],
        [endsAt, "Game Over"],
        [endsAt + 10 * minute, "Final"],
        [endsAt + 3_000 * day, "Final"],
      ] as const) {
        assert.deepStrictEqual(yield* stateAt(gamePk, at), [state])
      }
    }),
  )

  it.effect("that is put off stands there twice from then on, and is a second game on the next day", () =>
    Effect.gen(function* () {
      const { gamePk, announcedAt, firstListed, firstPitch, endsAt } = withFate("postponed")
      const [before] = yield* listedAt(gamePk, announcedAt - 1)
      assert.deepInclude(before, { state: "Scheduled", firstPitch: firstListed, gameNumber: 1, doubleHeader: "N" })
      for (const now of [announcedAt, endsAt + day]) {
        const [off, on] = (yield* listedAt(gamePk, now)) as readonly [ListedGame, ListedGame]
        assert.deepInclude(off, { state: "Postponed", phase: "off", firstPitch: firstListed })
        assert.deepInclude(on, { firstPitch, gameNumber: 2, state: now > endsAt ? "Final" : "Scheduled" })
        assert.match(on.doubleHeader, /^[YS]$/)
        assert.strictEqual(on.officialDate, dayOf(Date.parse(before!.officialDate) + day))
        for (const { firstPitch: at } of [off, on]) {
          assert.strictEqual((yield* slateAt(dayOf(at), now)).filter((row) => row.gamePk === gamePk).length, 1)
        }
      }
    }),
  )

  it.effect("may be called off, begin late or be broken off till the next day", () =>
    Effect.gen(function* () {
      const cancelled = withFate("cancelled")
      assert.deepStrictEqual(yield* stateAt(cancelled.gamePk, cancelled.firstPitch + 30 * day), ["Cancelled"])
      const delayed = withFate("delayed")
      assert.deepStrictEqual(yield* stateAt(delayed.gamePk, delayed.firstPitch + minute), ["Delayed Start: Rain"])
      assert.deepStrictEqual(yield* stateAt(delayed.gamePk, delayed.firstPitch + hour), ["In Progress"])
      const suspended = withFate("suspended")
      assert.deepStrictEqual(yield* stateAt(suspended.gamePk, suspended.firstPitch + 2 * hour), ["Suspended: Rain"])
      assert.deepStrictEqual(yield* stateAt(suspended.gamePk, suspended.endsAt + hour), ["Final"])
    }),
  )

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

  it.effect("enters records and lines when it is over, and not before", () =>
    Effect.gen(function* () {
      const { gamePk, home, away, endsAt, playedOn } = season.find(
        ({ fate, listedOn }) => fate === "played" && listedOn > opens(2026) + 40 * day,
      )!
      const look = (now: number) =>
        Effect.zipRight(
          TestClock.setTime(now),
          Effect.gen(function* () {
            const [slates, lines] = yield* Effect.all([Slates, SeasonLines])
            const [listed] = (yield* slates.of(gamePk)).games
            const before = dayOf(playedOn + day)
            const teamLines = (yield* lines.teams(2026, before)).lines
            const { season: pitched } = yield* lines.pitcher(home.starter.id, 2026, before)
            return { listed: listed!, home: teamLines.get(home.team.id)!, pitched }
          }),
        ).pipe(Effect.provide(mock.layer))
      const [running, over] = [yield* look(endsAt - 1), yield* look(endsAt)]
      assert.strictEqual(over.listed.home.wins - running.listed.home.wins, home.runs > away.runs ? 1 : 0)
      assert.strictEqual(over.listed.home.losses - running.listed.home.losses, home.runs > away.runs ? 0 : 1)
      assert.deepStrictEqual(
        [over.home.games, over.home.scored, over.home.allowed],
        [running.home.games + 1, running.home.scored + home.runs, running.home.allowed + away.runs],
      )
      assert.approximately(over.pitched.innings - running.pitched.innings, home.outs / 3, 1e-9)
      // The record of a game that is over is that of its own day, however much later it is asked for.
      assert.deepStrictEqual((yield* look(endsAt + 90 * day)).listed.home, over.listed.home)
    }),
  )
})
