import * as Schema from "effect/Schema"
import { historyAt, type Known } from "../../History.ts"
import type { Model } from "../../Model.ts"
import { minute as minuteMs } from "../../time.ts"
import { distribution, type PriceModel } from "./distribution.ts"
import type { Candle } from "./ports.ts"
import type { Closes } from "./volatility.ts"

/** The close of a bar, US dollars. A bar without a candle is no fact. */
export type Close = Pick<Candle, "minute" | "close">

/** Where is the price so many minutes ahead? */
export interface CryptoQuestion {
  /** Epoch milliseconds, from which the horizon runs. */
  readonly now: number
  readonly horizonMinutes: number
  readonly minutesPerBar: 1 | 5
  /** The last close, US dollars. */
  readonly spot: number
  /** US dollars, ascending: spot · exp(z v √horizon), z = −2 … 2, v the volatility of the last 24 hours. */
  readonly strikes: ReadonlyArray<number>
}

/** The law of ln(price / spot): Student's t with a location and a scale; without `nu`, normal. */
export const LogReturn = Schema.Struct({
  scale: Schema.Number.pipe(Schema.finite(), Schema.nonNegative()),
  nu: Schema.optional(Schema.Number.pipe(Schema.greaterThan(0))),
  location: Schema.optional(Schema.Number.pipe(Schema.finite())),
})

/** A model that an operator brings: what it returns is read as a `LogReturn`. */
export type OwnModel = Model<CryptoQuestion, Close, unknown>

/** Distances of the strikes from spot, in standard deviations of the last 24 hours. */
const distances = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
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

export const strikesOf = (spot: number, perMinute: number, horizonMinutes: number): ReadonlyArray<number> => {
  const spread = perMinute * Math.sqrt(horizonMinutes)
  return distances.map((z) => spot * Math.exp(z * spread))
}

/** The closes of a window as facts, each known at its bar's end. */
export const factsOf = ({ closes, lastMinute, minutesPerBar }: Required<Closes>): ReadonlyArray<Known<Close>> => {
  const firstMinute = lastMinute - (closes.length - 1) * minutesPerBar
  return [...closes].flatMap((close, at) => {
    const minute = firstMinute + at * minutesPerBar
    return close > 0 ? [{ at: (minute + minutesPerBar) * minuteMs, fact: { minute, close } }] : []
  })
}

/**
 * A model of one's own as the lane serves it: `Layer.succeed(ActiveModel, servedModel(model))`. It starts anew with each window,
 * which has the closes of the last week.
 *
 * @throws Error when the model returns what is no law of the log return: strikes are the caller's
 */
export const servedModel = ({ name, version = name, start }: OwnModel): PriceModel => ({
  version,
  at(window, horizonMinutes, now) {
    const { closes, lastMinute, minutesPerBar = 1 } = window
    const spot = closes.at(-1)
    if (spot === undefined || !(spot > 0)) return undefined
    const history = historyAt(factsOf({ closes, lastMinute, minutesPerBar }), now)
    const strikes = strikesOf(spot, dayVolatility(closes, minutesPerBar), horizonMinutes)
    const forecast = start()({ now, horizonMinutes, minutesPerBar, spot, strikes }, history)
    if (forecast === undefined) return undefined
    const law = Schema.decodeUnknownSync(LogReturn)(forecast)
    return distribution(spot, law.scale, law.nu ?? Number.POSITIVE_INFINITY, law.location)
  },
})
