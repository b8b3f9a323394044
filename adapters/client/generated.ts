// Written by `npm run docs` from the endpoints' schemas. Do not edit.
import type { Described } from "./Described.ts"

export interface Accept {
  readonly scheme: "exact"
  /** CAIP-2 id of the chain, such as `eip155:8453`. */
  readonly network: string
  /** Whole units of the token, decimal. */
  readonly amount: string
  /** Address of the token's contract. */
  readonly asset: string
  /** Address that is paid. */
  readonly payTo: string
  /** For which a signed payment must be valid at most. */
  readonly maxTimeoutSeconds: number
  /** Name and version of the token, which are part of the signature. */
  readonly extra: {
    readonly [key: string]: string
  }
}

export interface Alternative {
  readonly id: string
  readonly label: string
  readonly score: number
  readonly why: string
}

export interface AnchoredLaw {
  /** The number: `high`, `low`, `margin`, `total`. */
  readonly of: string
  readonly venue: string
  /** The venue's settlement source: the law is of its number, which may differ from the model's. */
  readonly settles_on: string
  /** Contracts whose two-sided quotes the law has. */
  readonly contracts: number
  /** When the oldest of these quotes was read. */
  readonly as_of: string
  /** The number of the first element of `pmf` and `ge`. */
  readonly from: number
  readonly pmf: ReadonlyArray<number>
  /** The probability of each number or more. */
  readonly ge: ReadonlyArray<number>
}

export interface BenchContract {
  /** The venue's ticker. */
  readonly ticker: string
  readonly venue: string
  readonly title: string
  /** The announced end of trading. */
  readonly closes_at: string
}

export interface BenchContracts {
  readonly domain: "weather" | "nfl" | "mlb" | "crypto"
  readonly count: number
  /** The earliest close first. */
  readonly contracts: ReadonlyArray<BenchContract>
}

export interface BenchContractsParams {
  /** Domain of the contracts. Default: `"weather"`. */
  readonly domain?: "weather" | "nfl" | "mlb" | "crypto"
}

export interface BenchDifferenceMarket {
  /** Negative: the challenger is ahead. */
  readonly estimate: number
  readonly low: number
  readonly high: number
  /** Coverage of low to high, by bootstrap over events. */
  readonly level: number
}

export interface BenchDifferenceModel {
  /** Negative: the challenger is ahead. */
  readonly estimate: number
  readonly low: number
  readonly high: number
  /** Coverage of low to high, by bootstrap over events. */
  readonly level: number
}

export interface BenchModel {
  /** The model's name. */
  readonly model: string
  readonly status: "active" | "withdrawn"
  /** Its first opinion. */
  readonly since: string
  readonly withdrawn_at?: string
  /** Models that its account ever entered, this one included. */
  readonly account_models_entered: number
  /** Those of them that the account withdrew. */
  readonly account_models_withdrawn: number
  /** Settled contracts on which both are scored. */
  readonly shared_rows: number
  /** Settled contracts on which all of its opinions are newer than the capture, or not anchored before the close. */
  readonly unscored_rows: number
  /** Mean time from its scored opinions to the close; omitted without a shared row. */
  readonly lead_seconds?: number
  /** Mean time from the captures of model and market on these rows to the close. */
  readonly capture_lead_seconds?: number
  /** The challenger's score. Lower is better; omitted without a shared row. */
  readonly brier?: number
  /** Our models' score on the same rows. Lower is better; omitted without a shared row. */
  readonly brier_model?: number
  /** The market's score on the same rows. Lower is better; omitted without a shared row. */
  readonly brier_market?: number
  /** Of the Brier scores on the shared rows; omitted while all are of one event. */
  readonly difference_to_model?: BenchDifferenceModel
  /** Of the Brier scores on the shared rows; omitted while all are of one event. */
  readonly difference_to_market?: BenchDifferenceMarket
}

export interface BenchModels {
  /** Time of the last result. */
  readonly as_of: string
  readonly count: number
  /** Most shared rows first, then by name. Withdrawn ones stay. */
  readonly models: ReadonlyArray<BenchModel>
  /** The rule by which an opinion is scored. */
  readonly methodology: string
}

export type BenchModelsParams = Record<never, never>

export interface BenchOpinion {
  readonly ticker: string
  readonly venue: string
  /** As it is kept. */
  readonly p: number
  /** The announced end of trading. The leaf is sealed until then. */
  readonly closes_at: string
  /** The next scheduled capture of model and market. The opinion counts against captures from its own time on; omitted where nothing is kept, and where the contract closes before: only a call of its signal with a live key captures it then. */
  readonly next_capture_at?: string
  /** Its leaf of the record; the earlier one where the model's last opinion on the contract was the same. */
  readonly leaf_id?: string
}

export interface BenchOpinions {
  /** The model's name. */
  readonly model: string
  /** False where nothing is kept: with a test key, and where the lane is not live. */
  readonly recorded: boolean
  /** Why nothing was kept, and the next step; omitted where it was. */
  readonly not_recorded?: string
  readonly count: number
  readonly opinions: ReadonlyArray<BenchOpinion>
  /** Settled contracts on which this model and ours are scored so far. */
  readonly shared_rows: number
  /** More opinions that the account may record in this UTC day. */
  readonly opinions_left?: number
}

export interface BenchOpinionsParams {
  /** The model's public name, in lower case; of the account that used it first. */
  readonly model: string
  /** Of 1 to 100 contracts; recorded all or none. At most 1,000 an account and UTC day, of at most 5 models. */
  readonly opinions: ReadonlyArray<{
    /** An open contract of /v1/bench/contracts. */
    readonly ticker: string
    /** The venue, where two list one ticker. */
    readonly venue?: string
    /** Probability of yes, kept in whole millionths. */
    readonly p: number
  }>
}

export interface BenchWithdraw {
  /** The model's name. */
  readonly model: string
  /** False where nothing is kept: with a test key, and where the lane is not live. */
  readonly recorded: boolean
  /** Why nothing was kept, and the next step; omitted where it was. */
  readonly not_recorded?: string
  readonly status: "withdrawn"
  readonly withdrawn_at?: string
}

export interface BenchWithdrawParams {
  /** The model's public name, in lower case; of the account that used it first. */
  readonly model: string
}

export interface Citation {
  /** 1-based index into `_reasoning`. */
  readonly step: number
  readonly source: string
  /** Where the source is looked up: a URL, a path of this service, or an id: of a climate report's product, a station, a game, a filing, or a venue's ticker. */
  readonly locator: string
}

export interface CommonOptions {
  /** Allow-list of fields: dotted paths relative to `results`. `*` is the full shape. */
  readonly fields?: ReadonlyArray<string>
  /** The full shape, with provenance and quality flags. Default: `false`. */
  readonly verbose?: boolean
  /** Envelope fields to add to the answer. */
  readonly include?: ReadonlyArray<"_alternatives" | "_counterfactual" | "_suggestions" | "_market_anchored">
  /** Check and quote the call: `results` is the quote; nothing is computed or charged. Default: `false`. */
  readonly dry_run?: boolean
}

export interface Confidence {
  readonly score: number
  /** `settlement`: recorded values. `reasoned`: model output, forecasts and guesses. */
  readonly label: "settlement" | "reasoned"
  readonly factors: ReadonlyArray<string>
}

export interface Counterfactual {
  /** The input that was changed. */
  readonly input?: string
  readonly from?: unknown
  readonly to?: unknown
  readonly result?: unknown
  readonly delta?: unknown
}

export interface CryptoRealizedVol {
  /** One-hour log-return sigma from the last 120 one-minute closes. */
  readonly sigma_1h: number
  /** spot · sigma_1h. */
  readonly expected_move_1h_usd: number
  readonly annualized_est: number
  /** The closes used. */
  readonly window: string
}

export interface CryptoSignal {
  readonly asset: "BTC" | "ETH"
  /** US dollars. */
  readonly spot: number
  readonly horizon_minutes: number
  /** Half-width of the central 68.27 % of the log return at the horizon. */
  readonly sigma_ln: number
  /** spot · sigma_ln. */
  readonly expected_move_1sd_usd: number
  /** sigma_ln scaled from the horizon to a year. */
  readonly annualized_vol_est: number
  /** In rising order of strikes. */
  readonly p_above: ReadonlyArray<CryptoStrike>
  /** The model's price source, and the venue's settlement source. */
  readonly market_note: string
  readonly model_version?: string
  readonly realized_vol?: {
    /** One-hour log-return sigma from the last 120 one-minute closes. */
    readonly sigma_1h: number
    /** spot · sigma_1h. */
    readonly expected_move_1h_usd: number
    readonly annualized_est: number
    /** The closes used. */
    readonly window: string
  }
  readonly tape?: {
    readonly source: string
    /** Seconds. */
    readonly last_candle_age_s: number
    /** The last candle is older than 120 s. */
    readonly stale: boolean
  }
  readonly settlement_basis?: {
    readonly model_source: string
    readonly venue_source: string
    readonly same: boolean
  }
  readonly quality_flags?: ReadonlyArray<string>
}

