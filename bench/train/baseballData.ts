import { compare } from "../../core/text.ts"
import type { BookGame } from "./baseballBookGame.ts"
import type { Archived, Input } from "./baseballFeeds.ts"
import { type Price, priceOf } from "./baseballPrices.ts"
import { earnedShare, loggedGames } from "./baseballRetrosheet.ts"
import { earlyLine, starterKey } from "./baseballStarters.ts"
import type { Played, PlayedSide } from "./baseballWalk.ts"

/** Training data, and the market prices for comparison. */
export interface BaseballData {
  readonly games: ReadonlyArray<Played>
  /** By game id; only if both sides have a plausible price. */
  readonly open: ReadonlyMap<string, Price>
  readonly close: ReadonlyMap<string, Price>
  /** Seasons with prices. Later ones have results only. */
  readonly priced: { readonly from: number; readonly to: number }
  /** Earned runs as a share of all runs in the seasons with prices, from game logs. */
  readonly earnedShare: number | undefined
  readonly inputs: ReadonlyArray<Input>
}

/** In the order of ids, since floating-point sums depend on their order. */
const inOrder = <A extends { readonly id: string }>(values: ReadonlyArray<A>): ReadonlyArray<A> => {
  const sorted = [...values].sort((a, b) => compare(a.id, b.id))
  const twice = sorted.find(({ id }, at) => id === sorted[at + 1]?.id)
  if (twice !== undefined) throw new Error(`Game ${twice.id} is in two files.`)
  return sorted
}

const pricesOf = (games: ReadonlyArray<BookGame>, when: "open" | "close"): ReadonlyMap<string, Price> =>
  new Map(
    games.flatMap(({ id, home, away }) => {
      const price = priceOf(home[when], away[when])
      return price === undefined ? [] : [[id, price] as const]
    }),
  )

/** The archives in the form of training data. */
export const baseballData = (archived: Archived): BaseballData => {
  const book = inOrder(archived.odds)
  const innings = new Map(inOrder(archived.innings).map((each) => [each.id, each]))
  const sideOf = ({ id, ...game }: BookGame, own: "home" | "away", other: "home" | "away"): PlayedSide => {
    const { team, runs, starter } = game[own]
    const batted = innings.get(id)?.[other]?.split("|")
    return {
      team,
      runs: runs!,
      starter: starterKey(starter ?? ""),
      pitched: batted === undefined ? undefined : earlyLine(batted),
    }
  }
  const games = book
    .filter(({ home, away }) => home.runs !== undefined && away.runs !== undefined)
    .map((game): Played => {
      const { id, season, day, neutral } = game
      return { id, season, day, home: sideOf(game, "home", "away"), away: sideOf(game, "away", "home"), neutral }
    })
  const seasons = games.map(({ season }) => season)
  const priced = { from: Math.min(...seasons), to: Math.max(...seasons) }
  const logs = inOrder(archived.logs)
  return {
    games: [...games, ...loggedGames(logs).filter(({ season }) => season > priced.to)],
    open: pricesOf(book, "open"),
    close: pricesOf(book, "close"),
    priced,
    earnedShare: earnedShare(logs, priced.to),
    inputs: archived.inputs,
  }
}
