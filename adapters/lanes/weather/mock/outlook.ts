import { getOrMake } from "../../../../core/getOrMake.ts"
import { climateDay, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import { day, hour } from "../../../../core/time.ts"
import { normal, uniform } from "../../mock/hash.ts"
import { drawPrecipitation, temperatureAt } from "./climate.ts"
import { drawError, interpolateError } from "./forecastError.ts"
import type { Spot } from "./spot.ts"

export interface Hour {
  /** Epoch milliseconds. */
  readonly at: number
  /** Degrees Fahrenheit, unrounded. */
  readonly tempF: number
  readonly precipPct: number
  readonly windMph: number
  readonly windDir: string
  /** Kind of precipitation, if any. */
  readonly falls: "Rain Showers" | "Showers And Thunderstorms" | "Snow" | "Heavy Snow"
  /** Of the sky without precipitation, from 0 to 1. */
  readonly clouds: number
}

/** A day's actual weather at a station, the target of the forecasts. */
export interface DayTruth {
  readonly inches: number
  /** The strongest wind, miles per hour. */
  readonly windMph: number
  readonly windDir: string
  /** The local standard hour around which it rains or snows. */
  readonly wettest: number
  readonly clouds: number
}

const points = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]

export const drawTruth = ({ station }: Spot, on: string): DayTruth => ({
  inches: drawPrecipitation(station, on).inches,
  windMph: 5 - 5 * Math.log(uniform(station.id, on, "wind")),
  windDir: points[Math.floor(16 * uniform(station.id, on, "direction"))]!,
  wettest: Math.min(21, Math.max(3, 14 + 4 * normal(station.id, on, "wettest"))),
  clouds: uniform(station.id, on, "clouds"),
})

/** Share of wet days that an office expects without further knowledge. */
const usuallyWet = 0.3

const chance = ({ inches, wettest }: DayTruth, clockHour: number, leadDays: number): number => {
  const outcome = inches > 0 ? 0.95 : 0.04
  const expectation = usuallyWet + (outcome - usuallyWet) * Math.exp(-leadDays / 4)
  return Math.round(100 * expectation * (0.35 + 0.65 * Math.exp(-(((clockHour - wettest) / 6) ** 2))))
}

const falling = (tempF: number, inches: number, clockHour: number): Hour["falls"] => {
  if (tempF <= 34) return inches >= 0.4 ? "Heavy Snow" : "Snow"
  return tempF >= 68 && clockHour >= 12 && clockHour < 22 ? "Showers And Thunderstorms" : "Rain Showers"
}

/** The forecast temperature at any instant, degrees Fahrenheit, unrounded. */
export const expectedTemperature = (spot: Spot, issuedAt: number): ((at: number) => number) => {
  const { station, shift, warmerF } = spot
  const errors = new Map<number, number>()
  const forecastAt = (turnAt: number, turn: "low" | "high"): number =>
    getOrMake(errors, turnAt, () => drawError(station.id, turnAt, turn, issuedAt + shift))
  return (at) => temperatureAt(station, at + shift) + warmerF + interpolateError(station, at + shift, forecastAt)
}

/** The forecast of the hours from `from` on, at a point, issued at an instant. */
export const outlook = (spot: Spot, issuedAt: number, from: number, hours: number): ReadonlyArray<Hour> => {
  const { station, shift } = spot
  const temperature = expectedTemperature(spot, issuedAt)
  const truths = new Map<string, DayTruth>()
  return Array.from({ length: hours }, (_, index) => {
    const time = from + index * hour
    const on = climateDay(station, time + shift)
    const truth = getOrMake(truths, on, () => drawTruth(spot, on))
    const clockHour = (time + shift - climateDayStart(station, on)) / hour
    const tempF = temperature(time)
    return {
      at: time,
      tempF,
      precipPct: chance(truth, clockHour, Math.max(0, time - issuedAt) / day),
      windMph: Math.round(truth.windMph * (0.75 + 0.25 * Math.cos((2 * Math.PI * (clockHour - 15)) / 24))),
      windDir: truth.windDir,
      falls: falling(tempF, truth.inches, clockHour),
      clouds: truth.clouds,
    }
  })
}
