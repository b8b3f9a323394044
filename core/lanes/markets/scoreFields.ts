import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import { domains } from "../../record/scoreboard/Settled.ts"
import { estimateFields, intervalFields } from "../fields.ts"

/** Has an identifier, since client generators give an inline enum of a field and one of a parameter the same name. */
export const Domain = Schema.Literal(...domains).annotations({ identifier: "Domain" })

export const domainParam = (description: string) =>
  Param.oneOfAnyCase(domains, description, { nfl: "football", mlb: "baseball" })

const brier = Field.optional(Field.quantity("ratio", "Lower is better; omitted when nothing is scored."))

/** Mean Brier scores of model, market and their pool. */
export const brierFields = {
  markets_scored: Field.integer(),
  brier_model: brier,
  brier_market: brier,
  brier_pool: brier,
}

/** What the bootstrap resamples; the clusters are those of `record/scoreboard/cluster.ts`. */
const byCluster =
  "By bootstrap over weeks (weather, football) or days (baseball, crypto); omitted with fewer than ten of them."

const brierDifference = (identifier: string, description: string) =>
  Field.verbose(Schema.Struct(estimateFields(description)).annotations({ identifier }))

const differenceFields = {
  brier_difference: brierDifference(
    "MarketsBrierDifference",
    "brier_model − brier_market; negative: the model is ahead.",
  ),
  pool_difference: brierDifference(
    "MarketsPoolDifference",
    "brier_pool − brier_market; negative: the pool of model and price is ahead of the price alone.",
  ),
}

const BrierInterval = Field.optional(
  Schema.Struct({ ...intervalFields, level: Field.probability() }).annotations({
    identifier: "MarketsInterval",
    description: byCluster,
  }),
)

const Forecaster = Schema.Struct({
  brier: Field.quantity("ratio", "Lower is better."),
  brier_interval: BrierInterval,
  log_score: Field.quantity("ratio", "Mean −ln of the probability of the outcome, clipped at 0.001. Lower is better."),
  calibration_error: Field.quantity("ratio", "Σ |mean probability − frequency| · count / all over the bins."),
  decomposition: Schema.Struct({
    reliability: Field.quantity("ratio", "0 is best."),
    resolution: Field.quantity("ratio", "More is better."),
    uncertainty: Field.quantity("ratio", "Variance of the outcomes."),
    within_bin_variance: Field.quantity("ratio"),
    within_bin_covariance: Field.quantity("ratio"),
  }).annotations({
    identifier: "MarketsDecomposition",
    description:
      "brier = reliability − resolution + uncertainty + within_bin_variance − 2 · within_bin_covariance (Murphy 1973).",
  }),
  bins: Schema.Array(
    Schema.Struct({
      from: Field.probability(),
      to: Field.probability("Exclusive, except for 1."),
      count: Field.integer(),
      mean_probability: Field.optional(Field.probability()),
      frequency: Field.optional(Field.probability("Share of yes results.")),
      low: Field.optional(Field.probability("Lower end of the frequency's 95 % Wilson interval.")),
      high: Field.optional(Field.probability("Upper end.")),
    }).annotations({ identifier: "MarketsReliabilityBin" }),
  ).annotations({ description: "The reliability diagram. Empty bins have only a count." }),
}).annotations({ identifier: "MarketsForecaster" })

export const Score = Schema.Struct({
  ...brierFields,
  model_beats_market: Field.boolean("brier_model < brier_market, strictly."),
  ...differenceFields,
  model: Field.verbose(Forecaster),
  market: Field.verbose(Forecaster),
  pool: Field.verbose(Forecaster),
}).annotations({ identifier: "MarketsScore" })

export const DomainScore = Schema.Struct({ ...brierFields, ...differenceFields }).annotations({
  identifier: "MarketsDomainScore",
})

/** The fields of a part of all contracts, such as those of one month. */
export const partFields = {
  ...brierFields,
  clusters: Field.integer("Number of weeks (weather, football) or days (baseball, crypto)."),
  ...differenceFields,
  model_interval: BrierInterval,
  market_interval: BrierInterval,
  pool_interval: BrierInterval,
}
