import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Alternative, Confidence, Counterfactual, Extras } from "../../endpoint/Answer.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { explain, step, when } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { rounded } from "../../endpoint/Rounding.ts"
import { type Failure, fail } from "../../Failure.ts"
import { behind, type Coverage, gapLines, gapText, isBehind } from "../../feeds/Due.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import { perObject } from "../../perObject.ts"
import * as Step from "../../Step.ts"
import { minute } from "../../time.ts"
import { suggest } from "../answers.ts"
import { type Factor, recorded, scored, toFlagFactor } from "../confidence.ts"
import { dataTerms, signalTerms } from "../fields.ts"
import { dueAfterMs, tapeCoverage, tapeFeeds } from "./coverage.ts"
import { ActiveModel, type Distribution, lognormal120, type PriceModel } from "./distribution.ts"
import { describeVenueSource, gatherFacts, signalMinutes, spotMinutes, toCountFactors } from "./facts.ts"
import { type Asset, assets, Signal, Spot } from "./fields.ts"
import { floorToMinute, serializeInputs, toSubject } from "./inputs.ts"
import { performance } from "./performance.ts"
import { Tape, type Window } from "./ports.ts"
import { chooseStrikes } from "./strikes.ts"
import type { Closes } from "./volatility.ts"

type Rows = Signal["p_above"]

export const toRows = ({ pAbove }: Distribution, strikes: ReadonlyArray<number>): Rows =>
  strikes.map((strike) => ({ strike, p_above: pAbove(strike) }))

/** The largest difference of p_above between two answers with the same strikes. */
const findLargestDifference = (a: Rows, b: Rows): number =>
  a.reduce((worst, { p_above }, at) => Math.max(worst, Math.abs(p_above - b[at]!.p_above)), 0)

const volatilityFactor = 1.1

/** The closes with every log return multiplied; the last close stays. */
const scaleReturns = ({ closes }: Window): Float64Array => {
  const last = closes.at(-1)!
  return closes.map((close) => last * (close / last) ** volatilityFactor)
}

export interface SignalParts {
  readonly asset: Asset
  readonly model: PriceModel
  readonly baseline: PriceModel
  readonly window: Window
  readonly horizonMinutes: number
  readonly now: number
  readonly strikes: ReadonlyArray<number>
  /** The plain volatility of an hour, as served. */
  readonly sigma1h: number
  readonly answer: Distribution
}

/** The textbook model's answer for the same tape; empty if it has none. */
const listAlternatives = (parts: SignalParts): ReadonlyArray<Alternative> => {
  const { baseline, window, horizonMinutes, now, strikes, answer } = parts
  const other = baseline.at(window, horizonMinutes, floorToMinute(now))
  if (other === undefined) return []
  const difference = findLargestDifference(toRows(other, strikes), toRows(answer, strikes))
  return [
    {
      id: baseline.version,
      label: `Normal log returns with the plain volatility of the last two hours: sigma_ln ${other.sigmaLn.toPrecision(3)}`,
      score: 0,
      why: `The textbook model, the served model's baseline: no p_above differs by more than ${difference.toFixed(3)}.`,
    },
  ]
}

/** The same model's answer for a tape with more volatility; no figures if it has none. */
const makeCounterfactual = (parts: SignalParts): Counterfactual => {
  const { model, window, horizonMinutes, now, strikes, sigma1h, answer } = parts
  const other = model.at({ ...window, closes: scaleReturns(window) }, horizonMinutes, floorToMinute(now))
  return {
    input: "realized_vol.sigma_1h",
    from: sigma1h,
    to: volatilityFactor * sigma1h,
    ...(other === undefined
      ? { result: {}, delta: {} }
      : {
          result: { sigma_ln: other.sigmaLn },
          delta: {
            sigma_ln: other.sigmaLn - answer.sigmaLn,
            max_change_p_above: findLargestDifference(toRows(other, strikes), toRows(answer, strikes)),
          },
        }),
  }
}

