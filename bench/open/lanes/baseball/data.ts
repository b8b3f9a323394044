import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import type { FileFormat } from "../../../../core/csv/FileFormat.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type { PitcherLine } from "../../../../core/lanes/baseball/lines.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import {
  computeLineUpDifference,
  type LineUp,
  type TeamLineUps,
  takeUsual,
} from "../../../../core/lanes/baseball/skill/lineUps.ts"
import { type Careers, type Rates, sumCounts, toRates } from "../../../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame, SkillStates, SkillTerms } from "../../../../core/lanes/baseball/skill/states.ts"
import { americanPrice, multiplicative } from "../../../../core/math/devig.ts"
import { compare } from "../../../../core/text.ts"
import type { Seasons } from "../../compare/seasons.ts"
import type { Input } from "../../compare/Task.ts"
import { type BookGame, type BookInnings, bookGameOf, bookInningsOf, gameColumns, inningsColumns } from "./bookGame.ts"
import { columns, type GameLog, gameLogOf, inningsOf } from "./gameLog.ts"
import { type PlayerSeason, type SkillArchive, type Starters, skillFeeds, type TeamGame } from "./skillFiles.ts"
import type { Played, PlayedSide } from "./walk.ts"
import { walkSkills } from "./walkSkills.ts"

/** The skills of an archive's games. */
export interface SkillData {
  /** By bench id. */
  readonly terms: ReadonlyMap<string, SkillTerms>
  /** Differences of line-ups by bench id. */
  readonly lineUps: ReadonlyMap<string, number>
  /** After the last game. */
  readonly states: SkillStates
  /** The rates of whole seasons. */
  readonly league: ReadonlyMap<number, Rates>
}

const leagueOf = (rows: ReadonlyArray<PlayerSeason>): ReadonlyMap<number, Rates> =>
  new Map(
    [...new Set(rows.map(({ season }) => season))].map((season) => [
      season,
      toRates(sumCounts(rows.filter((row) => row.season === season).map(({ counts }) => counts))),
    ]),
  )

/** Whole seasons by Retrosheet's ids: namesakes are separate. */
const careersOf = (rows: ReadonlyArray<PlayerSeason>, league: ReadonlyMap<number, Rates>): Careers => {
  const own = new Map(rows.map(({ season, player, counts }) => [`${season}/${player}`, counts]))
  return { of: (player, season) => own.get(`${season}/${player}`), league: (season) => league.get(season) }
}

/** Retrosheet's id of a logged game. */
const gameOf = ({ id, home }: GameLog): string => {
  const [date, , number] = id.split("/") as [string, string, string]
  return `${home.team}${date}${number}`
}

const loggedStarters = (logs: ReadonlyArray<GameLog>): ReadonlyArray<Starters> =>
  logs.map((log) => ({
    ...{ id: log.id, season: log.season, game: gameOf(log) },
    ...{ home: log.home.starterId, away: log.away.starterId },
  }))

/** Differences of line-ups by game, each from the games of the season on the days before. */
const lineUpsOf = (logs: ReadonlyArray<GameLog>, careers: Careers): ReadonlyMap<string, number> => {
  const differences = new Map<string, number>()
  const before = new Map<string, ReadonlyArray<LineUp>>()
  const sideOf = (season: number, { team, lineUp }: GameLog["home"]): TeamLineUps | undefined =>
    lineUp && { own: lineUp, recent: before.get(`${season}/${team}`) ?? [] }
  const days = Object.entries(Arr.groupBy(logs, ({ day }) => day)).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [, games] of days) {
    for (const game of games) {
      const [home, away] = [sideOf(game.season, game.home), sideOf(game.season, game.away)]
      if (home === undefined || away === undefined) continue
      differences.set(gameOf(game), computeLineUpDifference(game.season, { home, away }, careers, parameters))
    }
    for (const { season, home, away } of games) {
      for (const { team, lineUp } of [home, away]) {
        const key = `${season}/${team}`
        if (lineUp !== undefined) before.set(key, takeUsual([...(before.get(key) ?? []), lineUp], parameters))
      }
    }
  }
  return differences
}

