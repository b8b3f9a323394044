import { groupBy } from "effect/Array"
import { getOrMake } from "../../../../core/getOrMake.ts"
import type { History } from "../../../../core/History.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { type IssuedLaws, initialStack, issueLaws } from "../../../../core/lanes/weather/guidance/stack.ts"
import type { ForecastOutcome } from "../../../../core/lanes/weather/signal/Calibrations.ts"
import {
  calibrate,
  type ErrorStats,
  initialStation,
  leadBucket,
  type Published,
} from "../../../../core/lanes/weather/signal/calibration.ts"
import {
  addChange,
  type ChangeRule,
  findChangeRule,
  toChangeTerms,
} from "../../../../core/lanes/weather/signal/change.ts"
import { forecastDistribution } from "../../../../core/lanes/weather/signal/extremes.ts"
import { modelName as servedName } from "../../../../core/lanes/weather/signal/outlook.ts"
import { learnDays } from "../../../../core/lanes/weather/signal/recalibration.ts"
import { dayOfYear, minLead } from "../../../../core/lanes/weather/signal/temperature.ts"
import type { Site } from "../../../../core/lanes/weather/stations.ts"
import type { Forecaster, Model } from "../../../../core/Model.ts"
import { type ChangedDay, fitRule } from "./changes.ts"
import type { WeatherRow } from "./data.ts"
import type { Served, WeatherForecast } from "./laws.ts"

/** The official extreme of a day, given this forecast of it. */
export interface WeatherQuestion extends Omit<WeatherRow, "actualF"> {
  /** Days from the forecast to the hour at which the extreme is usually due. */
  readonly leadDays: number
  /** The forecast of the day before, at the same lead; absent where there is none. */
  readonly dayBeforeF?: number
}

/** The official value of a day, with a forecast of it: one for each of the day's forecasts. */
export interface WeatherFact extends WeatherQuestion {
  readonly actualF: number
}

/** The function of a custom model. */
export type WeatherForecaster = Forecaster<WeatherQuestion, WeatherFact, WeatherForecast>
export type WeatherModel = Model<WeatherQuestion, WeatherFact, WeatherForecast>

type Series = Pick<WeatherQuestion, "station" | "variable">

const seriesOf = ({ station, variable }: Series): string => `${station}/${variable}`
const keyOf = (question: WeatherQuestion): string => `${seriesOf(question)}/${question.day}/${question.issuedAt}`
const makeSite = ({ station, utcOffset }: Pick<WeatherQuestion, "station" | "utcOffset">): Site => ({
  id: station,
  standardOffset: utcOffset,
})

/** A state of each station's variable, kept from question to question. */
const learning = <State>(
  empty: () => State,
  learn: (state: State, news: readonly [WeatherFact, ...ReadonlyArray<WeatherFact>]) => State,
) => {
  const states = new Map<string, State>()
  let learned = 0
  return (series: Series, history: History<WeatherFact>): State => {
    const news = history.since(learned)
    learned = history.length
    for (const [key, ofSeries] of Object.entries(groupBy(news, seriesOf))) {
      states.set(key, learn(states.get(key) ?? empty(), ofSeries))
    }
    return states.get(seriesOf(series)) ?? empty()
  }
}

/**
 * The errors that the recalibration job counts: of each day and bucket of leads the first forecast, if it came early enough
 * to contain no observation of the extreme.
 */
const counted = (
  facts: ReadonlyArray<WeatherFact>,
  issuedFor: ReadonlyMap<string, IssuedLaws>,
): ReadonlyArray<ForecastOutcome> => {
  const seen = new Set<string>()
  return facts.flatMap((fact) => {
    const { day, issuedAt, leadDays, source, forecastF, actualF } = fact
    const bucket = leadBucket(leadDays)
    const key = `${day}/${bucket}`
    if (leadDays < minLead || seen.has(key)) return []
    seen.add(key)
    const snapshot = { day, bucket, takenAt: issuedAt, source, ...ifDefined("issued", issuedFor.get(keyOf(fact))) }
    return [{ snapshot, residual: { residualF: actualF - forecastF } }]
  })
}

const lawAt = (question: WeatherQuestion, states: ReadonlyArray<Published>): typeof Served.Type => {
  const { variable, day, leadDays, forecastF } = question
  const calibration = calibrate(makeSite(question), variable, day, leadDays, states)
  const { mean, sigma } = forecastDistribution(forecastF, calibration)
  return { mean, sigma, skew: calibration.skew }
}

const untaught: ReadonlyArray<Published> = initialStation.high

/** The law before the rule of changes, with each day's error counted as the recalibration job counts it. */
export const recalibrated: WeatherModel = {
  name: "temperature-t8-2",
  version: "temperature-t8-2",
  start: () => {
    /** The laws of bias and spread as they stood when they were asked for. */
    const issuedFor = new Map<string, IssuedLaws>()
    const statesOf = learning<ReadonlyArray<ErrorStats>>(
      () => untaught.map(({ state }) => state),
      (before, news) => learnDays(makeSite(news[0]), news[0].variable, before, counted(news, issuedFor)),
    )
    return (question, history) => {
      const states = statesOf(question, history).map((state) => ({ state, revision: 1 }))
      const { variable, day, leadDays } = question
      const learned = calibrate(makeSite(question), variable, day, leadDays, states, true)
      issuedFor.set(keyOf(question), issueLaws(initialStack, { ...learned, forecastF: question.forecastF }, []))
      return lawAt(question, states)
    }
  },
}

