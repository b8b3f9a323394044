import { franchise, type Team } from "../../football/data/teams.ts"
import type { Mapping } from "./Mapping.ts"
import { type FinalScore, onWinner, type WinOutput } from "./score.ts"

/** One contract per team on who wins. */
export const series: ReadonlyArray<string> = ["KXNFLGAME"]

const { listed, answers } = onWinner(series, (code) => franchise(code) !== undefined)

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
    const sides = listed(contract)
    if (sides === undefined) return undefined
    const [home, away] = [franchise(sides.home)!, franchise(sides.away)!]
    return {
      subject: `${sides.day}/${away}/${home}`,
      instrument: `${away} @ ${home}`,
      params: { home, away, day: sides.day },
    }
  },
  ...answers,
}
