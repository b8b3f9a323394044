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
