import type { Answer } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type endpoints, performance } from "./endpoints.ts"
import { trained } from "./Model.ts"

/** Retrosheet's wording, required by its terms, and the source of the schedule. */
const attribution =
  "The information used here was obtained free of charge from and is copyrighted by Retrosheet. Interested parties may contact Retrosheet at 20 Sunset Rd., Newark, DE 19711. Schedules, standings and pitching lines of live answers: Copyright MLB Advanced Media, L.P., used under the terms at http://gdx.mlb.com/components/copyright.txt."

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
  confidence: { score: 1, label: "settlement", factors: [`backtest over ${trained.backtest.overall.games} games`] },
  links: [],
  freshness: "live",
}