export const makeExtras = (parts: SignalParts): Extras => ({
  alternatives: Effect.sync(() => listAlternatives(parts)),
  counterfactual: Effect.sync(() => makeCounterfactual(parts)),
  suggestions: [
    suggest("markets_edge", {}, "Contracts on which model and venue differ."),
    suggest("crypto_spot", { asset: parts.asset }, "Spot and plain volatility of the last two hours, free."),
  ],
})

const retryHint = { retryAfterMs: minute }

const toTape = ({ lastMinute, source }: Window, coverage: Coverage, now: number): Spot["tape"] => {
  const age = Math.max(0, now / 1000 - (lastMinute + 1) * 60)
  return { source, last_candle_age_s: Math.round(age * 10) / 10, stale: isBehind(coverage) }
}

const toAgeFactor = (seconds: number): number => Math.max(0, 1 - Math.max(0, seconds - 60) / 540)

const holesFactor = 0.7

const failTooFew = (asset: Asset): Failure =>
  fail("data_freshness_stale", {
    detail: `Too few ${asset} closes: the last 120 minutes must have 60, and 30 one-minute returns.`,
    ...retryHint,
  })

/**
 * A quality score: 0.9 for a fresh tape with a week of closes at a horizon of five minutes. It falls with missing closes
 * in the last two hours, with a shorter history (at least ×0.7), with the tape's age (×0 at ten minutes), with the horizon
 * (×0.8 at a day) and with quality flags (×0.8). It is not a probability of being right.
 */
export const scoreConfidence = (
  window: Window,
  ageSeconds: number,
  horizonMinutes: number,
  counts: ReadonlyArray<Factor> = toCountFactors(window),
): Confidence => {
  const factors: ReadonlyArray<Factor> = [
    ...counts,
    [`last candle ${Math.round(ageSeconds)} s old`, toAgeFactor(ageSeconds)],
    [`horizon ${horizonMinutes} min`, 1 - (0.2 * Math.log(horizonMinutes / 5)) / Math.log(1440 / 5)],
    ...toFlagFactor(window.flags, 0.8),
  ]
  return scored("reasoned", 0.9, factors)
}

/** Caches distributions by window, horizon and minute: a window changes once a minute and is read many times. */
const cacheDistributions = perObject((model: PriceModel): PriceModel["at"] => {
  const over = model.over?.bind(model) ?? ((window: Closes) => model.at.bind(model, window))
  const kept = perObject((_: Float64Array, window: Closes) => ({
    at: over(window),
    minute: Number.NaN,
    byHorizon: new Map<number, Distribution | undefined>(),
  }))
  return (window, horizonMinutes, nowMillis) => {
    const minute = floorToMinute(nowMillis)
    const one = kept(window.closes, window)
    if (one.minute !== minute) Object.assign(one, { minute, byHorizon: new Map() })
    if (!one.byHorizon.has(horizonMinutes)) one.byHorizon.set(horizonMinutes, one.at(horizonMinutes, minute))
    return one.byHorizon.get(horizonMinutes)
  }
})

/** The strikes in rising order, without repetitions. */
const sortStrikes = (strikes: ReadonlyArray<number>): ReadonlyArray<number> =>
  strikes.every((strike, at) => at === 0 || strikes[at - 1]! < strike)
    ? strikes
    : [...new Set(strikes)].sort((a, b) => a - b)

/** The part of a signal that is scored, as served. */
export const toOutput = ({
  spot,
  sigma_ln,
  nu,
  location_ln,
  p_above,
}: Pick<Signal, "spot" | "sigma_ln" | "nu" | "location_ln" | "p_above">) =>
  rounded(
    { results: Signal },
    { spot, sigma_ln, ...ifDefined("nu", nu), ...ifDefined("location_ln", location_ln), p_above },
  )

