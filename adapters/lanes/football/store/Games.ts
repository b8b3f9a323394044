import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { breath } from "../../../../core/breath.ts"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { fail } from "../../../../core/Failure.ts"
import { kickoffAt } from "../../../../core/lanes/football/data/calendar.ts"
import type { Game, Side } from "../../../../core/lanes/football/data/Game.ts"
import { type TeamWeek, teamWeeks } from "../../../../core/lanes/football/data/TeamWeek.ts"
import { type GameRecord, Games, type Season } from "../../../../core/lanes/football/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { Transactions } from "../../../sql/Transactions.ts"
import type { GameRow, SideColumns } from "./rows.ts"

/** Null in the store is absent in the domain. */
const there = <K extends string, A>(key: K, value: A | null) => ifDefined(key, value ?? undefined)

const sideOf = <Name extends "home" | "away">(row: SideColumns<Name>, name: Name): Side => {
  const side = row as unknown as SideColumns<"side">
  const at = <K extends "team" | "code" | "rest" | "qb_id" | "qb_name" | "coach">(column: K) =>
    side[`${name}_${column}` as `side_${K}`]
  return {
    team: at("team"),
    code: at("code"),
    rest: at("rest"),
    ...there("quarterback", at("qb_id")),
    ...there("quarterbackName", at("qb_name")),
    ...there("coach", at("coach")),
  }
}

const gameOf = (row: GameRow): Game => ({
  id: row.game_id,
  season: row.season,
  type: row.game_type,
  week: row.week,
  gameday: row.gameday,
  ...there("kickoff", row.kickoff),
  home: sideOf(row, "home"),
  away: sideOf(row, "away"),
  ...(row.home_score !== null && row.away_score !== null && { score: { home: row.home_score, away: row.away_score } }),
  neutral: row.neutral === 1,
  division: row.division === 1,
  ...there("roof", row.roof),
  ...there("surface", row.surface),
  ...there("temperature", row.temperature),
  ...there("wind", row.wind),
  ...there("stadium", row.stadium),
})

const recordOf = (row: GameRow): GameRecord => {
  const game = gameOf(row)
  return {
    game,
    lines: {
      ...there("spread", row.spread_line),
      ...there("total", row.total_line),
      ...there("homeMoneyline", row.home_moneyline),
      ...there("awayMoneyline", row.away_moneyline),
    },
    kickoffAt: kickoffAt(game),
    source: row.source,
    fetchedAt: row.fetched_at,
  }
}

const byKickoff = (a: GameRecord, b: GameRecord): number =>
  a.kickoffAt - b.kickoffAt || (a.game.id < b.game.id ? -1 : 1)

interface Version {
  readonly feed: "games" | "team_weeks"
  readonly season: number
  readonly version: number
  readonly checked_at: number
}

/** The stored games. A season is read again only after a change of its rows. */
export const layer: Layer.Layer<Games, never, Transactions> = Layer.effect(
  Games,
  Effect.map(Transactions, ({ prepare, read }) => {
    const columns = "SELECT feed, season, version, checked_at FROM football_feeds WHERE feed IN ('games', 'team_weeks')"
    const sql = {
      versions: prepare<Version>(`${columns} ORDER BY season, feed`),
      versionsOf: prepare<Version>(`${columns} AND season = ? ORDER BY feed`),
      games: prepare<GameRow>("SELECT * FROM football_games WHERE season = ?"),
      weeks: prepare<TeamWeek>("SELECT season, week, team, epa, turnovers FROM football_team_weeks WHERE season = ?"),
    }
    const cache = new Map<number, { readonly version: string; readonly season: Season }>()

    const known = (season: number, version: string): Season | undefined => {
      const before = cache.get(season)
      return before?.version === version ? before.season : undefined
    }

    const seasonOf = Step.fn(function* (season: number, version: string) {
      const before = known(season, version)
      if (before !== undefined) return before
      const rows = yield* sql.games.all(season)
      const weeks = yield* sql.weeks.all(season)
      const found: Season = { season, records: rows.map(recordOf).sort(byKickoff), weeks: teamWeeks(weeks) }
      cache.set(season, { version, season: found })
      return found
    })

    const versionOf = (rows: ReadonlyArray<Version>): string =>
      rows.map(({ feed, version }) => `${feed}=${version}`).join()

    const current = Step.fn(function* (season: number) {
      // Read before the rows, so that rows which change meanwhile are read again.
      const versions = yield* sql.versionsOf.all(season)
      const isCarried = versions.some(({ feed }) => feed === "games")
      return isCarried ? yield* seasonOf(season, versionOf(versions)) : undefined
    })

    return {
      freshness: "live",
      season: (season) => read(() => current(season)),
      league: Step.gen(function* () {
        const versions = yield* read(() => sql.versions.all())
        const games = versions.filter(({ feed }) => feed === "games")
        if (games.length === 0) {
          return yield* fail("upstream_unavailable", {
            detail: "No football games are loaded yet.",
            retryAfterMs: 600_000,
          })
        }
        const seasons: Array<Season> = []
        for (const { season } of games) {
          const version = versionOf(versions.filter((one) => one.season === season))
          // Reading one season takes some milliseconds.
          if (known(season, version) === undefined) yield* breath
          seasons.push(yield* read(() => seasonOf(season, version)))
        }
        return { seasons, checkedAt: new Map(games.map(({ season, checked_at }) => [season, checked_at])) }
      }),
    }
  }),
)
