import * as Effect from "effect/Effect"
import type * as Endpoint from "../../../endpoint/Endpoint.ts"
import { ifDefined } from "../../../endpoint/Field.ts"
import type { Interval } from "../../../math/bootstrap.ts"
import { type ChallengerScores, type Sums, scoreSteps } from "../../../record/scoreboard/challengers.ts"
import { intervalCoverage } from "../../../record/scoreboard/scores.ts"
import * as Step from "../../../Step.ts"
import { compare, plural } from "../../../text.ts"
import { iso, second } from "../../../time.ts"
import { runInTurns } from "../../../yieldToEventLoop.ts"
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

/** Answers the table of challengers; the scores of a challenger are computed once per state of its sums. */
export const modelsOver = (challenge: Challenge["Type"]): Endpoint.Method<typeof benchModels> => {
  const known = new WeakMap<Sums, { readonly changes: number; readonly scores: ChallengerScores | undefined }>()
  const isKnown = ({ sums }: Challenger): boolean => known.get(sums)?.changes === sums.changes
  const one = Effect.unsafeMakeSemaphore(1)
  /** The bootstrap yields to other fibers between its steps, and concurrent callers share one run. */
  const compute = ({ sums }: Challenger): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { changes } = sums
      return Effect.map(runInTurns(scoreSteps(sums)), (scores) => void known.set(sums, { changes, scores }))
    })
  const computed = (challengers: ReadonlyArray<Challenger>): Effect.Effect<void> =>
    Step.suspend(() =>
      challengers.every(isKnown)
        ? Effect.void
        : one.withPermits(1)(
            Effect.forEach(challengers, (each) => (isKnown(each) ? Effect.void : compute(each)), { discard: true }),
          ),
    )
  return Step.method(function* () {
    const { challengers, settledAt } = yield* challenge.challengers
    yield* computed(challengers)
    const asOf = settledAt ?? (yield* Step.now)
    const models = challengers
      .map((each) => rowOf(each, known.get(each.sums)?.scores))
      .sort((a, b) => b.shared_rows - a.shared_rows || compare(a.model, b.model))
    return {
      results: { as_of: iso(asOf), count: models.length, models, methodology },
      reasoning: [`Scored ${plural(models.length, "challenger")} on the contracts that they share with our models.`],
      citations: [{ step: 1, source: "settled rows", locator: "/v1/markets/settled" }],
      confidence: { score: 1, label: "settlement", factors: [plural(models.length, "challenger")] },
      links: [{ id: "settled rows", endpoints: ["/v1/markets/settled"] }],
      freshness: challenge.freshness,
    }
  })
}
