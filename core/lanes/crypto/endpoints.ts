import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Field from "../../endpoint/Field.ts"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Param from "../../endpoint/Param.ts"
import { data, settlementBasis, signalPrice } from "../fields.ts"

export const assets = ["BTC", "ETH"] as const
export type Asset = (typeof assets)[number]

const asset = Param.withDefault(Param.code(assets, "The traded asset.", { BTC: "Bitcoin", ETH: "Ether" }), "BTC")
const Asset = Schema.Literal(...assets).annotations({ identifier: "Asset" })

export const RealizedVol = Schema.Struct({
  sigma_1h: Field.quantity("volatility", "One-hour log-return sigma from the last 120 one-minute closes."),
  expected_move_1h_usd: Field.quantity("usd", "spot · sigma_1h."),
  annualized_est: Field.quantity("ratio"),
  window: Field.text("The closes used."),
}).annotations({ identifier: "CryptoRealizedVol" })

export const Tape = Schema.Struct({
  source: Field.text(),
  last_candle_age_s: Field.quantity("seconds", "Seconds."),
  stale: Field.boolean("The last candle is older than 120 s."),
}).annotations({ identifier: "CryptoTape" })

/** The last close of the one-minute tape. */
export const spot = Endpoint.declare({
  path: "/v1/crypto/spot",
  ...data(0),
  summary: "Spot price and realized volatility from a one-minute tape",
  use: "What bitcoin or ether costs now, USD; later prices: `crypto_signal`.",
  example: { asset: "BTC" },
  params: Schema.Struct({ asset }),
  results: Schema.Struct({
    asset: Asset,
    spot: Field.quantity("usd", "US dollars."),
    realized_vol: RealizedVol,
    tape: Tape,
  }).annotations({ identifier: "CryptoSpot" }),
})

/** The distribution of the price at the horizon. */
export const signal = Endpoint.declare({
  path: "/v1/crypto/signal",
  ...signalPrice,
  summary: "Probability that BTC or ETH is above each strike, 5 minutes to 24 hours ahead",
  use: "Chance of a later price; to price a strike contract. The price now: `crypto_spot`.",
  example: { asset: "BTC", horizon_minutes: 60 },
  params: Schema.Struct({
    asset,
    horizon_minutes: Param.withDefault(Param.integer(5, 1440, "Minutes ahead."), 60),
    strikes: Param.optional(
      Param.list(Param.positive("US dollars."), 50, "Strikes in place of the grid of 21 around spot."),
    ),
  }),
  results: Schema.Struct({
    asset: Asset,
    spot: Field.quantity("usd", "US dollars."),
    horizon_minutes: Field.integer(),
    sigma_ln: Field.quantity("volatility", "Half-width of the central 68.27 % of the log return at the horizon."),
    expected_move_1sd_usd: Field.quantity("usd", "spot · sigma_ln."),
    annualized_vol_est: Field.quantity("ratio", "sigma_ln scaled from the horizon to a year."),
    p_above: Schema.Array(
      Schema.Struct({
        strike: Field.number("US dollars."),
        p_above: Field.probability("That spot is above the strike at the horizon."),
      }).annotations({ identifier: "CryptoStrike" }),
    ).annotations({ description: "In rising order of strikes." }),
    market_note: Field.text("The model's price source, and the venue's settlement source."),
    model_version: Field.verbose(Field.text()),
    realized_vol: Field.verbose(RealizedVol),
    tape: Field.verbose(Tape),
    settlement_basis: Field.verbose(settlementBasis),
    quality_flags: Field.verbose(Schema.Array(Schema.String)),
  }).annotations({ identifier: "CryptoSignal" }),
})

export const endpoints = { spot, signal }

/** One method per endpoint of the lane. */
export interface CryptoMethods extends Lane.Methods<typeof endpoints> {}
