import * as Either from "effect/Either"
import {
  type CellResult,
  type Row,
  readInteger,
  readOptionalInteger,
  readPlainDay,
  readText,
  rowError,
} from "../../../../core/csv/row.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import { type LineUp, whyImplausibleLineUp } from "../../../../core/lanes/baseball/skill/lineUps.ts"

/** One side of a logged game. */
export interface LoggedSide {
  /** Retrosheet's code of the team. */
  readonly team: string
  readonly runs: number
  /** Runs by inning, as in `0102(10)000x`; absent where the log has no line score. */
  readonly innings?: string
  /** Earned runs that the side's pitchers allowed. */
  readonly earnedAllowed?: number
  /** Name of the starting pitcher. */
  readonly starter?: string
  /** His id. */
  readonly starterId?: string
  /** Ids of the batters that started, in their order; absent where the log has none of them. */
  readonly lineUp?: LineUp
}

/** A game of a Retrosheet game log. */
export interface GameLog {
  /** `<YYYYMMDD>/<home team>/<number>`. */
  readonly id: string
  readonly season: number
  /** YYYY-MM-DD. */
  readonly day: string
  /** Retrosheet's id of the park. */
  readonly park: string
  readonly home: LoggedSide
  readonly away: LoggedSide
}

const width = 161

/** Places of the batting order; each has an id, a name and a position. */
const places = parameters.lineUp.order.map((_, at) => at + 1)

/** Numbers of the fields read, from 1; a log has 161 fields without a header (retrosheet.org/gamelogs/glfields.txt). */
const fields: Readonly<Record<number, string>> = {
  1: "date",
  2: "number",
  4: "away_team",
  7: "home_team",
  10: "away_score",
  11: "home_score",
  17: "park",
  20: "away_line",
  21: "home_line",
  41: "away_earned_runs",
  69: "home_earned_runs",
  102: "away_starter_id",
  103: "away_starter",
  104: "home_starter_id",
  105: "home_starter",
  ...Object.fromEntries(
    [
      ["away", 106],
      ["home", 133],
    ].flatMap(([side, first]) => places.map((place) => [Number(first) + 3 * (place - 1), `${side}_batter_${place}`])),
  ),
}

export const columns: ReadonlyArray<string | false> = Array.from({ length: width }, (_, at) => fields[at + 1] ?? false)

/** Runs by inning of a line such as `0102(10)000x`. */
export const inningsOf = (line: string): ReadonlyArray<string> =>
  (line.match(/\(\d+\)|./g) ?? []).map((inning) => inning.replace(/[()]/g, ""))

const matching = (row: Row, field: string, form: RegExp, what: string): CellResult<string> => {
  const value = readText(row, field) ?? ""
  return form.test(value) ? Either.right(value) : rowError(field, `"${value}" is ${what}.`)
}

const mostRuns = 99

const lineIn = (row: Row, field: string, runs: number): CellResult<string | undefined> => {
  const line = readText(row, field)
  if (line === undefined) return Either.right(undefined)
  if (!/^(\d|x|\(\d{2}\))+$/.test(line)) return rowError(field, `"${line}" is not a line score.`)
  const sum = inningsOf(line).reduce((all, inning) => all + (inning === "x" ? 0 : Number(inning)), 0)
  return sum === runs ? Either.right(line) : rowError(field, `"${line}" has ${sum} runs where the score is ${runs}.`)
}

const lineUpIn = (row: Row, side: "home" | "away"): CellResult<LineUp | undefined> => {
  const batters = places.flatMap((place) => readText(row, `${side}_batter_${place}`) ?? [])
  if (batters.length === 0) return Either.right(undefined)
  const reason = whyImplausibleLineUp(batters, parameters)
  return reason === undefined ? Either.right(batters) : rowError(`${side}_batter_1`, `${reason}.`)
}

const sideIn = (row: Row, side: "home" | "away"): CellResult<LoggedSide> =>
  Either.gen(function* () {
    const runs = yield* readInteger(row, `${side}_score`, 0, mostRuns)
    const innings = yield* lineIn(row, `${side}_line`, runs)
    const earnedAllowed = yield* readOptionalInteger(row, `${side}_earned_runs`, 0, mostRuns)
    const starter = readText(row, `${side}_starter`)
    const starterId = readText(row, `${side}_starter_id`)
    const lineUp = yield* lineUpIn(row, side)
    return {
      team: yield* matching(row, `${side}_team`, /^[A-Z0-9]{3}$/, "no team code"),
      runs,
      ...(innings !== undefined && { innings }),
      ...(earnedAllowed !== undefined && { earnedAllowed }),
      ...(starter !== undefined && starter !== "(none)" && { starter }),
      ...(starterId !== undefined && { starterId }),
      ...(lineUp !== undefined && { lineUp }),
    }
  })

/**
 * Reads a row of a Retrosheet game log.
 *
 * @param row by the names in `columns`
 * @returns a `Refusal` with the field whose value is absent, unreadable or contradicts another
 */
export const gameLogOf = (row: Row): CellResult<GameLog> =>
  Either.gen(function* () {
    const day = yield* readPlainDay(row, "date")
    // A and B: games of a day on which three teams played each other.
    const number = yield* matching(row, "number", /^[0-3AB]$/, "no number of a game: 0, 1, 2, 3, A or B")
    const home = yield* sideIn(row, "home")
    const away = yield* sideIn(row, "away")
    if (home.team === away.team) return yield* rowError("away_team", `${away.team} does not play itself.`)
    return {
      id: `${readText(row, "date")}/${home.team}/${number}`,
      season: Number(day.slice(0, 4)),
      day,
      park: yield* matching(row, "park", /^[A-Z0-9]{5}$/, "no id of a park"),
      home,
      away,
    }
  })
