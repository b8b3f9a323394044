import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import { domains } from "../../record/scoreboard/Settled.ts"

/** Named, since generators of clients call a field's inline enum and a parameter's by the same name. */
export const Domain = Schema.Literal(...domains).annotations({ identifier: "Domain" })

export const domain = (description: string) =>
  Param.codeChoice(domains, description, { nfl: "football", mlb: "baseball" })

const brier = Field.optional(Field.quantity("ratio", "Lower is better; omitted when nothing is scored."))

/** Mean scores of model, market and both together. */
export const scored = { markets_scored: Field.integer(), brier_model: brier, brier_market: brier, brier_pool: brier }

/** What is drawn: `clusterOf`. */
const byCluster =
  "By bootstrap over weeks of weather and football, days of baseball and crypto; omitted with fewer than ten."

/** The ends of an interval, and its coverage. */
export const interval = {
  low: Field.quantity("ratio"),
  high: Field.quantity("ratio"),
  level: Field.probability("Coverage of low to high."),
}

const brierDifference = (identifier: string, description: string) =>
  Field.verbose(
    Schema.Struct({ estimate: Field.quantity("ratio", description), ...interval }).annotations({ identifier }),
  )

const differences = {
  brier_difference: brierDifference(
    "MarketsBrierDifference",
    "brier_model − brier_market; negative: the model is ahead.",
  ),
  pool_difference: brierDifference(
    "MarketsPoolDifference",
    "brier_pool − brier_market; negative: the price with the model is ahead of the price alone.",
  ),
}

const BrierInterval = Field.optional(
  Schema.Struct({ ...interval, level: Field.probability() }).annotations({
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
      frequency: Field.optional(Field.probability("Share that came true.")),
      low: Field.optional(Field.probability("Lower end of the frequency's 95 % Wilson interval.")),
      high: Field.optional(Field.probability("Upper end.")),
    }).annotations({ identifier: "MarketsReliabilityBin" }),
  ).annotations({ description: "The reliability diagram. Empty bins have only a count." }),
}).annotations({ identifier: "MarketsForecaster" })

/** All scores of model, market and pool on some contracts. */
export const Score = Schema.Struct({
  ...scored,
  model_beats_market: Field.boolean("brier_model < brier_market, strictly."),
  ...differences,
  model: Field.verbose(Forecaster),
  market: Field.verbose(Forecaster),
  pool: Field.verbose(Forecaster),
}).annotations({ identifier: "MarketsScore" })

/** Their Brier scores alone. */
export const DomainScore = Schema.Struct({ ...scored, ...differences }).annotations({
  identifier: "MarketsDomainScore",
})

/** The same of a part of all contracts. */
export const part = {
  ...scored,
  clusters: Field.integer("Weeks of weather and football, days of baseball and crypto."),
  ...differences,
  model_interval: BrierInterval,
  market_interval: BrierInterval,
  pool_interval: BrierInterval,
}
