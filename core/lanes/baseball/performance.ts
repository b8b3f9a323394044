import type { Answer } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import type { endpoints } from "./endpoints.ts"
import { trained } from "./Model.ts"

/** Retrosheet's own words, which its terms ask for, and whose data the schedule is. */
const attribution =
  "The information used here was obtained free of charge from and is copyrighted by Retrosheet. Interested parties may contact Retrosheet at 20 Sunset Rd., Newark, DE 19711. Schedules, standings and pitching lines of live answers: Copyright MLB Advanced Media, L.P., used under the terms at http://gdx.mlb.com/components/copyright.txt."

const { home_edge, pythagorean, starter_era } = trained.coefficients.at(-1)!

/** The track record as it was measured when the model was fitted. */
export const trackRecord: Answer<Endpoint.Results<typeof endpoints.performance>> = {
  results: {
    model_version: trained.model_version,
    backtest: trained.backtest,
    trained_at: trained.trained_at,
    coefficients: { home_edge, pythagorean, starter_era },
    attribution,
    inputs: trained.inputs,
  },
  reasoning: ["Took the figures that the training of the model measured."],
  citations: [{ step: 1, source: "training", locator: trained.model_version }],
  confidence: { score: 1, label: "settlement", factors: ["computed from named inputs"] },
  links: [],
  freshness: "live",
}
