import type { Recordable } from "../call/Recordable.ts"
import { type Failure, fail } from "../Failure.ts"
import type { AnchorWeight } from "../record/scoreboard/anchorWeight.ts"
import { negateSpan, type Span, strikeSpan } from "./anchored.ts"
import { type Contract, millionths } from "./Contract.ts"
import type { Mapping, SignalTerms } from "./ContractPricing.ts"
import { homeWinProbability, weightText } from "./pooled.ts"
import { pays } from "./strikes.ts"
import { type Fixture, parseFixture, parseSides, type Sides } from "./tickers.ts"

/** The final score of a game: points or runs. */
export interface FinalScore {
  readonly home: number
  readonly away: number
}

/** Probabilities of whole numbers: element `i` is that of `from + i`. */
export interface Distribution {
  readonly from: number
  readonly pmf: ReadonlyArray<number>
}

/** The signal's probability that the home team wins. */
export interface WinOutput {
  readonly win_prob_home: number
}

/** A signal that knows more of the score than its winner. */
export interface ScoreOutput extends WinOutput {
  /** Of home minus away. */
  readonly margin_distribution: Distribution
  /** Of the points of both. */
  readonly total_distribution: Distribution
}

/** Subjects of contracts on a game. Winner and margin have one contract per team. */
export type ScoreSubject = "winner" | "margin" | "total"

/** Contracts on a winner, on a strike for a team's margin, on a strike for the total. */
const tickerEndings: Readonly<Record<ScoreSubject, RegExp>> = {
  winner: /^-([A-Z]+)$/,
  margin: /^-([A-Z]+)\d+$/,
  total: /^-\d+$/,
}

type ListedGame =
  | { readonly on: "total"; readonly fixture: Fixture }
  | { readonly on: "winner" | "margin"; readonly fixture: Sides }

/** Whether a side has won; undefined after a tie, which nobody has won. */
const hasWon = (side: Sides["side"], { home, away }: FinalScore): boolean | undefined =>
  home === away ? undefined : home > away === (side === "home")

/** By how much a side has won; below 0 where it has lost. */
const teamMargin = (side: Sides["side"], { home, away }: FinalScore): number =>
  side === "home" ? home - away : away - home

/**
 * The probability that a number is on the paying side; undefined for terms that are not understood. A number on a strike
 * pays or does not, as the type of strike has it: there is no push that would give the stake back.
 *
 * @param sign −1 for the same number from the other side
 */
const payProbability = (contract: Contract, { from, pmf }: Distribution, sign: 1 | -1 = 1): number | undefined => {
  let sum = 0
  for (const [at, p] of pmf.entries()) {
    const paid = pays(contract, sign * (from + at))
    if (paid === undefined) return undefined
    if (paid) sum += p
  }
  return sum
}

/** Reads the game of a contract of the series, and its side. */
const gameReader =
  (series: Readonly<Record<string, ScoreSubject>>, isTeam: (code: string) => boolean) =>
  ({ series: name, event, ticker }: Contract): ListedGame | undefined => {
    const on = Object.hasOwn(series, name) ? series[name]! : undefined
    const ending =
      on === undefined || !ticker.startsWith(event) ? null : tickerEndings[on].exec(ticker.slice(event.length))
    if (on === undefined || ending === null) return undefined
    if (on !== "total") {
      const fixture = parseSides(event, ending[1]!, isTeam)
      return fixture && { on, fixture }
    }
    const fixture = parseFixture(event, isTeam)
    return fixture && { on, fixture }
  }

/**
 * Reads contracts on the score of a game.
 *
 * @param series the subject of each series' contracts
 * @param isTeam whether a venue's code is a team's
 */
export const scoreContracts = (series: Readonly<Record<string, ScoreSubject>>, isTeam: (code: string) => boolean) => {
  const findGame = gameReader(series, isTeam)
  const scoreRules: Pick<Mapping<unknown, WinOutput & Partial<ScoreOutput>, FinalScore>, "probability" | "isYes"> = {
    probability: (contract, { win_prob_home, margin_distribution, total_distribution }) => {
      const game = findGame(contract)
      switch (game?.on) {
        case "winner":
          return game.fixture.side === "home" ? win_prob_home : 1 - win_prob_home
        case "margin":
          return (
            margin_distribution && payProbability(contract, margin_distribution, game.fixture.side === "home" ? 1 : -1)
          )
        case "total":
          return total_distribution && payProbability(contract, total_distribution)
        default:
          return undefined
      }
    },
    isYes: (contract, score) => {
      const game = findGame(contract)
      switch (game?.on) {
        case "winner":
          return hasWon(game.fixture.side, score)
        case "margin":
          return pays(contract, teamMargin(game.fixture.side, score))
        case "total":
          return pays(contract, score.home + score.away)
        default:
          return undefined
      }
    },
  }
  /**
   * The numbers that a contract on a margin (of home minus away) or a total pays on. Those on a winner have none: a tie
   * pays half.
   */
  const span = (contract: Contract, on: Exclude<ScoreSubject, "winner">): Span | undefined => {
    const game = findGame(contract)
    const found = game?.on === on ? strikeSpan(contract) : undefined
    return found && game?.on === "margin" && game.fixture.side === "away" ? negateSpan(found) : found
  }
  /**
   * The home win beside the price of its contract: the first that is listed.
   *
   * @param win the signal's probability of it, as served
   */
  const homeWin = (contracts: ReadonlyArray<Contract>, win: number, weight: Pick<AnchorWeight, "weight" | "rows">) => {
    const contract = contracts.find((one) => {
      const game = findGame(one)
      return game?.on === "winner" && game.fixture.side === "home"
    })
    const model = millionths(win)
    return contract === undefined || model === undefined
      ? undefined
      : {
          results: { home_win: homeWinProbability(contract, model, weight.weight) },
          sentence: weightText(weight, "contracts on games"),
        }
  }
  const findFixture = (contract: Contract): Fixture | undefined => findGame(contract)?.fixture
  return { homeWin, findFixture, scoreRules, span }
}

export const noSuchGame = (what: string): Failure => fail("not_found", { detail: `The schedule has no ${what}.` })

/** The terms of a signal on a game: model and venue both settle on its final score. */
export const gameTerms = (record: Recordable<unknown>, flags: ReadonlyArray<string> = []): SignalTerms => ({
  record,
  modelSource: "final score",
  isSame: () => true,
  flags,
})
