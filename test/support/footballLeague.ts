import { PCGRandom } from "effect/Utils"
import { toKickoffAt } from "../../core/lanes/football/data/calendar.ts"
import type { Game } from "../../core/lanes/football/data/Game.ts"
import { indexTeamWeeks, type TeamWeek, type TeamWeeks, toTeamWeekKey } from "../../core/lanes/football/data/Game.ts"
import { type Team, teams } from "../../core/lanes/football/data/teams.ts"
import type { GameRecord, Season, League as ServedLeague } from "../../core/lanes/football/ports.ts"

/** A made-up league: true strengths in points, which the rating does not see, and the games that they lead to. */
export interface League {
  readonly games: ReadonlyArray<Game>
  readonly weeks: TeamWeeks
  readonly strength: ReadonlyMap<Team, number>
}

/** The same games with all that happened on a day and later rewritten: finals, and what offenses were worth. */
export const rewrittenFrom = (cut: string, games: ReadonlyArray<Game>, weeks: TeamWeeks) => {
  const changed = new Map(weeks)
  return {
    weeks: changed,
    games: games.map((game): Game => {
      if (game.gameday < cut) return game
      for (const { team } of [game.home, game.away]) {
        const key = toTeamWeekKey(game.season, game.week, team)
        const row = weeks.get(key)
        if (row !== undefined) changed.set(key, { ...row, epa: -row.epa, turnovers: 9 })
      }
      return { ...game, score: { home: 3, away: 59 } }
    }),
  }
}

const noise = (generator: PCGRandom, deviation: number): number => {
  let sum = -6
  for (let k = 0; k < 12; k++) sum += generator.number()
  return sum * deviation
}

const isoDay = (season: number, days: number): string =>
  new Date(Date.UTC(season, 8, 5) + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Seasons of `weeks` rounds in which all 32 teams play, half of the games a day before the rest. Every team has a
 * starter per season and another for its second game; some games are neutral, indoors, late or windy.
 */
export const league = (seed: number, seasons: ReadonlyArray<number>, weeks: number): League => {
  const generator = new PCGRandom(seed)
  const strength = new Map(teams.map((team) => [team, noise(generator, 6)]))
  const games: Array<Game> = []
  const rows: Array<TeamWeek> = []
  for (const season of seasons) {
    for (let week = 1; week <= weeks; week++) {
      const order = [...teams].map((team) => [generator.number(), team] as const).sort(([a], [b]) => a - b)
      for (let pair = 0; pair < 16; pair++) {
        const [home, away] = [order[2 * pair]![1], order[2 * pair + 1]![1]]
        const neutral = pair === 7
        const margin = strength.get(home)! - strength.get(away)! + (neutral ? 0 : 3) + noise(generator, 12)
        const total = 44 + noise(generator, 12)
        const score = {
          home: Math.max(0, Math.round((total + margin) / 2)),
          away: Math.max(0, Math.round((total - margin) / 2)),
        }
        const side = (team: Team) => ({
          team,
          code: team,
          rest: week === 1 ? 7 : generator.integer(4) === 0 ? 14 : 7,
          quarterback: `${team}-${season - (season % 2)}${week === 2 ? "-b" : ""}`,
          coach: `${team} ${season < 2004 ? "old" : "new"}`,
        })
        const digits = String(week).padStart(2, "0")
        games.push({
          id: `${season}_${digits}_${away}_${home}`,
          season,
          type: "REG",
          week,
          gameday: isoDay(season, 7 * week + (pair < 8 ? 0 : 1)),
          kickoff: pair % 3 === 0 ? "20:15" : "13:00",
          home: side(home),
          away: side(away),
          score,
          neutral,
          division: pair % 4 === 0,
          roof: pair % 5 === 0 ? "dome" : "outdoors",
          surface: pair % 2 === 0 ? "grass" : "fieldturf",
          ...(pair % 5 !== 0 && pair % 3 !== 1 && { wind: 4 * (pair % 6) }),
        })
        if (week % 2 === 0) {
          rows.push({ season, week, team: home, epa: score.home - 22, turnovers: 1 })
          rows.push({ season, week, team: away, epa: score.away - 22, turnovers: 2 })
        }
      }
    }
  }
  return { games, weeks: indexTeamWeeks(rows), strength }
}

const recordOf = (game: Game): GameRecord => ({
  game,
  lines: {},
  kickoffAt: toKickoffAt(game),
  source: "test",
  fetchedAt: 0,
})

/** Games as the port of the lane serves them. */
export const servedLeague = (all: ReadonlyArray<Game>, rows: TeamWeeks): ServedLeague => ({
  checkedAt: new Map(),
  seasons: [...new Set(all.map(({ season }) => season))].map(
    (season): Season => ({
      season,
      records: all.filter((game) => game.season === season).map(recordOf),
      weeks: indexTeamWeeks([...rows.values()].filter((row) => row.season === season)),
    }),
  ),
})

/** Games as they are known on a day: those of that day and later have no score. */
export const knownOn = (day: string, games: ReadonlyArray<Game>): ReadonlyArray<Game> =>
  games.map(({ score, ...game }) => (game.gameday < day && score !== undefined ? { ...game, score } : game))