/** Starters by Retrosheet's game. A game that two bench games claim has none, nor has a pitcher of both sides. */
const byGame = (all: ReadonlyArray<Starters>): ReadonlyMap<string, Starters> => {
  const games = new Map<string, Starters>()
  const claimed = new Set<string>()
  for (const each of all) {
    if (each.game === undefined) continue
    if (games.has(each.game)) claimed.add(each.game)
    const isOne = each.home !== undefined && each.home === each.away
    games.set(each.game, isOne ? { ...each, home: undefined, away: undefined } : each)
  }
  for (const game of claimed) games.delete(game)
  return games
}

const pitchedGames = (
  rows: ReadonlyArray<TeamGame>,
  starters: ReadonlyMap<string, Starters>,
): ReadonlyArray<PitchedGame> => {
  const sides = new Map(rows.map((row) => [`${row.game}/${row.isHome}`, row]))
  return rows.flatMap((home): ReadonlyArray<PitchedGame> => {
    const away = sides.get(`${home.game}/false`)
    if (!home.isHome || away === undefined) return []
    const named = starters.get(home.game)
    return [
      {
        id: home.game,
        season: home.season,
        day: home.day,
        home: { team: home.team, starter: named?.home, counts: home.counts },
        away: { team: away.team, starter: named?.away, counts: away.counts },
      },
    ]
  })
}

/**
 * The skills and line-ups before each bench game that an archive of lines has.
 *
 * @param logs line-ups are of all seasons, starters of those after `last`
 * @param last the archive of starters' last season
 */
export const skillDataOf = (archive: SkillArchive, logs: ReadonlyArray<GameLog>, last: number): SkillData => {
  const league = leagueOf(archive.careers)
  const later = logs.filter(({ season }) => season > last)
  const starters = byGame([...archive.starters, ...loggedStarters(later)])
  const games = pitchedGames(archive.pitching, starters)
  const { terms, states } = walkSkills(games, careersOf(archive.careers, league), parameters)
  const ofBench = <A>(values: ReadonlyMap<string, A>): ReadonlyMap<string, A> =>
    new Map(
      [...starters].flatMap(([game, { id }]) => {
        const own = values.get(game)
        return own === undefined ? [] : [[id, own] as const]
      }),
    )
  const lineUps = lineUpsOf(logs, careersOf(archive.batters, league))
  return { terms: ofBench(terms), lineUps: ofBench(lineUps), states, league }
}

type Keyed = { readonly id: string; readonly season: number }

const byId = { keyOf: ({ id }: Keyed) => id, seasonOf: ({ season }: Keyed) => season }

const odds: FileFormat<"odds", BookGame> = {
  ...byId,
  name: "odds",
  source: "archive of moneylines",
  columns: gameColumns,
  read: bookGameOf,
}

const innings: FileFormat<"innings", BookInnings> = {
  ...byId,
  name: "innings",
  source: "archive of moneylines",
  columns: inningsColumns,
  read: bookInningsOf,
}

const gameLogs: FileFormat<"game_logs", GameLog> = {
  ...byId,
  name: "game_logs",
  source: "Retrosheet game logs",
  columns: columns.filter((name) => name !== false),
  unnamed: columns,
  read: gameLogOf,
}

/** Kinds of archive files, in the order of inputs. */
export const feeds = { odds, innings, game_logs: gameLogs, ...skillFeeds } as const
export type FeedName = keyof typeof feeds

/** Past games, unordered. */
export interface Archived {
  readonly odds: ReadonlyArray<BookGame>
  readonly innings: ReadonlyArray<BookInnings>
  readonly logs: ReadonlyArray<GameLog>
  /** Absent: the games are without skills. */
  readonly skill?: SkillArchive | undefined
  /** Their files, in the order of feeds and names. */
  readonly inputs: ReadonlyArray<Input>
}

