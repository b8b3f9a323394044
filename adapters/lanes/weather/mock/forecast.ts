import * as Layer from "effect/Layer"
import { fillPath } from "../../../../core/endpoint/path.ts"
import { endpoints } from "../../../../core/lanes/weather/endpoints.ts"
import type { Period } from "../../../../core/lanes/weather/forecast/periods.ts"
import {
  type Extreme,
  Forecasts,
  type GridForecast,
  type Observation,
  Observations,
} from "../../../../core/lanes/weather/ports.ts"
import { climateDay, climateDayStart, type Station } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, day, hour, minute } from "../../../../core/time.ts"
import { offsetsOver } from "../../../../core/zones.ts"
import { memoize } from "../../mock/draws.ts"
import { hashSeed } from "../../mock/hash.ts"
import { alertsAt } from "./alerts.ts"
import { temperatureAt } from "./climate.ts"
import { gridCell } from "./offices.ts"
import { expectedTemperature, type Hour, outlook } from "./outlook.ts"
import { findSpot, type Spot } from "./spot.ts"

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** In the weather service's words: slight chance from 15 %, chance from 25 %, likely from 55 %, plain from 75 %. */
const describeSky = ({ precipPct, falls, clouds }: Hour, isDay: boolean): string => {
  if (precipPct >= 75) return falls
  if (precipPct >= 55) return `${falls} Likely`
  if (precipPct >= 25) return `Chance ${falls}`
  if (precipPct >= 15) return `Slight Chance ${falls}`
  const [clear, few, many] = isDay
    ? ["Sunny", "Mostly Sunny", "Partly Sunny"]
    : ["Clear", "Mostly Clear", "Partly Cloudy"]
  return clouds < 0.4 ? clear! : clouds < 0.75 ? few! : many!
}

const toPeriod = (hours: ReadonlyArray<Hour>, isDay: boolean, name: string, endsAt: number): Period => {
  const wettest = hours.reduce((a, b) => (b.precipPct > a.precipPct ? b : a))
  const windiest = hours.reduce((a, b) => (b.windMph > a.windMph ? b : a))
  const temps = hours.map(({ tempF }) => tempF)
  return {
    startsAt: hours[0]!.at,
    endsAt,
    name,
    is_day: isDay,
    temp_f: Math.round(isDay ? Math.max(...temps) : Math.min(...temps)),
    precip_pct: wettest.precipPct,
    wind_mph_max: windiest.windMph,
    wind_dir: windiest.windDir,
    summary: describeSky(wettest, isDay),
  }
}

const isDayAt = (at: number, offset: number): boolean => {
  const clockHour = new Date(at + offset).getUTCHours()
  return clockHour >= 6 && clockHour < 18
}

/** Days since the epoch by local time. */
const dayNumber = (at: number, offset: number): number => Math.floor((at + offset) / day)

/** Offices' names: the rest of the first night or day, then days of the week. */
const periodName = (startsAt: number, offset: number, isDay: boolean, isFirst: boolean, firstDay: number): string => {
  const local = new Date(startsAt + offset)
  const start = local.getUTCHours()
  if (isFirst && isDay) return start < 12 ? "Today" : "This Afternoon"
  if (isFirst && start < 6) return "Overnight"
  const sameDay = dayNumber(startsAt, offset) === firstDay
  if (!isDay && sameDay) return "Tonight"
  const weekday = weekdays[local.getUTCDay()]!
  return isDay ? (sameDay ? "Today" : weekday) : `${weekday} Night`
}

export const hourlyPeriods = ({ zone }: Spot, hours: ReadonlyArray<Hour>): ReadonlyArray<Period> => {
  const offset = offsetsOver(zone, hours[0]!.at, hours.at(-1)!.at)
  return hours.map((each) => toPeriod([each], isDayAt(each.at, offset(each.at)), "", each.at + hour))
}

/** Days and nights from six to six; the first period begins with the first hour. */
export const halfDayPeriods = ({ zone }: Spot, hours: ReadonlyArray<Hour>): ReadonlyArray<Period> => {
  const offset = offsetsOver(zone, hours[0]!.at, hours.at(-1)!.at)
  const firstDay = dayNumber(hours[0]!.at, offset(hours[0]!.at))
  const periods: Array<Period> = []
  let begun: Array<Hour> = []
  for (const each of hours) {
    const [first] = begun
    const isDay = first !== undefined && isDayAt(first.at, offset(first.at))
    if (first !== undefined && isDayAt(each.at, offset(each.at)) !== isDay) {
      const name = periodName(first.at, offset(first.at), isDay, periods.length === 0, firstDay)
      periods.push(toPeriod(begun, isDay, name, each.at))
      begun = []
    }
    begun.push(each)
  }
  // Incomplete periods are dropped.
  return periods
}