/** A rule is fitted on so many days at least. */
const fewestDays = 300

/**
 * The served law: where the lane has a rule of changes, one that is fitted anew each January, on the days known then. The
 * lane's own constants are fitted on all recorded days.
 */
export const changing: WeatherModel = {
  name: servedName,
  version: servedName,
  start: () => {
    const before = recalibrated.start()
    const asked = new Map<string, Omit<ChangedDay, "actualF">>()
    const days = new Map<string, Array<ChangedDay>>()
    const rules = new Map<string, { readonly year: string; readonly rule: ChangeRule | undefined }>()
    let learned = 0
    const learn = (history: History<WeatherFact>): void => {
      for (const fact of history.since(learned)) {
        const law = asked.get(keyOf(fact))
        const ofSeries = getOrMake(days, seriesOf(fact), (): Array<ChangedDay> => [])
        if (law !== undefined) ofSeries.push({ ...law, actualF: fact.actualF })
      }
      learned = history.length
    }
    const ruleIn = (series: string, year: string): ChangeRule | undefined => {
      const known = rules.get(series)
      if (known?.year === year) return known.rule
      const some = days.get(series) ?? []
      const rule = some.length < fewestDays ? undefined : fitRule(some)
      rules.set(series, { year, rule })
      return rule
    }
    return (question, history) => {
      learn(history)
      const law = before(question, history) as typeof Served.Type
      const { variable, day, leadDays, forecastF, dayBeforeF } = question
      if (dayBeforeF === undefined || findChangeRule(makeSite(question), variable, leadBucket(leadDays)) === undefined)
        return law
      const terms = toChangeTerms(day, forecastF - dayBeforeF)
      asked.set(keyOf(question), { mean: law.mean, sigma: law.sigma, terms })
      const rule = ruleIn(seriesOf(question), day.slice(0, 4))
      if (rule === undefined) return law
      const { bias, sigma } = addChange({ bias: law.mean, sigma: law.sigma }, rule, terms)
      return { ...law, mean: bias, sigma }
    }
  },
}

/** The served law with the published prior alone. */
export const prior: WeatherModel = {
  name: "published prior",
  version: servedName,
  start: () => (question) => lawAt(question, untaught),
}

/** Errors of the naive law, and the fewest that it needs. */
const recent = 30
const fewest = 10

/** A normal law about the forecast, with the mean and the spread of the last 30 errors at such a lead. */
export const lastErrors: WeatherModel = {
  name: "last 30 errors",
  start: () => {
    const errorsOf = learning<ReadonlyMap<number, ReadonlyArray<number>>>(
      () => new Map(),
      (before, news) => {
        const errors = new Map(before)
        for (const { leadDays, forecastF, actualF } of news) {
          const bucket = leadBucket(leadDays)
          errors.set(bucket, [...(errors.get(bucket) ?? []), actualF - forecastF].slice(-recent))
        }
        return errors
      },
    )
    return (question, history) => {
      const errors = errorsOf(question, history).get(leadBucket(question.leadDays)) ?? []
      const bias = errors.reduce((sum, error) => sum + error, 0) / errors.length
      const variance = errors.reduce((sum, error) => sum + (error - bias) ** 2, 0) / (errors.length - 1)
      if (errors.length < fewest || !(variance > 0)) return undefined
      return { mean: question.forecastF + bias, sd: Math.sqrt(variance) }
    }
  },
}

const daysOfYear = 366
/** Official values of the climatology; with more years they are from fewer days around. */
const enough = 90
/** Sums are taken from here, so that squares stay small. */
const centre = 60

/** Count, sum and sum of squares of official values, by the day of the year. */
type Sums = readonly [count: Float64Array, sum: Float64Array, squares: Float64Array]

/** A normal law of the official values nearest to the day in the year, without any forecast. */
export const climatology: WeatherModel = {
  name: "climatology",
  start: () => {
    const seen = new Set<string>()
    const addReliability = learning<Sums>(
      () => [new Float64Array(daysOfYear), new Float64Array(daysOfYear), new Float64Array(daysOfYear)],
      (sums, news) => {
        for (const fact of news) {
          // A day counts once, however many forecasts it had.
          const key = `${seriesOf(fact)}/${fact.day}`
          if (seen.has(key)) continue
          seen.add(key)
          const at = dayOfYear(fact.day) - 1
          const value = fact.actualF - centre
          for (const [power, each] of sums.entries()) each[at]! += value ** power
        }
        return sums
      },
    )
    return (question, history) => {
      const sums = addReliability(question, history)
      const middle = dayOfYear(question.day) - 1
      const totals = [0, 0, 0]
      for (let away = 0; away <= daysOfYear / 2 && totals[0]! < enough; away++) {
        // The two days at a distance are one at 0 and opposite in the year.
        for (const day of new Set([middle - away, middle + away].map((at) => (at + daysOfYear) % daysOfYear))) {
          for (const [power, each] of sums.entries()) totals[power]! += each[day]!
        }
      }
      const [count, sum, squares] = totals as [number, number, number]
      const mean = sum / count
      const variance = (squares - count * mean * mean) / (count - 1)
      return count < fewest || !(variance > 0) ? undefined : { mean: centre + mean, sd: Math.sqrt(variance) }
    }
  },
}
