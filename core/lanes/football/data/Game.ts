import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { BoundedMap } from "../../../BoundedMap.ts"
import {
  type CellResult,
  type Row,
  type RowError,
  readDay,
  readInteger,
  readNumber,
  readOption,
  readOptionalNumber,
  readRequiredNumber,
  readText,
  requireValue,
  rowError,
} from "../../../csv/row.ts"
import { getOrMake } from "../../../getOrMake.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { americanPrice, multiplicative } from "../../../math/devig.ts"
import { byKey, compare } from "../../../text.ts"
import { findFranchise, type Team } from "./teams.ts"

/**
 * US Eastern time, the time zone of the league's schedule. Made when the module is loaded, since the first formatter of a
 * process takes 20 ms of CPU, too long for a call.
 */
export const eastern: DateTime.TimeZone = DateTime.zoneUnsafeMakeNamed("America/New_York")

const gameTypes = ["REG", "WC", "DIV", "CON", "SB"] as const
export type GameType = (typeof gameTypes)[number]

const roofs = ["outdoors", "dome", "closed", "open"] as const
export type Roof = (typeof roofs)[number]

export interface Side {
  readonly team: Team
  /** The team's code in that season, which also shows its city: `OAK`, `LV`. */
  readonly code: string
  /** Days since the team's last game; 7 in the first week. */
  readonly rest: number
  /** GSIS id of the actual or expected starter; absent while unknown. */
  readonly quarterback?: string
  readonly quarterbackName?: string
  readonly coach?: string
}

export interface Score {
  readonly home: number
  readonly away: number
}

/** A game of the schedule as input of the rating, played or not. No field comes from a betting market. */
export interface Game {
  readonly id: string
  readonly season: number
  readonly type: GameType
  /** 1–22. A playoff round's week depends on the season; `type` is the round. */
  readonly week: number
  /** YYYY-MM-DD, US Eastern. */
  readonly gameday: string
  /** HH:MM, US Eastern; absent in 1999. */
  readonly kickoff?: string
  readonly home: Side
  readonly away: Side
  /** Absent until final. */
  readonly score?: Score
  /** True if it is played at a neutral site, where the home team is only listed as such. */
  readonly neutral: boolean
  readonly division: boolean
  /** Absent at a neutral site, as is the stadium. */
  readonly roof?: Roof
  readonly surface?: string
  /** Degrees Fahrenheit, observed at the game. */
  readonly temperature?: number
  /** Miles per hour, observed at the game. */
  readonly wind?: number
  readonly stadium?: string
}

/** Reads the franchise in a column, under any of its codes. */
export const readTeam = (row: Row, field: string): CellResult<Team> => {
  const team = findFranchise(readText(row, field) ?? "")
  return team === undefined ? rowError(field, `"${row[field] ?? ""}" is not a team code.`) : Either.right(team)
}

/** Up to this season some kickoffs are 12-hour times; no game started before noon then. */
const lastTwelveHourSeason = 2002

/** Games abroad kick off in the morning. */
const earliestHour = 9

const readKickoff = (row: Row, season: number): CellResult<string | undefined> => {
  const value = readText(row, "gametime")
  if (value === undefined) return Either.right(undefined)
  const match = /^(\d{1,2}):([0-5]\d)$/.exec(value)
  const hour = Number(match?.[1])
  if (match === null || hour > 23) return rowError("gametime", `"${value}" is not a time (HH:MM).`)
  const corrected = season <= lastTwelveHourSeason && hour < 12 ? hour + 12 : hour
  if (corrected < earliestHour) return rowError("gametime", `"${value}" is not a time of a kickoff, US Eastern.`)
  return Either.right(`${String(corrected).padStart(2, "0")}:${match[2]}`)
}

const readScore = (row: Row): CellResult<Score | undefined> =>
  Either.gen(function* () {
    const home = yield* readNumber(row, "home_score")
    const away = yield* readNumber(row, "away_score")
    if (home === undefined && away === undefined) return undefined
    if (home === undefined || away === undefined) {
      return yield* rowError(home === undefined ? "home_score" : "away_score", "Only one of the two scores is present.")
    }
    for (const field of ["home_score", "away_score"]) yield* readInteger(row, field, 0, 200)
    for (const [field, expected] of [
      ["result", home - away],
      ["total", home + away],
    ] as const) {
      const stated = yield* readNumber(row, field)
      if (stated !== undefined && stated !== expected) {
        return yield* rowError(field, `${stated} contradicts the score ${home}–${away}.`)
      }
    }
    return { home, away }
  })