/** The call that shows the data of a point, for citations. */
const forecastPath = endpoints.forecast.path

/** 7.5 days: covers the whole sixth day ahead. */
const reach = 180

/** Mock offices update their grids every hour, each at a minute of its own. */
export const issuedAt = (office: string, now: number): number => {
  const past = (3 + (hashSeed(`${office}/update`) % 50)) * minute
  return Math.floor((now - past) / hour) * hour + past
}

const startOfHour = (at: number): number => Math.floor(at / hour) * hour

/** The extreme of some hours of local standard time, from `startHour` hours after the start of the day. */
const dailyExtremes = (
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
    // A curve read every quarter of an hour misses its turns by hundredths of a degree.
    const temps = Array.from({ length: length * 4 + 1 }, (_, index) => temperature(from + index * 15 * minute))
    return { from, to, tempF: pick(...temps) }
  }).filter(({ to }) => to > issued && to <= issued + reach * hour)
}

const drawGrid = (spot: Spot, issued: number): Pick<GridForecast, "hourly" | "maxima" | "minima"> => {
  const temperature = expectedTemperature(spot, issued)
  return {
    hourly: Array.from({ length: reach }, (_, index) => {
      const startsAt = startOfHour(issued) + index * hour
      return { at: startsAt, tempF: temperature(startsAt) }
    }),
    maxima: dailyExtremes(spot, temperature, issued, [7, 13], Math.max),
    minima: dailyExtremes(spot, temperature, issued, [19, 14], Math.min),
  }
}

const forecastHours = (spot: Spot, issued: number): ReadonlyArray<Hour> =>
  outlook(spot, issued, startOfHour(issued), reach)

/** Forecasts of any point in the United States, with errors that grow with the lead. */
export const layerForecasts: Layer.Layer<Forecasts> = Layer.sync(Forecasts, () => {
  const spots = memoize((lat: number, lon: number) => findSpot({ lat, lon }), 1_024)
  const periods = memoize((lat: number, lon: number, issued: number, hourly: boolean) => {
    const spot = spots(lat, lon)
    return (hourly ? hourlyPeriods : halfDayPeriods)(spot, forecastHours(spot, issued))
  }, 64)
  const grids = memoize((lat: number, lon: number, issued: number) => drawGrid(spots(lat, lon), issued), 64)
  return {
    freshness: "mock",
    point: (lat, lon, hourly) =>
      Step.map(Step.now, (now) => {
        const spot = spots(lat, lon)
        const { office } = spot
        const updatedAt = issuedAt(office.id, now)
        const cell = gridCell(office, { lat, lon })
        return {
          location: { lat, lon, name: office.town, grid: { office: office.id, ...cell }, timezone: office.zone },
          updatedAt,
          periods: periods(lat, lon, updatedAt, hourly),
          alerts: alertsAt(spot, now),
          source: "mock point forecast",
          locator: fillPath(forecastPath, { lat, lon, ...(hourly ? { hourly } : {}) }),
          alertSource: "mock active alerts",
          alertLocator: fillPath(forecastPath, { lat, lon }),
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
          locator: fillPath(forecastPath, { lat, lon, hourly: true }),
        }
      }),
  }
})

/** Automatic stations read at 51 minutes past the hour, in tenths of a degree Celsius; four minutes later it is out. */
const past = 51 * minute
const delay = 4 * minute

const drawReading = (station: Station, at: number): Observation => {
  const celsius = Math.round(((temperatureAt(station, at) - 32) * 50) / 9) / 10
  return { at, tempF: (celsius * 9) / 5 + 32 }
}

export const readingsBetween = (station: Station, from: number, to: number): ReadonlyArray<Observation> => {
  const first = Math.ceil((from - past) / hour) * hour + past
  const count = Math.max(0, Math.floor((to - first) / hour) + 1)
  return Array.from({ length: count }, (_, index) => drawReading(station, first + index * hour))
}

export const layerObservations: Layer.Layer<Observations> = Layer.succeed(Observations, {
  freshness: "mock",
  since: (station, from) =>
    // Like the real ones, they keep observations for a week.
    Step.map(Step.now, (now) => readingsBetween(station, Math.max(from, now - 168 * hour), now - delay)),
})