export interface CryptoSignalParams {
  /** The traded asset. Default: `"BTC"`. */
  readonly asset?: "BTC" | "ETH"
  /** Minutes ahead. Default: `60`. */
  readonly horizon_minutes?: number
  /** Strikes in place of the grid of 21 around spot. */
  readonly strikes?: ReadonlyArray<number>
}

export interface CryptoSpot {
  readonly asset: "BTC" | "ETH"
  /** US dollars. */
  readonly spot: number
  readonly realized_vol: CryptoRealizedVol
  readonly tape: CryptoTape
}

export interface CryptoSpotParams {
  /** The traded asset. Default: `"BTC"`. */
  readonly asset?: "BTC" | "ETH"
}

export interface CryptoStrike {
  /** US dollars. */
  readonly strike: number
  /** That spot is above the strike at the horizon. */
  readonly p_above: number
}

export interface CryptoTape {
  readonly source: string
  /** Seconds. */
  readonly last_candle_age_s: number
  /** The last candle is older than 120 s. */
  readonly stale: boolean
}

export interface DryRun {
  readonly quote: {
    /** Path of the endpoint. */
    readonly endpoint: string
    readonly price: Price
    /** Micro-dollars. The charge to this key. */
    readonly charged_micros: number
    /** Whether caps and wallet allow the call now. */
    readonly affordable: boolean
    /** The error code that the call would fail with. */
    readonly blocked_by?: string
    /** Micro-dollars. The wallet balance. Omitted for keys of an agent. */
    readonly balance_micros?: number
    /** Tokens of this endpoint's example answer. */
    readonly tokens_estimated?: number
  }
}

export interface EnvelopeFields {
  readonly _reasoning: ReadonlyArray<string>
  readonly _citations: ReadonlyArray<Citation>
  readonly _confidence: Confidence
  readonly _links: ReadonlyArray<Link>
  readonly _alternatives?: ReadonlyArray<Alternative>
  /** Empty if the endpoint computes none. */
  readonly _counterfactual?: Counterfactual
  readonly _suggestions?: ReadonlyArray<Suggestion>
  /** The signal's laws with the market's prices, and the model's shape between them. Not a model's forecast: never recorded, never scored. */
  readonly _market_anchored?: MarketAnchored
  readonly _meta: Meta
}

export interface ErrorBody {
  readonly error: {
    readonly code:
      | "missing_authorization"
      | "invalid_api_key_format"
      | "invalid_api_key"
      | "insufficient_scope"
      | "account_suspended"
      | "agent_paused"
      | "invalid_parameter"
      | "invalid_request_body"
      | "invalid_ticker_format"
      | "invalid_accession_number"
      | "insufficient_funds"
      | "payment_required"
      | "payment_invalid"
      | "payment_expired"
      | "payment_underpaid"
      | "payment_wrong_network"
      | "payment_replayed"
      | "payment_in_progress"
      | "payment_unconfirmed"
      | "not_found"
      | "job_not_found"
      | "method_not_allowed"
      | "not_acceptable"
      | "request_timeout"
      | "idempotency_in_progress"
      | "not_offered"
      | "payload_too_large"
      | "uri_too_long"
      | "idempotency_key_reused"
      | "rate_limit_exceeded"
      | "agent_budget_exceeded"
      | "headers_too_large"
      | "internal_error"
      | "data_freshness_stale"
      | "data_provider_unavailable"
      | "upstream_unavailable"
      | "storage_unavailable"
    readonly message: string
    /** true: fix the request or wait, then retry. false: a person must act. */
    readonly recoverable: boolean
    readonly retry_after_ms: number | null
    readonly docs_url: string
    readonly request_id: string
    readonly hints: ReadonlyArray<Hint>
    readonly quote?: Quote
  }
}

export interface ForecastPeriod {
  readonly name: string
  /** Local timestamp. */
  readonly start: string
  /** Local timestamp. */
  readonly end: string
  readonly is_day: boolean
  readonly temp_f: number
  /** Probability of precipitation, percent. */
  readonly precip_pct?: number
  readonly wind_mph_max?: number
  readonly wind_dir?: string
  readonly summary: string
}

export interface Hint {
  readonly field: string
  readonly action: "add" | "change" | "remove" | "retry" | "wait" | "contact"
  readonly suggestion: string
}

export interface Key {
  readonly key_id: string
  /** `live` or `test`. */
  readonly environment: string
  readonly scopes?: ReadonlyArray<string>
  readonly rate_limit: {
    readonly per_minute: number
    readonly remaining: number
    /** Until the bucket is full. */
    readonly reset_seconds: number
  }
  /** The UTC month, YYYY-MM. */
  readonly month: string
  /** Micro-dollars. Charged to this key in the month. */
  readonly month_spent_micros: number
  readonly agent?: {
    readonly id: string
    readonly name: string
    /** Micro-dollars. Per UTC month. */
    readonly monthly_cap_micros?: number
    /** Micro-dollars. Lifetime cap. */
    readonly budget_cap_micros?: number
    /** Micro-dollars. By all keys of the agent in the month, at list price. */
    readonly month_spent_micros: number
    /** Micro-dollars. By all keys of the agent, at list price. */
    readonly total_spent_micros: number
    /** Start of the next UTC month. */
    readonly resets_at: string
  }
  /** Omitted for keys of an agent. */
  readonly wallet?: {
    /** Micro-dollars. Of the account. */
    readonly balance_micros: number
  }
}

export type KeyParams = Record<never, never>

export interface Link {
  /** A canonical id. */
  readonly id: string
  /** Calls that accept it: relative paths. */
  readonly endpoints: ReadonlyArray<string>
}

export interface MarketAnchored {
  readonly label: "market-anchored, not a model"
  /** The model's weight in log-odds, fitted on settled rows: 0 until it improves on the market. */
  readonly weight?: number
  readonly laws: ReadonlyArray<AnchoredLaw>
  /** Why there is no law. */
  readonly reason?: string
}

export interface MarketsAnchorWeight {
  /** In use: `fitted` where `low` is above 0, else 0. */
  readonly weight: number
  /** Of maximum likelihood, 0 to 1; omitted with under 100 rows. */
  readonly fitted?: number
  /** Log score of the market minus that of the pool, nats, on rows after those of each fit. */
  readonly improvement?: number
  /** Lower end of its 95 % interval, over events. */
  readonly low?: number
  /** Upper end. */
  readonly high?: number
  /** Rows scored with a weight of the rows settled before their day. */
  readonly rows: number
}

export interface MarketsDecomposition {
  /** 0 is best. */
  readonly reliability: number
  /** More is better. */
  readonly resolution: number
  /** Variance of the outcomes. */
  readonly uncertainty: number
  readonly within_bin_variance: number
  readonly within_bin_covariance: number
}

export interface MarketsDomainScore {
  readonly markets_scored: number
  /** Lower is better; omitted when nothing is scored. */
  readonly brier_model?: number
  /** Lower is better; omitted when nothing is scored. */
  readonly brier_market?: number
  readonly brier_difference?: {
    /** brier_model − brier_market; negative: the model is ahead. */
    readonly estimate: number
    readonly low: number
    readonly high: number
    /** Coverage of low to high, by bootstrap over events. */
    readonly level: number
  }
}

export interface MarketsEdge {
  readonly count: number
  readonly actionable_count: number
  /** 0.05. */
  readonly min_edge_threshold: number
  /** How often the two settlement sources have differed, by domain of the open contracts. `compared` is 0 where none is settled on both, and until the scoreboard is computed. */
  readonly source_disagreement: ReadonlyArray<MarketsSourceDisagreement>
  readonly edges: ReadonlyArray<MarketsEdgeRow>
}

export type MarketsEdgeParams = Record<never, never>