/** Reads the parts of an id `<season>_<week>_<away>_<home>`, which has the team codes of its season. */
const parseId = (row: Row): CellResult<{ readonly id: string; readonly away: string; readonly home: string }> =>
  Either.gen(function* () {
    const id = readText(row, "game_id") ?? ""
    const match = /^(\d{4})_(\d{2})_([A-Z]{2,3})_([A-Z]{2,3})$/.exec(id)
    if (match === null) return yield* rowError("game_id", `"${id}" is not an id (<season>_<week>_<away>_<home>).`)
    const [, season, week, away = "", home = ""] = match
    const agrees =
      Number(season) === Number(row["season"]) &&
      Number(week) === Number(row["week"]) &&
      findFranchise(away) === (yield* readTeam(row, "away_team")) &&
      findFranchise(home) === (yield* readTeam(row, "home_team"))
    if (!agrees || findFranchise(away) === findFranchise(home)) {
      return yield* rowError("game_id", `"${id}" contradicts season, week or teams of its row.`)
    }
    return { id, away, home }
  })

const readSide = (row: Row, side: "home" | "away", code: string): CellResult<Side> =>
  Either.gen(function* () {
    return {
      team: yield* readTeam(row, `${side}_team`),
      code,
      rest: yield* readInteger(row, `${side}_rest`, 0, 400),
      ...ifDefined("quarterback", readText(row, `${side}_qb_id`)),
      ...ifDefined("quarterbackName", readText(row, `${side}_qb_name`)),
      ...ifDefined("coach", readText(row, `${side}_coach`)),
    }
  })

/**
 * Reads a row of nflverse's games file, with any of the spellings in use.
 *
 * @param row the columns `game_id`, `season`, `game_type`, `week`, `gameday`, `gametime`, `{home,away}_{team,score,rest,
 *   qb_id,qb_name,coach}`, `location`, `div_game`, `roof`, `surface`, `temp`, `wind`, `stadium`; others are ignored
 * @returns left with the column if a required value is absent, unreadable or contradicts another
 */
export const readGame = (row: Row): Either.Either<Game, RowError> =>
  Either.gen(function* () {
    const season = yield* readInteger(row, "season", 1920, 2100)
    const week = yield* readInteger(row, "week", 1, 22)
    const parts = yield* parseId(row)
    const type = yield* requireValue(yield* readOption(row, "game_type", gameTypes), "game_type")
    const location = yield* requireValue(yield* readOption(row, "location", ["Home", "Neutral"]), "location")
    const kickoff = yield* readKickoff(row, season)
    const score = yield* readScore(row)
    const isNeutral = location === "Neutral"
    const roof = yield* readOption(row, "roof", roofs)
    const temperature = yield* readOptionalNumber(row, "temp", -40, 130)
    const wind = yield* readOptionalNumber(row, "wind", 0, 100)
    return {
      id: parts.id,
      season,
      type,
      week,
      gameday: yield* readDay(row, "gameday"),
      ...ifDefined("kickoff", kickoff),
      home: yield* readSide(row, "home", parts.home),
      away: yield* readSide(row, "away", parts.away),
      ...ifDefined("score", score),
      neutral: isNeutral,
      division: (yield* readInteger(row, "div_game", 0, 1)) === 1,
      // At a neutral site the file may have the home team's roof.
      ...ifDefined("roof", isNeutral ? undefined : roof),
      ...ifDefined("surface", readText(row, "surface")),
      ...ifDefined("temperature", temperature),
      ...ifDefined("wind", wind),
      ...ifDefined("stadium", isNeutral ? undefined : readText(row, "stadium")),
    }
  })

/** Without the score and the observed weather, as before kickoff. */
export const hideResult = ({ score: _score, temperature: _temperature, wind: _wind, ...game }: Game): Game => game

/** Kickoffs by local time: many games start together, and finding the zone's offset takes 50 µs. */
const kickoffCache = new BoundedMap<string, number | undefined>(10_000)

const parseLocalTime = (local: string): number | undefined =>
  Option.getOrUndefined(
    Option.map(DateTime.makeZoned(local, { timeZone: eastern, adjustForTimeZone: true }), DateTime.toEpochMillis),
  )

