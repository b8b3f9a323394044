import * as Context from "effect/Context"
import { ifDefined } from "../../ifDefined.ts"
import * as normal from "../../math/normal.ts"
import * as studentT from "../../math/studentT.ts"
import { minute } from "../../time.ts"
import { meanMultiplier, quarterlySeason, type Season } from "./season.ts"
import { type Closes, deseasonalize, plainVariance } from "./volatility.ts"

/** The distribution of a price at a horizon: (ln(price / spot) − location) / scale has Student's t distribution. */
export interface Distribution {
  /** The last close, US dollars. */
  readonly spot: number
  /** Degrees of freedom; ∞ is the normal distribution. */
  readonly nu: number
  /** Median of the log return; absent: 0. */
  readonly location?: number
  /** Log return per unit of the t distribution; 0 when the tape never moved. */
  readonly scale: number
  /** Half-width of the central 68.27 % of the log return: the standard deviation if it is normal. */
  readonly sigmaLn: number
  /**
   * The probability that the price is above `strike` (US dollars) at the horizon: in [0, 1], never rising with the strike,
   * and 1 for a strike of 0 or less. At scale 0 the price does not move: 1 below it, 0 at it and above. NaN for NaN.
   */
  readonly pAbove: (strike: number) => number
}

/** A model of the price ahead. Its version, stored with each forecast, changes with every formula or constant. */
export interface PriceModel {
  readonly version: string
  /**
   * @param window the tape as it was at `nowMillis`; the models here use at most its last 10,085 minutes
   * @param horizonMinutes 5–1440
   * @param nowMillis epoch milliseconds, from which the horizon runs
   * @returns undefined for an unusable window (`isUsable`, `realizedVolatility`) or a horizon out of range; never with a NaN
   */
  readonly at: (window: Closes, horizonMinutes: number, nowMillis: number) => Distribution | undefined
  /**
   * `over(window)(horizonMinutes, nowMillis)` equals `at(window, horizonMinutes, nowMillis)`, for models that compute some of
   * it once for all horizons. The lane keeps the function of a window and calls it again in later minutes.
   */
  readonly over?: (window: Closes) => (horizonMinutes: number, nowMillis: number) => Distribution | undefined
}

const isServedHorizon = (horizonMinutes: number): boolean => horizonMinutes >= 5 && horizonMinutes <= 1440

/** @param location median of the log return */
export const makeDistribution = (spot: number, scale: number, nu: number, location = 0): Distribution => {
  const t = studentT.make(nu)
  return {
    spot,
    nu,
    ...ifDefined("location", location === 0 ? undefined : location),
    scale,
    sigmaLn: scale * t.quantile(oneSigmaLevel),
    pAbove(strike) {
      if (strike <= 0) return 1
      if (scale > 0) return t.cdf((Math.log(spot / strike) + location) / scale)
      return strike < spot * Math.exp(location) ? 1 : Number.isNaN(strike) ? strike : 0
    },
  }
}

const oneSigmaLevel = normal.cdf(1)

/**
 * The textbook model, the baseline of every backtest: a normal log return with the variance per minute of the last 120
 * one-minute returns (`realizedVolatility` uses 119; here the published check vectors need 120), no drift, no seasons.
 */
export const lognormal120: PriceModel = {
  version: "lognormal-120",
  at(window, horizonMinutes) {
    if (!isServedHorizon(horizonMinutes)) return undefined
    const variance = plainVariance(window)
    if (variance === undefined) return undefined
    return makeDistribution(window.closes.at(-1)!, Math.sqrt(variance * horizonMinutes), Number.POSITIVE_INFINITY)
  },
}

/**
 * For some horizons: the weights of the five windows of `deseasonalize` (they sum to 1), the intercept and the degrees of
 * freedom. Weights and tails were fitted on Binance BTCUSDT five-minute bars, March 2024 to May 2025, with the hourly
 * season; variant and rounding were chosen on BTCUSDT one-minute bars of June 2025. They do not change any more.
 */
const knots = [
  { minutes: 5, weights: [0.4, 0.25, 0.1, 0.1, 0.15], intercept: -0.35, nu: 5.6 },
  { minutes: 15, weights: [0.36, 0.28, 0.09, 0.11, 0.16], intercept: -0.45, nu: 4.75 },
  { minutes: 60, weights: [0.25, 0.26, 0.13, 0.17, 0.19], intercept: -0.56, nu: 4.15 },
  { minutes: 240, weights: [0.14, 0.19, 0.16, 0.25, 0.26], intercept: -0.6, nu: 3.8 },
  { minutes: 1440, weights: [0.06, 0.11, 0.12, 0.07, 0.64], intercept: -0.41, nu: 4.5 },
] as const

/** The constants at a horizon: interpolated in its logarithm, 1/ν instead of ν; the weights are rescaled to sum to 1. */
const interpolateConstants = (minutes: number) => {
  let index = 1
  while (index < knots.length - 1 && minutes > knots[index]!.minutes) index++
  const low = knots[index - 1]!
  const high = knots[index]!
  const share = Math.log(minutes / low.minutes) / Math.log(high.minutes / low.minutes)
  const between = (a: number, b: number) => a + share * (b - a)
  const weights = low.weights.map((weight, window) => between(weight, high.weights[window]!))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {
    weights: weights.map((weight) => weight / total),
    intercept: between(low.intercept, high.intercept),
    nu: 1 / between(1 / low.nu, 1 / high.nu),
  }
}

/**
 * Student t log returns. The scale is a geometric blend of the deseasonalized variances of five windows, times the season of
 * the minutes ahead. There is no drift and no −σ²/2, as neither improved any horizon.
 *
 * ln scale² = intercept + Σ wᵢ ln vᵢ + ln(mean season of the horizon) + ln(horizon)
 *
 * With less than a week of tape the missing windows are replaced (`deseasonalize`); 60 closes suffice.
 */
export const makeBlend = (version: string, season: Season): PriceModel => {
  const over: NonNullable<PriceModel["over"]> = (window) => {
    const logs = deseasonalize(window, season)?.map(Math.log)
    return (horizonMinutes, nowMillis) => {
      if (logs === undefined || !isServedHorizon(horizonMinutes) || !Number.isFinite(nowMillis)) return undefined
      const { weights, intercept, nu } = interpolateConstants(horizonMinutes)
      const ahead = meanMultiplier(season, Math.floor(nowMillis / minute), horizonMinutes)
      const log = logs.reduce((sum, each, at) => sum + weights[at]! * each, intercept)
      return makeDistribution(window.closes.at(-1)!, Math.sqrt(Math.exp(log) * ahead * horizonMinutes), nu)
    }
  }
  return { version, over, at: (window, horizonMinutes, nowMillis) => over(window)(horizonMinutes, nowMillis) }
}

/** The served model: the blend with the season of weekdays and quarters of an hour. */
export const blendT2: PriceModel = makeBlend("blend-t-2", quarterlySeason)

/**
 * The model that the lane serves, by default the one that is scored in public. A layer with another model, such as
 * `toPriceModel` makes of an operator's own, replaces it.
 */
export class ActiveModel extends Context.Reference<ActiveModel>()("market-signals/core/lanes/crypto/ActiveModel", {
  defaultValue: (): PriceModel => blendT2,
}) {}
