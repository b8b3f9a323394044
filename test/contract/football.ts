import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { toEasternDay, toKickoffAt } from "../../core/lanes/football/data/calendar.ts"
import { findFranchise, type Team, teams, toSeasonCode } from "../../core/lanes/football/data/teams.ts"
import { type GameRecord, Games, Injuries, Quarterbacks, Top100 } from "../../core/lanes/football/ports.ts"
import { type Cases, contract, type Providers } from "./frame.ts"

export interface FootballOptions {
  /** The instant at which the provider is asked, epoch milliseconds. */
  readonly now: number
  /** A season of which it has games, stat lines, an injury report and rosters then, and a team that plays in it. */
  readonly season: number
  readonly team: Team
}

/** The four providers of the lane: each port by itself. */
export interface FootballProviders {
  readonly games: Providers<Games>
  readonly quarterbacks: Providers<Quarterbacks>
  readonly injuries: Providers<Injuries>
  readonly top100: Providers<Top100>
}

const isProvenance = ({ source, fetchedAt }: { readonly source: string; readonly fetchedAt: number }, now: number) => {
  assert.isNotEmpty(source)
  assert.isTrue(Number.isSafeInteger(fetchedAt) && fetchedAt <= now, `fetched at ${fetchedAt}`)
}

const games = ({ now, season, team }: FootballOptions): Cases<typeof Games.Service> => {
  const records = (port: typeof Games.Service) =>
    Effect.map(port.league, ({ seasons }) => seasons.flatMap((one) => one.records))
  const each = (port: typeof Games.Service, check: (record: GameRecord) => void) =>
    Effect.map(records(port), (all) => {
      assert.isNotEmpty(all)
      for (const record of all) check(record)
    })
  return {
    "lists seasons in order, games in order of kickoff, ids once": (port) =>
      Effect.gen(function* () {
        const { seasons, checkedAt } = yield* port.league
        for (const one of seasons) assert.isAtMost(checkedAt.get(one.season)!, now)
        assert.deepStrictEqual(
          seasons.map((one) => one.season),
          [...new Set(seasons.map((one) => one.season))].sort((a, b) => a - b),
        )
        for (const one of seasons) {
          const order = one.records.map(({ kickoffAt, game }) => `${String(kickoffAt).padStart(15, "0")} ${game.id}`)
          assert.deepStrictEqual(order, [...order].sort())
          for (const { game } of one.records) assert.strictEqual(game.season, one.season)
        }
        const ids = (yield* records(port)).map(({ game }) => game.id)
        assert.strictEqual(new Set(ids).size, ids.length)
      }),
    "has no final of a game that has not kicked off": (port) =>
      each(port, ({ game, kickoffAt }) => assert.isTrue(game.score === undefined || kickoffAt < now, game.id)),
    "names games by season, week and the codes of the season": (port) =>
      each(port, ({ game }) => {
        const { home, away } = game
        const week = String(game.week).padStart(2, "0")
        assert.strictEqual(game.id, `${game.season}_${week}_${away.code}_${home.code}`)
        for (const side of [home, away]) assert.strictEqual(findFranchise(side.code), side.team)
        assert.strictEqual(home.code, toSeasonCode(home.team, game.season))
        assert.notStrictEqual(home.team, away.team)
      }),
    "tells kickoff, source and time of every game": (port) =>
      each(port, (record) => {
        assert.strictEqual(record.kickoffAt, toKickoffAt(record.game))
        isProvenance(record, now)
        assert.isTrue(record.game.week >= 1 && record.game.week <= 22)
      }),
    "has expected points of teams that have played": (port) =>
      Effect.gen(function* () {
        for (const one of (yield* port.league).seasons) {
          const played = new Set(
            one.records.flatMap(({ game }) =>
              game.score === undefined ? [] : [`${game.week}/${game.home.team}`, `${game.week}/${game.away.team}`],
            ),
          )
          for (const row of one.weeks.values()) {
            assert.strictEqual(row.season, one.season)
            assert.isTrue(Number.isFinite(row.epa))
            assert.isTrue(played.has(`${row.week}/${row.team}`), `${row.season} week ${row.week} ${row.team}`)
          }
        }
      }),
    "gives the same season as the league does, the same object while nothing changes, and none that it lacks": (port) =>
      Effect.gen(function* () {
        const { seasons } = yield* port.league
        const again = yield* port.league
        for (const [at, one] of seasons.entries()) assert.strictEqual(again.seasons[at], one)
        assert.strictEqual(
          yield* port.season(season),
          seasons.find((one) => one.season === season),
        )
        assert.isDefined(yield* port.season(season))
        for (const absent of [1900, 1998, 2100]) assert.isUndefined(yield* port.season(absent))
      }),
    "has games of the team": (port) =>
      Effect.map(port.season(season), (found) =>
        assert.isTrue(found!.records.some(({ game }) => game.home.team === team || game.away.team === team)),
      ),
  }
}