/** Epoch milliseconds of the kickoff; undefined without a time of day. */
export const toKickoffTime = ({ gameday, kickoff }: Game): number | undefined => {
  if (kickoff === undefined) return undefined
  return getOrMake(kickoffCache, `${gameday}T${kickoff}:00`, parseLocalTime)
}

/** The season in a game's id, `2026_01_KC_LAC`. */
export const parseSeason = (id: string): number => Number(id.slice(0, 4))

/** Groups games by day, earliest first; within a day they are sorted by id. */
export const groupByGameday = (games: ReadonlyArray<Game>): ReadonlyArray<ReadonlyArray<Game>> =>
  Object.entries(Arr.groupBy(games, ({ gameday }) => gameday))
    .sort(byKey)
    .map(([, day]) => day.sort((a, b) => compare(a.id, b.id)))

/** The consensus lines of a game. No model reads them. */
export interface MarketLines {
  /** Points; positive: the home team is favoured. */
  readonly spread?: number
  readonly total?: number
  /** American odds. */
  readonly homeMoneyline?: number
  readonly awayMoneyline?: number
}

const readOdds = (row: Row, field: string): Either.Either<number | undefined, RowError> =>
  Either.filterOrLeft(
    readNumber(row, field),
    (odds) => odds === undefined || Math.abs(odds) >= 100,
    (odds): RowError => ({ field, reason: `${odds} is not American odds.` }),
  )

/** Reads the closing lines (before the game, the current ones) of a row of nflverse's games file. */
export const readLines = (row: Row): Either.Either<MarketLines, RowError> =>
  Either.gen(function* () {
    return {
      ...ifDefined("spread", yield* readOptionalNumber(row, "spread_line", -40, 40)),
      ...ifDefined("total", yield* readOptionalNumber(row, "total_line", 20, 90)),
      ...ifDefined("homeMoneyline", yield* readOdds(row, "home_moneyline")),
      ...ifDefined("awayMoneyline", yield* readOdds(row, "away_moneyline")),
    }
  })

/** The market's probability of a home win, without the bookmaker's margin; undefined without both moneylines. */
export const impliedHomeWin = ({ homeMoneyline, awayMoneyline }: MarketLines): number | undefined => {
  if (homeMoneyline === undefined || awayMoneyline === undefined) return undefined
  return multiplicative([americanPrice(homeMoneyline), americanPrice(awayMoneyline)])[0]!
}

export interface TeamWeek {
  readonly season: number
  readonly week: number
  readonly team: Team
  /** Expected points added by passes and runs. */
  readonly epa: number
  /** Interceptions thrown and fumbles lost. */
  readonly turnovers: number
}

/** A bound at twice the most expected points that a game has had. */
const maxExpectedPoints = 80

/** Reads expected points; undefined if the cell is blank. */
export const readPoints = (row: Row, field: string): CellResult<number | undefined> =>
  readOptionalNumber(row, field, -maxExpectedPoints, maxExpectedPoints)

const readRequiredPoints = (row: Row, field: string): CellResult<number> =>
  Either.flatMap(readPoints(row, field), () => readRequiredNumber(row, field))

/**
 * Reads a row of nflverse's `stats_team_week` files (2016 on).
 *
 * @returns left with the absent or unreadable column
 */
export const readTeamWeek = (row: Row): Either.Either<TeamWeek, RowError> =>
  Either.gen(function* () {
    const lost = ["passing_interceptions", "sack_fumbles_lost", "rushing_fumbles_lost", "receiving_fumbles_lost"]
    let turnovers = 0
    for (const field of lost) turnovers += yield* readInteger(row, field, 0, 20)
    return {
      season: yield* readInteger(row, "season", 1999, 2100),
      week: yield* readInteger(row, "week", 1, 22),
      team: yield* readTeam(row, "team"),
      epa: (yield* readRequiredPoints(row, "passing_epa")) + (yield* readRequiredPoints(row, "rushing_epa")),
      turnovers,
    }
  })

export type TeamWeeks = ReadonlyMap<string, TeamWeek>

export const toTeamWeekKey = (season: number, week: number, team: Team): string => `${season}/${week}/${team}`

export const indexTeamWeeks = (rows: Iterable<TeamWeek>): TeamWeeks =>
  new Map(Array.from(rows, (row) => [toTeamWeekKey(row.season, row.week, row.team), row]))
