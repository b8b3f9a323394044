import * as Effect from "effect/Effect"
import * as Subject from "../../call/Subject.ts"
import * as ContractPricing from "../../contracts/ContractPricing.ts"
import { type FinalScore, gameTerms, noSuchGame, type ScoreOutput, type WinOutput } from "../../contracts/finalScore.ts"
import * as Lane from "../Lane.ts"
import { parseSeason } from "./data/Game.ts"
import { findFranchise, type Team } from "./data/teams.ts"
import { endpoints } from "./endpoints.ts"
import { Games } from "./ports.ts"
import { parseSides, scoreRules, venueSeries } from "./series.ts"

/**
 * Prices contracts on the winner by the fair line's win probability, and those on margin and total by its distributions. A
 * win probability includes half of that of a tie; a tie is a margin of 0.
 */
export const footballMapping: ContractPricing.Mapping<
  { readonly home: Team; readonly away: Team; readonly day: string },
  WinOutput & Partial<ScoreOutput>,
  FinalScore
> = {
  domain: "nfl",
  lane: "football",
  endpoint: endpoints.fairLine,
  toSignalRequest: (contract) => {
    const game = parseSides(contract)
    if (game === undefined) return undefined
    const [home, away] = [findFranchise(game.home)!, findFranchise(game.away)!]
    return {
      subject: { _tag: "Matchup", day: game.day, away, home },
      instrument: `${away} @ ${home}`,
      params: { home, away, day: game.day },
    }
  },
  toCallParts: ({ subject, series: name }) => {
    if (Subject.parse(subject)._tag !== "Game") return undefined
    const game = { game_id: subject }
    // The distributions of margin and total are only in the answer with `verbose=true`.
    return {
      id: subject,
      subject: game,
      params: game,
      contractParams: venueSeries[name] === "winner" ? {} : { verbose: true },
    }
  },
  ...scoreRules,
}

/** Prices contracts by the fair line and settles them by the final score. */
export const pricing: ContractPricing.ContractPricing<Lane.Id<"football">, Games> = ContractPricing.make({
  mapping: footballMapping,
  series: { kalshi: Object.keys(venueSeries) },
  scoresCalls: true,
  // nflverse corrects published finals.
  isRevisable: true,
  askSignal: ({ home, away, day }) =>
    Effect.gen(function* () {
      const { fairLine } = yield* Lane.service("football", endpoints)
      const [results, record] = yield* Effect.flatMap(
        fairLine({ team: home, opponent: away }),
        ContractPricing.requireRecord,
      )
      const { game, prediction } = results
      return game.gameday !== day || game.home_team !== home
        ? yield* noSuchGame(`upcoming game of ${away} at ${home} on ${day}`)
        : gameTerms(record, prediction.quality_flags)
    }),
  readValue: (subject) =>
    subject._tag !== "Game"
      ? Effect.succeed(undefined)
      : Effect.map(
          Effect.flatMap(Games, ({ season }) => season(parseSeason(subject.id))),
          (loaded) => loaded?.records.find(({ game }) => game.id === subject.id)?.game.score,
        ),
})
