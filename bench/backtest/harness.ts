import * as Effect from "effect/Effect"
import { PCGRandom } from "effect/Utils"
import { breath } from "../../core/breath.ts"
import type { Distribution, PriceModel } from "../../core/lanes/crypto/distribution.ts"
import type { Closes } from "../../core/lanes/crypto/volatility.ts"
import { blockBootstrap, type Interval } from "../../core/math/bootstrap.ts"
import {
  brier,
  crpsNormal,
  crpsStudentT,
  logScore,
  type ReliabilityBin,
  reliability,
  shareWithin,
  uniformDistance,
} from "../../core/math/score.ts"
import * as studentT from "../../core/math/studentT.ts"
import { minute as minuteMs } from "../../core/time.ts"
import { progress } from "../progress.ts"

export const horizons: ReadonlyArray<number> = [5, 15, 60, 240, 1440]

/** Distances of the strikes from spot, in standard deviations of the last 24 hours. */
const distances = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
const clip = 1e-4
const bins = 20
const dayMinutes = 1440
/** Origins of one turn of the event loop, some tens of milliseconds: whoever runs the backtest is not cut off by it. */
const turn = 50
/** The longest window of any model, minutes. */
const memory = 10_085

const measures = ["brier", "log", "crps"] as const
export type Measure = (typeof measures)[number]

/** Scores of one model at one horizon. */
export interface Scores {
  /** Mean over origins and strikes. */
  readonly brier: number
  /** Mean over origins and strikes, nats. */
  readonly log: number
  /** Mean over origins, basis points of log return. */
  readonly crps: number
  /** Kolmogorov–Smirnov distance of the probability integral transform from uniform. */
  readonly ks: number
  /** Expected calibration error over all strikes. */
  readonly ece: number
  /** Share of the transforms in [.05, .95] and in [.01, .99]. */
  readonly c90: number
  readonly c98: number
  readonly reliability: ReadonlyArray<ReliabilityBin>
}

/** 1 − score / score of the baseline: above 0 the model is better. */
export interface Skill extends Interval {
  readonly value: number
}

export interface HorizonResult {
  readonly minutes: number
  readonly origins: number
  readonly blocks: number
  readonly baseline: Scores
  readonly model: Scores
  readonly skill: Readonly<Record<Measure, Skill>>
}

export interface Options {
  readonly baseline: PriceModel
  readonly model: PriceModel
  readonly horizons: ReadonlyArray<number>
  readonly seed: number
  readonly replicates: number
}

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

