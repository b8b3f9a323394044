import * as Either from "effect/Either"
import type { Seasons } from "../../../bench/seasons.ts"
import type { Input } from "../../../bench/Task.ts"
import { compare } from "../../../text.ts"
import type { BookGame, BookInnings } from "./bookGame.ts"
import type { Archived } from "./feeds.ts"
import { type Price, priceOf } from "./prices.ts"
import { earnedShare, loggedGames } from "./retrosheet.ts"
import { earlyLine, starterKey } from "./starters.ts"
import type { Played, PlayedSide } from "./walk.ts"

/** Finished games, and the market prices for comparison. */
export interface BaseballData {
  readonly games: ReadonlyArray<Played>
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
    return {
      games: [...games, ...loggedGames(logs).filter(({ season }) => season > priced.to)],
      open: pricesOf(book, "open"),
      close: pricesOf(book, "close"),
      priced,
      earnedShare: earnedShare(logs, priced.to),
      inputs: archived.inputs,
    }
  })
