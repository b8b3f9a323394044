import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { Baseball } from "../../core/lanes/baseball/Baseball.ts"
import { noGames } from "../../core/lanes/baseball/lines.ts"
import { parameters } from "../../core/lanes/baseball/parameters.ts"
import { type ListedGame, PitchingLines, SeasonLines, Slates, type Sourced } from "../../core/lanes/baseball/ports.ts"
import { whyImplausibleLineUp } from "../../core/lanes/baseball/skill/lineUps.ts"
import { maxAppearances, whyImplausibleCounts } from "../../core/lanes/baseball/skill/rates.ts"
import { dayOf, isDay } from "../../core/time.ts"

export interface LeagueOptions {
  /** The instant at which the provider is asked, epoch milliseconds. */
  readonly now: number
  /** A UTC day YYYY-MM-DD with games of the regular season, not more than a week from `now`. */
  readonly day: string
}

const day = 86_400_000
const daysLater = (date: string, days: number): string => dayOf(Date.parse(date) + days * day)

/**
 * What every provider of a league owes its callers. Run it against a provider of your own in a Vitest file.
 *
 * @param layer the provider; it is built anew for each test, with the test clock at `options.now`
 *
 * @example
 * leagueContract("my league", layerOfMine, { now: Date.UTC(2026, 6, 4, 12), day: "2026-07-04" })
 */
