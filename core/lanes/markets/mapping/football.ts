import { franchise, type Team } from "../../football/teams.ts"
import type { Mapping } from "./Mapping.ts"
import { type FinalScore, hasWon } from "./score.ts"
import { sidesIn } from "./tickers.ts"

/** The signal's probability that the home team wins. */
export interface WinOutput {
  readonly win_prob_home: number
}

/** One contract per team on who wins. */
export const series: ReadonlyArray<string> = ["KXNFLGAME"]

const sidesOf = ({ event, ticker }: { readonly event: string; readonly ticker: string }) =>
  sidesIn(event, ticker, (code) => franchise(code) !== undefined)

/** Who wins a game, priced by the fair line. Half of a tie counts for each side, as it does for the model. */
export const football: Mapping<
  { readonly home: Team; readonly away: Team; readonly day: string },
  WinOutput,
  FinalScore
> = {
  domain: "nfl",
  lane: "football",
  endpoint: "nfl_fair_line",
  ask: (contract) => {
    const sides = series.includes(contract.series) ? sidesOf(contract) : undefined
    if (sides === undefined) return undefined
    const [home, away] = [franchise(sides.home)!, franchise(sides.away)!]
    return {
      subject: `${sides.day}/${away}/${home}`,
      instrument: `${away} @ ${home}`,
      params: { home, away, day: sides.day },
    }
  },
  probability: (contract, { win_prob_home }) => {
    const sides = sidesOf(contract)
    return sides && (sides.side === "home" ? win_prob_home : 1 - win_prob_home)
  },
  happened: (contract, score) => {
    const sides = series.includes(contract.series) ? sidesOf(contract) : undefined
    return sides && hasWon(sides.side, score)
  },
}
