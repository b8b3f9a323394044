import * as Effect from "effect/Effect"
import * as Rec from "effect/Record"
import * as Schema from "effect/Schema"
import { worst } from "../../endpoint/Answer.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { Interval } from "../../math/bootstrap.ts"
import { runToEnd } from "../../math/runToEnd.ts"
import { oncePerState } from "../../oncePerState.ts"
import type { Board, Pair } from "../../record/scoreboard/board.ts"
import { binCount } from "../../record/scoreboard/calibration.ts"
import { leads } from "../../record/scoreboard/divisions.ts"
import { type Domain, domains } from "../../record/scoreboard/Settled.ts"
import {
  boardIntervals,
  type Divisions,
  divisionSteps,
  findPair,
  type Intervals,
  type IntervalsByScope,
  intervalCoverage,
  intervalSteps,
  type PartScores,
  pairScores,
  pairsBelow,
  profitCurve,
  type Report,
  type Scores,
  toReport,
} from "../../record/scoreboard/scores.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { iso } from "../../time.ts"
import { inTurns } from "../../yieldToEventLoop.ts"
import { recorded } from "../confidence.ts"
import { proofTerms } from "../fields.ts"
import { toWireWeight } from "./anchorWeights.ts"
import { Performance } from "./fields.ts"
import { OpenContracts, Scoreboard } from "./ports.ts"

type Score = Performance["overall"]
type Forecaster = NonNullable<Score["model"]>

/** Omits NaN, the score of no contracts. */
const ifNumber = <K extends string>(key: K, value: number) => ifDefined(key, Number.isNaN(value) ? undefined : value)

const toScored = ({ scored, model, market, pool }: Scores) => ({
  markets_scored: scored,
  ...ifNumber("brier_model", model),
  ...ifNumber("brier_market", market),
  ...ifNumber("brier_pool", pool),
})

const toInterval = ({ low, high }: Interval) => ({ low, high, level: intervalCoverage })

const toDifferences = ({ model, market, pool }: Scores, intervals: Intervals | undefined) =>
  intervals === undefined
    ? {}
    : {
        brier_difference: { estimate: model - market, ...toInterval(intervals.difference) },
        pool_difference: { estimate: pool - market, ...toInterval(intervals.poolDifference) },
      }

const toForecaster = (report: Report, interval: Interval | undefined): Forecaster => ({
  brier: report.brier,
  ...ifDefined("brier_interval", interval && toInterval(interval)),
  log_score: report.logScore,
  calibration_error: report.calibrationError,
  decomposition: {
    reliability: report.reliability,
    resolution: report.resolution,
    uncertainty: report.uncertainty,
    within_bin_variance: report.withinBinVariance,
    within_bin_covariance: report.withinBinCovariance,
  },
  bins: report.bins.map(({ count, meanProbability, frequency, low, high }, at) => ({
    from: at / binCount,
    to: (at + 1) / binCount,
    count,
    ...ifNumber("mean_probability", meanProbability),
    ...ifNumber("frequency", frequency),
    ...ifNumber("low", low),
    ...ifNumber("high", high),
  })),
})

const toScore = (pair: Pair, intervals: Intervals | undefined): Score => {
  const scores = pairScores(pair)
  return {
    ...toScored(scores),
    model_beats_market: scores.model < scores.market,
    ...toDifferences(scores, intervals),
    ...(scores.scored === 0
      ? {}
      : {
          model: toForecaster(toReport(pair.model), intervals?.model),
          market: toForecaster(toReport(pair.market), intervals?.market),
          pool: toForecaster(toReport(pair.pool), intervals?.pool),
        }),
  }
}

/** A part of a division; undefined for a part without contracts. */
const toPart = (scores: PartScores | undefined) => {
  if (scores === undefined) return { markets_scored: 0, clusters: 0 }
  const { clusters, intervals } = scores
  return {
    ...{ ...toScored(scores), clusters, ...toDifferences(scores, intervals) },
    ...(intervals && {
      model_interval: toInterval(intervals.model),
      market_interval: toInterval(intervals.market),
      pool_interval: toInterval(intervals.pool),
    }),
  }
}

const splitVersion = (name: string): { readonly domain: Domain; readonly model_version: string } => {
  const slash = name.indexOf("/")
  return { domain: name.slice(0, slash) as Domain, model_version: name.slice(slash + 1) }
}