/** American odds of both sides: +150 wins 150 on 100, −150 wins 100 on 150. */
export interface Price {
  readonly home: number
  readonly away: number
}

/** Range of a book's margin; outside it the two prices are not of one line. */
const isBook = (margin: number): boolean => margin >= 0 && margin <= 0.12

const isAmerican = (odds: number | undefined): odds is number =>
  odds !== undefined && Number.isInteger(odds) && Math.abs(odds) >= 100 && Math.abs(odds) < 100_000

/** A listed price; undefined if a side is missing or the sides are not of one line. */
export const priceOf = (home: number | undefined, away: number | undefined): Price | undefined =>
  isAmerican(home) && isAmerican(away) && isBook(americanPrice(home) + americanPrice(away) - 1)
    ? { home, away }
    : undefined

/** The market's home win probability, with the margin removed in proportion. */
export const impliedHomeWin = ({ home, away }: Price): number =>
  multiplicative([americanPrice(home), americanPrice(away)])[0]!

/** Profit of a winning bet of one unit. */
export const profit = (odds: number): number => (odds > 0 ? odds / 100 : 100 / -odds)

/** `JLESTER-L`, `LMCCULLERSJR-R` and `Jon Lester` become `JLESTER`: initial and surname, not always unique. */
export const starterKey = (text: string): string | undefined => {
  const [first = "", ...rest] = text
    .replace(/-[LR]$/, "")
    .trim()
    .split(/\s+/)
  const name = `${rest.length > 0 ? first.slice(0, 1) : first}${rest.join("")}`
  const key = name
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .replace(/JR$/, "")
  return key.length < 3 ? undefined : key
}

/** Innings attributed to the starter. */
const early = 5

/**
 * Runs allowed by a starter's side in the other side's first innings at bat; `x` is an inning without batting.
 *
 * @param innings runs by inning of the batting side; any other text makes the line unknown
 */
export const earlyLine = (innings: ReadonlyArray<string>): PitcherLine | undefined => {
  if (!innings.every((runs) => /^(\d+|x)$/.test(runs))) return undefined
  const batted = innings.slice(0, early).filter((runs) => runs !== "x")
  return batted.length === 0
    ? undefined
    : {
        innings: batted.length,
        earnedRuns: parameters.league.earnedShare * batted.reduce((sum, runs) => sum + Number(runs), 0),
      }
}

/** Team codes that differ between logs and odds. */
const codes: Readonly<Record<string, string>> = {
  ANA: "LAA",
  CHA: "CWS",
  CHN: "CHC",
  KCA: "KAN",
  LAN: "LAD",
  NYA: "NYY",
  NYN: "NYM",
  SDN: "SDG",
  SFN: "SFG",
  SLN: "STL",
  TBA: "TAM",
}

/** A park with this many games of a team in a season is its home park, temporary ones included. */
const homely = 10

const homeOf = ({ season, home, park }: GameLog): string => `${season}/${home.team}/${park}`

const homes = (logs: ReadonlyArray<GameLog>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const log of logs) counts.set(homeOf(log), (counts.get(homeOf(log)) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= homely).map(([key]) => key))
}

/** Training games from logs. */
const loggedGames = (logs: ReadonlyArray<GameLog>): ReadonlyArray<Played> => {
  const homeParks = homes(logs)
  return logs.map((log) => {
    const side = (own: "home" | "away", other: "home" | "away"): PlayedSide => ({
      team: codes[log[own].team] ?? log[own].team,
      runs: log[own].runs,
      starter: starterKey(log[own].starter ?? ""),
      pitched: earlyLine(inningsOf(log[other].innings ?? "")),
    })
    const { id, season, day } = log
    return {
      id,
      season,
      day,
      home: side("home", "away"),
      away: side("away", "home"),
      neutral: !homeParks.has(homeOf(log)),
    }
  })
}