export interface MarketsEdgeRow {
  readonly venue: string
  /** The venue's ticker. */
  readonly market: string
  readonly title: string
  /** A station, a game or an asset. */
  readonly instrument: string
  /** Ids of the signal's subject: station and day; game_id; game_pk; asset and horizon_minutes. */
  readonly subject?: {
    readonly [key: string]: string | number
  }
  /** Path of the call for this contract's signal; omitted when it is too near its close for one. */
  readonly signal_url?: string
  readonly model_prob: number
  /** Midpoint of yes bid and yes ask. */
  readonly market_prob: number
  /** model_prob − market_prob. */
  readonly edge: number
  /** `no` for a negative edge. */
  readonly side: "yes" | "no"
  /** The edge reaches the threshold, the quote is fresh and there is no quality flag. */
  readonly actionable: boolean
  /** Yes ask, dollars per contract. */
  readonly yes_ask?: number
  readonly close_time: string
  readonly model_version: string
  /** Yes bid, dollars per contract. */
  readonly yes_bid?: number
  /** No ask, dollars per contract. */
  readonly no_ask?: number
  /** When the venue's quote was read. */
  readonly quoted_at?: string
  /** In the slim shape where `same` is false: the venue settles on another source; `actionable` allows it. */
  readonly settlement_basis?: {
    readonly model_source: string
    readonly venue_source: string
    readonly same: boolean
  }
  /** Open vocabulary, such as `divergence_implausible`. */
  readonly quality_flags?: ReadonlyArray<string>
}

export interface MarketsInterval {
  readonly low: number
  readonly high: number
  readonly level: number
}

export interface MarketsPerformance {
  readonly as_of: string
  readonly overall: MarketsScore
  readonly contested: MarketsScore
  readonly domains: {
    readonly weather: MarketsDomainScore
    readonly nfl: MarketsDomainScore
    readonly mlb: MarketsDomainScore
    readonly crypto: MarketsDomainScore
  }
  /** One flat 1 USD trade per market with an edge, at the captured ask with fees. No order is placed. */
  readonly hypothetical: {
    readonly trades: number
    readonly wins: number
    readonly losses: number
    /** US dollars. */
    readonly pnl_after_fees: number
    /** Per dollar staked; omitted without a trade. */
    readonly roi_after_fees?: number
    /** US dollars. */
    readonly staked?: number
    /** US dollars. */
    readonly fees?: number
    /** Trades excluded because the venue's fee is unknown. */
    readonly unknown_fee?: number
    /** Running totals at the end of each UTC day of closes on which a trade ended. */
    readonly curve?: ReadonlyArray<{
      readonly day: string
      readonly trades: number
      /** US dollars. */
      readonly pnl_after_fees: number
    }>
  }
  readonly live: {
    readonly open_tracked: number
    readonly awaiting_settlement: number
  }
  /** All markets, scored on the venue's result and on the model's own source. */
  readonly by_settlement?: {
    readonly venue_source: MarketsDomainScore
    readonly model_source: MarketsDomainScore
    /** Markets with both outcomes known. */
    readonly compared: number
    /** Markets whose two outcomes differ. */
    readonly disagreed: number
    /** disagreed / compared. */
    readonly disagreement_rate?: number
  }
  /** By time from capture to close, longest first; an hour's end belongs to the longer lead. */
  readonly by_lead?: ReadonlyArray<{
    readonly lead: "over_24h" | "6_to_24h" | "1_to_6h" | "under_1h"
    readonly markets_scored: number
    /** Lower is better; omitted when nothing is scored. */
    readonly brier_model?: number
    /** Lower is better; omitted when nothing is scored. */
    readonly brier_market?: number
  }>
  readonly by_version?: ReadonlyArray<{
    readonly domain: "weather" | "nfl" | "mlb" | "crypto"
    readonly model_version: string
    readonly markets_scored: number
    /** Lower is better; omitted when nothing is scored. */
    readonly brier_model?: number
    /** Lower is better; omitted when nothing is scored. */
    readonly brier_market?: number
  }>
  /** The models' weights in `_market_anchored`, in log-odds beside the market's. Fitted once a UTC day on the rows settled before it. */
  readonly anchoring?: {
    readonly weather: MarketsAnchorWeight
    readonly nfl: MarketsAnchorWeight
    readonly mlb: MarketsAnchorWeight
    readonly crypto: MarketsAnchorWeight
  }
  /** Scored markets without a signed checkpoint over their capture before the close. */
  readonly unanchored?: number
  /** Markets whose result the venue changed. */
  readonly corrected?: number
  /** Number of markets that are not scored. */
  readonly excluded?: {
    /** Markets that the venue voided. */
    readonly void: number
    /** Markets without two live sides at the capture. */
    readonly no_quote: number
  }
}

export type MarketsPerformanceParams = Record<never, never>

export interface MarketsReliabilityBin {
  readonly from: number
  /** Exclusive, except for 1. */
  readonly to: number
  readonly count: number
  readonly mean_probability?: number
  /** Share that came true. */
  readonly frequency?: number
  /** Lower end of the frequency's 95 % Wilson interval. */
  readonly low?: number
  /** Upper end. */
  readonly high?: number
}

export interface MarketsScore {
  readonly markets_scored: number
  /** Lower is better; omitted when nothing is scored. */
  readonly brier_model?: number
  /** Lower is better; omitted when nothing is scored. */
  readonly brier_market?: number
  /** brier_model < brier_market, strictly. */
  readonly model_beats_market: boolean
  readonly brier_difference?: {
    /** brier_model − brier_market; negative: the model is ahead. */
    readonly estimate: number
    readonly low: number
    readonly high: number
    /** Coverage of low to high, by bootstrap over events. */
    readonly level: number
  }
  readonly model?: {
    /** Lower is better. */
    readonly brier: number
    /** By bootstrap over events. */
    readonly brier_interval?: MarketsInterval
    /** Mean −ln of the probability of the outcome, clipped at 0.001. Lower is better. */
    readonly log_score: number
    /** Σ |mean probability − frequency| · count / all over the bins. */
    readonly calibration_error: number
    /** brier = reliability − resolution + uncertainty + within_bin_variance − 2 · within_bin_covariance (Murphy 1973). */
    readonly decomposition: MarketsDecomposition
    /** The reliability diagram. Empty bins have only a count. */
    readonly bins: ReadonlyArray<MarketsReliabilityBin>
  }
  readonly market?: {
    /** Lower is better. */
    readonly brier: number
    /** By bootstrap over events. */
    readonly brier_interval?: MarketsInterval
    /** Mean −ln of the probability of the outcome, clipped at 0.001. Lower is better. */
    readonly log_score: number
    /** Σ |mean probability − frequency| · count / all over the bins. */
    readonly calibration_error: number
    /** brier = reliability − resolution + uncertainty + within_bin_variance − 2 · within_bin_covariance (Murphy 1973). */
    readonly decomposition: MarketsDecomposition
    /** The reliability diagram. Empty bins have only a count. */
    readonly bins: ReadonlyArray<MarketsReliabilityBin>
  }
}

export interface MarketsSettled {
  readonly domain: "weather" | "nfl" | "mlb" | "crypto"
  /** Rows on this page. */
  readonly count: number
  /** Latest close first, then by ticker. */
  readonly rows: ReadonlyArray<MarketsSettledRow>
  /** `before` of the next page; omitted on the last one. Skips the rest of a group of one close time that is longer than `limit`: `cursor` does not. */
  readonly next_before?: string
  /** `cursor` of the next page; omitted on the last one. */
  readonly next_cursor?: string
  /** The rule for choosing and scoring the row of a market; the scoreboard uses it too. */
  readonly methodology: string
  /** Number of markets that are not scored. */
  readonly excluded?: {
    /** Markets that the venue voided. */
    readonly void: number
    /** Markets without two live sides at the capture. */
    readonly no_quote: number
  }
}

export interface MarketsSettledParams {
  /** Domain of the contracts. Default: `"crypto"`. */
  readonly domain?: "weather" | "nfl" | "mlb" | "crypto"
  /** Most rows on this page. Default: `200`. */
  readonly limit?: number
  /** Rows that closed before this time: `next_before` of the previous page. Pages go backwards in time. */
  readonly before?: string
  /** Opaque: `next_cursor` of the previous page; send the same `domain` and `before`. */
  readonly cursor?: string
}

export interface MarketsSettledRow {
  readonly venue: string
  readonly series: string
  readonly market_ticker: string
  readonly title: string
  /** A station, a game or an asset. */
  readonly instrument: string
  /** The venue's term, such as `between`, `greater`, `less`. */
  readonly strike_type?: string
  readonly floor_strike?: number
  readonly cap_strike?: number
  /** Yes bid, dollars per contract. */
  readonly yes_bid: number
  /** Yes ask, dollars per contract. */
  readonly yes_ask: number
  /** No ask, dollars per contract. */
  readonly no_ask: number
  /** Midpoint of yes bid and yes ask. */
  readonly market_prob: number
  readonly model_prob: number
  readonly model_version: string
  readonly close_time: string
  /** The last capture before close. */
  readonly captured_at: string
  /** The venue's own result. */
  readonly result: "yes" | "no"
  /** The outcome by the model's own source. */
  readonly source_result?: "yes" | "no"
  readonly settlement_basis?: {
    readonly model_source: string
    readonly venue_source: string
    readonly same: boolean
  }
  /** Open vocabulary, such as `divergence_implausible`. */
  readonly quality_flags?: ReadonlyArray<string>
  /** The venue's event; its contracts depend on each other. */
  readonly event?: string
  /** When the venue's result was read. */
  readonly settled_at?: string
  /** The venue's fee per contract: fee_rate · p · (1 − p); omitted where unknown. */
  readonly fee_rate?: number
  /** Leaf id of the capture on the record, for an inclusion proof. */
  readonly capture_id?: string
  /** A signed checkpoint from before the close covers the capture. */
  readonly anchored?: boolean
  /** The venue's earlier results, oldest first. */
  readonly earlier_results?: ReadonlyArray<{
    readonly result: "yes" | "no" | "void"
    readonly settled_at: string
  }>
}

