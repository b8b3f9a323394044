import * as Schema from "effect/Schema"
import { unpricedValue } from "../../contracts/notPriced.ts"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import { change, type Hint } from "../../Failure.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { minEdge } from "../../record/scoreboard/hypothetical.ts"
import { pooledFields, settlementBasis } from "../fields.ts"
import { Anchoring } from "./anchorWeights.ts"
import { Domain, DomainScore, domain as domainParam, part, Score, scored } from "./scoreFields.ts"

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
    Field.text("Path of the call for this contract's signal; omitted when it is too near its close for one."),
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
      "The model's gain if it alone were right: its probability of `side` − ask − fee, dollars a contract. Omitted without a known fee.",
    ),
  ),
  ...pooledFields,
  actionable: Field.boolean(
    "A difference of 0.05: |`edge`| ≥ 0.05, whatever `min_edge`, the fee, the age of the quote or a flag says.",
  ),
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
    settlementBasis.annotations({
      description: "In the slim shape where `same` is false: the venue settles on another source.",
    }),
    ({ same }) => !same,
  ),
  quality_flags: qualityFlags,
}).annotations({ identifier: "MarketsEdgeRow" })

/** A contract or an event without a model is no gap of the answer: the call is refused. */
export const pricedTickers = (tickers: Readonly<Record<string, string | undefined>>): ReadonlyArray<Hint> =>
  Object.entries(tickers).flatMap(([field, ticker]) => {
    const value = ticker === undefined ? undefined : unpricedValue(ticker)
    return value === undefined
      ? []
      : [change(field, `${ticker} is not priced: it pays on ${value}, which no model predicts.`)]
  })

/** The filters of the edge board. */
export const Asked = Schema.Struct({
  domain: Param.optional(domainParam("One domain.")),
  venue: Param.optional(Param.lowerCase(/^[a-z][a-z0-9-]{0,31}$/, "a venue's name, such as kalshi", "One venue.")),
  market: Param.optional(Param.text(64, "One contract, by its ticker.")),
  min_edge: Param.withDefault(
    Param.number(0, 1, "Least difference; rows below 0.05 are not `actionable`."),
    minEdge / probabilityScale,
  ),
  min_gain: Param.optional(
    Param.number(-1, 1, "Least `expected_gain`, dollars a contract; rows without a known fee are left out."),
  ),
  max_spread: Param.optional(Param.number(0, 1, "Largest `spread`, dollars.")),
  side: Param.optional(Param.oneOf(["yes", "no"], "One side.")),
})
export type Asked = typeof Asked.Type

export const EdgeBoard = Schema.Struct({
  count: Field.integer(),
  actionable_count: Field.integer("Rows with a difference of 0.05 or more."),
  min_edge_threshold: Field.quantity("ratio", "`min_edge`."),
  source_disagreement: Schema.Array(
    Schema.Struct({
      domain: Domain,
      compared: Field.integer("Settled contracts with a result by the venue and one by the model's own source."),
      disagreed: Field.integer("Those whose two results differ."),
    }).annotations({ identifier: "MarketsSourceDisagreement" }),
  ).annotations({
    description:
      "How often the two settlement sources have differed, by domain of the open contracts. `compared` is 0 where none is settled on both, and until the scoreboard is computed.",
  }),
  edges: Schema.Array(Edge),
}).annotations({ identifier: "MarketsEdge" })
export type EdgeBoard = typeof EdgeBoard.Encoded

const pooledThen = {
  pooled_prob: Field.probability("Of model and market together, by `pool_weight`."),
  pool_weight: Field.quantity("ratio", "The model's weight beside the price, as published at the capture."),
}

const named = { title: Field.text(), instrument: Field.text("A station, a game or an asset.") }
const fee_rate = Field.verbose(
  Field.quantity("ratio", "The venue's fee per contract: fee_rate · p · (1 − p); omitted where unknown."),
)

const strikes = {
  strike_type: Field.optional(Field.text("The venue's term, such as `between`, `greater`, `less`.")),
  floor_strike: Field.optional(Field.number()),
  cap_strike: Field.optional(Field.number()),
}

