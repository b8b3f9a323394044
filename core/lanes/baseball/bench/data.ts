import * as Either from "effect/Either"
import type { Seasons } from "../../../bench/seasons.ts"
import type { Input } from "../../../bench/Task.ts"
import type { Feed } from "../../../csv/Feed.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { americanPrice, multiplicative } from "../../../math/devig.ts"
import { compare } from "../../../text.ts"
import type { PitcherLine } from "../lines.ts"
import { parameters } from "../parameters.ts"
import { type BookGame, type BookInnings, bookGameOf, bookInningsOf, gameColumns, inningsColumns } from "./bookGame.ts"
import { columns, type GameLog, gameLogOf, inningsOf } from "./gameLog.ts"
import { type SkillData, skillDataOf } from "./skillData.ts"
import { type SkillArchive, skillFeeds } from "./skillFiles.ts"
import type { Played, PlayedSide } from "./walk.ts"

type Keyed = { readonly id: string; readonly season: number }

const byId = { keyOf: ({ id }: Keyed) => id, seasonOf: ({ season }: Keyed) => season }

const odds: Feed<"odds", BookGame> = {
  ...byId,
  name: "odds",
  source: "archive of moneylines",
  columns: gameColumns,
  read: bookGameOf,
}

const innings: Feed<"innings", BookInnings> = {
  ...byId,
  name: "innings",
  source: "archive of moneylines",
  columns: inningsColumns,
  read: bookInningsOf,
}

const gameLogs: Feed<"game_logs", GameLog> = {
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

const sidesOf = (game: BookGame, innings: BookInnings | undefined): Pick<Played, "home" | "away"> => {
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
        return { id, season, day, ...sidesOf(game, innings.get(id)), neutral }
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
