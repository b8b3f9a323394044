import * as DateTime from "effect/DateTime"
import { json, type Route } from "./replay.ts"

const hour = 3_600_000

const iso = (at: number): string => new Date(at).toISOString().replace(".000Z", "+00:00")

const newYork = DateTime.zoneUnsafeMakeNamed("America/New_York")
/** The offset of New York's clocks from UTC, milliseconds. */
const offsetAt = (at: number): number => DateTime.zonedOffset(DateTime.unsafeMakeZoned(at, { timeZone: newYork }))

/** A time as the clocks of New York show it, with their offset. */
const local = (at: number): string =>
  `${new Date(at + offsetAt(at)).toISOString().slice(0, 19)}-0${-offsetAt(at) / hour}:00`

const celsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9

/** The full hour that an instant lies in. */
export const fullHour = (at: number): number => Math.floor(at / hour) * hour

/** A temperature for every hour, never twice the same within a day: 60 °F in the morning to 83 °F in the afternoon. */
export const hourF = (at: number): number => {
  const past = (Math.floor(at / hour) - 8) % 24
  return past < 12 ? 60 + 2 * past : 83 - 2 * (past - 12)
}

/** The outline of a cell that holds every station, since the cell is one here. */
export const geometry = {
  type: "Polygon",
  coordinates: [
    [
      [-130, 20],
      [-130, 50],
      [-60, 50],
      [-60, 20],
      [-130, 20],
    ],
  ],
}

/** A cell by its numbers, as its grid states them. */
export const cell = (gridX: number, gridY: number) => ({ gridId: "OKX", gridX, gridY })

export const point = {
  properties: {
    ...cell(34, 45),
    timeZone: "America/New_York",
    relativeLocation: { properties: { city: "New York", state: "NY" } },
  },
}

/** The warmest of a day, the coldest of a night. */
const periodF = (startsAt: number, hours: number, isDay: boolean): number =>
  (isDay ? Math.max : Math.min)(...Array.from({ length: hours }, (_, at) => hourF(startsAt + at * hour)))

export const period = (startsAt: number, hours: number, changes: Readonly<Record<string, unknown>> = {}) => {
  const middle = new Date(startsAt + (hours / 2) * hour + offsetAt(startsAt)).getUTCHours()
  const isDaytime = middle >= 6 && middle < 18
  return {
    number: 1,
    name: "",
    startTime: local(startsAt),
    endTime: local(startsAt + hours * hour),
    isDaytime,
    temperature: periodF(startsAt, hours, isDaytime),
    temperatureUnit: "F",
    probabilityOfPrecipitation: { unitCode: "wmoUnit:percent", value: 20 },
    windSpeed: "5 to 10 mph",
    windDirection: "SW",
    shortForecast: "Mostly Sunny",
    ...changes,
  }
}

/** The hour, or the half day from six to six, that an instant lies in. */
const startOf = (now: number, hours: number): number => {
  const shift = hours === 1 ? 0 : 6 * hour - offsetAt(now)
  return Math.floor((now - shift) / (hours * hour)) * hours * hour + shift
}

export const forecast = (
  now: number,
  hours: number,
  count: number,
  changes: Readonly<Record<string, unknown>> = {},
) => ({
  geometry,
  properties: {
    updateTime: iso(fullHour(now) - hour),
    periods: Array.from({ length: count }, (_, index) => period(startOf(now, hours) + index * hours * hour, hours)),
    ...changes,
  },
})

export const alert = (now: number, changes: Readonly<Record<string, unknown>> = {}) => ({
  properties: {
    id: "urn:oid:2.49.0.1.840.0.1",
    event: "Heat Advisory",
    severity: "Moderate",
    certainty: "Likely",
    urgency: "Expected",
    headline: "Heat Advisory until this evening",
    areaDesc: "New York (Manhattan)",
    effective: local(fullHour(now) - 6 * hour),
    onset: local(fullHour(now) - 2 * hour),
    expires: local(fullHour(now) + 5 * hour),
    ends: local(fullHour(now) + 5 * hour),
    senderName: "NWS Upton NY",
    description: "Heat index values up to 97.",
    instruction: "Drink plenty of fluids.",
    status: "Actual",
    messageType: "Alert",
    ...changes,
  },
})

