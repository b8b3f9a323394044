import * as Effect from "effect/Effect"
import * as ContractPricing from "../../contracts/ContractPricing.ts"
import { type FinalScore, onGame, onWinner, otherDay, type WinOutput } from "../../contracts/finalScore.ts"
import { seasonOf } from "./data/Game.ts"
import { franchise, type Team } from "./data/teams.ts"
import { Football } from "./Football.ts"
import { Games } from "./ports.ts"

/** One contract per team on who wins. */
export const series: ReadonlyArray<string> = ["KXNFLGAME"]

const { listed, answers } = onWinner(series, (code) => franchise(code) !== undefined)

/** Contracts on who wins, priced by the fair line. Half of a tie counts for each side, as in the model. */
export const football: ContractPricing.Mapping<
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
      subject: { _tag: "Matchup", day: sides.day, away, home },
      instrument: `${away} @ ${home}`,
      params: { home, away, day: sides.day },
    }
  },
  ...answers,
}

/** Prices contracts by the fair line and settles them by the final score. */
export const pricing: ContractPricing.ContractPricing<Football, Games> = ContractPricing.make({
  mapping: football,
  series: { kalshi: series },
  scoresCalls: true,
  // nflverse corrects published finals.
  isRevisable: true,
  signal: ({ home, away, day }) =>
    Effect.gen(function* () {
      const { fairLine } = yield* Football
      const [results, record] = yield* Effect.flatMap(
        fairLine({ team: home, opponent: away }),
        ContractPricing.recordOf,
      )
      const { game, prediction } = results
      return game.gameday !== day || game.home_team !== home
        ? yield* otherDay(`game of ${away} at ${home} to come on ${day}`)
        : onGame(record, prediction.quality_flags)
    }),
  value: (subject) =>
    subject._tag !== "Game"
      ? Effect.succeed(undefined)
      : Effect.map(
          Effect.flatMap(Games, ({ season }) => season(seasonOf(subject.id))),
          (found) => found?.records.find(({ game }) => game.id === subject.id)?.game.score,
        ),
})
