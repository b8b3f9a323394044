import * as Layer from "effect/Layer"
import { pathOf } from "../../../../core/endpoint/path.ts"
import { endpoints } from "../../../../core/lanes/weather/endpoints.ts"
import type { Coordinates } from "../../../../core/lanes/weather/forecast/distance.ts"
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

/** Caches the last values of a function by key. */
const lately = <A>(most: number, make: (key: string) => A): ((key: string) => A) => {
  const kept = new Map<string, A>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= most) kept.clear()
    const made = make(key)
    kept.set(key, made)
    return made
  }
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

const pointOf = ({ lat, lon }: Coordinates): string => `${lat},${lon}`

const hoursOf = (spot: Spot, issued: number): ReadonlyArray<Hour> => outlook(spot, issued, startOfHour(issued), reach)

/** Forecasts of any point in the United States, with errors that grow with the lead. */
export const layerForecasts: Layer.Layer<Forecasts> = Layer.sync(Forecasts, () => {
  const spots = lately(1_024, (key) => {
    const [lat, lon] = key.split(",").map(Number) as [number, number]
    return spotOf({ lat, lon })
  })
  const periods = lately(64, (key) => {
    const [point = "", issued = "", granularity] = key.split("@")
    const spot = spots(point)
    const hours = hoursOf(spot, Number(issued))
    return granularity === "1h" ? hourlyPeriods(spot, hours) : halfDayPeriods(spot, hours)
  })
  const grids = lately(64, (key) => {
    const [point = "", issued = ""] = key.split("@")
    return gridOf(spots(point), Number(issued))
  })
  return {
    freshness: "mock",
    point: (lat, lon, hourly) =>
      Step.map(Step.now, (now) => {
        const point = pointOf({ lat, lon })
        const spot = spots(point)
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
          periods: periods(`${point}@${updatedAt}@${hourly ? "1h" : "12h"}`),
          alerts: alertsAt(spot, lat, now),
          source: "mock point forecast",
          locator: pathOf(forecastPath, { lat, lon, ...(hourly ? { hourly } : {}) }),
          alertSource: "mock active alerts",
          alertLocator: pathOf(forecastPath, { lat, lon }),
          flags: [],
        }
      }),
    grid: (station) =>
      Step.map(Step.now, (now) => {
        const { office } = spots(pointOf(station.coordinates))
        const updatedAt = issuedAt(office.id, now)
        return {
          ...grids(`${pointOf(station.coordinates)}@${updatedAt}`),
          updatedAt,
          source: "mock forecast grid",
          locator: pathOf(forecastPath, { ...station.coordinates, hourly: true }),
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