export const leagueContract = <E>(
  name: string,
  layer: Layer.Layer<PitchingLines | SeasonLines | Slates, E>,
  { now, day: date }: LeagueOptions,
): void => {
  const asking = <A, F>(
    body: (
      slates: typeof Slates.Service,
      lines: typeof SeasonLines.Service,
      pitching: typeof PitchingLines.Service,
    ) => Effect.Effect<A, F>,
  ) =>
    Effect.zipRight(
      TestClock.setTime(now),
      Effect.provide(
        Effect.flatMap(Effect.all([Slates, SeasonLines, PitchingLines]), (ports) => body(...ports)),
        layer,
      ),
    )

  const onDay = (games: ReadonlyArray<ListedGame>) => games.filter(({ firstPitch }) => dayOf(firstPitch) === date)

  const sourced = ({ source, locator, fetchedAt, stale }: Sourced): void => {
    assert.isNotEmpty(source)
    assert.isNotEmpty(locator)
    assert.isAtMost(fetchedAt, now)
    assert.isFalse(stale)
  }

  describe(`the league of ${name}`, () => {
    it.effect("lists games as they can be: an id, two teams, a first pitch, a day, a record", () =>
      asking((slates) =>
        Effect.gen(function* () {
          const listings = yield* slates.around(date)
          sourced(listings)
          assert.isNotEmpty(onDay(listings.games))
          for (const game of listings.games) {
            const at = JSON.stringify(game)
            assert.isTrue(Number.isSafeInteger(game.gamePk) && game.gamePk > 0, at)
            assert.isTrue(Number.isSafeInteger(game.firstPitch) && isDay(game.officialDate), at)
            assert.isTrue(game.gameNumber >= 1 && game.season === Number(game.officialDate.slice(0, 4)), at)
            for (const text of [game.type, game.state, game.venue, game.doubleHeader]) assert.isNotEmpty(text, at)
            assert.notStrictEqual(game.home.teamId, game.away.teamId, at)
            const { home = 0, away = 0 } = game.score ?? {}
            assert.isTrue(game.score === undefined || game.phase === "over", at)
            assert.isTrue(
              [home, away].every((runs) => Number.isSafeInteger(runs) && runs >= 0),
              at,
            )
            for (const { name: team, wins, losses, starter } of [game.home, game.away]) {
              assert.isNotEmpty(team)
              assert.isTrue(wins >= 0 && losses >= 0 && wins + losses <= 170, at)
              if (starter !== undefined) assert.isTrue(starter.id > 0 && starter.name.length > 0, at)
            }
          }
        }),
      ),
    )

    it.effect("lists a game by its id as it lists it on its day", () =>
      asking((slates) =>
        Effect.gen(function* () {
          for (const game of onDay((yield* slates.around(date)).games)) {
            const listings = yield* slates.of(game.gamePk)
            sourced(listings)
            assert.deepInclude(listings.games, game)
            for (const { gamePk } of listings.games) assert.strictEqual(gamePk, game.gamePk)
          }
        }),
      ),
    )

    it.effect("knows of days without games and of ids that no game has", () =>
      asking((slates) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(onDay((yield* slates.around("1901-01-15")).games), [])
          assert.deepStrictEqual((yield* slates.of(999_999_999)).games, [])
        }),
      ),
    )

    it.effect("counts no game of a day or later in the lines of before that day", () =>
      asking((slates, lines) =>
        Effect.gen(function* () {
          for (const { season, officialDate, home, away, phase } of onDay((yield* slates.around(date)).games)) {
            const before = yield* lines.teams(season, officialDate)
            const through = yield* lines.teams(season, daysLater(officialDate, 1))
            sourced(before)
            for (const { teamId, wins, losses } of [home, away]) {
              const [line, next] = [before.lines.get(teamId) ?? noGames, through.lines.get(teamId) ?? noGames]
              assert.isAtMost(line.games, wins + losses - (phase === "over" ? 1 : 0))
              for (const part of ["games", "scored", "allowed"] as const) assert.isAtMost(line[part], next[part])
            }
          }
        }),
      ),
    )

    it.effect("has a starter's season grow with the days, and his earlier seasons each once", () =>
      asking((slates, lines) =>
        Effect.gen(function* () {
          const sides = onDay((yield* slates.around(date)).games).flatMap(({ season, officialDate, home, away }) =>
            [home, away].flatMap(({ starter }) =>
              starter === undefined ? [] : [{ season, officialDate, id: starter.id }],
            ),
          )
          assert.isNotEmpty(sides)
          for (const { season, officialDate, id } of sides) {
            const found = yield* lines.pitcher(id, season, officialDate)
            const later = yield* lines.pitcher(id, season, daysLater(officialDate, 30))
            sourced(found)
            assert.isTrue(found.season.innings >= 0 && found.season.innings <= later.season.innings)
            assert.isAtMost(found.season.earnedRuns, later.season.earnedRuns)
            const years = found.earlier.map(([year]) => year)
            assert.strictEqual(new Set(years).size, years.length)
            for (const year of years) assert.isBelow(year, season)
          }
        }),
      ),
    )

    it.effect("has line-ups of nine or none, and whole seasons of batters before the one asked for", () =>
      asking((slates, lines) =>
        Effect.gen(function* () {
          for (const { gamePk, season } of onDay((yield* slates.around(date)).games)) {
            const posted = yield* slates.lineUps(gamePk)
            sourced(posted)
            for (const side of [posted.home, posted.away].filter(({ length }) => length > 0)) {
              assert.isUndefined(whyImplausibleLineUp(side, parameters))
              const { of } = yield* lines.batters(side, season)
              const known = side.flatMap((batter) => of(batter, season - 1) ?? [])
              for (const counts of known) assert.isUndefined(whyImplausibleCounts(counts, maxAppearances))
            }
          }
        }),
      ),
    )

    it.effect("gives the same answer however often and however many at once ask", () =>
      asking((slates, lines) =>
        Effect.gen(function* () {
          const everything = Effect.all([slates.around(date), lines.teams(Number(date.slice(0, 4)), date)])
          const before = yield* everything
          assert.deepStrictEqual(yield* Effect.all([everything, everything], { concurrency: "unbounded" }), [
            before,
            before,
          ])
        }),
      ),
    )

    it.effect("has pitching of games before a day alone, each once, with counts that can be", () =>
      asking((_, lines, pitching) =>
        Effect.gen(function* () {
          const season = Number(date.slice(0, 4))
          const found = yield* pitching.until(season, date)
          sourced(found)
          assert.strictEqual(yield* pitching.until(season, date), found)
          assert.strictEqual(new Set(found.games.map(({ id }) => id)).size, found.games.length)
          for (const { id, day: on, home, away } of found.games) {
            assert.isTrue(on < date, id)
            assert.notStrictEqual(home.starter, away.starter)
            for (const { counts } of [home, away]) assert.isUndefined(whyImplausibleCounts(counts), id)
          }
          const played = [...(yield* lines.teams(season, date)).lines.values()].reduce(
            (sum, { games }) => sum + games,
            0,
          )
          assert.isAtMost(found.games.filter((each) => each.season === season).length, played / 2)
        }),
      ),
    )

    it.effect("is enough for fair odds of every game of the day", () =>
      asking((slates, lines, pitching) =>
        Effect.gen(function* () {
          const { games, fairOdds } = yield* Effect.provide(
            Baseball,
            Baseball.layer.pipe(
              Layer.provide([
                Layer.succeed(Slates, slates),
                Layer.succeed(SeasonLines, lines),
                Layer.succeed(PitchingLines, pitching),
              ]),
            ),
          )
          const { results } = yield* games({ date })
          assert.strictEqual(results.count, results.games.length)
          for (const { gamePk } of results.games) {
            const { results: odds, freshness } = yield* fairOdds({ game_pk: gamePk })
            const { win_prob_home, win_prob_away } = odds.prediction
            assert.isTrue(win_prob_home > 0.15 && win_prob_home < 0.85, String(win_prob_home))
            assert.approximately(win_prob_home + win_prob_away, 1, 1e-12)
            assert.strictEqual(odds.ledger.snapshots_recorded, 0)
            assert.strictEqual(freshness, slates.freshness)
          }
        }),
      ),
    )
  })
}