/** Reads the window, its coverage (by the register of feeds or, without one, by the window's end) and the time. */
const readTape = Step.method(function* (
  tape: typeof Tape.Service,
  { coverage }: Feeds["Type"],
  asset: Asset,
  minutes: number,
) {
  const window = yield* tape.window(asset, minutes)
  const registered = yield* coverage(tapeFeeds[asset])
  const now = yield* Step.now
  if (window !== undefined) return { window, now, covered: registered ?? tapeCoverage(window.lastMinute, [], now) }
  return yield* registered === undefined
    ? fail("upstream_unavailable", { detail: `No ${asset} candles are stored yet.`, ...retryHint })
    : behind(tapeFeeds[asset], registered, now)
})

/** Why a signal is not recorded; empty if it can be. */
const listObstacles = (asset: Asset, { gaps }: Coverage, doubts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...gapLines(tapeFeeds[asset], gaps),
  ...doubts,
]

/** Up to this many missing closes in two hours do not lower a spot's score: they are minutes without trades. */
const quietMinutes = 5

const assetParam = Param.withDefault(
  Param.oneOfAnyCase(assets, "The traded asset.", { BTC: "Bitcoin", ETH: "Ether" }),
  "BTC",
)

export const spot = Endpoint.make("/v1/crypto/spot", {
  ...dataTerms(0),
  summary: "Spot price and realized volatility from a one-minute tape",
  use: "What bitcoin or ether costs now, USD; later prices: `crypto_signal`.",
  example: { asset: "BTC" },
  params: Schema.Struct({ asset: assetParam }),
  results: Spot,
  ports: { tape: Tape, feeds: Feeds },
  answer: function* ({ asset }, { tape, feeds }, give) {
    const { window, now, covered } = yield* readTape(tape, feeds, asset, spotMinutes)
    const price = window.closes.at(-1)!
    const { volatility, spotText, doubts, sources, links } = gatherFacts(asset, window)
    if (volatility === undefined) return yield* failTooFew(asset)
    const { closes, served: realized_vol } = volatility
    const state = toTape(window, covered, now)
    const isThin = closes < spotMinutes - quietMinutes
    const score =
      (state.stale ? toAgeFactor(state.last_candle_age_s) : 1) *
      (window.flags.length > 0 ? 0.9 : 1) *
      (isThin ? closes / spotMinutes : 1)
    return give({
      results: { asset, spot: price, realized_vol, tape: state },
      explained: explain(
        step(spotText, sources.spot),
        step(
          `Volatility: root mean square of one-minute log returns, ${closes} closes; one-hour sigma ${realized_vol.sigma_1h.toPrecision(3)}.`,
          ...sources.others,
        ),
        when(state.stale, () => `${gapText(tapeFeeds[asset], covered)}.`),
        ...doubts,
      ),
      confidence: recorded(
        Math.round(100 * score) / 100,
        `last candle ${state.last_candle_age_s} s old (stale above ${dueAfterMs / 1_000} s)`,
        ...(isThin ? [`${closes} of the last ${spotMinutes} closes`] : []),
        ...window.flags.map((flag) => `quality flag ${flag}`),
      ),
      links,
      extras: {
        suggestions: [
          suggest("crypto_signal", { asset }, "Probability that the price is above each strike in an hour."),
        ],
      },
    })
  },
})

/** JSON has no ∞, so `nu` is left out for a normal distribution. */
const toShape = ({ nu, location }: Distribution) => ({
  ...ifDefined("nu", Number.isFinite(nu) ? nu : undefined),
  ...ifDefined("location_ln", location),
})

const volatilityText = ({ sigma_1h }: NonNullable<Signal["realized_vol"]>): string =>
  `Volatility: one-hour sigma ${sigma_1h.toPrecision(3)} over the last two hours' closes.`

