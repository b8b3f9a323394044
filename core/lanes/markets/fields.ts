import * as Schema from "effect/Schema"
import { unpricedValue } from "../../contracts/notPriced.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import { change, type Hint } from "../../Failure.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import { pooledFields, settlementBasisField } from "../fields.ts"
import { PoolWeights } from "./anchorWeights.ts"
import { brierFields, Domain, DomainScore, domainParam, partFields, Score } from "./scoreFields.ts"

const price = (description: string) => Field.probability(`${description}, dollars per contract.`)

const qualityFlags = Field.verbose(
  Schema.Array(Schema.String).annotations({ description: "Open vocabulary, such as `divergence_implausible`." }),
)

const Edge = Schema.Struct({
  venue: Field.text(),
  market: Field.text("The venue's ticker."),
  title: Field.text(),
  instrument: Field.text("A station, a game or an asset."),
  subject: Field.optional(
    Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Field.integer()) }).annotations({
      description: "Ids of the signal's subject: station and day; game_id; game_pk; asset and horizon_minutes.",
    }),
  ),
  signal_url: Field.optional(
    Field.text("Path of the call for this contract's signal; omitted if the contract closes too soon for one."),
  ),
  model_prob: Field.probability(),
  market_prob: Field.probability("Midpoint of yes bid and yes ask."),
  edge: Field.quantity("ratio", "model_prob − market_prob."),
  side: Schema.Literal("yes", "no").annotations({ description: "`no` for a negative edge." }),
  fee_per_contract: Field.optional(
    Field.probability(
      "The venue's fee at the ask of `side`, dollars, before a trade's fee is rounded (Kalshi: up to 0.0001 USD).",
    ),
  ),
  edge_after_fee: Field.optional(
    Field.quantity(
      "ratio",
      "Gain expected by the model alone: its probability of `side` − ask − fee, dollars per contract. Omitted if the fee is unknown.",
    ),
  ),
  ...pooledFields,
  actionable: Field.boolean("|`edge`| ≥ 0.05, regardless of `min_edge`, fee, age of the quote and flags."),
  ask_size: Field.optional(Field.quantity("contracts", "Contracts at the ask of `side`.")),
  spread: price("Yes ask − yes bid"),
  volume: Field.optional(Field.quantity("contracts", "Contracts traded so far.")),
  open_interest: Field.optional(Field.quantity("contracts", "Contracts outstanding.")),
  yes_ask: Field.optional(price("Yes ask")),
  close_time: Field.instant(),
  model_version: Field.text(),
  yes_bid: Field.verbose(price("Yes bid")),
  no_ask: Field.verbose(price("No ask")),
  quoted_at: Field.verbose(Field.instant("When the venue's quote was read.")),
  settlement_basis: Field.verboseUnless(
    settlementBasisField.annotations({
      description: "In the slim shape only if `same` is false: the venue settles on another source.",
    }),
    ({ same }) => !same,
  ),
  quality_flags: qualityFlags,
}).annotations({ identifier: "MarketsEdgeRow" })

/** Hints for tickers that no model prices: such a call is refused, not answered with nothing. */
export const refuseUnpriced = (tickers: Readonly<Record<string, string | undefined>>): ReadonlyArray<Hint> =>
  Object.entries(tickers).flatMap(([field, ticker]) => {
    const value = ticker === undefined ? undefined : unpricedValue(ticker)
    return value === undefined
      ? []
      : [change(field, `${ticker} is not priced: it pays on ${value}, which no model predicts.`)]
  })

export const EdgeQuery = Schema.Struct({
  domain: Param.optional(domainParam("One domain.")),
  venue: Param.optional(
    Param.lowerCasePattern(/^[a-z][a-z0-9-]{0,31}$/, "a venue's name, such as kalshi", "One venue."),
  ),
  market: Param.optional(Param.text(64, "One contract, by its ticker.")),
  min_edge: Param.withDefault(
    Param.number(0, 1, "Smallest |`edge`|; rows below 0.05 are not `actionable`."),
    minEdge / probabilityScale,
  ),
  min_gain: Param.optional(
    Param.number(-1, 1, "Smallest `expected_gain`, dollars per contract; rows with an unknown fee are left out."),
  ),
  max_spread: Param.optional(Param.number(0, 1, "Largest `spread`, dollars.")),
  side: Param.optional(Param.oneOf(["yes", "no"], "One side.")),
})
export type EdgeQuery = typeof EdgeQuery.Type

