import * as Effect from "effect/Effect"
import * as Subject from "../../call/Subject.ts"
import * as ContractPricing from "../../contracts/ContractPricing.ts"
import { type FinalScore, gameTerms, noSuchGame, type WinOutput } from "../../contracts/finalScore.ts"
import type { Failure } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { addDays } from "../../time.ts"
import * as Lane from "../Lane.ts"
import { endpoints } from "./endpoints.ts"
import { Slates } from "./ports.ts"
import { parseSides, scoreRules, venueSeries } from "./series.ts"
import { teamIds } from "./teams.ts"

export const baseballMapping: ContractPricing.Mapping<
  { readonly home: number; readonly away: number; readonly day: string; readonly game?: number },
  WinOutput,
  FinalScore
> = {
  domain: "mlb",
  lane: "baseball",
  endpoint: endpoints.fairOdds,
  toSignalRequest: (contract) => {
    const sides = parseSides(contract)
    if (sides === undefined) return undefined
    const { day, home, away, game } = sides
    return {
      subject: { _tag: "Matchup", day, away, home, ...ifDefined("game", game) },
      instrument: `${away} @ ${home}`,
      params: { home: teamIds[home]!, away: teamIds[away]!, day, ...ifDefined("game", game) },
    }
  },
  toCallParts: ({ subject }) => {
    if (Subject.parse(subject)._tag !== "Game") return undefined
    const game = { game_pk: Number(subject) }
    return { id: subject, subject: game, params: game }
  },
  ...scoreRules,
}

/** Reads the final score of a game. A postponed game is listed once per date and has its score under one of them. */
export const readScore = (subject: Subject.Subject): Effect.Effect<FinalScore | undefined, Failure, Slates> =>
  subject._tag !== "Game"
    ? Effect.succeed(undefined)
    : Effect.map(
        Effect.flatMap(Slates, ({ of }) => of(Number(subject.id))),
        ({ games }) => games.find(({ score }) => score !== undefined)?.score,
      )

/** Prices contracts by the fair odds and settles them by the final score. */
export const pricing: ContractPricing.ContractPricing<Lane.Id<"baseball">, Slates> = ContractPricing.make({
  mapping: baseballMapping,
  series: { kalshi: Object.keys(venueSeries) },
  scoresCalls: true,
  // A final score does not change.
  isRevisable: false,
  askSignal: ({ home, away, day, game: number }) =>
    Effect.gen(function* () {
      const { games, fairOdds } = yield* Lane.service("baseball", endpoints)
      // The venue dates a game by local time, the slate by UTC, where a late game belongs to the next day.
      const slates = yield* Effect.forEach([day, addDays(day, 1)], (date) => games({ date }))
      const matches = slates
        .flatMap(({ results }) => results.games)
        .filter(
          (game) =>
            game.home.team_id === home &&
            game.away.team_id === away &&
            (game.official_date ?? day) === day &&
            game.game_number === (number ?? game.game_number),
        )
      const [game] = matches
      // Two games of the same teams on one day can be told apart only by the venue's game number.
      if (game === undefined || matches.length > 1) return yield* noSuchGame(`one game of ${away} at ${home} on ${day}`)
      const [results, record] = yield* Effect.flatMap(fairOdds({ game_pk: game.gamePk }), ContractPricing.requireRecord)
      if (!/^(scheduled|pre-game|warmup)/i.test(results.game.state)) {
        return yield* noSuchGame(`game ${game.gamePk} to come: ${results.game.state}`)
      }
      return gameTerms(record, results.prediction.quality_flags)
    }),
  readValue: readScore,
})
