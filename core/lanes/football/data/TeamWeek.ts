import * as Either from "effect/Either"
import {
  type CellResult,
  integerIn,
  optionalNumberIn,
  type Row,
  type RowError,
  requiredNumber,
} from "../../../csv/row.ts"
import { teamIn } from "./Game.ts"
import type { Team } from "./teams.ts"

/** A team's offense in one game, by expected points. */
export interface TeamWeek {
  readonly season: number
  readonly week: number
  readonly team: Team
  /** Expected points added by passes and runs. */
  readonly epa: number
  /** Interceptions thrown and fumbles lost. */
  readonly turnovers: number
}

/** Expected points of a game are half as much at most. */
const mostPoints = 80

/** Expected points, where there are any. */
export const pointsIn = (row: Row, field: string): CellResult<number | undefined> =>
  optionalNumberIn(row, field, -mostPoints, mostPoints)

const requiredPoints = (row: Row, field: string): CellResult<number> =>
  Either.flatMap(pointsIn(row, field), () => requiredNumber(row, field))

/**
 * Reads a row of nflverse's `stats_team_week` files (2016 on).
 *
 * @returns a `Refusal` with the absent or unreadable column
 */
export const teamWeekOf = (row: Row): Either.Either<TeamWeek, RowError> =>
  Either.gen(function* () {
    const lost = ["passing_interceptions", "sack_fumbles_lost", "rushing_fumbles_lost", "receiving_fumbles_lost"]
    let turnovers = 0
    for (const field of lost) turnovers += yield* integerIn(row, field, 0, 20)
    return {
      season: yield* integerIn(row, "season", 1999, 2100),
      week: yield* integerIn(row, "week", 1, 22),
      team: yield* teamIn(row, "team"),
      epa: (yield* requiredPoints(row, "passing_epa")) + (yield* requiredPoints(row, "rushing_epa")),
      turnovers,
    }
  })

export type TeamWeeks = ReadonlyMap<string, TeamWeek>

export const teamWeekKey = (season: number, week: number, team: Team): string => `${season}/${week}/${team}`

export const teamWeeks = (rows: Iterable<TeamWeek>): TeamWeeks =>
  new Map(Array.from(rows, (row) => [teamWeekKey(row.season, row.week, row.team), row]))
