import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import { settlementBasisField } from "../fields.ts"

export const assets = ["BTC", "ETH"] as const
export type Asset = (typeof assets)[number]
const Asset = Schema.Literal(...assets).annotations({ identifier: "Asset" })

const RealizedVol = Schema.Struct({
  sigma_1h: Field.quantity("volatility", "One-hour log-return sigma from the last 120 one-minute closes."),
  expected_move_1h_usd: Field.quantity("usd", "spot · sigma_1h."),
  annualized_est: Field.quantity("ratio"),
  window: Field.text("The closes used."),
}).annotations({ identifier: "CryptoRealizedVol" })

const Tape = Schema.Struct({
  source: Field.text(),
  last_candle_age_s: Field.quantity("seconds", "Seconds."),
  stale: Field.boolean("The last candle is older than 120 s."),
}).annotations({ identifier: "CryptoTape" })

export const Spot = Schema.Struct({
  asset: Asset,
  spot: Field.quantity("usd", "US dollars."),
  realized_vol: RealizedVol,
  tape: Tape,
}).annotations({ identifier: "CryptoSpot" })
export type Spot = typeof Spot.Encoded

export const Signal = Schema.Struct({
  asset: Asset,
  spot: Field.quantity("usd", "US dollars."),
  horizon_minutes: Field.integer(),
  sigma_ln: Field.quantity("volatility", "Half-width of the central 68.27 % of the log return at the horizon."),
  nu: Field.verbose(
    Field.quantity("ratio", "Degrees of freedom of the log return's Student t distribution; omitted if it is normal."),
  ),
  location_ln: Field.verbose(Field.quantity("volatility", "Median of the log return; omitted if it is 0.")),
  expected_move_1sd_usd: Field.quantity("usd", "spot · sigma_ln."),
  annualized_vol_est: Field.quantity("ratio", "sigma_ln scaled from the horizon to a year."),
  p_above: Schema.Array(
    Schema.Struct({
      strike: Field.number("US dollars."),
      p_above: Field.probability("Probability that spot is above the strike at the horizon."),
    }).annotations({ identifier: "CryptoStrike" }),
  ).annotations({ description: "In rising order of strikes." }),
  market_note: Field.text("The model's price source, and the venue's settlement source."),
  model_version: Field.verbose(Field.text()),
  realized_vol: Field.verbose(RealizedVol),
  tape: Field.verbose(Tape),
  settlement_basis: Field.verbose(settlementBasisField),
  quality_flags: Field.verbose(Schema.Array(Schema.String)),
}).annotations({ identifier: "CryptoSignal" })
export type Signal = typeof Signal.Encoded
