import { restOfDay, runningOf } from "../../../core/lanes/weather/signal/sameDay.ts"
import { dayOfYear, harmonics } from "../../../core/lanes/weather/signal/temperature.ts"
import {
  type TemperatureDistribution,
  temperatureDistribution,
} from "../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { hour as hourLength } from "../../../core/time.ts"
import { minimise } from "../train/nelderMead.ts"
import type { Air } from "./weatherData.ts"
import type { Drawn } from "./weatherDays.ts"

/** The high of a day at an hour of it: what the same-day rule says of the rest, and what else the airport reports. */
export interface AirCase {
  readonly id: string
  readonly day: string
  readonly law: TemperatureDistribution
  /** The high so far and of the whole day, whole degrees Fahrenheit. */
  readonly reached: number
  readonly high: number
  /** Wind (two parts and speed), dew point, change of pressure in three hours, each about 1; cosine and sine of the season. */
  readonly terms: ReadonlyArray<number>
}

/**
 * The cases of an hour of Eastern standard time; a day whose airport does not report everything then has none.
 *
 * @param scale of the variance between readings: 0 where they are the whole truth
 */
export const airCases = (
  days: ReadonlyArray<Drawn>,
  air: ReadonlyMap<string, Air>,
  hour: number,
  scale: 0 | 1,
): ReadonlyArray<AirCase> =>
  days.flatMap((one): ReadonlyArray<AirCase> => {
    const { station, day, start, readings, earlier, grid } = one
    const at = start + hour * hourLength
    const index = readings.findIndex((reading) => reading.at === at)
    const [now, before] = [0, 3].map((back) => air.get(`${station.id}/${at - back * hourLength}`))
    const running = runningOf([...earlier, ...readings.slice(0, index + 1)], start)
    if (index < 0 || index === readings.length - 1 || running === undefined || !now || !before) return []
    const { northward, eastward, speedMph, dewF, pressureHpa } = now
    const [, cosine, sine] = harmonics(dayOfYear(day))
    const terms = [
      ...[northward / 10, eastward / 10, speedMph / 10 - 1, (running.tempF - dewF) / 20 - 1],
      ...[(pressureHpa - before.pressureHpa) / 2, cosine!, sine!],
    ]
    if (terms.some(Number.isNaN)) return []
    const extreme = Math.max(...grid.hourly.slice(index + 1).map(({ tempF }) => tempF))
    const reached = one.highs[index]!
    const rest = restOfDay(station, "high", running, { extreme, now: grid.hourly[index]!.tempF }, scale)
    return [{ id: `${station.id}/${day}`, day, law: rest(reached), reached, high: one.high, terms }]
  })

/** A constant, a weight of each term, and the change of ln sigma. */
export type AirRule = ReadonlyArray<number>

/** The law of the rest of the day with a rule, of which fewer weights than terms leave the last ones out. */
export const withAir = ({ law, terms }: AirCase, rule: AirRule): TemperatureDistribution => {
  const [constant = 0, ...weights] = rule.slice(0, -1)
  const shift = weights.reduce((sum, weight, at) => sum + weight * terms[at]!, constant)
  return temperatureDistribution(law.mean + shift, law.sigma * Math.exp(rule.at(-1)!))
}

/** −ln of the probability of the high that came, taken as at least 1e-6, of max(high so far, rest of the day). */
const logOf = ({ cdf, sf }: TemperatureDistribution, { reached, high }: AirCase): number =>
  -Math.log(Math.max(1e-6, high <= reached ? cdf(reached + 0.5) : sf(high - 0.5) - sf(high + 0.5)))

/** The same, and the ranked probability score, summed over whole degrees. */
export const scoreOf = (law: TemperatureDistribution, one: AirCase) => {
  let rps = 0
  for (let degree = one.reached; degree <= one.reached + 60; degree++)
    rps += (one.high <= degree ? law.sf(degree + 0.5) : law.cdf(degree + 0.5)) ** 2
  return { rps, log: logOf(law, one) }
}

/** A pull to the served law, as the fit of the same-day rule has one. */
const pull = 4

/** The rule of most likelihood; no rule is all 0. */
export const fitAir = (cases: ReadonlyArray<AirCase>, terms: number, seeds: number): AirRule => {
  const loss = (rule: AirRule): number =>
    cases.reduce((sum, one) => sum + logOf(withAir(one, rule), one), 0) / seeds +
    pull * rule.reduce((sum, value) => sum + value ** 2, 0)
  const none = Array.from({ length: terms + 2 }, () => 0)
  return minimise(loss, minimise(loss, none, 0.3, 300), 0.1, 300)
}

/** The scores of a day's case, with the rule and without. */
export interface AirScore {
  readonly day: string
  readonly own: ReturnType<typeof scoreOf>
  readonly served: ReturnType<typeof scoreOf>
}

/** Months before the first that is scored. */
const taught = 3

/** Scores the days of each month from the fourth on by the rule of all months before it. */
export const walkAir = (cases: ReadonlyArray<AirCase>, terms: number, seeds: number): ReadonlyArray<AirScore> => {
  const months = [...new Set(cases.map(({ day }) => day.slice(0, 7)))].sort().slice(taught)
  return months.flatMap((month) => {
    const rule = fitAir(
      cases.filter(({ day }) => day < month),
      terms,
      seeds,
    )
    return cases
      .filter(({ day }) => day.startsWith(month))
      .map((one) => ({ day: one.day, own: scoreOf(withAir(one, rule), one), served: scoreOf(one.law, one) }))
  })
}
