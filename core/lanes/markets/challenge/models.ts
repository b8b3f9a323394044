import * as Schema from "effect/Schema"
import * as Endpoint from "../../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../../endpoint/explain.ts"
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
import { freeProof } from "../../fields.ts"
import { Challenge, type Challenger } from "./Challenge.ts"
import { ModelTable } from "./fields.ts"

type Row = ModelTable["models"][number]

/** How opinions are scored. */
export const methodology =
  "Every contract that is settled and scored for our models counts, with its last capture before the actual close. A model is scored by its last opinion that is not newer than that capture and its quotes, and that a checkpoint signed before the close covers. Later opinions are kept and not scored. The same rows, outcomes and Brier score for the challenger, our models and the market. Intervals of the differences come from the scoreboard's bootstrap over weeks or days."

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

/** Every challenger against our models and the market. */
export const benchModels = Endpoint.make("/v1/bench/models", {
  rows: "models",
  section: "challenge",
  ...freeProof,
  summary: "Models of users against ours and the market, on the same settled contracts",
  use: "Leaderboard of `bench_opinions`.",
  example: {},
  params: Schema.Struct({}),
  results: ModelTable,
  ports: { challenge: Challenge },
  answer: function* (_, { challenge }, give) {
    const { challengers, settledAt } = yield* challenge.challengers
    const rows: Array<Row> = []
    for (const each of challengers) rows.push(rowOf(each, yield* scores(each.sums, each.sums.changes)))
    const asOf = settledAt ?? (yield* Step.now)
    const models = rows.sort((a, b) => b.shared_rows - a.shared_rows || compare(a.model, b.model))
    return give({
      results: { as_of: iso(asOf), count: models.length, models, methodology },
      explained: explain(
        step(
          `Scored ${plural(models.length, "challenger")} on the contracts that they share with our models.`,
          cite("settled rows", "/v1/markets/settled"),
        ),
      ),
      confidence: recorded(1, plural(models.length, "challenger")),
      links: [{ id: "settled rows", endpoints: ["/v1/markets/settled"] }],
    })
  },
})
