import * as Either from "effect/Either"
import {
  integerIn,
  optionalNumberIn,
  type Row,
  type RowError,
  requiredText,
  rowError,
  textIn,
} from "../../../csv/row.ts"
import { ifDefined } from "../../../ifDefined.ts"
import type { Career, Provenance, QuarterbackWeek } from "../ports.ts"
import { teamIn } from "./Game.ts"
import { pointsIn } from "./TeamWeek.ts"
import { codeIn } from "./teams.ts"

export type QuarterbackLine = Omit<QuarterbackWeek, keyof Provenance>

/** The first season of the stat lines. */
const firstSeason = 2002

/** Yards from one end line to the other. */
const longestPlay = 100

/** The name of a renamed column in this row. */
const named = (row: Row, ...names: readonly [string, ...ReadonlyArray<string>]): string =>
  names.find((name) => row[name] !== undefined) ?? names[0]

/** A stat line whose counts contradict each other, as when a column is shifted by a row. */
const contradiction = (
  row: Row,
  { completions, attempts, passingTds, interceptions, passingYards, rushingTds }: QuarterbackLine,
): Either.Either<void, RowError> => {
  const carries = textIn(row, "carries")
  if (completions > attempts) return rowError("completions", `${completions} of ${attempts} attempts.`)
  if (passingTds > completions) return rowError("passing_tds", `${passingTds} with ${completions} completions.`)
  if (interceptions > attempts - completions) {
    return rowError(named(row, "passing_interceptions", "interceptions"), `${interceptions} of ${attempts} attempts.`)
  }
  if (Math.abs(passingYards) > longestPlay * completions) {
    return rowError("passing_yards", `${passingYards} with ${completions} completions.`)
  }
  if (carries !== undefined && rushingTds > Number(carries)) {
    return rowError("rushing_tds", `${rushingTds} with ${carries} carries.`)
  }
  return Either.void
}

const lineIn = (row: Row, season: number): Either.Either<QuarterbackLine, RowError> =>
  Either.gen(function* () {
    const count = (low: number, ...names: readonly [string, ...ReadonlyArray<string>]) =>
      // Adding 0 turns the "-0.0" of some files into 0.
      Either.map(integerIn(row, named(row, ...names), low, 1_000), (value) => value + 0)
    const passingEpa = yield* pointsIn(row, "passing_epa")
    const cpoe = yield* optionalNumberIn(row, "passing_cpoe", -100, 100)
    return {
      playerId: yield* requiredText(row, "player_id"),
      player: yield* requiredText(row, "player_display_name"),
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

/**
 * Reads a row of nflverse's player weeks, with the column names of before and after 2025.
 *
 * @returns undefined for players who are not quarterbacks and for earlier seasons; a `Refusal` with the absent or
 *   unreadable column
 */
export const quarterbackLineOf = (row: Row): Either.Either<QuarterbackLine | undefined, RowError> => {
  if (textIn(row, "position") !== "QB") return Either.right(undefined)
  const year = integerIn(row, "season", 1900, 2100)
  if (Either.isLeft(year)) return Either.left(year.left)
  if (year.right < firstSeason) return Either.right(undefined)
  return Either.flatMap(lineIn(row, year.right), (line) => Either.map(contradiction(row, line), () => line))
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
