import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../../adapters/lanes/football/mock/football.ts"
import { playedSeason } from "../../../../../adapters/lanes/football/mock/season.ts"
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

  it("is the same on every run", () => {
    const { game, lines } = playedSeason(2025)[100]!
    assert.deepStrictEqual(
      [game.id, game.score, lines.spread, game.home.quarterbackName],
      ["2025_07_NYG_BAL", { home: 23, away: 27 }, -1.5, "Lamar Jackson"],
    )
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

  it.effect("posts lines and names starters when a game is near, and sees the weather at it", () =>
    Effect.gen(function* () {
      const records = yield* seasonAt("2026-11-17T12:00:00Z", 2026)
      for (const { game, lines, kickoffAt } of records) {
        const days = (kickoffAt - Date.parse("2026-11-17T12:00:00Z")) / 86_400_000
        assert.strictEqual(lines.spread !== undefined, days <= 9, game.id)
        assert.strictEqual(game.home.quarterback !== undefined, days <= 6, game.id)
        if (game.score === undefined) assert.isUndefined(game.temperature ?? game.wind)
      }
    }),
  )

  it.effect("reports an absence two days before the game", () =>
    Effect.gen(function* () {
      let changes = 0
      for (const { game, kickoffAt, expected, offenses } of playedSeason(2026)) {
        if (expected.home.id === offenses.home.quarterback.id) continue
        changes++
        const [three, one] = [3, 1].map((days) => new Date(kickoffAt - days * 86_400_000).toISOString())
        const named = (time: string) =>
          Effect.map(
            seasonAt(time, 2026),
            (all) => all.find((record) => record.game.id === game.id)?.game.home.quarterback,
          )
        assert.strictEqual(yield* named(three!), expected.home.id)
        assert.strictEqual(yield* named(one!), offenses.home.quarterback.id)
      }
      assert.isAbove(changes, 0)
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

  it.effect("has lists in the summer, reserve lists from 15 March, and reports two days before a game", () =>
    Effect.gen(function* () {
      const lists = (time: string) =>
        at(
          time,
          Effect.flatMap(Top100, ({ seasons }) => seasons),
        )
      assert.strictEqual((yield* lists("2026-08-14T12:00:00Z")).at(-1), 2025)
      assert.strictEqual((yield* lists("2026-08-15T12:00:00Z")).at(-1), 2026)
      const reserved = (time: string) =>
        at(
          time,
          Effect.flatMap(Injuries, (port) => port.reserved(2026, "KC")),
        )
      assert.isUndefined(yield* reserved("2026-03-14T12:00:00Z"))
      assert.strictEqual((yield* reserved("2026-03-15T12:00:00Z"))?.week, 0)
      assert.strictEqual((yield* reserved("2026-09-10T12:00:00Z"))?.week, 1)
      const [first] = playedSeason(2026).filter(({ game }) => [game.home.team, game.away.team].includes("KC"))
      const reported = (days: number) =>
        at(
          new Date(first!.kickoffAt - days * 86_400_000).toISOString(),
          Effect.flatMap(Injuries, (port) => port.reported(2026, "KC")),
        )
      assert.deepStrictEqual(yield* reported(4), [])
      assert.isNotEmpty(yield* reported(1))
      // There are no reports from before 2009.
      const statuses = (season: number) =>
        at(
          "2026-11-20T12:00:00Z",
          Effect.map(
            Effect.flatMap(Injuries, (port) => port.reported(season, "KC")),
            (rows) => new Set(rows!.map(({ reportStatus }) => reportStatus)),
          ),
        )
      assert.strictEqual((yield* statuses(2008)).size, 0)
      assert.isTrue((yield* statuses(2009)).has("Questionable"))
    }),
  )
})
