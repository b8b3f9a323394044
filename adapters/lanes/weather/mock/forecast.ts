import * as Layer from "effect/Layer"
import { pathOf } from "../../../../core/endpoint/path.ts"
import { endpoints } from "../../../../core/lanes/weather/endpoints.ts"
import {
  type Extreme,
  Forecasts,
  type GridForecast,
  type Observation,
  Observations,
} from "../../../../core/lanes/weather/ports.ts"
import { climateDay, climateDayStart, type Station } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, hour, minute } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { seedOf } from "../../mock/hash.ts"
import { alertsAt } from "./alerts.ts"
import { temperatureAt } from "./climate.ts"
import { halfDayPeriods, hourlyPeriods } from "./forecastPeriods.ts"
import { cellOf } from "./offices.ts"
import { expectedTemperature, type Hour, outlook } from "./outlook.ts"
import { type Spot, spotOf } from "./spot.ts"

/** The call that shows the data of a point, for citations. */
const forecastPath = endpoints.forecast.path

/** 7.5 days: covers the whole sixth day ahead. */
const reach = 180

/** Mock offices update their grids every hour, each at a minute of its own. */
export const issuedAt = (office: string, now: number): number => {
  const past = (3 + (seedOf(`${office}/update`) % 50)) * minute
  return Math.floor((now - past) / hour) * hour + past
}

const startOfHour = (at: number): number => Math.floor(at / hour) * hour

/** The extreme of some hours of local standard time, from `startHour` hours after the start of the day. */
const extremesOf = (
  { station, shift }: Spot,
  temperature: (at: number) => number,
  issued: number,
  [startHour, length]: readonly [number, number],
  pick: (...temps: ReadonlyArray<number>) => number,
): ReadonlyArray<Extreme> => {
  const today = climateDay(station, issued + shift)
  return Array.from({ length: 8 }, (_, ahead) => {
    const from = climateDayStart(station, addDays(today, ahead - 1)) - shift + startHour * hour
    const to = from + length * hour
    // A curve that is read every quarter of an hour misses its turns by hundredths of a degree.
    const temps = Array.from({ length: length * 4 + 1 }, (_, index) => temperature(from + index * 15 * minute))
    return { from, to, tempF: pick(...temps) }
  }).filter(({ to }) => to > issued && to <= issued + reach * hour)
}

const gridOf = (spot: Spot, issued: number): Pick<GridForecast, "hourly" | "maxima" | "minima"> => {
  const temperature = expectedTemperature(spot, issued)
  return {
    hourly: Array.from({ length: reach }, (_, index) => {
      const at = startOfHour(issued) + index * hour
      return { at, tempF: temperature(at) }
    }),
    maxima: extremesOf(spot, temperature, issued, [7, 13], Math.max),
    minima: extremesOf(spot, temperature, issued, [19, 14], Math.min),
  }
}

const hoursOf = (spot: Spot, issued: number): ReadonlyArray<Hour> => outlook(spot, issued, startOfHour(issued), reach)

/** Forecasts of any point in the United States, with errors that grow with the lead. */
export const layerForecasts: Layer.Layer<Forecasts> = Layer.sync(Forecasts, () => {
  const spots = memoize((lat: number, lon: number) => spotOf({ lat, lon }), 1_024)
  const periods = memoize((lat: number, lon: number, issued: number, hourly: boolean) => {
    const spot = spots(lat, lon)
    return (hourly ? hourlyPeriods : halfDayPeriods)(spot, hoursOf(spot, issued))
  }, 64)
  const grids = memoize((lat: number, lon: number, issued: number) => gridOf(spots(lat, lon), issued), 64)
  return {
    freshness: "mock",
    point: (lat, lon, hourly) =>
      Step.map(Step.now, (now) => {
        const spot = spots(lat, lon)
        const { office } = spot
        const updatedAt = issuedAt(office.id, now)
        const cell = cellOf(office, { lat, lon })
        return {
          location: {
            lat,
            lon,
            name: office.town,
            grid: { office: office.id, ...cell },
            timezone: office.zone,
          },
          updatedAt,
          periods: periods(lat, lon, updatedAt, hourly),
          alerts: alertsAt(spot, lat, now),
          source: "mock point forecast",
          locator: pathOf(forecastPath, { lat, lon, ...(hourly ? { hourly } : {}) }),
          alertSource: "mock active alerts",
          alertLocator: pathOf(forecastPath, { lat, lon }),
          flags: [],
        }
      }),
    grid: ({ coordinates: { lat, lon } }) =>
      Step.map(Step.now, (now) => {
        const { office } = spots(lat, lon)
        const updatedAt = issuedAt(office.id, now)
        return {
          ...grids(lat, lon, updatedAt),
          updatedAt,
          source: "mock forecast grid",
          locator: pathOf(forecastPath, { lat, lon, hourly: true }),
        }
      }),
  }
})

/** Automatic stations read at 51 minutes past the hour, in tenths of a degree Celsius; the reading is out in four minutes. */
const past = 51 * minute
const delay = 4 * minute

const readingOf = (station: Station, at: number): Observation => {
  const celsius = Math.round(((temperatureAt(station, at) - 32) * 50) / 9) / 10
  return { at, tempF: (celsius * 9) / 5 + 32 }
}

/** A thermometer's observations from one instant to another, both included. */
export const readingsBetween = (station: Station, from: number, to: number): ReadonlyArray<Observation> => {
  const first = Math.ceil((from - past) / hour) * hour + past
  const count = Math.max(0, Math.floor((to - first) / hour) + 1)
  return Array.from({ length: count }, (_, index) => readingOf(station, first + index * hour))
}

/** The thermometers of the generated climate. */
export const layerObservations: Layer.Layer<Observations> = Layer.succeed(Observations, {
  freshness: "mock",
  since: (station, from) =>
    // Like the real ones they forget after a week.
    Step.map(Step.now, (now) => readingsBetween(station, Math.max(from, now - 168 * hour), now - delay)),
})