export interface MarketsSourceDisagreement {
  readonly domain: "weather" | "nfl" | "mlb" | "crypto"
  /** Settled contracts with a result by the venue and one by the model's own source. */
  readonly compared: number
  /** Those whose two results differ. */
  readonly disagreed: number
}

export interface Meta {
  readonly request_id: string
  readonly latency_ms: number
  readonly data_freshness: "mock" | "shadow" | "live"
  /** Estimated tokens of this whole body: its UTF-8 bytes divided by four. */
  readonly tokens_estimated: number
  /** `cursor` of the next page; omitted on the last one. */
  readonly next_cursor?: string
  readonly version: "v1"
  readonly price: {
    /** The list price. */
    readonly display: string
    /** Micro-dollars taken from the wallet for this call. */
    readonly charged_micros: number
  }
}

export interface MlbBacktestInput {
  readonly name: string
  readonly sha256: string
}

export interface MlbFairOdds {
  readonly game: MlbOddsGame
  readonly prediction: {
    readonly model_version: string
    readonly win_prob_home: number
    readonly win_prob_away: number
    readonly inputs: {
      /** Pythagorean expectation, shrunk to its prior, as used by the model. */
      readonly home_pyth: number
      /** Pythagorean expectation, shrunk to its prior, as used by the model. */
      readonly away_pyth: number
      /** Games of this season behind home_pyth. */
      readonly home_games: number
      /** Games of this season behind away_pyth. */
      readonly away_games: number
      /** Earned runs per nine innings, shrunk to its prior, as used by the model. Omitted without a known starter: the league mean is used. */
      readonly home_starter_era?: number
      /** Earned runs per nine innings, shrunk to its prior, as used by the model. Omitted without a known starter: the league mean is used. */
      readonly away_starter_era?: number
      /** The starter's ERA of this season as it is, not shrunk; omitted before his first inning. */
      readonly home_starter_era_raw?: number
      /** The starter's ERA of this season as it is, not shrunk; omitted before his first inning. */
      readonly away_starter_era_raw?: number
      /** Log-odds; 0 at a neutral site. */
      readonly home_edge: number
    }
    /** Time of the inputs; never after the first pitch. */
    readonly as_of?: string
    /** logit win_prob_home = home_edge + pythagorean · (logit home_pyth − logit away_pyth) + starter_era · (away_starter_era − home_starter_era) */
    readonly coefficients?: {
      /** Log-odds per unit of logit home_pyth − logit away_pyth. */
      readonly pythagorean: number
      /** Log-odds per earned run of away_starter_era − home_starter_era. */
      readonly starter_era: number
      /** Used for an unknown starter. */
      readonly league_era: number
    }
    /** The data behind the inputs, before shrinkage. */
    readonly raw?: {
      /** Games before this day count. */
      readonly before: string
      readonly home: MlbRawSide
      readonly away: MlbRawSide
    }
    readonly quality_flags?: ReadonlyArray<string>
  }
  readonly ledger: {
    /** Captures of this call with a venue's price, for public scoring. */
    readonly snapshots_recorded: number
  }
}

export interface MlbFairOddsParams {
  /** `gamePk` as listed by `/v1/mlb/games`. */
  readonly game_pk: number
}

export interface MlbGame {
  /** The league's game id. */
  readonly gamePk: number
  /** The league's detailed state, an open vocabulary; `Scheduled` before the game. */
  readonly state: string
  readonly venue: string
  /** First pitch, UTC. */
  readonly game_date_utc: string
  /** `N`, `Y` or `S` (split). */
  readonly double_header: string
  /** 1 or 2 on a day with two games. */
  readonly game_number: number
  readonly home: MlbSlateSide
  readonly away: MlbSlateSide
  /** The league's date of the game. */
  readonly official_date?: string
  /** The upstream. */
  readonly source?: string
  /** When it was fetched from the upstream. */
  readonly fetched_at?: string
}

export interface MlbGames {
  readonly date: string
  /** Rows on this page. */
  readonly count: number
  readonly games: ReadonlyArray<MlbGame>
}

export interface MlbGamesParams {
  /** UTC day of the first pitch; default today. */
  readonly date?: string
  /** Opaque: `_meta.next_cursor` of the previous page. */
  readonly cursor?: string
  /** Rows on this page (default: all). */
  readonly limit?: number
}

export interface MlbOddsGame {
  /** The league's game id. */
  readonly gamePk: number
  /** The league's detailed state, an open vocabulary; `Scheduled` before the game. */
  readonly state: string
  readonly venue: string
  readonly home: MlbOddsSide
  readonly away: MlbOddsSide
}

export interface MlbOddsSide {
  readonly name: string
  /** W-L. */
  readonly record: string
  /** Omitted while unknown. */
  readonly probable_pitcher?: string
}

export interface MlbPerformance {
  readonly model_version: string
  readonly backtest: {
    /** Seasons 2019–2021, each with coefficients of earlier seasons. No constant was tuned on them; one, the share of earned runs, can only be checked against the game logs of 2020 and 2021. */
    readonly overall: {
      readonly games: number
      /** Share of games whose winner had the higher model probability. */
      readonly accuracy: number
      readonly brier_model: number
      readonly brier_market: number
      /** The same for the market's probability. */
      readonly accuracy_market: number
      /** Flat bets of one unit at the posted price. */
      readonly bets: number
      readonly wins: number
      readonly losses: number
      readonly hit_rate: number
      /** Net result. */
      readonly units: number
      /** Net result per unit staked. */
      readonly roi: number
      /** One standard error each, assuming independent games. */
      readonly standard_errors?: {
        readonly accuracy: number
        readonly brier_model: number
        readonly brier_market: number
        /** Of brier_model − brier_market on the same games. */
        readonly brier_difference: number
        readonly roi: number
      }
    }
  }
  /** Day of the newest game in the fit. */
  readonly trained_at?: string
  /** Current coefficients; home_edge in log-odds. */
  readonly coefficients?: {
    readonly home_edge: number
    /** Log-odds per unit of logit home_pyth − logit away_pyth. */
    readonly pythagorean: number
    /** Log-odds per earned run of away_starter_era − home_starter_era. */
    readonly starter_era: number
  }
  /** Required by the licence of the data. */
  readonly attribution: string
  /** The input data of the backtest. */
  readonly inputs?: ReadonlyArray<MlbBacktestInput>
}

export type MlbPerformanceParams = Record<never, never>

export interface MlbRawSide {
  /** Scored this season. */
  readonly runs: number
  /** Allowed this season. */
  readonly runs_allowed: number
  /** Omitted for a team without a last season. */
  readonly last_season_pyth?: number
  /** This season; thirds are thirds. */
  readonly starter_innings?: number
  /** This season. */
  readonly starter_earned_runs?: number
  /** Earlier seasons, each decayed by its age. */
  readonly starter_carried_innings?: number
  /** Earlier seasons, each decayed by its age. */
  readonly starter_carried_earned_runs?: number
}

export interface MlbSlateSide {
  readonly team_id: number
  readonly name: string
  /** W-L. */
  readonly record: string
  /** Omitted while unknown. */
  readonly probable_pitcher?: string
  /** Omitted while unknown. */
  readonly probable_pitcher_id?: number
}

export interface NflBacktestInput {
  readonly name: string
  readonly sha256: string
}

export interface NflDriver {
  readonly feature: string
  /** Positive: towards the home team. */
  readonly points: number
}

