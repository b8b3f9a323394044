import type { Station } from "../../../../core/lanes/weather/stations.ts"
import { day, hour } from "../../../../core/time.ts"
import { hashSeed, normalAt } from "../../mock/hash.ts"

/** Standard deviation of a mock forecast's error by lead in days, degrees Fahrenheit. */
export const toSpread = (leadDays: number): number => 1.5 + 0.6 * leadDays

/** Offices learn something new about a day every six hours. */
const step = 6 * hour

type Turn = "low" | "high"

/** Local standard hours at which a day's turns are expected. */
export const expectedHours: Readonly<Record<Turn, number>> = { low: 6, high: 15 }

/** The error removed in one step; the errors of a day's two extremes are correlated. */
const shock = (station: string, dayNumber: number, turn: Turn, index: number): number =>
  0.9 * normalAt(hashSeed(`${station}/forecast`), dayNumber, index) +
  Math.sqrt(1 - 0.9 ** 2) * normalAt(hashSeed(`${station}/forecast/${turn}`), dayNumber, index)

/**
 * A forecast's error: a random walk back in time from the forecast day. Two forecasts of one day differ by the steps
 * between them, and the error's standard deviation is `toSpread` at any lead.
 *
 * @param issuedAt epoch milliseconds
 */
export const drawError = (station: string, turnAt: number, turn: Turn, issuedAt: number): number => {
  const dayNumber = Math.floor(turnAt / day)
  const steps = Math.max(0, turnAt - issuedAt) / step
  let error = toSpread(0) * shock(station, dayNumber, turn, 0)
  for (let index = 0; index < steps; index++) {
    const [near, far] = [toSpread((index * step) / day), toSpread(((index + 1) * step) / day)]
    const share = Math.min(1, steps - index)
    error += Math.sqrt((far ** 2 - near ** 2) * share) * shock(station, dayNumber, turn, index + 1)
  }
  return error
}

/** The error of the temperature at an instant: a straight line from one turn to the next. */
export const interpolateError = (
  { standardOffset }: Pick<Station, "id" | "standardOffset">,
  at: number,
  errorOfTurn: (turnAt: number, turn: Turn) => number,
): number => {
  const start = Math.floor((at + standardOffset * hour) / day) * day - standardOffset * hour
  const [dawn, afternoon] = [start + expectedHours.low * hour, start + expectedHours.high * hour]
  const between = (a: number, turn: Turn, b: number, next: Turn): number => {
    const share = (at - a) / (b - a)
    return (1 - share) * errorOfTurn(a, turn) + share * errorOfTurn(b, next)
  }
  if (at < dawn) return between(afternoon - day, "high", dawn, "low")
  return at < afternoon ? between(dawn, "low", afternoon, "high") : between(afternoon, "high", dawn + day, "low")
}
