import type { PitchedGames } from "../../core/lanes/baseball/ports.ts"
import type { PitchingCounts } from "../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame } from "../../core/lanes/baseball/skill/states.ts"
import { addDays } from "../../core/time.ts"

/** A usual game of a team's pitching. */
export const usual: PitchingCounts = {
  ...{ faced: 38, strikeouts: 9, walks: 3, intentional: 0, hitBatsmen: 0 },
  ...{ hits: 8, doubles: 2, triples: 0, homers: 1 },
}

/** The same by the names of the statistics service. */
export const wireCounts = {
  ...{ battersFaced: 38, strikeOuts: 9, baseOnBalls: 3, intentionalWalks: 0, hitBatsmen: 0 },
  ...{ hits: 8, doubles: 2, triples: 0, homeRuns: 1 },
}

/** Nine batters, by their ids. */
export const nine = (from: number): ReadonlyArray<string> => Array.from({ length: 9 }, (_, at) => String(from + at))

/** Players of a box score: those who start, one on the bench, and one who came in for the last. */
export const wirePlayers = (batters: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [
      ...batters.map((id, at) => [id, `${at + 1}00`] as const).toReversed(),
      ["9901", "901"] as const,
      ["9902", undefined] as const,
    ].map(([id, battingOrder], at) => [
      `ID${at}`,
      { person: { id: Number(id) }, ...(battingOrder !== undefined && { battingOrder }) },
    ]),
  )

/** Seasons of batters as the statistics service lists them: half a season of two teams with its total, and a total. */
export const wireBatters = (ids: ReadonlyArray<string>) => {
  const { battersFaced: plateAppearances, hitBatsmen: hitByPitch, ...rest } = wireCounts
  const row = (season: string, changes: object, of: object = {}) => ({
    ...{ season, stat: { ...rest, plateAppearances, hitByPitch, ...changes }, sport: { id: 1 }, gameType: "R" },
    ...of,
  })
  const splits = [
    row("2021", { plateAppearances: 600 }, { team: { id: 111 } }),
    row("2024", { plateAppearances: 500, hitByPitch: 3 }, { team: { id: 111 } }),
    row("2025", { plateAppearances: 400 }),
    row("2025", { plateAppearances: 150 }, { team: { id: 111 } }),
    row("2025", { plateAppearances: 250 }, { team: { id: 222 } }),
    row("2026", { plateAppearances: 300 }, { team: { id: 111 } }),
  ]
  const stats = [{ type: { displayName: "yearByYear" }, group: { displayName: "hitting" }, splits }]
  return { people: ids.map((id) => ({ id: Number(id), ...(id !== "9902" && { stats }) })) }
}

/** A game of teams 111 and 222, whose starters are 7001 and 7002. */
export const pitched = (id: string, day: string, changes: Partial<PitchedGame> = {}): PitchedGame => ({
  id,
  season: Number(day.slice(0, 4)),
  day,
  home: { team: "111", starter: "7001", counts: { ...usual, strikeouts: 12 } },
  away: { team: "222", starter: "7002", counts: usual },
  ...changes,
})

/** Games on the days from 1 April 2026 on. */
export const pitchedGames = (count: number): PitchedGames => ({
  ...{ source: "test league", locator: "pitching", fetchedAt: 0, stale: false },
  games: Array.from({ length: count }, (_, at) => pitched(String(1_000 + at), addDays("2026-04-01", at))),
  careers: { of: () => undefined, league: () => undefined },
})
