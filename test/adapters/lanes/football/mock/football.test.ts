import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../../adapters/lanes/football/mock/football.ts"
import { playedSeason } from "../../../../../adapters/lanes/football/mock/season.ts"
import { drawStatLine } from "../../../../../adapters/lanes/football/mock/stats.ts"
import { divisions } from "../../../../../adapters/lanes/football/mock/teams.ts"
import { findOpeningDay } from "../../../../../core/lanes/football/data/calendar.ts"
import { teams } from "../../../../../core/lanes/football/data/teams.ts"
import { endpoints } from "../../../../../core/lanes/football/endpoints.ts"
import { type GameRecord, Games, Injuries, Quarterbacks, Top100 } from "../../../../../core/lanes/football/ports.ts"
import { findQuarterbacks } from "../../../../../core/lanes/football/quarterback.ts"

const at = <A, E>(time: string, effect: Effect.Effect<A, E, Games | Injuries | Quarterbacks | Top100>) =>
  Effect.zipRight(TestClock.setTime(Date.parse(time)), Effect.provide(effect, mock.layer))

const seasonAt = (time: string, season: number) =>
  at(
    time,
    Effect.flatMap(Games, (games) => games.season(season)),
  ).pipe(Effect.map((found) => found?.records ?? []))

const finals = (records: ReadonlyArray<GameRecord>) => records.filter(({ game }) => game.score !== undefined)
const ofWeek = (records: ReadonlyArray<GameRecord>, week: number) => records.filter(({ game }) => game.week === week)

describe("a season of the mock league", () => {
  for (const [season, games, regular] of [
    [1999, 16, 17],
    [2020, 16, 17],
    [2021, 17, 18],
    [2027, 17, 18],
  ] as const) {
    it(`is a schedule that can be played: ${season}`, () => {
      const all = playedSeason(season).map(({ game }) => game)
      const played = new Map<string, number>()
      const hosted = new Map<string, number>()
      const busy = new Set<string>()
      const pairs = new Map<string, number>()
      for (const { type, week, home, away } of all) {
        for (const { team } of [home, away]) {
          assert.isFalse(busy.has(`${week}/${team}`), `${team} plays twice in week ${week}`)
          busy.add(`${week}/${team}`)
          if (type === "REG") played.set(team, (played.get(team) ?? 0) + 1)
        }
        if (type !== "REG") continue
        hosted.set(home.team, (hosted.get(home.team) ?? 0) + 1)
        const pair = [home.team, away.team].sort().join()
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
      }
      assert.deepStrictEqual(new Set(played.values()), new Set([games]))
      assert.strictEqual(played.size, teams.length)
      for (const n of hosted.values()) assert.isTrue(Math.abs(n - games / 2) <= 1, `${n} games at home`)
      // Twice against each of the division.
      for (const division of divisions) {
        for (const a of division) {
          for (const b of division) if (a < b) assert.strictEqual(pairs.get([a, b].join()), 2)
        }
      }
      const rounds = ["REG", "WC", "DIV", "CON", "SB"].map((type) => all.filter((game) => game.type === type))
      assert.deepStrictEqual(
        rounds.map((round) => round.length),
        [16 * games, 6, 4, 2, 1],
      )
      assert.deepStrictEqual(
        rounds.map((round) => Math.max(...round.map(({ week }) => week))),
        [regular, regular + 1, regular + 2, regular + 3, regular + 4],
      )
      assert.strictEqual(all[0]!.gameday, findOpeningDay(season))
      assert.isTrue(all.at(-1)!.neutral)
    })
  }

  it("looks like football over the years", () => {
    const all = Array.from({ length: 27 }, (_, n) => playedSeason(1999 + n)).flat()
    const margins = all.map(({ game: { score } }) => score!.home - score!.away)
    const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
    assert.closeTo(mean(margins), 2.2, 0.5)
    assert.closeTo(mean(all.map(({ game: { score } }) => score!.home + score!.away)), 45, 1.5)
    // The posted line is worth something.
    const errors = all.map(({ lines }, n) => Math.abs(lines.spread! - margins[n]!))
    assert.isBelow(mean(errors), mean(margins.map(Math.abs)) - 0.5)
    const ties = all.filter(({ game }) => game.score!.home === game.score!.away)
    assert.isTrue(ties.length > 3 && ties.length < 60 && ties.every(({ game }) => game.type === "REG"))
    assert.isTrue(all.some(({ game }) => game.neutral && game.type === "REG"))
    const codes = new Set(all.map(({ game }) => `${game.season}/${game.home.code}`))
    for (const code of ["2019/OAK", "2020/LV", "2016/SD", "2017/LAC", "2015/STL", "2016/LA"])
      assert.isTrue(codes.has(code), code)
  })

  it("has stat lines that fit together and to the score", () => {
    for (const played of playedSeason(2020)) {
      for (const side of ["home", "away"] as const) {
        const line = drawStatLine(played, side)
        assert.strictEqual(line.code, played.game[side].code)
        assert.strictEqual(line.opponentCode, played.game[side === "home" ? "away" : "home"].code)
        assert.isAtLeast(line.attempts, 12)
        assert.isAtMost(line.completions, line.attempts)
        assert.isAtMost(line.passingTds, line.completions)
        assert.isAtMost(line.passingTds + line.rushingTds, played.offenses[side].touchdowns)
        assert.isAtMost(line.interceptions, 4)
      }
    }
  })
})

