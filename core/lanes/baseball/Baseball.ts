import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Answer } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import * as Step from "../../Step.ts"
import { recordedConfidence } from "../confidence.ts"
import { type BaseballMethods, endpoints, performance } from "./endpoints.ts"
import { fairOddsOver } from "./fairOdds.ts"
import { gamesOver } from "./games.ts"
import { trained } from "./Model.ts"
import { PitchingLines, SeasonLines, Slates } from "./ports.ts"

/** Retrosheet's wording, required by its terms, the licence of the lines of teams, and the source of the schedule. */
const attribution =
  "The information used here was obtained free of charge from and is copyrighted by Retrosheet. Interested parties may contact Retrosheet at 20 Sunset Rd., Newark, DE 19711. Pitching of teams and pitchers: github.com/chadwickbureau/retrosplits, ODbL 1.0. Schedules, standings and pitching lines of live answers: Copyright MLB Advanced Media, L.P., used under the terms at http://gdx.mlb.com/components/copyright.txt."

const { home_edge, pythagorean, starter_era } = trained.coefficients.at(-1)!

/** The track record from the model's training. */
export const trackRecord: Answer<Endpoint.Results<typeof endpoints.performance>> = {
  results: {
    model_version: trained.model_version,
    backtest: trained.backtest,
    trained_at: trained.trained_at,
    coefficients: { home_edge, pythagorean, starter_era },
    attribution,
    inputs: trained.inputs,
  },
  reasoning: [`Backtest figures from the training of model ${trained.model_version}.`],
  citations: [{ step: 1, source: "training", locator: performance.path }],
  confidence: recordedConfidence(1, `backtest over ${trained.backtest.overall.games} games`),
  links: [],
  freshness: "live",
}

/** The lane's ports. */
export type BaseballPorts = PitchingLines | SeasonLines | Slates

export class Baseball extends Context.Tag("market-signals/core/lanes/Baseball")<Baseball, BaseballMethods>() {
  static readonly lane: Lane.Lane<"baseball", typeof endpoints, Baseball> = Lane.make(
    "baseball",
    endpoints,
    Baseball,
    "MLB games, and the model's win probabilities.",
  )

  static readonly layer: Layer.Layer<Baseball, never, BaseballPorts> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Baseball,
  Effect.gen(function* () {
    const slates = yield* Slates
    const lines = yield* SeasonLines
    const pitching = yield* PitchingLines
    return Baseball.of(
      Rounding.methods(endpoints, {
        games: gamesOver(slates),
        fairOdds: fairOddsOver(slates, lines, pitching),
        performance: Step.methodSync(() => ({ ...trackRecord, freshness: slates.freshness })),
      }),
    )
  }),
)