export interface NflFairLine {
  readonly game: NflGameSummary
  readonly prediction: {
    readonly model_version: string
    readonly fair_line: {
      /** Expected points of home minus away. */
      readonly home_margin: number
      /** Bookmaker's sign, from the home side: −home_margin. */
      readonly spread: number
      readonly total: number
      readonly win_prob_home: number
      readonly win_prob_away: number
      /** Standard deviation of the margin, points. */
      readonly sigma_margin: number
      /** Median of the discrete distribution of the margin. */
      readonly median_margin?: number
      /** Standard deviation of the total, points. */
      readonly sigma_total?: number
    }
    /** Of home minus away: of a margin above 3.5 the elements from 4 on add up to the probability. */
    readonly margin_distribution?: {
      /** The number that the first probability belongs to. */
      readonly from: number
      /** Probabilities of that number and of those after it, to a billionth. */
      readonly pmf: ReadonlyArray<number>
    }
    /** Of the points of both. */
    readonly total_distribution?: {
      /** The number that the first probability belongs to. */
      readonly from: number
      /** Probabilities of that number and of those after it, to a billionth. */
      readonly pmf: ReadonlyArray<number>
    }
    /** The posted line; omitted when there is none. */
    readonly market?: {
      /** Points; positive: the home team is favoured. */
      readonly spread_line?: number
      /** Total points of both teams. */
      readonly total_line?: number
    }
    /** Model minus posted line; omitted when there is none. */
    readonly edge?: {
      /** home_margin − spread_line. */
      readonly spread_points?: number
      /** Omitted at 0. */
      readonly side?: "home" | "away"
      /** Fair total − total_line. */
      readonly total_points?: number
      /** Omitted at 0. */
      readonly ou?: "over" | "under"
    }
    /** The features that moved home_margin most, largest first. */
    readonly drivers: ReadonlyArray<NflDriver>
    /** Time of the model's state; never after kickoff. */
    readonly as_of?: string
    /** SHA-256 of the inputs, stored under it for recorded lines; equal inputs are stored once. */
    readonly inputs_hash?: string
    /** Open vocabulary. `line_sign_conflict`: spread and moneylines favour different teams. */
    readonly quality_flags?: ReadonlyArray<string>
  }
  /** Games of this season in the model's state. */
  readonly form_games_used: {
    readonly home: number
    readonly away: number
  }
  /** The game has kicked off; the model's state is from before kickoff. */
  readonly retrospective: boolean
  readonly recorded_to_track_record: boolean
}

export interface NflFairLineParams {
  /** League-data game id as returned by `/v1/nfl/games`. This or `team` is required. */
  readonly game_id?: string
  /** Team code: its next unplayed game. This or `game_id` is required. */
  readonly team?: string
  /** Team code: the next unplayed game of `team` against this opponent. */
  readonly opponent?: string
}

export interface NflGame {
  /** League-data id: season, week with two digits, away team, home team. */
  readonly game_id: string
  readonly season: number
  readonly week: number
  /** `REG`, or the playoff round: `WC`, `DIV`, `CON`, `SB`. */
  readonly game_type: string
  readonly gameday: string
  /** HH:MM, US Eastern as the schedule has it. */
  readonly kickoff_local?: string
  /** Code of the team in this season. */
  readonly home_team: string
  /** Code of the team in this season. */
  readonly away_team: string
  readonly home_score: number | null
  readonly away_score: number | null
  readonly result: number | null
  readonly total: number | null
  /** Consensus lines; omitted when none is posted. */
  readonly market?: {
    /** Points; positive: the home team is favoured. */
    readonly spread_line?: number
    /** Total points of both teams. */
    readonly total_line?: number
    /** American odds. */
    readonly home_moneyline?: number
    /** American odds. */
    readonly away_moneyline?: number
  }
  /** Days since the team's last game. */
  readonly rest: {
    readonly home: number
    readonly away: number
  }
  /** `outdoors`, `dome`, `closed` or `open`. */
  readonly roof?: string
  readonly surface?: string
  /** Starting quarterbacks; before the game the expected ones. Omitted while unknown. */
  readonly qbs: {
    readonly home?: string
    readonly away?: string
  }
  readonly stadium?: string
  /** The upstream data set. */
  readonly source?: string
  /** When the data set was fetched. */
  readonly fetched_at?: string
  /** Open vocabulary. `line_sign_conflict`: spread and moneylines favour different teams. */
  readonly quality_flags?: ReadonlyArray<string>
}

export interface NflGameSummary {
  /** League-data id: season, week with two digits, away team, home team. */
  readonly game_id: string
  readonly season: number
  readonly week: number
  readonly gameday: string
  /** Code of the team in this season. */
  readonly home_team: string
  /** Code of the team in this season. */
  readonly away_team: string
  /** `outdoors`, `dome`, `closed` or `open`. */
  readonly roof?: string
  readonly surface?: string
  /** Starting quarterbacks; before the game the expected ones. Omitted while unknown. */
  readonly qbs: {
    readonly home?: string
    readonly away?: string
  }
  readonly stadium?: string
}

export interface NflGames {
  /** Rows on this page. */
  readonly count: number
  readonly games: ReadonlyArray<NflGame>
}

export interface NflGamesParams {
  /** Default current season. From 1999 to the current one; a later one is a 400. */
  readonly season?: number
  /** Week of the season: regular season and playoffs. */
  readonly week?: number
  /** Team code: its games, home and away. */
  readonly team?: string
  /** Opaque: `_meta.next_cursor` of the previous page. */
  readonly cursor?: string
  /** Rows on this page (default: all). */
  readonly limit?: number
}

export interface NflInjuredPlayer {
  readonly player: string
  readonly gsis_id?: string
  readonly position?: string
  readonly week: number
  /** Game status, such as `Out` or `Questionable`; omitted when blank. */
  readonly report_status?: string
  readonly practice_status?: string
  readonly injury?: string
}

export interface NflInjuries {
  readonly team: string
  /** The season of every row. */
  readonly season: number
  readonly week: number | null
  readonly current_season: number
  readonly is_current_season: boolean
  /** Official practice and game-status rows, in season only. */
  readonly report: {
    readonly count: number
    /** Players per `report_status`; a blank status counts under `none`. */
    readonly by_status: {
      readonly [key: string]: number
    }
    readonly players: ReadonlyArray<NflInjuredPlayer>
    /** Open vocabulary. `report_absent`: the season or week has no report. */
    readonly quality_flags?: ReadonlyArray<string>
  }
  /** All year round. */
  readonly reserve_list: {
    /** Week of the roster; omitted when the season has none. */
    readonly as_of_week?: number
    readonly count: number
    readonly players: ReadonlyArray<NflReservePlayer>
  }
  /** The upstream data set. */
  readonly source?: string
  /** When the data set was fetched. */
  readonly fetched_at?: string
}

export interface NflInjuriesParams {
  /** Team code. */
  readonly team: string
  /** Default current season, never an earlier one. From 1999 to the current one; a later one is a 400. */
  readonly season?: number
  /** Week of the season: regular season and playoffs. */
  readonly week?: number
}

export interface NflPerformance {
  readonly model_version: string
  readonly trained_at: string
  /** Seasons on which no constant of the model was chosen. Each line uses the gamedays before its game and no weather of the game. The quarterbacks are the actual starters, who are known a few days ahead at best. */
  readonly backtest_holdout: {
    readonly games: number
    readonly spread: {
      /** Points. */
      readonly mae_model: number
      /** Points. */
      readonly mae_market: number
      /** Winners named; ties are left out. */
      readonly su_accuracy_model: number
      /** Winners named; ties are left out. */
      readonly su_accuracy_market: number
      /** Share of decided bets to win at −110. */
      readonly ats_breakeven: number
    }
    readonly total: {
      /** Points. */
      readonly mae_model: number
      /** Points. */
      readonly mae_market: number
    }
    readonly moneyline: {
      /** Games with both moneylines. */
      readonly games_priced: number
      readonly brier_model_wp: number
      /** Of the moneylines with the margin removed in proportion. */
      readonly brier_market_devig: number
    }
    /** The same games with each team's last starter in place of the actual one, as for lines before starters are announced. */
    readonly last_starters: {
      readonly spread: {
        /** Points. */
        readonly mae_model: number
        /** Winners named; ties are left out. */
        readonly su_accuracy_model: number
      }
      readonly total: {
        /** Points. */
        readonly mae_model: number
      }
      readonly moneyline: {
        readonly brier_model_wp: number
      }
    }
    /** Ties, left out of accuracy and Brier scores. */
    readonly ties_excluded?: number
  }
  readonly live: {
    readonly predictions_scored: number
    /** Predicted games not scored yet. */
    readonly games_pending: number
    /** Predicted games that will not be scored: called off, or moved to another week under a new id. */
    readonly games_void?: number
    /** `no_predictions`, `awaiting_results` or `scoring`. */
    readonly status: string
    /** Means over the scored predictions, of model and market. */
    readonly scores?: {
      readonly [key: string]: number
    }
  }
  /** The input data of the backtest. */
  readonly inputs?: ReadonlyArray<NflBacktestInput>
  /** Required by the licence of the data. */
  readonly attribution?: string
}

export type NflPerformanceParams = Record<never, never>

