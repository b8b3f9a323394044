import type { Roof } from "../../../../core/lanes/football/data/Game.ts"
import { type Team, teams } from "../../../../core/lanes/football/data/teams.ts"
import { addDays } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { normal } from "../../mock/hash.ts"

/** Two conferences of four divisions. The teams' names are the league's; all results are invented. */
export const conferences: ReadonlyArray<ReadonlyArray<ReadonlyArray<Team>>> = [
  [
    ["BUF", "MIA", "NE", "NYJ"],
    ["BAL", "CIN", "CLE", "PIT"],
    ["HOU", "IND", "JAX", "TEN"],
    ["DEN", "KC", "LAC", "LV"],
  ],
  [
    ["DAL", "NYG", "PHI", "WAS"],
    ["CHI", "DET", "GB", "MIN"],
    ["ATL", "CAR", "NO", "TB"],
    ["ARI", "LA", "SEA", "SF"],
  ],
]

export const divisions: ReadonlyArray<ReadonlyArray<Team>> = conferences.flat()

export const firstSeason = 1999

/** A regular season of 17 weeks, and of 18 since 2021. */
export const countRegularWeeks = (season: number): number => (season < 2021 ? 17 : 18)

export const teamNumber: ReadonlyMap<Team, number> = new Map(teams.map((team, at) => [team, at]))

const roofed: ReadonlySet<Team> = new Set(["ATL", "ARI", "DAL", "DET", "HOU", "IND", "LA", "LAC", "LV", "MIN", "NO"])
const turf: ReadonlySet<Team> = new Set([...roofed, "BUF", "CAR", "CIN", "NE", "NYG", "NYJ", "SEA", "TEN"])

export const homeVenue = (team: Team): { readonly roof: Roof; readonly surface: string; readonly stadium: string } => ({
  roof: roofed.has(team) ? "dome" : "outdoors",
  surface: turf.has(team) && team !== "ARI" ? "fieldturf" : "grass",
  stadium: `${team} Field`,
})

/** The share of a team's strength that persists into the next season. */
const persistingShare = 0.5

/** Points of a team's offense and defense above average. */
export const drawStrength = memoize((team: Team, season: number): { offense: number; defense: number } => {
  const key = `${team}/${season}`
  const previous = season <= firstSeason ? { offense: 0, defense: 0 } : drawStrength(team, season - 1)
  return {
    offense: persistingShare * previous.offense + 2.4 * normal("football", key, "offense"),
    defense: persistingShare * previous.defense + 1.9 * normal("football", key, "defense"),
  }
})

export const carryStrength = (team: Team, season: number): number => {
  if (season <= firstSeason) return 0
  const { offense, defense } = drawStrength(team, season - 1)
  return persistingShare * (offense + defense)
}

/** The Thursday of a week, counted from 1. */
export const toWeekStart = (opening: string, week: number): string => addDays(opening, 7 * (week - 1))
