import * as Arr from "effect/Array"
import { addDays, day, dayOf, hour } from "../../time.ts"
import { addedStations, type Station } from "./Station.ts"

export type { Station }

/** What the error model needs to know of a station, which need not be one that the service covers. */
export type Site = Pick<Station, "id" | "standardOffset">

type Zone = readonly [tz: string, standardOffset: number]
const eastern: Zone = ["America/New_York", -5]
const central: Zone = ["America/Chicago", -6]
const mountain: Zone = ["America/Denver", -7]
const pacific: Zone = ["America/Los_Angeles", -8]

type Row = readonly [
  ...[id: string, name: string, city: string, state: string, zone: Zone],
  ...[high: string, low: string, lat: number, lon: number, isOnPolymarket?: boolean, headline?: string],
]

/**
 * The built-in stations. Coordinates are those of the observing site (NWS station metadata). Since 2026-08-14 the venue's
 * daily temperature series settle on a source other than the report (`venue/reading.ts`). Polymarket's contracts settle on
 * the readings of a station that their rules name, not on its report; `isOnPolymarket` marks the cities where it is the
 * station listed here. For New York it is LaGuardia, for Chicago O'Hare, for Denver Buckley; for Philadelphia and Boston it
 * is not known.
 */
const rows: readonly [Row, ...ReadonlyArray<Row>] = [
  [
    "KNYC",
    "Central Park",
    "New York",
    "NY",
    eastern,
    "KXHIGHNY",
    "KXLOWTNYC",
    40.7789,
    -73.9692,
    false,
    "CENTRAL PARK",
  ],
  ["KMDW", "Chicago Midway", "Chicago", "IL", central, "KXHIGHCHI", "KXLOWTCHI", 41.786, -87.7524, false, "MIDWAY"],
  ["KMIA", "Miami International", "Miami", "FL", eastern, "KXHIGHMIA", "KXLOWTMIA", 25.7906, -80.3164, true],
  ["KAUS", "Austin Bergstrom", "Austin", "TX", central, "KXHIGHAUS", "KXLOWTAUS", 30.1831, -97.6799, true, "BERGSTROM"],
  [
    "KLAX",
    "Los Angeles International",
    "Los Angeles",
    "CA",
    pacific,
    "KXHIGHLAX",
    "KXLOWTLAX",
    33.938,
    -118.3888,
    true,
  ],
  ["KDEN", "Denver International", "Denver", "CO", mountain, "KXHIGHDEN", "KXLOWTDEN", 39.8466, -104.6562],
  ["KPHL", "Philadelphia International", "Philadelphia", "PA", eastern, "KXHIGHPHIL", "KXLOWTPHIL", 39.8733, -75.2268],
  ["KBOS", "Boston Logan", "Boston", "MA", eastern, "KXHIGHTBOS", "KXLOWTBOS", 42.3606, -71.0097],
  ["KHOU", "Houston Hobby", "Houston", "TX", central, "KXHIGHTHOU", "KXLOWTHOU", 29.6375, -95.2825, true, "HOBBY"],
]

const builtIn = Arr.map(
  rows,
  ([id, name, city, state, [tz, standardOffset], high, low, lat, lon, isOnPolymarket, headline]): Station => ({
    id,
    name,
    city,
    state,
    tz,
    standardOffset,
    cliProduct: `CLI${id.slice(1)}`,
    headline: headline ?? city.toUpperCase(),
    settles: {
      venue_high_series: high,
      venue_low_series: low,
      polymarket: isOnPolymarket ? `highest-temperature-in-${city.toLowerCase().replace(" ", "-")}` : null,
    },
    coordinates: { lat, lon },
  }),
)

/** The registry: the built-in stations and those that were added. */
export const stations: readonly [Station, ...ReadonlyArray<Station>] = [
  ...builtIn,
  ...addedStations().filter((added) => builtIn.every(({ id }) => id !== added.id)),
]

export const byId: ReadonlyMap<string, Station> = new Map(stations.map((each) => [each.id, each]))

/** The city of a station; any other text stays as it is. */
export const cityName = (id: string): string => byId.get(id)?.city ?? id

/** Finds the station of a report by its product and, in products with several stations (not `alone`), by its headline. */
export const findByReport = (cliProduct: string, headline: string, alone: boolean): Station | undefined =>
  stations.find(
    (each) =>
      each.cliProduct === cliProduct &&
      ((alone && each.id !== "KHOU") || headline.toUpperCase().includes(each.headline)),
  )

/** The climate day that contains an instant: midnight to midnight in local standard time, also in summer. */
export const climateDay = (station: Pick<Station, "standardOffset">, epochMillis: number): string =>
  dayOf(epochMillis + station.standardOffset * hour)

/** The instant (epoch milliseconds) at which a climate day begins. */
export const climateDayStart = (station: Pick<Station, "standardOffset">, day: string): number =>
  Date.parse(`${day}T00:00:00Z`) - station.standardOffset * hour

/** Days from `a` to `b`. */
export const daysBetween = (a: string, b: string): number =>
  (Date.parse(`${b}T00:00:00Z`) - Date.parse(`${a}T00:00:00Z`)) / day

/** From `start` to `end`, both included. */
export const listDays = (start: string, end: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, daysBetween(start, end) + 1) }, (_, n) => addDays(start, n))

/** The first climate day in the archives of text products. */
export const archiveStart = "2001-01-01"

/** The last climate day whose final report is overdue, 8 h after the day's end: some offices issue late. */
export const lastOverdueDay = (station: Pick<Station, "standardOffset">, now: number): string =>
  addDays(climateDay(station, now - 8 * hour), -1)

export interface Coordinates {
  /** Decimal degrees, north and east positive. */
  readonly lat: number
  readonly lon: number
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Kilometres between two points on a sphere of the Earth's mean radius (haversine formula). */
export const distanceKm = (a: Coordinates, b: Coordinates): number => {
  const sine = (degrees: number): number => Math.sin(radians(degrees) / 2) ** 2
  const share = sine(b.lat - a.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * sine(b.lon - a.lon)
  return 2 * 6_371.009 * Math.asin(Math.min(1, Math.sqrt(share)))
}

/** The place nearest to a point, and its distance. */
export const findNearest = <A>(
  places: readonly [A, ...ReadonlyArray<A>],
  point: Coordinates,
  where: (place: A) => Coordinates,
): { readonly place: A; readonly kilometres: number } => {
  const measured = places.map((place) => ({ place, kilometres: distanceKm(where(place), point) }))
  return measured.reduce((best, next) => (next.kilometres < best.kilometres ? next : best))
}
