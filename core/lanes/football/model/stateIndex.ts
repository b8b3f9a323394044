import { type Team, teams } from "../data/teams.ts"
import { marginCovariates, totalCovariates } from "./covariates.ts"

/* The index of each quantity in the filter's state; quarterbacks follow from `firstQuarterback` on. */
const teamCount = teams.length
const index: ReadonlyMap<Team, number> = new Map(teams.map((team, at) => [team, at]))

const getTeamIndex = (team: Team): number => index.get(team)!

export const offense = (team: Team): number => getTeamIndex(team)
export const defense = (team: Team): number => teamCount + getTeamIndex(team)
/** A team's home edge minus the league's. */
export const teamHome = (team: Team): number => 2 * teamCount + getTeamIndex(team)
/** Points per team and game. */
export const league = 3 * teamCount
/** Half of the league's home edge. */
export const home: number = league + 1
export const marginEffect = (covariate: number): number => home + 1 + covariate
export const totalEffect = (covariate: number): number => home + 1 + marginCovariates.length + covariate
export const firstQuarterback: number = totalEffect(totalCovariates.length)
