import * as Effect from "effect/Effect"
import { PCGRandom } from "effect/Utils"
import type { PriceModel } from "../../../core/lanes/crypto/distribution.ts"
import type { CryptoQuestion } from "../../../core/lanes/crypto/ownModel.ts"
import type { Closes } from "../../../core/lanes/crypto/volatility.ts"
import { blockBootstrap, type Interval } from "../../../core/math/bootstrap.ts"
import { leastClusters } from "../../../core/math/clusters.ts"
import { type ReliabilityBin, reliability } from "../../../core/math/reliability.ts"
import { shareWithin, uniformDistance } from "../../../core/math/score.ts"
import { walk } from "../compare/walk.ts"
import { above, benched, type CryptoForecast, cryptoTask, horizons, scores } from "../lanes/crypto/task.ts"

export { horizons }

const bins = 20

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

/** Scores of one model at one horizon, as sums by block for the bootstrap. */
const tally = (blocks: number) => {
  const table = reliability(bins)
  const transforms: Array<number> = []
  const sums: Readonly<Record<Measure, Float64Array>> = {
    brier: new Float64Array(blocks),
    log: new Float64Array(blocks),
    crps: new Float64Array(blocks),
  }
  return {
    sums,
    add(block: number, forecast: CryptoForecast, question: CryptoQuestion, price: number) {
      for (const measure of measures) sums[measure][block]! += scores[measure].score(forecast, price, question)!
      above(forecast, question).forEach((p, at) => {
        table.add(p, price > question.strikes[at]!)
      })
      const [beyond] = above(forecast, { spot: question.spot, strikes: [price] })
      transforms.push(1 - beyond!)
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

export const skillOf = (
  model: Float64Array,
  baseline: Float64Array,
  generator: PCGRandom,
  replicates: number,
): Skill => {
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
    ...blockBootstrap(model.length, skill, model.length < leastClusters ? 0 : replicates, generator, 0.95),
  }
}

/**
 * Scores two models on one tape, at the questions of the crypto bench that both answer. Skills come with the 95 % interval
 * and the standard error of a block bootstrap over the UTC day of the origin (two days for 24 hours).
 */
export const backtest = Effect.fnUntraced(function* (tape: Closes, options: Options) {
  const task = cryptoTask({ minutesPerBar: 1, ...tape, asset: "", input: { name: "", sha256: "", rows: 0 } })
  const cases = task.cases.filter(({ question }) => options.horizons.includes(question.horizonMinutes))
  const [plain, better] = yield* Effect.forEach([options.baseline, options.model], (model) =>
    walk({ facts: task.facts, cases }, benched(model).start()),
  )
  return options.horizons.map((minutes): HorizonResult => {
    const rows = cases.flatMap(({ id, cluster, question, outcome }) => {
      const [before, after] = [plain!.get(id), better!.get(id)]
      const isOwn = question.horizonMinutes === minutes
      return isOwn && before !== undefined && after !== undefined ? [{ cluster, question, outcome, before, after }] : []
    })
    const blocks = [...new Set(rows.map(({ cluster }) => cluster))]
    const places = new Map(blocks.map((cluster, at) => [cluster, at]))
    const baseline = tally(blocks.length)
    const model = tally(blocks.length)
    for (const { cluster, question, outcome, before, after } of rows) {
      baseline.add(places.get(cluster)!, before, question, outcome)
      model.add(places.get(cluster)!, after, question, outcome)
    }
    const generator = new PCGRandom(options.seed)
    const skill = (measure: Measure) =>
      skillOf(model.sums[measure], baseline.sums[measure], generator, options.replicates)
    return {
      minutes,
      origins: rows.length,
      blocks: blocks.length,
      baseline: baseline.scores(),
      model: model.scores(),
      skill: { brier: skill("brier"), log: skill("log"), crps: skill("crps") },
    }
  })
})