/** Scores of one model at one horizon, as sums by block for the bootstrap. */
const tally = (blocks: number) => {
  const table = reliability(bins)
  const transforms: Array<number> = []
  const sums: Readonly<Record<Measure, Float64Array>> = {
    brier: new Float64Array(blocks),
    log: new Float64Array(blocks),
    crps: new Float64Array(blocks),
  }
  let nu = Number.NaN
  let standard: (z: number) => number = crpsNormal
  return {
    sums,
    add(block: number, distribution: Distribution, strikes: ReadonlyArray<number>, price: number) {
      for (const strike of strikes) {
        const p = distribution.pAbove(strike)
        const above = price > strike
        sums.brier[block]! += brier(p, above) / strikes.length
        sums.log[block]! += logScore(p, above, clip) / strikes.length
        table.add(p, above)
      }
      transforms.push(1 - distribution.pAbove(price))
      if (distribution.nu !== nu) {
        nu = distribution.nu
        standard = crpsStudentT(studentT.make(nu))
      }
      const change = Math.log(price / distribution.spot)
      const { scale } = distribution
      sums.crps[block]! += 1e4 * (scale > 0 ? scale * standard(change / scale) : Math.abs(change))
    },
    scores: (): Scores => ({
      brier: total(sums.brier) / transforms.length,
      log: total(sums.log) / transforms.length,
      crps: total(sums.crps) / transforms.length,
      ks: uniformDistance(transforms),
      ece: table.error(),
      c90: shareWithin(transforms, 0.05, 0.95),
      c98: shareWithin(transforms, 0.01, 0.99),
      reliability: table.bins(),
    }),
  }
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

const skillOf = (model: Float64Array, baseline: Float64Array, generator: PCGRandom, replicates: number): Skill => {
  const skill = (drawn: Int32Array): number => {
    let own = 0
    let other = 0
    for (let block = 0; block < drawn.length; block++) {
      own += drawn[block]! * model[block]!
      other += drawn[block]! * baseline[block]!
    }
    return 1 - own / other
  }
  return {
    value: skill(new Int32Array(model.length).fill(1)),
    ...blockBootstrap(model.length, skill, replicates, generator, 0.95),
  }
}

/**
 * Scores two models on one tape, at the same origins and strikes.
 *
 * Origins are 5 minutes apart (15 on five-minute bars), from 24 hours after the first candle on, wherever the bar and the
 * bar at the horizon have a close and both models answer. A model sees the tape up to its origin only. The nine strikes
 * are spot · exp(z v √h), z = −2 … 2, v the volatility of the last 24 hours: the same for both models. Skills come with
 * the 95 % interval and the standard error of a block bootstrap over the UTC day of the origin (two days for 24 hours).
 */
export const backtest = Effect.fnUntraced(function* (tape: Closes, options: Options) {
  const { closes, lastMinute, minutesPerBar = 1 } = tape
  const firstMinute = lastMinute - (closes.length - 1) * minutesPerBar
  const day = dayMinutes / minutesPerBar
  const stride = minutesPerBar === 1 ? 5 : 3
  const results: Array<HorizonResult> = []
  for (const minutes of options.horizons) {
    const ahead = minutes / minutesPerBar
    const perBlock = dayMinutes * (minutes >= dayMinutes ? 2 : 1)
    const firstBlock = Math.floor(firstMinute / perBlock)
    const most = Math.floor(lastMinute / perBlock) - firstBlock + 1
    const baseline = tally(most)
    const model = tally(most)
    const used = new Set<number>()
    let origins = 0
    let begun = 0
    for (let at = day; at + ahead < closes.length; at += stride) {
      const spot = closes[at]!
      const price = closes[at + ahead]!
      if (!(spot > 0 && price > 0)) continue
      if (++begun % turn === 0) {
        yield* breath
        progress(`candles, ${minutes} minutes ahead`, at, closes.length)
      }
      const minute = firstMinute + at * minutesPerBar
      const now = (minute + minutesPerBar) * minuteMs
      const window: Closes = {
        closes: closes.subarray(Math.max(0, at + 1 - memory / minutesPerBar), at + 1),
        lastMinute: minute,
        minutesPerBar,
      }
      const plain = options.baseline.at(window, minutes, now)
      const better = options.model.at(window, minutes, now)
      const unit = rootMeanSquare(closes.subarray(at - day, at + 1), minutesPerBar) * Math.sqrt(minutes)
      if (plain === undefined || better === undefined || !(unit > 0)) continue
      const strikes = distances.map((z) => spot * Math.exp(z * unit))
      const block = Math.floor(minute / perBlock) - firstBlock
      baseline.add(block, plain, strikes, price)
      model.add(block, better, strikes, price)
      used.add(block)
      origins += 1
    }
    const blocks = [...used].sort((a, b) => a - b)
    const filled = (sums: Float64Array) => Float64Array.from(blocks, (block) => sums[block]!)
    const generator = new PCGRandom(options.seed)
    const skill = (measure: Measure) =>
      skillOf(filled(model.sums[measure]), filled(baseline.sums[measure]), generator, options.replicates)
    results.push({
      minutes,
      origins,
      blocks: blocks.length,
      baseline: baseline.scores(),
      model: model.scores(),
      skill: { brier: skill("brier"), log: skill("log"), crps: skill("crps") },
    })
  }
  return results
})
