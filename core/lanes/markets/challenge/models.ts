import type * as Endpoint from "../../../endpoint/Endpoint.ts"
import { ifDefined } from "../../../ifDefined.ts"
import type { Interval } from "../../../math/bootstrap.ts"
import { type ChallengerScores, type Sums, scoreSteps } from "../../../record/scoreboard/challengers.ts"
import { intervalCoverage } from "../../../record/scoreboard/scores.ts"
import * as Step from "../../../Step.ts"
import { compare, plural } from "../../../text.ts"
import { iso, second } from "../../../time.ts"
import { inTurns } from "../../../yieldToEventLoop.ts"
import { oncePerState } from "../../cached.ts"
import { recorded } from "../../confidence.ts"
import type { Challenge, Challenger } from "./Challenge.ts"
import type { benchModels } from "./endpoints.ts"

type Row = Endpoint.Results<typeof benchModels>["models"][number]

/** How opinions are scored. */
export const methodology =
  "Every contract that is settled and scored for our models counts, with its last capture before the actual close. A model is scored by its last opinion that is not newer than that capture and its quotes, and that a checkpoint signed before the close covers. Later opinions are kept and not scored. The same rows, outcomes and Brier score for the challenger, our models and the market. Intervals of the differences come from the scoreboard's bootstrap over events."

const differenceOf = (estimate: number, { low, high }: Interval) => ({ estimate, low, high, level: intervalCoverage })

const scored = ({ lead, captureLead, challenger, model, market, differences }: ChallengerScores) => ({
  lead_seconds: lead / second,
  capture_lead_seconds: captureLead / second,
  brier: challenger,
  brier_model: model,
  brier_market: market,
  ...(differences === undefined
    ? {}
    : {
        difference_to_model: differenceOf(challenger - model, differences.model),
        difference_to_market: differenceOf(challenger - market, differences.market),
      }),
})

const rowOf = (
  { model, since, withdrawnAt, ofAccount, sums }: Challenger,
  scores: ChallengerScores | undefined,
): Row => ({
  model,
  status: withdrawnAt === undefined ? "active" : "withdrawn",
  since: iso(since),
  ...ifDefined("withdrawn_at", withdrawnAt === undefined ? undefined : iso(withdrawnAt)),
  account_models_entered: ofAccount.entered,
  account_models_withdrawn: ofAccount.withdrawn,
  shared_rows: scores?.shared ?? 0,
  unscored_rows: sums.unscored,
  ...(scores === undefined ? {} : scored(scores)),
})

/** The scores of a challenger, computed once per state of its sums. The bootstrap yields to other fibers between its steps. */
const scores = oncePerState((sums: Sums, _changes: number) => inTurns(scoreSteps(sums)))

/** Answers the table of challengers. */
export const modelsOver = (challenge: Challenge["Type"]): Endpoint.Method<typeof benchModels> =>
  Step.method(function* () {
    const { challengers, settledAt } = yield* challenge.challengers
    const rows: Array<Row> = []
    for (const each of challengers) rows.push(rowOf(each, yield* scores(each.sums, each.sums.changes)))
    const asOf = settledAt ?? (yield* Step.now)
    const models = rows.sort((a, b) => b.shared_rows - a.shared_rows || compare(a.model, b.model))
    return {
      results: { as_of: iso(asOf), count: models.length, models, methodology },
      reasoning: [`Scored ${plural(models.length, "challenger")} on the contracts that they share with our models.`],
      citations: [{ step: 1, source: "settled rows", locator: "/v1/markets/settled" }],
      confidence: recorded(1, plural(models.length, "challenger")),
      links: [{ id: "settled rows", endpoints: ["/v1/markets/settled"] }],
      freshness: challenge.freshness,
    }
  })