/** Earned runs as a share of all runs allowed, up to a season; undefined without logs. */
export const earnedShare = (logs: ReadonlyArray<GameLog>, to: number): number | undefined => {
  let earned = 0
  let all = 0
  for (const { season, home, away } of logs) {
    if (season > to || home.earnedAllowed === undefined || away.earnedAllowed === undefined) continue
    earned += home.earnedAllowed + away.earnedAllowed
    all += home.runs + away.runs
  }
  return all === 0 ? undefined : earned / all
}

/** Finished games, and the market prices for comparison. */
export interface BaseballData {
  readonly games: ReadonlyArray<Played>
  readonly skill: SkillData | undefined
  /** By game id; only if both sides have a plausible price. */
  readonly open: ReadonlyMap<string, Price>
  readonly close: ReadonlyMap<string, Price>
  /** Seasons with prices. Later ones have results only. */
  readonly priced: Seasons
  /** Earned runs as a share of all runs in the seasons with prices, from game logs. */
  readonly earnedShare: number | undefined
  readonly inputs: ReadonlyArray<Input>
}

/** In the order of ids, since floating-point sums depend on their order. */
const inOrder = <A extends { readonly id: string }>(
  values: ReadonlyArray<A>,
): Either.Either<ReadonlyArray<A>, string> => {
  const sorted = [...values].sort((a, b) => compare(a.id, b.id))
  const twice = sorted.find(({ id }, at) => id === sorted[at + 1]?.id)
  return twice === undefined ? Either.right(sorted) : Either.left(`Game ${twice.id} is in two files.`)
}

const pricesOf = (games: ReadonlyArray<BookGame>, when: "open" | "close"): ReadonlyMap<string, Price> =>
  new Map(
    games.flatMap(({ id, home, away }) => {
      const price = priceOf(home[when], away[when])
      return price === undefined ? [] : [[id, price] as const]
    }),
  )

const readSides = (game: BookGame, innings: BookInnings | undefined): Pick<Played, "home" | "away"> => {
  const side = (own: "home" | "away", other: "home" | "away"): PlayedSide => {
    const { team, runs, starter } = game[own]
    const batted = innings?.[other]?.split("|")
    return {
      team,
      runs: runs!,
      starter: starterKey(starter ?? ""),
      pitched: batted === undefined ? undefined : earlyLine(batted),
    }
  }
  return { home: side("home", "away"), away: side("away", "home") }
}

/**
 * The archives as games with prices.
 *
 * @returns a sentence, if the archives have a game twice, or none with a score
 */
export const baseballData = (archived: Archived): Either.Either<BaseballData, string> =>
  Either.gen(function* () {
    const book = yield* inOrder(archived.odds)
    const innings = new Map((yield* inOrder(archived.innings)).map((each) => [each.id, each]))
    const logs = yield* inOrder(archived.logs)
    const games = book
      .filter(({ home, away }) => home.runs !== undefined && away.runs !== undefined)
      .map((game): Played => {
        const { id, season, day, neutral } = game
        return { id, season, day, ...readSides(game, innings.get(id)), neutral }
      })
    if (games.length === 0) return yield* Either.left("No game of the archive of moneylines has a score.")
    const seasons = new Set(games.map(({ season }) => season))
    const priced = { from: Math.min(...seasons), to: Math.max(...seasons) }
    const later = logs.filter(({ season }) => season > priced.to)
    const skill = archived.skill && skillDataOf(archived.skill, logs, priced.to)
    return {
      games: [...games, ...loggedGames(later)].map((game) => ({
        ...game,
        ...ifDefined("skill", skill?.terms.get(game.id)),
        ...ifDefined("lineUp", skill?.lineUps.get(game.id)),
      })),
      skill,
      open: pricesOf(book, "open"),
      close: pricesOf(book, "close"),
      priced,
      earnedShare: earnedShare(logs, priced.to),
      inputs: archived.inputs,
    }
  })
