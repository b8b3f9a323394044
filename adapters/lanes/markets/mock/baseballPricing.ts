import * as Effect from "effect/Effect"
import * as ContractPricing from "../../../../core/contracts/ContractPricing.ts"
import { type FinalScore, gameTerms, scoreContracts, type WinOutput } from "../../../../core/contracts/finalScore.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { baseballMapping, readScore } from "../../../../core/lanes/baseball/contracts.ts"
import type { Slates } from "../../../../core/lanes/baseball/ports.ts"
import { teams } from "../../baseball/mock/teams.ts"

const codes: ReadonlySet<string> = new Set(teams.map(({ code }) => code))
const { findFixture, scoreRules } = scoreContracts({ KXMLBGAME: "winner" }, (code) => codes.has(code))

/**
 * How contracts on the invented league's games are priced by the fair odds and settled by the final score: the lane's own
 * pricing knows the real league's teams alone.
 *
 * @param game the id of the game that the contracts are about
 */
export const pricing = (game: string): ContractPricing.ContractPricing<Baseball, Slates> =>
  ContractPricing.make<{ readonly game_pk: number }, WinOutput, FinalScore, Baseball, Slates>({
    mapping: {
      domain: "mlb",
      lane: "baseball",
      endpoint: baseballMapping.endpoint,
      toCallParts: baseballMapping.toCallParts,
      toSignalRequest: (contract) => {
        const sides = findFixture(contract)
        return sides === undefined
          ? undefined
          : {
              subject: { _tag: "Game", id: game },
              instrument: `${sides.away} @ ${sides.home}`,
              params: { game_pk: Number(game) },
            }
      },
      ...scoreRules,
    },
    series: { mock: ["KXMLBGAME"] },
    scoresCalls: true,
    isRevisable: false,
    askSignal: ({ game_pk }) =>
      Effect.gen(function* () {
        const { fairOdds } = yield* Baseball
        const [results, record] = yield* Effect.flatMap(fairOdds({ game_pk }), ContractPricing.requireRecord)
        return gameTerms(record, results.prediction.quality_flags)
      }),
    readValue: readScore,
  })