/** The distribution of the price at the horizon by `ActiveModel`, with the textbook model as the alternative. */
export const signal = Endpoint.make("/v1/crypto/signal", {
  ...signalTerms,
  summary: "Probability that BTC or ETH is above each strike, 5 minutes to 24 hours ahead",
  use: "Chance of a later price; to price a strike contract. The price now: `crypto_spot`.",
  example: { asset: "BTC", horizon_minutes: 60 },
  params: Schema.Struct({
    asset: assetParam,
    horizon_minutes: Param.withDefault(Param.integer(5, 1440, "Minutes ahead."), 60),
    strikes: Param.optional(
      Param.list(Param.positive("US dollars."), 50, "Strikes instead of the default grid of 21 around spot."),
    ),
  }),
  results: Signal,
  ports: { tape: Tape, feeds: Feeds, model: ActiveModel },
  answer: function* ({ asset, horizon_minutes, strikes: wanted }, { tape, feeds, model }, give) {
    const { window, now, covered } = yield* readTape(tape, feeds, asset, signalMinutes)
    const state = toTape(window, covered, now)
    if (state.stale) return yield* behind(tapeFeeds[asset], { nextAttemptAt: now + minute, ...covered }, now)
    const distribution = cacheDistributions(model)(window, horizon_minutes, now)
    const { counts, volatility, spotText, doubts, marketNote, sources, links } = gatherFacts(asset, window)
    if (distribution === undefined || volatility === undefined) return yield* failTooFew(asset)
    const { served: realized_vol } = volatility
    const { spot: price, sigmaLn } = distribution
    const shape = toShape(distribution)
    const strikes = wanted === undefined ? chooseStrikes(price, sigmaLn) : sortStrikes(wanted)
    const p_above = toRows(distribution, strikes)
    const obstacles = listObstacles(asset, covered, doubts)
    const hasHoles = covered.gaps.length > 0
    const factors = hasHoles ? [...counts, ["holes in the last week's tape", holesFactor] as const] : counts
    return give({
      results: {
        asset,
        spot: price,
        horizon_minutes,
        sigma_ln: sigmaLn,
        ...shape,
        expected_move_1sd_usd: price * sigmaLn,
        annualized_vol_est: sigmaLn * Math.sqrt(525_600 / horizon_minutes),
        p_above,
        market_note: marketNote,
        model_version: model.version,
        realized_vol,
        tape: state,
        settlement_basis: { model_source: window.source, venue_source: describeVenueSource(asset), same: false },
        quality_flags: hasHoles ? [...window.flags, "tape_incomplete"] : window.flags,
      },
      explained: explain(
        step(spotText, sources.spot),
        step(volatilityText(realized_vol), ...sources.others),
        `Model ${model.version}, ${horizon_minutes} minutes: sigma_ln ${sigmaLn.toPrecision(3)}.`,
        `Priced ${strikes.length} strikes from ${strikes[0]} to ${strikes.at(-1)} USD.`,
        ...obstacles.map((text) => `${text} The signal is not recorded.`),
      ),
      confidence: scoreConfidence(window, state.last_candle_age_s, horizon_minutes, factors),
      links,
      ...(obstacles.length > 0
        ? { unrecorded: obstacles.join(" ") }
        : {
            record: {
              subject: toSubject(asset, horizon_minutes, now),
              modelVersion: model.version,
              at: now,
              params: { asset, horizon_minutes, ...ifDefined("strikes", wanted) },
              output: () => toOutput({ spot: price, sigma_ln: sigmaLn, ...shape, p_above }),
              inputs: serializeInputs(window, now, wanted),
              closeTime: now + horizon_minutes * minute,
            },
          }),
      extras: makeExtras({
        asset,
        model,
        baseline: lognormal120,
        window,
        horizonMinutes: horizon_minutes,
        now,
        strikes,
        sigma1h: realized_vol.sigma_1h,
        answer: distribution,
      }),
    })
  },
})

/** A named type, which keeps the generated .d.ts short. */
export type CryptoEndpoints = {
  readonly spot: typeof spot
  readonly signal: typeof signal
  readonly performance: typeof performance
}
export const endpoints: CryptoEndpoints = { spot, signal, performance }
