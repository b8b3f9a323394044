import * as Schema from "effect/Schema"
import { historyAt, type Known } from "../../History.ts"
import type { Model } from "../../Model.ts"
import { minute as minuteMs } from "../../time.ts"
import { makeDistribution, type PriceModel } from "./distribution.ts"
import type { Candle } from "./ports.ts"
import type { Closes } from "./volatility.ts"

/** The close of a bar, US dollars. A bar without a candle gives none. */
export type Close = Pick<Candle, "minute" | "close">

/** A question to a model: the distribution of the price this many minutes ahead. */
export interface CryptoQuestion {
  /** Epoch milliseconds, from which the horizon runs. */
  readonly now: number
  readonly horizonMinutes: number
  readonly minutesPerBar: 1 | 5
  /** The last close, US dollars. */
  readonly spot: number
  /** US dollars, ascending: spot · exp(z v √horizon) for z = −2 … 2, with v the volatility of the last 24 hours. */
  readonly strikes: ReadonlyArray<number>
}

/** The distribution of ln(price / spot): Student's t with a location and a scale, or normal without `nu`. */
export const LogReturn = Schema.Struct({
  scale: Schema.Number.pipe(Schema.finite(), Schema.nonNegative()),
  nu: Schema.optional(Schema.Number.pipe(Schema.greaterThan(0))),
  location: Schema.optional(Schema.Number.pipe(Schema.finite())),
})

/** A model that an operator brings; its result is decoded as a `LogReturn`. */
export type OwnModel = Model<CryptoQuestion, Close, unknown>

/** Distances of the strikes from spot, in standard deviations of the last 24 hours. */
const strikeDistances = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
export const dayMinutes = 1440

/** Root mean square of the one-bar log returns of a window, per square root of a minute. */
const rootMeanSquare = (closes: Float64Array, minutesPerBar: number): number => {
  let sum = 0
  let count = 0
  for (let at = 1; at < closes.length; at++) {
    const change = Math.log(closes[at]! / closes[at - 1]!)
    if (Number.isNaN(change)) continue
    sum += change * change
    count += 1
  }
  return Math.sqrt(sum / count / minutesPerBar)
}

/** The volatility of the last 24 hours, per square root of a minute. */
export const dayVolatility = (closes: Float64Array, minutesPerBar: number): number =>
  rootMeanSquare(closes.subarray(Math.max(0, closes.length - dayMinutes / minutesPerBar - 1)), minutesPerBar)

export const makeStrikes = (spot: number, perMinute: number, horizonMinutes: number): ReadonlyArray<number> => {
  const spread = perMinute * Math.sqrt(horizonMinutes)
  return strikeDistances.map((z) => spot * Math.exp(z * spread))
}

/** The closes of a window as facts, each known from the end of its bar. */
export const toFacts = ({ closes, lastMinute, minutesPerBar }: Required<Closes>): ReadonlyArray<Known<Close>> => {
  const firstMinute = lastMinute - (closes.length - 1) * minutesPerBar
  return [...closes].flatMap((close, at) => {
    const minute = firstMinute + at * minutesPerBar
    return close > 0 ? [{ at: (minute + minutesPerBar) * minuteMs, fact: { minute, close } }] : []
  })
}

/**
 * Makes a model that the lane can serve of an operator's own: `Layer.succeed(ActiveModel, toPriceModel(model))`. The model
 * is started anew for each forecast, with the closes of the last week.
 *
 * @throws Error if the model does not return a distribution of the log return; probabilities at its strikes do not suffice,
 *   since callers bring other strikes
 */
export const toPriceModel = ({ name, version = name, start }: OwnModel): PriceModel => ({
  version,
  at(window, horizonMinutes, now) {
    const { closes, lastMinute, minutesPerBar = 1 } = window
    const spot = closes.at(-1)
    if (spot === undefined || !(spot > 0)) return undefined
    const history = historyAt(toFacts({ closes, lastMinute, minutesPerBar }), now)
    const strikes = makeStrikes(spot, dayVolatility(closes, minutesPerBar), horizonMinutes)
    const forecast = start()({ now, horizonMinutes, minutesPerBar, spot, strikes }, history)
    if (forecast === undefined) return undefined
    const law = Schema.decodeUnknownSync(LogReturn)(forecast)
    return makeDistribution(spot, law.scale, law.nu ?? Number.POSITIVE_INFINITY, law.location)
  },
})