/** A list of active alerts, as of now. */
export const alertList = (
  now: number,
  features: ReadonlyArray<unknown>,
  updated = iso(now),
  [lat, lon]: ReadonlyArray<string> = ["40.7", "-74"],
) => ({
  type: "FeatureCollection",
  features,
  title: `Current watches, warnings, and advisories for ${lat} N, ${String(lon).slice(1)} W`,
  updated,
})

const series = (values: ReadonlyArray<unknown>) => ({ uom: "wmoUnit:degC", values })

/** The highest or lowest temperature of some hours, as a grid has it. */
const extreme = (from: number, hours: number, of: (...values: ReadonlyArray<number>) => number) => ({
  validTime: `${iso(from)}/PT${hours}H`,
  value: celsius(of(...Array.from({ length: hours }, (_, index) => hourF(from + index * hour)))),
})

/** A raw grid, of the cell to which tests move New York unless it is given. */
export const grid = (now: number, changes: Readonly<Record<string, unknown>> = {}) => {
  const days = Array.from({ length: 7 }, (_, index) => fullHour(now) + index * 24 * hour)
  return {
    geometry,
    properties: {
      ...cell(36, 46),
      updateTime: iso(fullHour(now) - hour),
      temperature: series(
        Array.from({ length: 168 }, (_, index) => {
          const at = fullHour(now) + index * hour
          return { validTime: `${iso(at)}/PT1H`, value: celsius(hourF(at)) }
        }),
      ),
      maxTemperature: series(days.map((at) => extreme(at, 13, Math.max))),
      minTemperature: series(days.map((at) => extreme(at + 12 * hour, 14, Math.min))),
      ...changes,
    },
  }
}

export const observation = (at: number, changes: Readonly<Record<string, unknown>> = {}) => ({
  properties: {
    station: "https://api.weather.gov/stations/KNYC",
    timestamp: iso(at),
    temperature: { value: 20, unitCode: "wmoUnit:degC", qualityControl: "V" },
    ...changes,
  },
})

const observations = (now: number, start: number, station: string) => ({
  features: Array.from({ length: Math.min(48, Math.max(0, Math.floor((now - start) / hour))) }, (_, index) =>
    observation(fullHour(now) - index * hour - 9 * 60_000, { station: `https://api.weather.gov/stations/${station}` }),
  ).filter(({ properties }) => Date.parse(properties.timestamp) >= start),
})

export const problem = (status: number, type: string) => ({
  ...json({ title: type, type: `https://api.weather.gov/problems/${type}`, status, detail: `${type}.` }),
  status,
})

const wholeSeconds = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/

/** A weather service of one grid cell, hand-made, with the paths and the shapes of the real one. */
export const nwsRoutes = (clock: () => number): ReadonlyArray<Route> => [
  { path: /^\/points\/[-\d.]+,[-\d.]+$/, reply: json(point) },
  { path: "/gridpoints/OKX/34,45/forecast", reply: () => json(forecast(clock(), 12, 14)) },
  { path: "/gridpoints/OKX/34,45/forecast/hourly", reply: () => json(forecast(clock(), 1, 156)) },
  { path: "/gridpoints/OKX/34,45", reply: () => json(grid(clock(), cell(34, 45))) },
  {
    path: "/alerts/active",
    query: (query) => /^[-\d.]+,[-\d.]+$/.test(query.get("point") ?? ""),
    reply: ({ query }) => json(alertList(clock(), [alert(clock())], iso(clock()), query.get("point")!.split(","))),
  },
  {
    path: /^\/stations\/[A-Z]{4}\/observations$/,
    // The real one refuses milliseconds.
    reply: ({ query, path }) =>
      wholeSeconds.test(query.get("start") ?? "")
        ? json(observations(clock(), Date.parse(query.get("start")!), path.split("/")[2]!))
        : problem(400, "BadRequest"),
  },
]