export const EdgeBoard = Schema.Struct({
  count: Field.integer(),
  actionable_count: Field.integer("Rows with a difference of 0.05 or more."),
  min_edge_threshold: Field.quantity("ratio", "`min_edge`."),
  source_disagreement: Schema.Array(
    Schema.Struct({
      domain: Domain,
      compared: Field.integer("Settled contracts with a result from the venue and one from the model's own source."),
      disagreed: Field.integer("How many of them have two different results."),
    }).annotations({ identifier: "MarketsSourceDisagreement" }),
  ).annotations({
    description:
      "How often the two settlement sources have differed, by domain of the open contracts. `compared` is 0 if no contract has both results, and until the scoreboard is computed.",
  }),
  edges: Schema.Array(Edge),
}).annotations({ identifier: "MarketsEdge" })
export type EdgeBoard = typeof EdgeBoard.Encoded

const pooledAtCapture = {
  pooled_prob: Field.probability("Model and market combined with `pool_weight`."),
  pool_weight: Field.quantity("ratio", "The model's weight in `pooled_prob`, as published when captured."),
}

const nameFields = { title: Field.text(), instrument: Field.text("A station, a game or an asset.") }
const fee_rate = Field.verbose(
  Field.quantity("ratio", "The venue's fee per contract: fee_rate · p · (1 − p); omitted where unknown."),
)

const strikeFields = {
  strike_type: Field.optional(Field.text("The venue's term, such as `between`, `greater`, `less`.")),
  floor_strike: Field.optional(Field.number()),
  cap_strike: Field.optional(Field.number()),
}

const SettledRow = Schema.Struct({
  domain: Domain,
  venue: Field.text(),
  series: Field.text(),
  market_ticker: Field.text(),
  ...nameFields,
  ...strikeFields,
  yes_bid: price("Yes bid"),
  yes_ask: price("Yes ask"),
  no_ask: price("No ask"),
  market_prob: Field.probability("Midpoint of yes bid and yes ask."),
  model_prob: Field.probability(),
  ...pooledAtCapture,
  model_version: Field.text(),
  close_time: Field.instant(),
  captured_at: Field.instant("The last capture before close."),
  result: Schema.Literal("yes", "no").annotations({ description: "The venue's own result." }),
  source_result: Field.verbose(
    Schema.Literal("yes", "no").annotations({ description: "The outcome according to the model's own source." }),
  ),
  source_voided: Field.verbose(
    Field.text(
      "A value of the model's own source that an operator voided after the contract settled, and why; `source_result` ignores it.",
    ),
  ),
  settlement_basis: Field.verbose(settlementBasisField),
  quality_flags: qualityFlags,
  event: Field.verbose(Field.text("The venue's event. Contracts of one event are not independent.")),
  cluster: Field.verbose(
    Field.text(
      "Domain and first day of the week (weather, football) or day (baseball, crypto). Intervals resample whole clusters.",
    ),
  ),
  settled_at: Field.verbose(Field.instant("When the venue's result was read.")),
  fee_rate,
  capture_id: Field.verbose(Field.text("Leaf id of the capture on the record, for an inclusion proof.")),
  anchored: Field.verbose(Field.boolean("True if a checkpoint signed before the close covers the capture.")),
  earlier_results: Field.verbose(
    Schema.Array(
      Schema.Struct({ result: Schema.Literal("yes", "no", "void"), settled_at: Field.instant() }),
    ).annotations({ description: "The venue's earlier results, oldest first." }),
  ),
}).annotations({ identifier: "MarketsSettledRow" })

const excluded = Field.verbose(
  Schema.Struct({
    void: Field.integer("Markets that the venue voided."),
    no_quote: Field.integer("Markets without two live sides at the capture."),
  }).annotations({ identifier: "MarketsExcluded", description: "Number of markets that are not scored." }),
)

export const SettledPage = Schema.Struct({
  domain: Domain,
  count: Field.integer("Rows on this page."),
  rows: Schema.Array(SettledRow).annotations({ description: "Latest close first, then by ticker." }),
  next_before: Field.optional(Field.instant("`before` of the next page; omitted on the last one.")),
  next_cursor: Field.optional(Field.text("`cursor` of the next page; omitted on the last one.")),
  methodology: Field.text("The rule for choosing and scoring the row of a market; the scoreboard uses it too."),
  excluded,
}).annotations({ identifier: "MarketsSettled" })
export type SettledPage = typeof SettledPage.Encoded

const bookSide = (description: string) => Field.optional(price(description))
const contractCount = (description: string) => Field.optional(Field.quantity("contracts", description))

