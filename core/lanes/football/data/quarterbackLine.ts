import * as Either from "effect/Either"
import { integerIn, numberIn, type Row, type RowError, requiredText, textIn } from "../../../csv/row.ts"
import { ifDefined } from "../../../ifDefined.ts"
import type { Career, Provenance, QuarterbackWeek } from "../ports.ts"
import { teamIn } from "./Game.ts"
import { codeIn } from "./teams.ts"

export type QuarterbackLine = Omit<QuarterbackWeek, keyof Provenance>

/** The first season of the stat lines. */
const firstSeason = 2002

/** The name of a renamed column in this row. */
const named = (row: Row, ...names: readonly [string, ...ReadonlyArray<string>]): string =>
  names.find((name) => row[name] !== undefined) ?? names[0]

/**
 * Reads a row of nflverse's player weeks, with the column names of before and after 2025.
 *
 * @returns undefined for players who are not quarterbacks and for earlier seasons; a `Refusal` with the absent or
 *   unreadable column
 */
export const quarterbackLineOf = (row: Row): Either.Either<QuarterbackLine | undefined, RowError> => {
  if (textIn(row, "position") !== "QB" || Number(row["season"]) < firstSeason) return Either.right(undefined)
  return Either.gen(function* () {
    const count = (low: number, ...names: readonly [string, ...ReadonlyArray<string>]) =>
      // Adding 0 turns the "-0.0" of some files into 0.
      Either.map(integerIn(row, named(row, ...names), low, 1_000), (value) => value + 0)
    const playerId = yield* requiredText(row, "player_id")
    const player = yield* requiredText(row, "player_display_name")
    const season = yield* integerIn(row, "season", firstSeason, 2100)
    const passingEpa = yield* numberIn(row, "passing_epa")
    const cpoe = yield* numberIn(row, "passing_cpoe")
    return {
      playerId,
      player,
      position: "QB",
      season,
      week: yield* integerIn(row, "week", 1, 22),
      code: codeIn(yield* teamIn(row, named(row, "team", "recent_team")), season),
      opponentCode: codeIn(yield* teamIn(row, "opponent_team"), season),
      completions: yield* count(0, "completions"),
      attempts: yield* count(0, "attempts"),
      passingYards: yield* count(-200, "passing_yards"),
      passingTds: yield* count(0, "passing_tds"),
      interceptions: yield* count(0, "passing_interceptions", "interceptions"),
      sacksSuffered: yield* count(0, "sacks_suffered", "sacks"),
      ...ifDefined("passingEpa", passingEpa),
      ...ifDefined("cpoe", cpoe),
      rushingYards: yield* count(-200, "rushing_yards"),
      rushingTds: yield* count(0, "rushing_tds"),
    }
  })
}

type Line = Pick<QuarterbackLine, "attempts" | "code" | "player" | "playerId" | "position" | "season" | "week">

/** Careers summed from weeks. @param lines in order of season and week */
export const careersOf = (lines: Iterable<Line>): ReadonlyArray<Career> => {
  const careers = new Map<string, Career>()
  for (const { playerId, player, position, code, season, week, attempts } of lines) {
    const before = careers.get(playerId)
    careers.set(playerId, {
      playerId,
      player,
      position,
      code,
      firstSeason: before?.firstSeason ?? season,
      lastSeason: season,
      lastWeek: week,
      attempts: (before?.attempts ?? 0) + attempts,
    })
  }
  return [...careers.values()]
}
