import { nine, wireBatters, wireCounts, wirePlayers } from "./pitching.ts"
import { json, type Payload, type Route } from "./replay.ts"

/** 2026-07-09T18:20Z: an afternoon in summer. */
export const now = Date.UTC(2026, 6, 9, 18, 20)

export const homeTeam = { id: 111, name: "Harbour Gulls", venue: { id: 31, name: "Gull Park" } }
export const awayTeam = { id: 222, name: "River Otters", venue: { id: 32, name: "Otter Field" } }

interface Changes {
  readonly [key: string]: unknown
}

/** One side as the schedule lists it. */
export const side = (
  team: typeof homeTeam,
  starter: { readonly id: number; readonly fullName: string } | undefined,
) => ({
  team: { ...team, link: `/api/v1/teams/${team.id}` },
  leagueRecord: { wins: 50, losses: 40, pct: ".556" },
  ...(starter !== undefined && { probablePitcher: { ...starter, link: `/api/v1/people/${starter.id}` } }),
})

/** A game of that evening: at 23:10Z, which is the ninth on both sides of the ocean. */
export const game = (changes: Changes = {}) => ({
  gamePk: 500_001,
  gameType: "R",
  season: "2026",
  gameDate: "2026-07-09T23:10:00Z",
  officialDate: "2026-07-09",
  status: { abstractGameState: "Preview", detailedState: "Scheduled" },
  teams: {
    home: side(homeTeam, { id: 7001, fullName: "Ada Strong" }),
    away: side(awayTeam, { id: 7002, fullName: "Ben Weak" }),
  },
  venue: homeTeam.venue,
  doubleHeader: "N",
  gameNumber: 1,
  ...changes,
})

export const schedule = (...games: ReadonlyArray<{ readonly date?: string; readonly game: unknown }>) => ({
  totalGames: games.length,
  dates: games.map(({ date = "2026-07-09", game: row }) => ({ date, games: [row] })),
})

export const teamRecord = (id: number, season: number, changes: Changes = {}) => ({
  team: { id },
  season: String(season),
  gamesPlayed: 90,
  runsScored: 400,
  runsAllowed: 400,
  leagueRecord: { wins: 50, losses: 40, ties: 0, pct: ".556" },
  ...changes,
})

/** Of the two teams, and of as many others as the league has; as many runs are allowed as scored. */
export const standings = (season: number, changes: Changes = {}) => ({
  records: [
    { teamRecords: [teamRecord(homeTeam.id, season, { runsScored: 460, ...changes })] },
    { teamRecords: [teamRecord(awayTeam.id, season, changes)] },
    {
      // Who makes more runs than the others wins more.
      teamRecords: Array.from({ length: 28 }, (_, at) => {
        const runs = 4 * (at - 14) + 2
        const [scored, allowed] = [400 + runs, 400 - runs + (at === 0 ? 60 : 0)]
        const wins = 45 + Math.round((scored - allowed) / 10)
        return teamRecord(901 + at, season, {
          ...{ runsScored: scored, runsAllowed: allowed, leagueRecord: { wins, losses: 90 - wins } },
        })
      }),
    },
  ],
})

/** A season's row with batters faced. */
const year = (inningsPitched: string, earnedRuns: number) => ({
  stat: { inningsPitched, earnedRuns, ...wireCounts, battersFaced: 400 },
})

const kind = (name: string, splits: ReadonlyArray<unknown>) => ({
  type: { displayName: name },
  group: { displayName: "pitching" },
  splits,
})

/** A pitcher with two games this season, on the 3rd and on the 9th of July, and two earlier seasons. */
export const pitching = (earnedRuns: number, changes: Changes = {}, id = 7001) => ({
  stats: [
    kind("gameLog", [
      {
        season: "2026",
        player: { id },
        date: "2026-07-03",
        stat: { inningsPitched: "6.1", earnedRuns },
        gameType: "R",
      },
      { season: "2026", date: "2026-07-09", stat: { inningsPitched: "0.1", earnedRuns: 9 }, gameType: "R" },
    ]),
    kind("yearByYear", [
      { season: "2024", player: { id }, ...year("100.0", 50), team: { id: 111 }, sport: { id: 1 } },
      { season: "2025", ...year("150.2", 60), sport: { id: 1 } },
      { season: "2025", ...year("50.2", 20), team: { id: 111 }, sport: { id: 1 } },
      { season: "2025", ...year("100.0", 40), team: { id: 222 }, sport: { id: 1 } },
      { season: "2026", ...year("6.2", earnedRuns + 9), team: { id: 111 } },
    ]),
  ],
  ...changes,
})

export const notFound: Payload = {
  ...json({ messageNumber: 10, message: "Object not found", timestamp: "2026-07-09T18:20:00Z", traceId: null }),
  status: 404,
}

export const broken: Payload = {
  ...json({ messageNumber: 1, message: "Internal error occurred", timestamp: "2026-07-09T18:20:00Z" }),
  status: 500,
}

/** A statistics service of two teams and one game, hand-made, with the paths and the shapes of the real one. */
export const mlbRoutes = (
  games: () => ReadonlyArray<{ readonly date?: string; readonly game: unknown }>,
): ReadonlyArray<Route> => [
  {
    path: "/api/v1/schedule",
    query: (query) => query.has("gamePks") && !games().some(({ game: row }) => query.get("gamePks") === pkOf(row)),
    reply: notFound,
  },
  {
    path: "/api/v1/schedule",
    reply: ({ query }) =>
      json(
        schedule(
          ...games().filter(({ date = "2026-07-09", game: row }) =>
            query.has("gamePks")
              ? query.get("gamePks") === pkOf(row)
              : date >= query.get("startDate")! && date <= query.get("endDate")!,
          ),
        ),
      ),
  },
  {
    path: "/api/v1/standings",
    reply: ({ query }) => json(standings(Number(query.get("season")))),
  },
  {
    path: "/api/v1/game/500001/boxscore",
    reply: json({
      teams: {
        home: { team: { id: homeTeam.id }, players: wirePlayers(nine(8001)) },
        away: { team: { id: awayTeam.id }, players: wirePlayers([]) },
      },
    }),
  },
  { path: "/api/v1/people", reply: ({ query }) => json(wireBatters(query.get("personIds")!.split(","))) },
  { path: "/api/v1/people/7001/stats", reply: json(pitching(1)) },
  { path: "/api/v1/people/7002/stats", reply: json(pitching(5, {}, 7002)) },
]

const pkOf = (row: unknown): string => String((row as { readonly gamePk?: number }).gamePk)
