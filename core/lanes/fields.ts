import * as Schema from "effect/Schema"
import * as Field from "../endpoint/Field.ts"

/** How an endpoint is sold: data with a key, at a price or for nothing; signals at one price; proofs to everybody. */
export const data = (priceMicros: number) => ({ kind: "Data", priceMicros, auth: "key" }) as const
export const signalPrice = { kind: "Signal", priceMicros: 10_000, auth: "key" } as const
export const freeProof = { kind: "Proof", priceMicros: 0, auth: "none" } as const

/** What model and market say together of a contract, and what it is worth by that. */
export const pooled = {
  pooled_prob: Field.probability("Of yes, by model and market together; the market's own price at `pool_weight` 0."),
  pool_weight: Field.quantity(
    "ratio",
    "The model's weight beside the price that the domain's settled record has earned, in log-odds: 0 to 1.",
  ),
  expected_gain: Field.optional(
    Field.quantity(
      "ratio",
      "Pooled probability of `side` − ask − fee, dollars a contract. Omitted without a known fee.",
    ),
  ),
}

/** The home win beside a venue's price. */
export const homeWin = Field.optional(
  Schema.Struct({
    venue: Field.text(),
    market: Field.text("The venue's ticker: it pays where the home team wins."),
    market_prob: Field.probability("Midpoint of yes bid and yes ask."),
    side: Schema.Literal("yes", "no").annotations({ description: "`no` where the model is below the market." }),
    ...pooled,
    quoted_at: Field.instant("When the venue's quote was read."),
  }).annotations({
    identifier: "HomeWinPrice",
    description:
      "The home win beside a venue's price. Omitted without a fresh quote of two sides, and where the data is not live. Spreads and totals are not pooled.",
  }),
)

/** The source that the model's outcome comes from, and the one that the venue settles on. */
export const settlementBasis = Schema.Struct({
  model_source: Field.text(),
  venue_source: Field.text(),
  same: Field.boolean(),
  agreement: Field.optional(
    Field.text("Values on which both sources agree, of those compared, such as `312 of 314`; omitted where none is."),
  ),
})

/** The files behind a backtest. */
export const backtestInputs = (identifier: string) =>
  Field.verbose(
    Schema.Array(Schema.Struct({ name: Field.text(), sha256: Field.text() }).annotations({ identifier })).annotations({
      description: "The input data of the backtest.",
    }),
  )
