import { type ReliabilityBin, reliability } from "../../../core/math/reliability.ts"
import { shareWithin, uniformDistance } from "../../../core/math/score.ts"
import { walkSteps } from "../compare/walk.ts"
import type { WeatherRow } from "../lanes/weather/data.ts"
import { lawOf, servedLaw, type WeatherForecast } from "../lanes/weather/laws.ts"
import { prior, recalibrated, type WeatherModel } from "../lanes/weather/models.ts"
import { type WeatherTask, weatherTask } from "../lanes/weather/task.ts"

/** Scores of one station's forecasts. */
export interface Scores {
  /** Continuous ranked probability score, degrees Fahrenheit. */
  readonly crps: number
  /** Share of the official highs between the quantiles .05 and .95. */
  readonly c90: number
  /** Kolmogorov–Smirnov distance of the probability integral transform from uniform. */
  readonly ks: number
  /** Expected calibration error of ge. */
  readonly ece: number
  readonly reliability: ReadonlyArray<ReliabilityBin>
}

export interface StationScores {
  readonly station: string
  readonly days: number
  readonly first: string
  readonly last: string
  /** With the published prior only. */
  readonly prior: Scores
  /** With each day's error counted as the recalibration job counts it. */
  readonly recalibrated: Scores
}

/** The probability of at most the official value: uniform where the law is calibrated. */
const transformOf = (forecast: WeatherForecast, actual: number): number => {
  if (!("sigma" in forecast)) throw new TypeError("The law is not the served one.")
  return servedLaw(forecast).cdf(actual)
}

const scoresOf = (task: WeatherTask, model: WeatherModel): Scores => {
  const cases = new Map(task.cases.map((each) => [each.id, each]))
  const table = reliability(task.bins!)
  const transforms: Array<number> = []
  let sum = 0
  for (const { id, forecast } of walkSteps(task, model.start())) {
    const { outcome, question } = cases.get(id)!
    sum += lawOf(forecast!).crps!(outcome)
    transforms.push(transformOf(forecast!, outcome))
    for (const { p, happened } of task.occurrences(forecast!, outcome, question)) table.add(p, happened)
  }
  return {
    crps: sum / transforms.length,
    c90: shareWithin(transforms, 0.05, 0.95),
    ks: uniformDistance(transforms),
    ece: table.error(),
    reliability: table.bins(),
  }
}

/**
 * Scores one station's day-ahead forecasts in order, each with the information of its time: the served distribution
 * with the served recalibration, compared with the same distribution without it. The first 30 days calibrate.
 */
export const walkForward = (rows: ReadonlyArray<WeatherRow>, id: string): StationScores => {
  const task = weatherTask({ rows: rows.filter(({ station }) => station === id), inputs: [] })
  return {
    station: id,
    days: task.cases.length,
    first: task.cases[0]!.question.day,
    last: task.cases.at(-1)!.question.day,
    prior: scoresOf(task, prior),
    recalibrated: scoresOf(task, recalibrated),
  }
}