export interface NflQbParams {
  /** Name or GSIS id. Part of a name is enough; an exact full name beats partial matches. */
  readonly player: string
  /** Only weeks of this season. From 2002 to the current one; a later one is a 400. */
  readonly season?: number
  /** The most recent weeks returned. Default: `20`. */
  readonly last?: number
}

export interface NflQuarterback {
  readonly player: string
  /** GSIS id. */
  readonly player_id: string
  /** The team of the most recent week. */
  readonly team: string
  /** Sums over the returned weeks. */
  readonly aggregates: {
    readonly weeks: number
    readonly completions: number
    readonly attempts: number
    readonly passing_yards: number
    readonly passing_tds: number
    readonly interceptions: number
    readonly sacks_suffered: number
    /** Mean over the weeks that have it. */
    readonly epa_per_week?: number
    /** Plain mean over the weeks that have it. */
    readonly cpoe_mean?: number
  }
  readonly weeks: ReadonlyArray<NflQuarterbackWeek>
  /** The upstream data set. */
  readonly source?: string
  /** When the data set was fetched. */
  readonly fetched_at?: string
}

export interface NflQuarterbackCandidate {
  /** GSIS id; accepted as `player`. */
  readonly player_id: string
  readonly player: string
  readonly team: string
  readonly position: string
  readonly first_season: number
  readonly last_season: number
  /** Career pass attempts in the loaded seasons. */
  readonly attempts: number
}

export interface NflQuarterbackCandidates {
  readonly ambiguous: true
  /** The requested name. */
  readonly query: string
  /** At most 10, most recent first. This answer is not charged. */
  readonly candidates: ReadonlyArray<NflQuarterbackCandidate>
}

export type NflQuarterbackLines = NflQuarterback | NflQuarterbackCandidates

export interface NflQuarterbackWeek {
  readonly season: number
  readonly week: number
  /** GSIS id. */
  readonly player_id: string
  readonly player_name: string
  /** Code of the team in this season. */
  readonly team: string
  /** Code of the team in this season. */
  readonly opponent: string
  readonly completions: number
  readonly attempts: number
  readonly passing_yards: number
  readonly passing_tds: number
  readonly interceptions: number
  readonly sacks_suffered: number
  /** Expected points added. */
  readonly passing_epa?: number
  /** Completion percentage over expectation; omitted where it was not measured. */
  readonly cpoe?: number
  readonly rushing_yards: number
  readonly rushing_tds: number
}

export interface NflReservePlayer {
  readonly player: string
  readonly gsis_id?: string
  readonly position?: string
  /** Roster status code. */
  readonly status: string
  /** Meaning of the code: injured reserve, PUP, suspension and others. */
  readonly designation?: string
}

export interface NflTop100 {
  /** Year of publication. */
  readonly season: number
  /** Rows on this page. */
  readonly count: number
  readonly players: ReadonlyArray<NflTop100Player>
  /** The upstream data set. */
  readonly source?: string
  /** When the data set was fetched. */
  readonly fetched_at?: string
}

export interface NflTop100Params {
  /** Year in which the list was published. Default the latest that is loaded. From 2011 to the current one; a later one is a 400. */
  readonly season?: number
  /** Opaque: `_meta.next_cursor` of the previous page. */
  readonly cursor?: string
  /** Rows on this page (default: all). */
  readonly limit?: number
}

export interface NflTop100Player {
  readonly rank: number
  readonly player_name: string
  readonly team: string
  readonly position: string
}

export interface PlanEstimate {
  readonly count: number
  readonly calls: ReadonlyArray<{
    /** 0 for the first. */
    readonly index: number
    readonly endpoint: string
    readonly price?: Price
    /** Micro-dollars. The charge to this key. */
    readonly charged_micros: number
    /** Tokens of this endpoint's example answer. */
    readonly tokens_estimated?: number
    /** Whether the call would succeed, given the charges of all calls before it. */
    readonly ok: boolean
    /** An error code, such as missing_authorization. */
    readonly code?: string
    readonly message?: string
  }>
  /** Micro-dollars. Total charge of the calls that would succeed. */
  readonly total_micros: number
  /** Micro-dollars. All calls at list price. */
  readonly total_list_micros: number
  /** Sum over the calls that would succeed. */
  readonly tokens_estimated: number
  /** Whether caps and wallet cover every call of the plan. */
  readonly affordable: boolean
  /** Index of the first call that would fail. */
  readonly first_failure?: number
  /** Micro-dollars. The wallet balance. Omitted for keys of an agent. */
  readonly balance_micros?: number
}

export interface PlanEstimateParams {
  /** The calls in order, 1 to 100. */
  readonly calls: ReadonlyArray<{
    /** An endpoint's id or path. */
    readonly endpoint: string
    /** Its parameters, as JSON. */
    readonly params?: {
      readonly [key: string]: unknown
    }
  }>
}

export interface Price {
  readonly display: string
  readonly micros: number
}

export interface ProofCheckpoint {
  /** The log's name. */
  readonly origin: string
  /** Leaves. */
  readonly size: number
  /** Root of the Merkle tree (RFC 6962), SHA-256 in hex. */
  readonly root: string
  /** Time of the timestamped signature. */
  readonly signed_at: string
  /** Verifier key of the signer, Ed25519: name, key id and base64 key (c2sp.org/signed-note). */
  readonly key: string
  /** The signed note (c2sp.org/tlog-checkpoint). */
  readonly note: string
}

export interface ProofCheckpointParams {
  /** Size of the checkpoint, leaves (default: the newest). */
  readonly size?: number
}

export interface ProofConsistency {
  readonly from: number
  /** Root of the smaller tree, SHA-256 in hex. */
  readonly from_root: string
  readonly to: number
  /** Root of the larger tree, SHA-256 in hex. */
  readonly to_root: string
  /** Hashes, lowest first, SHA-256 in hex. */
  readonly proof: ReadonlyArray<string>
}

export interface ProofConsistencyParams {
  /** Leaves of the smaller tree. */
  readonly from: number
  /** Leaves of the larger tree (default: the newest checkpoint's). */
  readonly to?: number
}

export interface ProofInclusion {
  readonly leaf: {
    /** From 0. */
    readonly position: number
    readonly id: string
    /** SHA-256(0x00 || leaf), SHA-256 in hex. */
    readonly hash: string
    /** The exact text of the leaf, canonical JSON (RFC 8785). Omitted while sealed, except for a live key of the account that bought the signal or wrote the opinion, if its scopes include the leaf's lane; an agent's key reads what that agent bought or wrote. */
    readonly text?: string
    /** When the text becomes public; omitted after that. */
    readonly sealed_until?: string
  }
  /** Leaves of the tree. */
  readonly size: number
  /** Its root, SHA-256 in hex. */
  readonly root: string
  /** Hashes, lowest first, SHA-256 in hex. */
  readonly proof: ReadonlyArray<string>
}

export interface ProofInclusionParams {
  /** Position, hash in hex, or id. With a key that may read the sealed leaf also the request_id of the call that bought the signal. */
  readonly leaf: string
  /** Size of the tree, leaves (default: the newest checkpoint's). */
  readonly size?: number
}

export interface Quote {
  readonly endpoint: string
  readonly price: Price
  /** Omitted for keys of an agent. */
  readonly balance_micros?: number
  readonly shortfall_micros: number
  readonly currency: "USD"
  readonly topup_url: string
  readonly expires_at: string
  /** Terms of x402 on which the call is answered with a signed payment: its price first, then top-ups of the key's wallet. Empty if the operator accepts none. */
  readonly accepts: ReadonlyArray<Accept>
}

export interface SecChange {
  readonly item: string
  /** The change in one sentence. */
  readonly change: string
  readonly before: string
  readonly after: string
  /** `low`, `medium` or `high`. */
  readonly significance: string
}

export interface SecFiling {
  readonly filing: {
    readonly accession_number: string
    readonly cik: string
    /** Fictitious while in development. */
    readonly company: string
    readonly form_type: string
    readonly filed_at: string
    readonly period_of_report: string
    readonly source_url: string
  }
  readonly sections: ReadonlyArray<SecSection>
  /** Omitted with `diff=false`. */
  readonly diff?: {
    readonly prior_accession_number: string
    readonly prior_filed_at: string
    /** Items missing in the prior filing. */
    readonly added: ReadonlyArray<string>
    /** Items only in the prior filing. */
    readonly removed: ReadonlyArray<string>
    readonly changed: ReadonlyArray<SecChange>
  }
}

export interface SecFilingParams {
  /** Accession number of the filing. */
  readonly accession_number: string
  /** Diff against the prior filing of the same form type. Default: `true`. */
  readonly diff?: boolean
}

export interface SecSection {
  /** Item of the form, such as `1A`. */
  readonly item: string
  readonly title: string
  readonly summary: string
  readonly key_points: ReadonlyArray<string>
  readonly word_count: number
}

