import { type Failure, fail } from "../Failure.ts"
import type { Recordable } from "../record/captures/Recordable.ts"
import type { Contract } from "./Contract.ts"
import type { Mapping, SignalTerms } from "./ContractPricing.ts"
import { sidesIn } from "./tickers.ts"

/** The final score of a game: points or runs. */
export interface FinalScore {
  readonly home: number
  readonly away: number
}

/** Whether a side has won; undefined after a tie. */
const hasWon = (side: "away" | "home", { home, away }: FinalScore): boolean | undefined =>
  home === away ? undefined : home > away === (side === "home")

/** The signal's probability that the home team wins. */
export interface WinOutput {
  readonly win_prob_home: number
}

/**
 * Reads contracts on who wins, one per team.
 *
 * @param series the series of such contracts
 * @param isTeam whether a venue's code is a team's
 */
export const onWinner = (series: ReadonlyArray<string>, isTeam: (code: string) => boolean) => {
  const sidesOf = ({ event, ticker }: Contract) => sidesIn(event, ticker, isTeam)
  /** The sides of a contract of the series. */
  const listed = (contract: Contract) => (series.includes(contract.series) ? sidesOf(contract) : undefined)
  const answers: Pick<Mapping<unknown, WinOutput, FinalScore>, "probability" | "happened"> = {
    probability: (contract, { win_prob_home }) => {
      const sides = sidesOf(contract)
      return sides && (sides.side === "home" ? win_prob_home : 1 - win_prob_home)
    },
    happened: (contract, score) => {
      const sides = listed(contract)
      return sides && hasWon(sides.side, score)
    },
  }
  return { listed, answers }
}

export const otherDay = (what: string): Failure => fail("not_found", { detail: `The schedule has no ${what}.` })

/** The terms of a signal on a game: model and venue both settle on its final score. */
export const onGame = (record: Recordable<unknown>, flags: ReadonlyArray<string> = []): SignalTerms => ({
  record,
  modelSource: "final score",
  isSame: () => true,
  flags,
})
