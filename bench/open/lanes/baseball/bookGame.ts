import * as Either from "effect/Either"
import {
  type CellResult,
  type Row,
  readDay,
  readInteger,
  readNumber,
  readOptionalInteger,
  readText,
  rowError,
} from "../../../../core/csv/row.ts"

/** One side of a game as a book listed it. American odds are stored as listed, plausible or not. */
export interface BookSide {
  readonly team: string
  /** The listed pitcher, as in `JLESTER-L`. */
  readonly starter?: string
  /** Absent if the game was not completed. */
  readonly runs?: number
  readonly open?: number
  readonly close?: number
}

/** A game with its moneylines. */
export interface BookGame {
  /** `<YYYY-MM-DD>/<rotation number of the visitors>/<of the home team>`. */
  readonly id: string
  readonly season: number
  /** YYYY-MM-DD. */
  readonly day: string
  readonly neutral: boolean
  readonly home: BookSide
  readonly away: BookSide
}

/** Runs by inning of a book's game, separated by `|`; `x` is an inning without batting. */
export interface BookInnings {
  /** That of the `BookGame`. */
  readonly id: string
  readonly season: number
  readonly home?: string
  readonly away?: string
}

const sides = ["home", "away"] as const
type Side = (typeof sides)[number]

const both = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => sides.map((side) => name.replace("*", side)))

/** Columns that identify a game. Rotation numbers distinguish the games of a doubleheader, day and teams do not. */
const idColumns = ["season", "date", ...both(["rot_*"])]

export const gameColumns: ReadonlyArray<string> = [
  ...idColumns,
  "neutral",
  ...both(["*", "*_starter", "*_score", "*_ml_open", "*_ml_close"]),
]

export const inningsColumns: ReadonlyArray<string> = [...idColumns, "inn_a", "inn_h"]

const idIn = (row: Row): CellResult<Pick<BookGame, "id" | "season" | "day">> =>
  Either.gen(function* () {
    const day = yield* readDay(row, "date")
    const season = yield* readInteger(row, "season", 1871, 2100)
    if (season !== Number(day.slice(0, 4))) return yield* rowError("season", `${season} is not the year of ${day}.`)
    const [away, home] = [
      yield* readInteger(row, "rot_away", 1, 99_999),
      yield* readInteger(row, "rot_home", 1, 99_999),
    ] as const
    return { id: `${day}/${away}/${home}`, season, day }
  })

const teamIn = (row: Row, side: Side): CellResult<string> => {
  const team = readText(row, side) ?? ""
  if (!/^[A-Z]{2,3}$/.test(team)) return rowError(side, `"${team}" is not a team code.`)
  // Until 2017 the book wrote LOS for the Dodgers; reading it as the Angels would mix two teams.
  return readText(row, `${side}_raw`) === "LOS" && team !== "LAD"
    ? rowError(side, `LOS is not the Dodgers: ${team}.`)
    : Either.right(team)
}

/** `NL`: no line. */
const oddsIn = (row: Row, field: string): CellResult<number | undefined> =>
  readText(row, field) === "NL" ? Either.right(undefined) : readNumber(row, field)

const sideIn = (row: Row, side: Side): CellResult<BookSide> =>
  Either.gen(function* () {
    const runs = yield* readOptionalInteger(row, `${side}_score`, 0, 99)
    const open = yield* oddsIn(row, `${side}_ml_open`)
    const close = yield* oddsIn(row, `${side}_ml_close`)
    const starter = readText(row, `${side}_starter`)
    return {
      team: yield* teamIn(row, side),
      ...(starter !== undefined && { starter }),
      ...(runs !== undefined && { runs }),
      ...(open !== undefined && { open }),
      ...(close !== undefined && { close }),
    }
  })

/**
 * Reads a row of an archive of moneylines.
 *
 * @param row `gameColumns`, and `home_raw` and `away_raw` where the file has the book's own codes
 * @returns a `Refusal` with the column whose value is absent, unreadable or contradicts another
 */
export const bookGameOf = (row: Row): CellResult<BookGame> =>
  Either.gen(function* () {
    const named = yield* idIn(row)
    const neutral = yield* readInteger(row, "neutral", 0, 1)
    const home = yield* sideIn(row, "home")
    const away = yield* sideIn(row, "away")
    if (home.team === away.team) return yield* rowError("away", `${away.team} does not play itself.`)
    if ((home.runs === undefined) !== (away.runs === undefined)) {
      return yield* rowError(
        home.runs === undefined ? "home_score" : "away_score",
        "Only one of the two scores is there.",
      )
    }
    return { ...named, neutral: neutral === 1, home, away }
  })

/** Archives contain negative runs, which make the side's runs by inning unknown to later steps. */
const inningsIn = (row: Row, field: string): CellResult<string | undefined> => {
  const innings = readText(row, field)
  return innings === undefined || /^(-?\d{1,2}|x)(\|(-?\d{1,2}|x))*$/.test(innings)
    ? Either.right(innings)
    : rowError(field, `"${innings}" are not runs by inning.`)
}

/** Reads the runs by inning from a row that may have other columns of the game too. */
export const bookInningsOf = (row: Row): CellResult<BookInnings> =>
  Either.gen(function* () {
    const { id, season } = yield* idIn(row)
    const [home, away] = [yield* inningsIn(row, "inn_h"), yield* inningsIn(row, "inn_a")] as const
    return { id, season, ...(home !== undefined && { home }), ...(away !== undefined && { away }) }
  })