export interface SettlementDay {
  /** The climate day: local standard midnight to midnight, also in summer. */
  readonly day: string
  /** Degrees Fahrenheit, verbatim. Omitted when missing in the report. */
  readonly high_f?: number
  /** Degrees Fahrenheit, verbatim. Omitted when missing in the report. */
  readonly low_f?: number
  /** Local standard time, as printed in the report. */
  readonly high_time_local?: string
  /** Local standard time, as printed in the report. */
  readonly low_time_local?: string
  /** Inches; a trace is 0 with the flag `precip_trace`. */
  readonly precip_in?: number
  /** Inches; a trace is 0 with the flag `snow_trace`. */
  readonly snow_in?: number
  /** Archive or feed of the report. */
  readonly source: string
  /** The exact text product: issue time, office, heading, AWIPS id. */
  readonly weather_service_product_id: string
  /** `final` once the climate day is over, else `preliminary`. */
  readonly status?: string
  /** When the office issued the product. */
  readonly issued_at?: string
  /** 1 for the day's first version, one more for each later one. */
  readonly revision?: number
  /** Product id of the previous version. */
  readonly corrects?: string
  readonly quality_flags?: ReadonlyArray<string>
}

export interface Station {
  /** Registry id (ICAO). */
  readonly id: string
  readonly name: string
  readonly city: string
  /** Two letters. */
  readonly state: string
  /** IANA time zone. */
  readonly tz: string
  /** AWIPS id of the official report product. */
  readonly cli_product: string
  /** Reference only: the venue's series settle on another source than these reports. */
  readonly settles: {
    readonly venue_high_series: string | null
    readonly venue_low_series: string | null
    /** How the slugs of Polymarket's contracts on the high at this very station begin; null where there are none, or they name another station. */
    readonly polymarket: string | null
  }
  readonly coordinates: {
    readonly lat: number
    readonly lon: number
  }
}

export interface StationSummary {
  /** Registry id (ICAO). */
  readonly id: string
  readonly name: string
  readonly city: string
  /** Two letters. */
  readonly state: string
  /** IANA time zone. */
  readonly tz: string
  /** AWIPS id of the official report product. */
  readonly cli_product: string
}

export interface Suggestion {
  /** Path. */
  readonly endpoint: string
  readonly params: {
    readonly [key: string]: unknown
  }
  readonly why: string
  readonly price: Price
}

export interface Wallet {
  /** Micro-dollars. Omitted for keys of an agent. */
  readonly balance_micros?: number
  /** The UTC month, YYYY-MM. */
  readonly month: string
  /** Micro-dollars. By all keys of the account in the month. Omitted for keys of an agent. */
  readonly month_spent_micros?: number
  /** Payments that nobody has made yet. Omitted for keys of an agent. */
  readonly open_orders?: ReadonlyArray<{
    /** The id of its credit in the journal, once it is paid. */
    readonly id: string
    readonly provider: string
    /** Micro-dollars. To be paid and credited. */
    readonly micros: number
    /** Where to pay. */
    readonly pay_url?: string
    /** Until when it can be paid. */
    readonly expires_at?: string
  }>
  readonly ways_to_pay: ReadonlyArray<WayToPay>
}

export type WalletParams = Record<never, never>

export interface WayToPay {
  /** `operator`, `x402`, or a way on a page, such as `card`. */
  readonly way: string
  /** The page to pay on. */
  readonly url?: string
  readonly accepts?: ReadonlyArray<Accept>
  /** One sentence. */
  readonly how: string
}

export interface WeatherAlert {
  readonly id: string
  readonly event: string
  /** CAP vocabulary. */
  readonly severity: string
  /** CAP vocabulary. */
  readonly certainty: string
  /** CAP vocabulary. */
  readonly urgency: string
  readonly headline?: string
  readonly area_desc: string
  readonly effective: string
  readonly onset?: string
  readonly expires: string
  readonly ends?: string
  readonly sender_name: string
  readonly description?: string
  readonly instruction?: string
  readonly status?: string
  readonly message_type?: string
}

export interface WeatherForecast {
  readonly location: {
    readonly lat: number
    readonly lon: number
    readonly name: string
    readonly grid: {
      readonly office: string
      readonly x: number
      readonly y: number
    }
    readonly timezone: string
  }
  /** Local timestamp without offset: when the office last updated its grid. */
  readonly generated_at: string
  /** `12h` or `1h`. */
  readonly granularity: string
  readonly periods: ReadonlyArray<ForecastPeriod>
  readonly alerts: ReadonlyArray<WeatherAlert>
  /** Sorted, open vocabulary: active_alert, air_quality, extreme_cold (≤ 0 °F), extreme_heat (≥ 100 °F), fire_weather, flood, freeze (≤ 32 °F), heavy_precip (≥ 70 %), high_wind (≥ 40 mph or such an alert), thunderstorm, tornado, tropical, winter_storm. */
  readonly risk_flags: ReadonlyArray<string>
}

export interface WeatherForecastParams {
  /** Decimal degrees; a point in the United States. */
  readonly lat: number
  /** Decimal degrees; a point in the United States. */
  readonly lon: number
  /** Periods that start within this many hours. Default: `48`. */
  readonly hours?: number
  /** Hourly granularity instead of 12-hour periods. Default: `false`. */
  readonly hourly?: boolean
}

export interface WeatherSettlement {
  readonly station: StationSummary
  readonly settlement: SettlementDay
}

export interface WeatherSettlementHistory {
  readonly station: StationSummary
  readonly start: string
  readonly end: string
  /** Rows on this page. */
  readonly count: number
  readonly days: ReadonlyArray<SettlementDay>
  /** First and last stored day of this station. */
  readonly coverage: {
    readonly first: string | null
    readonly last: string | null
  }
  readonly missing_days?: ReadonlyArray<string>
}

export interface WeatherSettlementHistoryParams {
  /** Registry station id, as listed by `/v1/weather/stations`. */
  readonly station: "KNYC" | "KMDW" | "KMIA" | "KAUS" | "KLAX" | "KDEN" | "KPHL" | "KBOS" | "KHOU"
  /** First climate day. */
  readonly start: string
  /** Last climate day, included; at most 400 days per call. */
  readonly end: string
  /** Opaque: `_meta.next_cursor` of the previous page. */
  readonly cursor?: string
  /** Rows on this page (default: all). */
  readonly limit?: number
}

export interface WeatherSettlementParams {
  /** Registry station id, as listed by `/v1/weather/stations`. */
  readonly station: "KNYC" | "KMDW" | "KMIA" | "KAUS" | "KLAX" | "KDEN" | "KPHL" | "KBOS" | "KHOU"
  /** Climate day; omitted: the latest official (final) report. */
  readonly day?: string
}

export interface WeatherSignal {
  readonly target_day: string
  readonly projection: {
    /** Centre of the distribution, after bias correction. */
    readonly high_f: number
    /** Centre of the distribution, after bias correction. */
    readonly low_f: number
    readonly peak_time_utc: string
    /** Hours of the climate day backed by a forecast or an observation. */
    readonly hours_covered: number
  }
  readonly uncertainty: {
    /** Widens with lead_days. */
    readonly sigma_f: number
    readonly lead_days: number
    /** The errors that sigma was fitted on: number, leads and days. */
    readonly calibration: string
  }
  readonly probabilities: {
    /** Probability that the official high is exactly this integer degree. */
    readonly pmf: {
      readonly [key: string]: number
    }
    /** Probability that the official high is at least this degree. */
    readonly ge: {
      readonly [key: string]: number
    }
    /** The same for the official low. */
    readonly low: {
      readonly pmf: {
        readonly [key: string]: number
      }
      readonly ge: {
        readonly [key: string]: number
      }
      readonly le: {
        readonly [key: string]: number
      }
    }
  }
  /** The report behind the probabilities, and the venue's settlement source. */
  readonly market_note: string
  readonly model_version?: string
  readonly settlement_basis?: {
    readonly model_source: string
    readonly venue_source: string
    readonly same: boolean
  }
}

export interface WeatherSignalParams {
  /** Registry station id, as listed by `/v1/weather/stations`. */
  readonly station: "KNYC" | "KMDW" | "KMIA" | "KAUS" | "KLAX" | "KDEN" | "KPHL" | "KBOS" | "KHOU"
  /** Climate day; default today at the station, up to 6 days ahead. */
  readonly target?: string
}

export interface WeatherStations {
  readonly stations: ReadonlyArray<Station>
  readonly count: number
}

export type WeatherStationsParams = Record<never, never>

