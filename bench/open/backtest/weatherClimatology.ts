import {
  type Climatology,
  climateNormal,
  dayOfYear,
  dot,
  harmonics,
} from "../../../core/lanes/weather/signal/temperature.ts"
import * as normal from "../../../core/math/normal.ts"
import { crpsNormal, shareWithin } from "../../../core/math/score.ts"
import { solve } from "../lanes/weather/changes.ts"
import type { DailyRow } from "./weatherData.ts"

/** Sites of the archive; Chicago's and Houston's differ from the service's stations. */
const sites = [
  { site: "NYC", ghcn: "USW00094728", station: "KNYC" },
  { site: "MIA", ghcn: "USW00012839", station: "KMIA" },
  { site: "ORD", ghcn: "USW00094846", station: undefined },
  { site: "IAH", ghcn: "USW00012960", station: undefined },
] as const

/** Earlier days are fitted on, later ones are scored. */
const cut = "2023-01-01"

const terms = 5

const leastSquares = (rows: ReadonlyArray<ReadonlyArray<number>>, y: ReadonlyArray<number>): ReadonlyArray<number> => {
  const a = Array.from({ length: terms }, () => new Array<number>(terms).fill(0))
  const c = new Array<number>(terms).fill(0)
  rows.forEach((x, at) => {
    for (let i = 0; i < terms; i++) {
      c[i]! += x[i]! * y[at]!
      for (let j = 0; j < terms; j++) a[i]![j]! += x[i]! * x[j]!
    }
  })
  return solve(a, c)
}

/**
 * Fits a climatology: the mean by least squares, then the variance as the mean of the squared residuals in a gamma
 * regression with logarithmic link, by iterated least squares (P. McCullagh and J. A. Nelder, Generalized Linear Models,
 * 1989, section 2.5: with this link all weights are 1).
 *
 * @param records at least a year of days and their extremes; fewer than five distinct days of the year give NaN
 */
export const fitClimatology = (
  records: ReadonlyArray<{ readonly day: string; readonly tempF: number }>,
): Climatology => {
  const rows = records.map(({ day }) => harmonics(dayOfYear(day)))
  const mean = leastSquares(
    rows,
    records.map(({ tempF }) => tempF),
  )
  const squares = records.map(({ tempF }, at) => (tempF - dot(mean, rows[at]!)) ** 2)
  const average = squares.reduce((sum, square) => sum + square, 0) / squares.length
  let logVariance: ReadonlyArray<number> = [Math.log(average), 0, 0, 0, 0]
  for (let sweep = 0; sweep < 50; sweep++) {
    const working = rows.map((x, at) => {
      const eta = dot(logVariance, x)
      return eta + squares[at]! / Math.exp(eta) - 1
    })
    logVariance = leastSquares(rows, working)
  }
  return { mean, logVariance }
}

export interface ClimatologyScores {
  readonly site: string
  readonly fittedDays: number
  readonly days: number
  readonly crps: number
  /** Mean of actual − mean. */
  readonly bias: number
  readonly c90: number
  readonly climatology: Climatology
}

/** Fits each site on the years before 2023 and scores the normal distribution on later days. */
export const climatology = (rows: ReadonlyArray<DailyRow>): ReadonlyArray<ClimatologyScores> =>
  sites.map(({ site, ghcn }) => {
    const own = rows.filter(({ station }) => station === ghcn)
    const known = own.filter(({ day }) => day < cut)
    const model = fitClimatology(known)
    const scored = own
      .filter(({ day }) => day >= cut)
      .map(({ day, tempF }) => {
        const { mean, sd } = climateNormal(model, day)
        const z = (tempF - mean) / sd
        return { crps: sd * crpsNormal(z), error: tempF - mean, transform: normal.cdf(z) }
      })
    const average = (pick: (one: (typeof scored)[number]) => number): number =>
      scored.reduce((sum, one) => sum + pick(one), 0) / scored.length
    return {
      site,
      fittedDays: known.length,
      days: scored.length,
      crps: average(({ crps }) => crps),
      bias: average(({ error }) => error),
      c90: shareWithin(
        scored.map(({ transform }) => transform),
        0.05,
        0.95,
      ),
      climatology: model,
    }
  })