const SettledRow = Schema.Struct({
  domain: Domain,
  venue: Field.text(),
  series: Field.text(),
  market_ticker: Field.text(),
  ...named,
  ...strikes,
  yes_bid: price("Yes bid"),
  yes_ask: price("Yes ask"),
  no_ask: price("No ask"),
  market_prob: Field.probability("Midpoint of yes bid and yes ask."),
  model_prob: Field.probability(),
  ...pooledThen,
  model_version: Field.text(),
  close_time: Field.instant(),
  captured_at: Field.instant("The last capture before close."),
  result: Schema.Literal("yes", "no").annotations({ description: "The venue's own result." }),
  source_result: Field.verbose(
    Schema.Literal("yes", "no").annotations({ description: "The outcome by the model's own source." }),
  ),
  source_voided: Field.verbose(
    Field.text(
      "A value of the model's own source that an operator voided after the contract settled, and why; `source_result` does not count it.",
    ),
  ),
  settlement_basis: Field.verbose(settlementBasis),
  quality_flags: qualityFlags,
  event: Field.verbose(Field.text("The venue's event; its contracts depend on each other.")),
  cluster: Field.verbose(
    Field.text(
      "Domain and first day of its week (weather, football) or day (baseball, crypto): intervals draw rows of one together.",
    ),
  ),
  settled_at: Field.verbose(Field.instant("When the venue's result was read.")),
  fee_rate,
  capture_id: Field.verbose(Field.text("Leaf id of the capture on the record, for an inclusion proof.")),
  anchored: Field.verbose(Field.boolean("A signed checkpoint from before the close covers the capture.")),
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
const contractsAt = (description: string) => Field.optional(Field.quantity("contracts", description))

export const ContractHistory = Schema.Struct({
  contracts: Schema.Array(
    Schema.Struct({
      venue: Field.text(),
      market: Field.text("The venue's ticker."),
      ...named,
      ...strikes,
      close_time: Field.instant("As announced."),
      status: Schema.Literal("open", "closed", "settled"),
      result: Field.optional(Schema.Literal("yes", "no", "void")),
      settled_at: Field.optional(Field.instant("When the venue's result was read.")),
      settlement_basis: Field.verbose(settlementBasis),
      fee_rate,
    }).annotations({ identifier: "MarketsHistoryContract" }),
  ).annotations({ description: "Those of this page." }),
  count: Field.integer("Rows on this page."),
  points: Schema.Array(
    Schema.Struct({
      market: Field.text("The venue's ticker."),
      at: Field.instant("When model and book were captured together."),
      model_prob: Field.probability(),
      market_prob: Field.optional(Field.probability("Midpoint of yes bid and yes ask; omitted without both sides.")),
      pooled_prob: Field.optional(pooledThen.pooled_prob),
      pool_weight: pooledThen.pool_weight,
      yes_bid: bookSide("Yes bid"),
      yes_ask: bookSide("Yes ask"),
      no_ask: bookSide("No ask"),
      yes_ask_size: contractsAt("Contracts at the yes ask."),
      no_ask_size: contractsAt("Contracts at the no ask."),
      volume: contractsAt("Contracts traded so far."),
      open_interest: contractsAt("Contracts outstanding."),
      model_version: Field.text(),
      quality_flags: qualityFlags,
      capture_id: Field.verbose(Field.text("Of the record's leaf.")),
    }).annotations({ identifier: "MarketsHistoryPoint" }),
  ).annotations({ description: "By ticker, then by time." }),
}).annotations({ identifier: "MarketsHistory" })
export type ContractHistory = typeof ContractHistory.Encoded

/** Totals of hypothetical trades. */
const trades = {
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
    ).annotations({ description: "Running totals at the end of each UTC day of closes on which a trade ended." }),
  ),
}

const Part = Schema.Struct({ part: Field.text("Its name, such as `0.05 to 0.1`."), ...part }).annotations({
  identifier: "MarketsPart",
})
const divided = (description: string) =>
  Field.verbose(Schema.Array(Part).annotations({ description: `${description} Parts without a market are omitted.` }))

/** Time from capture to close. */
const lead = Schema.Literal("over_24h", "6_to_24h", "1_to_6h", "under_1h")

export const Performance = Schema.Struct({
  as_of: Field.instant(),
  overall: Score,
  contested: Schema.propertySignature(Score).annotations({
    description: "Strikes that the venue priced from 5 % to 95 %, both included.",
  }),
  domains: Schema.Struct({ weather: DomainScore, nfl: DomainScore, mlb: DomainScore, crypto: DomainScore }),
  hypothetical: Schema.Struct({
    ...trades,
    pool: Schema.Struct(trades).annotations({
      identifier: "MarketsPoolTrades",
      description: "The same by the pool's rule: wherever its expected gain is above 0.",
    }),
  }).annotations({
    description: "One flat 1 USD trade per market with an edge, at the captured ask with fees. No order is placed.",
  }),
  live: Schema.Struct({ open_tracked: Field.integer(), awaiting_settlement: Field.integer() }),
  by_settlement: Field.verbose(
    Schema.Struct({
      venue_source: DomainScore,
      model_source: DomainScore,
      compared: Field.integer("Markets with both outcomes known."),
      disagreed: Field.integer("Markets whose two outcomes differ."),
      disagreement_rate: Field.optional(Field.probability("disagreed / compared.")),
    }).annotations({ description: "All markets, scored on the venue's result and on the model's own source." }),
  ),
  by_lead: Field.verbose(
    Schema.Array(Schema.Struct({ lead, ...part })).annotations({
      description: "By time from capture to close, longest first; an hour's end belongs to the longer lead.",
    }),
  ),
  by_edge: divided("By |model_prob − market_prob|; a bound belongs to the part above it."),
  by_month: divided("By the UTC month of the capture, of all years."),
  by_hour: divided("By the UTC hour of the close."),
  by_version: Field.verbose(Schema.Array(Schema.Struct({ domain: Domain, model_version: Field.text(), ...scored }))),
  anchoring: Field.verbose(Anchoring),
  unanchored: Field.verbose(
    Field.integer("Scored markets without a signed checkpoint over their capture before the close."),
  ),
  corrected: Field.verbose(Field.integer("Markets whose result the venue changed.")),
  excluded,
}).annotations({ identifier: "MarketsPerformance" })
export type Performance = typeof Performance.Encoded