const hypotheticalTrades = (tradeDays: Board["days"]): Performance["hypothetical"]["pool"] => {
  const { total, days } = profitCurve(tradeDays)
  return {
    trades: total.trades,
    wins: total.wins,
    losses: total.losses,
    pnl_after_fees: total.pnl,
    ...ifNumber("roi_after_fees", total.roi),
    staked: total.staked,
    fees: total.fees,
    unknown_fee: total.unknownFee,
    curve: days.map(({ day, trades, pnl }) => ({ day, trades, pnl_after_fees: pnl })),
  }
}

type Figures = Omit<Performance, "as_of" | "live" | "pool_weights">

/** The figures of the scoreboard that are computed from its sums. */
export const toFigures = (
  board: Board,
  intervals: IntervalsByScope = boardIntervals(board),
  parts: Divisions = runToEnd(divisionSteps(board)),
): Figures => {
  const domainPerformance = (domain: Domain) => {
    const scores = pairScores(findPair(board, `domain/${domain}`))
    return { ...toScored(scores), ...toDifferences(scores, intervals.get(domain)) }
  }
  const count = (name: "void" | "noQuote" | "unanchored" | "compared" | "disagreed" | "corrected"): number =>
    [...board.counts.values()].reduce((sum, counts) => sum + counts[name], 0)
  const [compared, disagreed] = [count("compared"), count("disagreed")]
  return {
    overall: toScore(findPair(board, "all"), intervals.get("all")),
    contested: toScore(findPair(board, "contested"), intervals.get("contested")),
    domains: Object.fromEntries(domains.map((domain) => [domain, domainPerformance(domain)])) as Performance["domains"],
    hypothetical: { ...hypotheticalTrades(board.days), pool: hypotheticalTrades(board.poolDays) },
    by_settlement: {
      venue_source: toScored(pairScores(findPair(board, "all"))),
      model_source: toScored(pairScores(findPair(board, "source"))),
      compared,
      disagreed,
      ...ifNumber("disagreement_rate", disagreed / compared),
    },
    by_lead: leads.map(({ name }, at) => ({
      lead: name,
      ...toPart(parts.lead.find(({ place }) => place === leads.length - 1 - at)),
    })),
    by_edge: parts.edge.map((scores) => ({ part: scores.part, ...toPart(scores) })),
    by_month: parts.month.map((scores) => ({ part: scores.part, ...toPart(scores) })),
    by_hour: parts.hour.map((scores) => ({ part: scores.part, ...toPart(scores) })),
    by_version: pairsBelow(board, "version/").map(([name, pair]) => ({
      ...splitVersion(name),
      ...toScored(pairScores(pair)),
    })),
    unanchored: count("unanchored"),
    corrected: count("corrected"),
    excluded: { void: count("void"), no_quote: count("noQuote") },
  }
}

/** Computes the figures once per state of the sums. The bootstrap takes 0.1 s and yields to other fibers between steps. */
const computeFigures = oncePerState((board: Board, _settledAt: number | undefined) =>
  Effect.zipWith(inTurns(intervalSteps(board)), inTurns(divisionSteps(board)), (intervals, parts) =>
    toFigures(board, intervals, parts),
  ),
)

export const performance = Endpoint.make("/v1/markets/performance", {
  ...proofTerms,
  summary: "Scoreboard: Brier scores of model, market and their pool over all settled contracts",
  use: "Whether the models beat the market, in total and by domain.",
  example: {},
  params: Schema.Struct({}),
  results: Performance,
  ports: { scoreboard: Scoreboard, contracts: OpenContracts },
  answer: function* (_, { scoreboard, contracts }, give) {
    const { board, settledAt } = yield* scoreboard.current
    const { openTracked, awaitingSettlement } = yield* contracts.tracking
    // The time of the last settlement keeps the answer and its ETag the same until the next one.
    const asOfTime = settledAt ?? (yield* Step.now)
    const results: Performance = {
      as_of: iso(asOfTime),
      ...(yield* computeFigures(board, settledAt)),
      pool_weights: Rec.map((yield* scoreboard.weights).weights, toWireWeight),
      live: { open_tracked: openTracked, awaiting_settlement: awaitingSettlement },
    }
    return give({
      results,
      explained: explain(
        step(
          `Scored model and market on ${results.overall.markets_scored} settled markets.`,
          cite("settled rows", "/v1/markets/settled"),
        ),
      ),
      confidence: recorded(1, plural(results.overall.markets_scored, "settled market")),
      links: [{ id: "settled rows", endpoints: ["/v1/markets/settled"] }],
      freshness: worst(scoreboard.freshness, contracts.freshness),
    })
  },
})
