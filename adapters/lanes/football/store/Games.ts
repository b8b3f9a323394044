import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toKickoffAt } from "../../../../core/lanes/football/data/calendar.ts"
import type { Game } from "../../../../core/lanes/football/data/Game.ts"
import { indexTeamWeeks, type TeamWeek } from "../../../../core/lanes/football/data/Game.ts"
import { type GameRecord, Games, type Season } from "../../../../core/lanes/football/ports.ts"
import { failNothingLoaded } from "../../../../core/lanes/football/summary.ts"
import * as Step from "../../../../core/Step.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import * as Rows from "./rows.ts"

const gameFromRow = (row: Rows.GameRow): Game =>
  Rows.game.fromRow(row, {
    home: Rows.home.fromRow(row),
    away: Rows.away.fromRow(row),
    ...(row.home_score !== null &&
      row.away_score !== null && { score: { home: row.home_score, away: row.away_score } }),
  })

const recordFromRow = (row: Rows.GameRow): GameRecord => {
  const game = gameFromRow(row)
  return Rows.provenance.fromRow(row, { game, lines: Rows.lines.fromRow(row), kickoffAt: toKickoffAt(game) })
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
      games: prepare<Rows.GameRow>("SELECT * FROM football_games WHERE season = ?"),
      weeks: prepare<TeamWeek>("SELECT season, week, team, epa, turnovers FROM football_team_weeks WHERE season = ?"),
    }
    const cache = new Map<number, { readonly version: string; readonly season: Season }>()

    const cachedSeason = (season: number, version: string): Season | undefined => {
      const entry = cache.get(season)
      return entry?.version === version ? entry.season : undefined
    }

    const readSeason = Step.fn(function* (season: number, version: string) {
      const cached = cachedSeason(season, version)
      if (cached !== undefined) return cached
      const rows = yield* sql.games.all(season)
      const weeks = yield* sql.weeks.all(season)
      const fresh: Season = { season, records: rows.map(recordFromRow).sort(byKickoff), weeks: indexTeamWeeks(weeks) }
      cache.set(season, { version, season: fresh })
      return fresh
    })

    const latestVersion = (rows: ReadonlyArray<Version>): string =>
      rows.map(({ feed, version }) => `${feed}=${version}`).join()

    const current = Step.fn(function* (season: number) {
      // Read before the rows, so that rows that change in between are read again.
      const versions = yield* sql.versionsOf.all(season)
      const isCarried = versions.some(({ feed }) => feed === "games")
      return isCarried ? yield* readSeason(season, latestVersion(versions)) : undefined
    })

    return {
      freshness: "live",
      season: (season) => read(() => current(season)),
      league: Step.gen(function* () {
        const versions = yield* read(() => sql.versions.all())
        const games = versions.filter(({ feed }) => feed === "games")
        if (games.length === 0) return yield* failNothingLoaded("No football games are loaded yet.")
        const seasons: Array<Season> = []
        for (const { season } of games) {
          const version = latestVersion(versions.filter((one) => one.season === season))
          // Reading one season takes some milliseconds.
          if (cachedSeason(season, version) === undefined) yield* yieldToEventLoop
          seasons.push(yield* read(() => readSeason(season, version)))
        }
        return { seasons, checkedAt: new Map(games.map(({ season, checked_at }) => [season, checked_at])) }
      }),
    }
  }),
)
