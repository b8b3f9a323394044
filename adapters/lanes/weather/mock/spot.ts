import type * as DateTime from "effect/DateTime"
import { type Coordinates, findNearest, type Station, stations } from "../../../../core/lanes/weather/stations.ts"
import { hour } from "../../../../core/time.ts"
import { findZone, offsetAt } from "../../../../core/zones.ts"
import { nearestOffice, type Office } from "./offices.ts"

/**
 * A point of the generated world. It has the weather of the nearest station at the same local time, warmer or colder by
 * its latitude; at a station it has the station's own weather.
 */
export interface Spot {
  readonly station: Station
  readonly office: Office
  readonly zone: DateTime.TimeZone
  /** Milliseconds from an instant at the point to the instant with the same local time at the station. */
  readonly shift: number
  /** Degrees Fahrenheit to add to the station's temperatures. */
  readonly warmerF: number
}

/** Degrees Fahrenheit per degree of latitude. */
const perDegree = 1.2

/** A day in winter, when offices keep standard time. */
const winter = Date.UTC(2026, 0, 15)

export const findSpot = (point: Coordinates): Spot => {
  const { place: station } = findNearest<Station>(stations, point, ({ coordinates }) => coordinates)
  const office = nearestOffice(point)
  const zone = findZone(office.zone)!
  const south = station.coordinates.lat - point.lat
  return {
    station,
    office,
    zone,
    shift: offsetAt(zone, winter) - station.standardOffset * hour,
    warmerF: Math.max(-30, Math.min(12, Math.round(south * perDegree * 10) / 10)),
  }
}
