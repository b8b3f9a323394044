import * as Schema from "effect/Schema"
import * as Field from "../endpoint/Field.ts"

/** The terms of the kinds of endpoints: data (needs a key), signals (needs a key, one price), proofs (free, no key). */
export const dataTerms = (priceMicros: number) => ({ kind: "Data", priceMicros, auth: "key" }) as const
export const signalTerms = { kind: "Signal", priceMicros: 10_000, auth: "key" } as const
export const proofTerms = { kind: "Proof", priceMicros: 0, auth: "none" } as const

export const intervalFields = {
  low: Field.quantity("ratio"),
  high: Field.quantity("ratio"),
  level: Field.probability("Coverage of low to high."),
}

export const estimateFields = (about: string) => ({ estimate: Field.quantity("ratio", about), ...intervalFields })

/** The probability of a contract pooled from model and market, and the expected gain by it. */
export const pooledFields = {
  pooled_prob: Field.probability("Of yes, by model and market together; the market's price if `pool_weight` is 0."),
  pool_weight: Field.quantity(
    "ratio",
    "Weight of the model against the market price, in log-odds, 0 to 1; earned by the domain's settled record.",
  ),
  expected_gain: Field.optional(
    Field.quantity(
      "ratio",
      "Pooled probability of `side` − ask − fee, dollars per contract. Omitted if the fee is unknown.",
    ),
  ),
}

export const homeWinField = Field.optional(
  Schema.Struct({
    venue: Field.text(),
    market: Field.text("The venue's ticker; it pays if the home team wins."),
    market_prob: Field.probability("Midpoint of yes bid and yes ask."),
    side: Schema.Literal("yes", "no").annotations({ description: "`no` if the model is below the market." }),
    ...pooledFields,
    quoted_at: Field.instant("When the venue's quote was read."),
  }).annotations({
    identifier: "HomeWinPrice",
    description:
      "The home win beside a venue's price. Omitted without a fresh two-sided quote, and if the data are not live. Spreads and totals are not pooled.",
  }),
)

/** The source that the model's outcome comes from, and the one that the venue settles on. */
export const settlementBasisField = Schema.Struct({
  model_source: Field.text(),
  venue_source: Field.text(),
  same: Field.boolean(),
  agreement: Field.optional(
    Field.text(
      "How many of the compared values are equal in both sources, such as `312 of 314`; omitted if none was compared.",
    ),
  ),
})

export const makeBacktestInputs = (identifier: string) =>
  Field.verbose(
    Schema.Array(Schema.Struct({ name: Field.text(), sha256: Field.text() }).annotations({ identifier })).annotations({
      description: "The input data of the backtest.",
    }),
  )