describe("the mock league by the clock", () => {
  it.effect("plays on: finals come hours after kickoff, rounds of the playoffs when the one before is over", () =>
    Effect.gen(function* () {
      const before = yield* seasonAt("2026-09-10T12:00:00Z", 2026)
      assert.deepStrictEqual([before.length, finals(before).length], [272, 0])
      const kickoff = before[0]!.kickoffAt
      const clock = (hours: number) => new Date(kickoff + hours * 3_600_000).toISOString()
      assert.strictEqual(finals(yield* seasonAt(clock(3), 2026)).length, 0)
      assert.strictEqual(finals(yield* seasonAt(clock(3.5), 2026)).length, 1)
      const late = yield* seasonAt("2027-01-12T12:00:00Z", 2026)
      assert.deepStrictEqual([finals(late).length, ofWeek(late, 19).length, ofWeek(late, 20).length], [272, 6, 0])
      const over = yield* seasonAt("2027-02-20T12:00:00Z", 2026)
      assert.deepStrictEqual([over.length, finals(over).length], [285, 285])
      assert.deepStrictEqual(yield* seasonAt("2030-01-01T12:00:00Z", 2026), over)
    }),
  )

  it.effect("never makes up for the game that was called off", () =>
    Effect.gen(function* () {
      const records = yield* seasonAt("2026-11-17T12:00:00Z", 2022)
      const open = records.filter(({ game }) => game.score === undefined)
      assert.deepStrictEqual(
        open.map(({ game }) => game.week),
        [17],
      )
    }),
  )

  it.effect("has the examples of the catalogue at any time, in the season and out of it", () =>
    Effect.forEach(
      ["2026-03-01", "2026-03-20", "2026-07-04", "2026-09-09", "2026-11-20", "2027-01-25", "2027-02-10", "2030-06-01"],
      (day) =>
        at(
          `${day}T12:00:00Z`,
          Effect.gen(function* () {
            const { season, league } = yield* Games
            const { careers } = yield* Quarterbacks
            const { reported, reserved } = yield* Injuries
            const now = Date.parse(`${day}T12:00:00Z`)
            assert.strictEqual(ofWeek((yield* season(2025))!.records, 11).length > 10, true)
            const asked = findQuarterbacks(yield* careers, endpoints.qb.example.player)
            assert.strictEqual(asked.length, 1)
            const { seasons } = yield* league
            const next = seasons
              .flatMap(({ records }) => records)
              .find(({ game, kickoffAt }) => kickoffAt > now && [game.home.team, game.away.team].includes("KC"))
            assert.isDefined(next, day)
            const current = Number(day.slice(0, 4)) - (day.slice(5) < "03-15" ? 1 : 0)
            assert.isDefined(yield* reported(current, "KC"))
            assert.isDefined(yield* reserved(current, "KC"), day)
            const lists = yield* Top100
            assert.strictEqual((yield* lists.list((yield* lists.seasons).at(-1)!))!.players.length, 100)
          }),
        ),
      { discard: true },
    ),
  )
})
