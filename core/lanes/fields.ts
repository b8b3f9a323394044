import * as Schema from "effect/Schema"
import * as Field from "../endpoint/Field.ts"

/** How an endpoint is sold: data with a key, at a price or for nothing; signals at one price; proofs to everybody. */
export const data = (priceMicros: number) => ({ kind: "Data", priceMicros, auth: "key" }) as const
export const signalPrice = { kind: "Signal", priceMicros: 10_000, auth: "key" } as const
export const freeProof = { kind: "Proof", priceMicros: 0, auth: "none" } as const

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