/** The endpoints that answer JSON, by id. */
export interface Endpoints {
  /** Stations covered, with report product and venue series. Free. */
  readonly weather_stations: Described<WeatherStationsParams, WeatherStations, "key">
  /** Official daily climate report of a station, verbatim. List price 0.001 USD. */
  readonly weather_settlement: Described<WeatherSettlementParams, WeatherSettlement, "key">
  /** A station's official daily climate reports, up to 400 days per call. List price 0.005 USD. */
  readonly weather_settlement_history: Described<WeatherSettlementHistoryParams, WeatherSettlementHistory, "key">
  /** Point forecast with active alerts and risk flags. List price 0.001 USD. */
  readonly weather_forecast: Described<WeatherForecastParams, WeatherForecast, "key">
  /** Probability distribution of a climate day's official high and low. List price 0.01 USD. */
  readonly weather_signal: Described<WeatherSignalParams, WeatherSignal, "key">
  /** Football games with results and consensus lines since 1999. List price 0.001 USD. */
  readonly nfl_games: Described<NflGamesParams, NflGames, "key">
  /** A quarterback's weekly stats and totals. List price 0.002 USD. */
  readonly nfl_qb: Described<NflQbParams, NflQuarterbackLines, "key">
  /** Official injury report and reserve list of a team. List price 0.002 USD. */
  readonly nfl_injuries: Described<NflInjuriesParams, NflInjuries, "key">
  /** Annual Top 100 list as voted by the players. List price 0.001 USD. */
  readonly nfl_top100: Described<NflTop100Params, NflTop100, "key">
  /** Model spread, total and win probability of a game, compared with the posted line. List price 0.01 USD. */
  readonly nfl_fair_line: Described<NflFairLineParams, NflFairLine, "key">
  /** Track record of the football fair line, misses included. Free. */
  readonly nfl_performance: Described<NflPerformanceParams, NflPerformance, "none">
  /** MLB games of a UTC day, with probable starters. List price 0.001 USD. */
  readonly mlb_games: Described<MlbGamesParams, MlbGames, "key">
  /** Model win probability of a baseball game with all inputs exposed. List price 0.01 USD. */
  readonly mlb_fair_odds: Described<MlbFairOddsParams, MlbFairOdds, "key">
  /** Track record of the baseball fair odds, misses included. Free. */
  readonly mlb_performance: Described<MlbPerformanceParams, MlbPerformance, "none">
  /** Spot price and realized volatility from a one-minute tape. Free. */
  readonly crypto_spot: Described<CryptoSpotParams, CryptoSpot, "key">
  /** Probability that BTC or ETH is above each strike, 5 minutes to 24 hours ahead. List price 0.01 USD. */
  readonly crypto_signal: Described<CryptoSignalParams, CryptoSignal, "key">
  /** Live contracts on which model and market differ by 0.05 or more, largest first. List price 0.01 USD. */
  readonly markets_edge: Described<MarketsEdgeParams, MarketsEdge, "key">
  /** Settled contracts: model probability, market probability, result. Free. */
  readonly markets_settled: Described<MarketsSettledParams, MarketsSettled, "none">
  /** Scoreboard: Brier scores of model and market over all settled contracts. Free. */
  readonly markets_performance: Described<MarketsPerformanceParams, MarketsPerformance, "none">
  /** Open contracts that our models price and yours may. Free. */
  readonly bench_contracts: Described<BenchContractsParams, BenchContracts, "key">
  /** Models of users against ours and the market, on the same settled contracts. Free. */
  readonly bench_models: Described<BenchModelsParams, BenchModels, "none">
  /** Record your model's probabilities of open contracts, scored beside ours; nothing to win. Free. */
  readonly bench_opinions: Described<BenchOpinionsParams, BenchOpinions, "key">
  /** Withdraw your model for good; its scores stay. Free. */
  readonly bench_withdraw: Described<BenchWithdrawParams, BenchWithdraw, "key">
  /** Structured summary of a filing with its changes since the prior one. In development: not charged. */
  readonly sec_filing: Described<SecFilingParams, SecFiling, "key">
  /** Signed checkpoint of the record: as a note (text/plain), or in parts (application/json). Free. */
  readonly proof_checkpoint: Described<ProofCheckpointParams, ProofCheckpoint, "none">
  /** Proof that a leaf is in the record. Free. */
  readonly proof_inclusion: Described<ProofInclusionParams, ProofInclusion, "none">
  /** Proof that the record only grew between two sizes. Free. */
  readonly proof_consistency: Described<ProofConsistencyParams, ProofConsistency, "none">
}

export const endpoints: Endpoints = {
  weather_stations: { id: "weather_stations", path: "/v1/weather/stations", auth: "key", priceMicros: 0 },
  weather_settlement: { id: "weather_settlement", path: "/v1/weather/settlement", auth: "key", priceMicros: 1000 },
  weather_settlement_history: {
    id: "weather_settlement_history",
    path: "/v1/weather/settlement/history",
    auth: "key",
    priceMicros: 5000,
  },
  weather_forecast: { id: "weather_forecast", path: "/v1/weather/forecast", auth: "key", priceMicros: 1000 },
  weather_signal: { id: "weather_signal", path: "/v1/weather/signal", auth: "key", priceMicros: 10000 },
  nfl_games: { id: "nfl_games", path: "/v1/nfl/games", auth: "key", priceMicros: 1000 },
  nfl_qb: { id: "nfl_qb", path: "/v1/nfl/qb", auth: "key", priceMicros: 2000 },
  nfl_injuries: { id: "nfl_injuries", path: "/v1/nfl/injuries", auth: "key", priceMicros: 2000 },
  nfl_top100: { id: "nfl_top100", path: "/v1/nfl/top100", auth: "key", priceMicros: 1000 },
  nfl_fair_line: { id: "nfl_fair_line", path: "/v1/nfl/fair-line", auth: "key", priceMicros: 10000 },
  nfl_performance: { id: "nfl_performance", path: "/v1/nfl/performance", auth: "none", priceMicros: 0 },
  mlb_games: { id: "mlb_games", path: "/v1/mlb/games", auth: "key", priceMicros: 1000 },
  mlb_fair_odds: { id: "mlb_fair_odds", path: "/v1/mlb/fair-odds", auth: "key", priceMicros: 10000 },
  mlb_performance: { id: "mlb_performance", path: "/v1/mlb/performance", auth: "none", priceMicros: 0 },
  crypto_spot: { id: "crypto_spot", path: "/v1/crypto/spot", auth: "key", priceMicros: 0 },
  crypto_signal: { id: "crypto_signal", path: "/v1/crypto/signal", auth: "key", priceMicros: 10000 },
  markets_edge: { id: "markets_edge", path: "/v1/markets/edge", auth: "key", priceMicros: 10000 },
  markets_settled: { id: "markets_settled", path: "/v1/markets/settled", auth: "none", priceMicros: 0 },
  markets_performance: { id: "markets_performance", path: "/v1/markets/performance", auth: "none", priceMicros: 0 },
  bench_contracts: { id: "bench_contracts", path: "/v1/bench/contracts", auth: "key", priceMicros: 0 },
  bench_models: { id: "bench_models", path: "/v1/bench/models", auth: "none", priceMicros: 0 },
  bench_opinions: { id: "bench_opinions", path: "/v1/bench/opinions", auth: "key", priceMicros: 0, method: "POST" },
  bench_withdraw: { id: "bench_withdraw", path: "/v1/bench/withdraw", auth: "key", priceMicros: 0, method: "POST" },
  sec_filing: { id: "sec_filing", path: "/v1/sec/filing", auth: "key", priceMicros: 5000, status: "development" },
  proof_checkpoint: { id: "proof_checkpoint", path: "/v1/proof/checkpoint", auth: "none", priceMicros: 0 },
  proof_inclusion: { id: "proof_inclusion", path: "/v1/proof/inclusion", auth: "none", priceMicros: 0 },
  proof_consistency: { id: "proof_consistency", path: "/v1/proof/consistency", auth: "none", priceMicros: 0 },
}

/** The endpoints about the caller. */
export interface Account {
  /** This key's limits, caps, monthly spend and rate-limit state. Free. */
  readonly key: Described<KeyParams, Key, "key">
  /** The wallet: balance, the month's spend, open orders and the ways to pay. Free. */
  readonly wallet: Described<WalletParams, Wallet, "key">
  /** Cost of a plan of up to 100 calls, and the first call that would fail. Free. */
  readonly plan_estimate: Described<PlanEstimateParams, PlanEstimate, "key">
}

export const account: Account = {
  key: { id: "key", path: "/v1/key", auth: "key", priceMicros: 0 },
  wallet: { id: "wallet", path: "/v1/wallet", auth: "key", priceMicros: 0 },
  plan_estimate: { id: "plan_estimate", path: "/v1/plan/estimate", auth: "key", priceMicros: 0, method: "POST" },
}
