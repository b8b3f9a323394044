import * as Either from "effect/Either"
import {
  dayIn,
  integerIn,
  numberIn,
  optionalIntegerIn,
  type Read,
  type Row,
  refuse,
  textIn,
} from "../../core/csv/row.ts"

/** One side of a game as a book listed it. Odds are American, as they stand there, whether they are sound or not. */
export interface BookSide {
  readonly team: string
  /** The pitcher that was listed, as in `JLESTER-L`. */
  readonly starter?: string
  /** Absent where the game was not played to an end. */
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

/** Runs by inning of a book's game, with `|` between them; `x` is an inning that was not batted. */
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

/** What names a game. Rotation numbers tell the two games of a doubleheader apart, which day and teams do not. */
const idColumns = ["season", "date", ...both(["rot_*"])]

export const gameColumns: ReadonlyArray<string> = [
  ...idColumns,
  "neutral",
  ...both(["*", "*_starter", "*_score", "*_ml_open", "*_ml_close"]),
]

export const inningsColumns: ReadonlyArray<string> = [...idColumns, "inn_a", "inn_h"]

const idIn = (row: Row): Read<Pick<BookGame, "id" | "season" | "day">> =>
  Either.gen(function* () {
    const day = yield* dayIn(row, "date")
    const season = yield* integerIn(row, "season", 1871, 2100)
    if (season !== Number(day.slice(0, 4))) return yield* refuse("season", `${season} is not the year of ${day}.`)
    const [away, home] = [
      yield* integerIn(row, "rot_away", 1, 99_999),
      yield* integerIn(row, "rot_home", 1, 99_999),
    ] as const
    return { id: `${day}/${away}/${home}`, season, day }
  })

const teamIn = (row: Row, side: Side): Read<string> => {
  const team = textIn(row, side) ?? ""
  if (!/^[A-Z]{2,3}$/.test(team)) return refuse(side, `"${team}" is no team code.`)
  // Until 2017 the book wrote LOS for the Dodgers; a file that takes it for the Angels would mix two teams.
  return textIn(row, `${side}_raw`) === "LOS" && team !== "LAD"
    ? refuse(side, `LOS is not the Dodgers: ${team}.`)
    : Either.right(team)
}

/** `NL` is a book's word for no line. */
const oddsIn = (row: Row, field: string): Read<number | undefined> =>
  textIn(row, field) === "NL" ? Either.right(undefined) : numberIn(row, field)

const sideIn = (row: Row, side: Side): Read<BookSide> =>
  Either.gen(function* () {
    const runs = yield* optionalIntegerIn(row, `${side}_score`, 0, 99)
    const open = yield* oddsIn(row, `${side}_ml_open`)
    const close = yield* oddsIn(row, `${side}_ml_close`)
    const starter = textIn(row, `${side}_starter`)
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
 * @returns a `Refusal` naming the column when a value is absent, unreadable or contradicts another
 */
export const bookGameOf = (row: Row): Read<BookGame> =>
  Either.gen(function* () {
    const named = yield* idIn(row)
    const neutral = yield* integerIn(row, "neutral", 0, 1)
    const home = yield* sideIn(row, "home")
    const away = yield* sideIn(row, "away")
    if (home.team === away.team) return yield* refuse("away", `${away.team} does not play itself.`)
    if ((home.runs === undefined) !== (away.runs === undefined)) {
      return yield* refuse(
        home.runs === undefined ? "home_score" : "away_score",
        "Only one of the two scores is there.",
      )
    }
    return { ...named, neutral: neutral === 1, home, away }
  })

/** What is below zero stands in the archives, and makes the side's runs by inning unknown to those who read them. */
const inningsIn = (row: Row, field: string): Read<string | undefined> => {
  const innings = textIn(row, field)
  return innings === undefined || /^(-?\d{1,2}|x)(\|(-?\d{1,2}|x))*$/.test(innings)
    ? Either.right(innings)
    : refuse(field, `"${innings}" are no runs by inning.`)
}

/** Reads the runs by inning of a row that may hold the rest of a book's game as well. */
export const bookInningsOf = (row: Row): Read<BookInnings> =>
  Either.gen(function* () {
    const { id, season } = yield* idIn(row)
    const [home, away] = [yield* inningsIn(row, "inn_h"), yield* inningsIn(row, "inn_a")] as const
    return { id, season, ...(home !== undefined && { home }), ...(away !== undefined && { away }) }
  })