const quarterbacks = ({ now, season }: FootballOptions): Cases<typeof Quarterbacks.Service> => ({
  "has careers that its weeks add up to": (port) =>
    Effect.gen(function* () {
      const careers = yield* port.careers
      assert.isNotEmpty(careers)
      assert.strictEqual(new Set(careers.map(({ playerId }) => playerId)).size, careers.length)
      for (const career of careers.filter((_, at) => at % 17 === 0)) {
        const weeks = yield* port.weeks(career.playerId, {})
        const [last, first] = [weeks[0]!, weeks.at(-1)!]
        assert.deepInclude(career, {
          attempts: weeks.reduce((sum, { attempts }) => sum + attempts, 0),
          firstSeason: first.season,
          lastSeason: last.season,
          lastWeek: last.week,
          code: last.code,
          player: last.player,
        })
      }
    }),
  "gives weeks the most recent first, of a season and as many as asked for": (port) =>
    Effect.gen(function* () {
      const careers = yield* port.careers
      const { playerId } = careers.find(({ firstSeason, lastSeason }) => firstSeason <= season && lastSeason >= season)!
      const all = yield* port.weeks(playerId, {})
      const order = all.map((one) => 100 * one.season + one.week)
      assert.deepStrictEqual(
        order,
        [...new Set(order)].sort((a, b) => b - a),
      )
      for (const week of all) {
        isProvenance(week, now)
        assert.strictEqual(week.playerId, playerId)
        assert.isTrue(week.season >= 2002 && week.completions <= week.attempts)
        assert.notStrictEqual(week.code, week.opponentCode)
        for (const code of [week.code, week.opponentCode])
          assert.strictEqual(toSeasonCode(findFranchise(code)!, week.season), code)
      }
      assert.deepStrictEqual(yield* port.weeks(playerId, { last: 1 }), all.slice(0, 1))
      assert.deepStrictEqual(
        yield* port.weeks(playerId, { season }),
        all.filter((one) => one.season === season),
      )
      assert.deepStrictEqual(yield* port.weeks(playerId, { season: 1950 }), [])
    }),
  "tells in order which seasons were asked for, those of every week among them": (port) =>
    Effect.gen(function* () {
      const seasons = yield* port.seasons
      assert.deepStrictEqual(
        seasons,
        [...new Set(seasons)].sort((a, b) => a - b),
      )
      for (const { firstSeason, lastSeason } of yield* port.careers) {
        assert.include(seasons, firstSeason)
        assert.include(seasons, lastSeason)
      }
      assert.isAtMost(seasons.at(-1)!, Number(toEasternDay(now).slice(0, 4)))
      assert.include(seasons, season)
    }),
  "knows nobody else": (port) => Effect.map(port.weeks("00-0000000", {}), (weeks) => assert.deepStrictEqual(weeks, [])),
})

const injuries = ({ now, season, team }: FootballOptions): Cases<typeof Injuries.Service> => ({
  "reports players of the team and season alone, by week": (port) =>
    Effect.gen(function* () {
      const rows = yield* port.reported(season, team)
      assert.isNotEmpty(rows)
      const weeks = rows!.map(({ week }) => week)
      assert.deepStrictEqual(
        weeks,
        [...weeks].sort((a, b) => a - b),
      )
      for (const row of rows!) {
        assert.deepInclude(row, { season, team, code: toSeasonCode(team, season) })
        isProvenance(row, now)
        for (const text of [row.reportStatus, row.practiceStatus, row.injury]) assert.notStrictEqual(text?.trim(), "")
      }
    }),
  "has no row of a season to come": (port) =>
    Effect.map(port.reported(Number(toEasternDay(now).slice(0, 4)) + 2, team), (rows) =>
      assert.deepStrictEqual(rows ?? [], []),
    ),
  "has the newest reserve list, and that of a week": (port) =>
    Effect.gen(function* () {
      const newest = yield* port.reserved(season, team)
      assert.isDefined(newest)
      isProvenance(newest!, now)
      for (const row of newest!.players) assert.deepInclude(row, { season, team, week: newest!.week })
      assert.isAtMost((yield* port.reserved(season, team, 1))!.week, 1)
      assert.isUndefined(yield* port.reserved(1950, team))
    }),
  "tells in order of which seasons rosters were asked for": (port) =>
    Effect.gen(function* () {
      const seasons = yield* port.rostered
      assert.deepStrictEqual(
        seasons,
        [...new Set(seasons)].sort((a, b) => a - b),
      )
      assert.include(seasons, season)
      assert.notInclude(seasons, 1950)
    }),
  "tells teams apart": (port) =>
    Effect.gen(function* () {
      for (const other of teams) {
        for (const row of (yield* port.reported(season, other)) ?? []) assert.strictEqual(row.team, other)
      }
    }),
})

const top100 = ({ now }: FootballOptions): Cases<typeof Top100.Service> => ({
  "has lists by the year in which they came out, ranked without a gap": (port) =>
    Effect.gen(function* () {
      const seasons = yield* port.seasons
      assert.isNotEmpty(seasons)
      assert.deepStrictEqual(
        seasons,
        [...new Set(seasons)].sort((a, b) => a - b),
      )
      for (const season of seasons) {
        assert.isAtMost(season, Number(toEasternDay(now).slice(0, 4)))
        const list = yield* port.list(season)
        isProvenance(list!, now)
        assert.strictEqual(list!.season, season)
        list!.players.forEach(({ rank, code }, at) => {
          assert.strictEqual(rank, at + 1)
          assert.strictEqual(toSeasonCode(findFranchise(code)!, season - 1), code)
        })
      }
      for (const absent of [2009, 2100]) assert.isUndefined(yield* port.list(absent))
    }),
})

/**
 * What every provider of the football lane owes its callers. Run it against providers of your own in a Vitest file.
 *
 * @example
 * footballContract("my feed", providersOfMine, { now: Date.UTC(2024, 10, 21), season: 2023, team: "KC" })
 */
export const footballContract = (name: string, providers: FootballProviders, options: FootballOptions): void => {
  contract(`games of ${name}`, Games, providers.games, games(options), options.now)
  contract(`quarterbacks of ${name}`, Quarterbacks, providers.quarterbacks, quarterbacks(options), options.now)
  contract(`injuries of ${name}`, Injuries, providers.injuries, injuries(options), options.now)
  contract(`the Top 100 of ${name}`, Top100, providers.top100, top100(options), options.now)
}