export const ContractHistory = Schema.Struct({
  contracts: Schema.Array(
    Schema.Struct({
      venue: Field.text(),
      market: Field.text("The venue's ticker."),
      ...nameFields,
      ...strikeFields,
      close_time: Field.instant("As announced."),
      status: Schema.Literal("open", "closed", "settled"),
      result: Field.optional(Schema.Literal("yes", "no", "void")),
      settled_at: Field.optional(Field.instant("When the venue's result was read.")),
      settlement_basis: Field.verbose(settlementBasisField),
      fee_rate,
    }).annotations({ identifier: "MarketsHistoryContract" }),
  ).annotations({ description: "The contracts of this page's rows." }),
  count: Field.integer("Rows on this page."),
  points: Schema.Array(
    Schema.Struct({
      market: Field.text("The venue's ticker."),
      captured_at: Field.instant("When model and book were captured together."),
      model_prob: Field.probability(),
      market_prob: Field.optional(Field.probability("Midpoint of yes bid and yes ask; omitted without both sides.")),
      pooled_prob: Field.optional(pooledAtCapture.pooled_prob),
      pool_weight: pooledAtCapture.pool_weight,
      yes_bid: bookSide("Yes bid"),
      yes_ask: bookSide("Yes ask"),
      no_ask: bookSide("No ask"),
      yes_ask_size: contractCount("Contracts at the yes ask."),
      no_ask_size: contractCount("Contracts at the no ask."),
      volume: contractCount("Contracts traded so far."),
      open_interest: contractCount("Contracts outstanding."),
      model_version: Field.text(),
      quality_flags: qualityFlags,
      capture_id: Field.verbose(Field.text("Leaf id of the capture on the record.")),
    }).annotations({ identifier: "MarketsHistoryPoint" }),
  ).annotations({ description: "By ticker, then by time." }),
}).annotations({ identifier: "MarketsHistory" })
export type ContractHistory = typeof ContractHistory.Encoded

const tradeFields = {
  trades: Field.integer(),
  wins: Field.integer(),
  losses: Field.integer(),
  pnl_after_fees: Field.quantity("usd", "US dollars."),
  roi_after_fees: Field.optional(Field.quantity("ratio", "Per dollar staked; omitted without a trade.")),
  staked: Field.verbose(Field.quantity("usd", "US dollars.")),
  fees: Field.verbose(Field.quantity("usd", "US dollars.")),
  unknown_fee: Field.verbose(Field.integer("Trades excluded because the venue's fee is unknown.")),
  curve: Field.verbose(
    Schema.Array(
      Schema.Struct({
        day: Field.day(),
        trades: Field.integer(),
        pnl_after_fees: Field.quantity("usd", "US dollars."),
      }),
    ).annotations({ description: "Running totals at the end of each UTC day on which a traded contract closed." }),
  ),
}

const Part = Schema.Struct({ part: Field.text("Its name, such as `0.05 to 0.1`."), ...partFields }).annotations({
  identifier: "MarketsPart",
})
const partList = (description: string) =>
  Field.verbose(Schema.Array(Part).annotations({ description: `${description} Parts without a market are omitted.` }))

const lead = Schema.Literal("over_24h", "6_to_24h", "1_to_6h", "under_1h")

export const Performance = Schema.Struct({
  as_of: Field.instant(),
  overall: Score,
  contested: Schema.propertySignature(Score).annotations({
    description: "Strikes that the venue priced from 5 % to 95 %, both included.",
  }),
  domains: Schema.Struct({ weather: DomainScore, nfl: DomainScore, mlb: DomainScore, crypto: DomainScore }),
  hypothetical: Schema.Struct({
    ...tradeFields,
    pool: Schema.Struct(tradeFields).annotations({
      identifier: "MarketsPoolTrades",
      description: "The same for trades by the pool: wherever its expected gain is above 0.",
    }),
  }).annotations({
    description: "One flat 1 USD trade per market with an edge, at the captured ask with fees. No order is placed.",
  }),
  live: Schema.Struct({ open_tracked: Field.integer(), awaiting_settlement: Field.integer() }),
  by_settlement: Field.verbose(
    Schema.Struct({
      venue_source: DomainScore,
      model_source: DomainScore,
      compared: Field.integer("Markets with both outcomes."),
      disagreed: Field.integer("Markets whose two outcomes differ."),
      disagreement_rate: Field.optional(Field.probability("disagreed / compared.")),
    }).annotations({ description: "All markets, scored on the venue's result and on the model's own source." }),
  ),
  by_lead: Field.verbose(
    Schema.Array(Schema.Struct({ lead, ...partFields })).annotations({
      description:
        "By time from capture to close, longest first; an exact bound, such as 6 h, belongs to the longer lead.",
    }),
  ),
  by_edge: partList("By |model_prob − market_prob|; a bound belongs to the part above it."),
  by_month: partList("By calendar month of the capture in UTC, all years together."),
  by_hour: partList("By the UTC hour of the close."),
  by_version: Field.verbose(
    Schema.Array(Schema.Struct({ domain: Domain, model_version: Field.text(), ...brierFields })),
  ),
  pool_weights: Field.verbose(PoolWeights),
  unanchored: Field.verbose(
    Field.integer("Scored markets whose capture no checkpoint signed before the close covers."),
  ),
  corrected: Field.verbose(Field.integer("Markets whose result the venue changed.")),
  excluded,
}).annotations({ identifier: "MarketsPerformance" })
export type Performance = typeof Performance.Encoded
