import { type Coordinates, distanceKm, findNearest } from "../../../../core/lanes/weather/stations.ts"

/** A forecast office of the mock service: its id, the town that points near it are named after, and that town's zone. */
export interface Office extends Coordinates {
  readonly id: string
  readonly town: string
  readonly zone: string
}

const office = (id: string, town: string, lat: number, lon: number, zone: string): Office => ({
  id,
  town,
  lat,
  lon,
  zone,
})

const eastern = "America/New_York"
const central = "America/Chicago"
const mountain = "America/Denver"
const pacific = "America/Los_Angeles"

/**
 * Some of the real offices, spread so that the nearest one of nearly any point keeps the point's own time. The zone
 * of a point is that of the nearest office: near the borders of zones a mock point may be off by an hour.
 */
const offices: readonly [Office, ...ReadonlyArray<Office>] = [
  office("OKX", "New York, NY", 40.71, -74.01, eastern),
  office("BOX", "Boston, MA", 42.36, -71.06, eastern),
  office("GYX", "Portland, ME", 43.66, -70.26, eastern),
  office("PHI", "Philadelphia, PA", 39.95, -75.17, eastern),
  office("LWX", "Washington, DC", 38.91, -77.04, eastern),
  office("FFC", "Atlanta, GA", 33.75, -84.39, eastern),
  office("JAX", "Jacksonville, FL", 30.33, -81.66, eastern),
  office("MFL", "Miami, FL", 25.76, -80.19, eastern),
  office("TAE", "Tallahassee, FL", 30.44, -84.28, eastern),
  office("CLE", "Cleveland, OH", 41.5, -81.69, eastern),
  office("DTX", "Detroit, MI", 42.33, -83.05, eastern),
  office("APX", "Gaylord, MI", 45.03, -84.67, eastern),
  office("IND", "Indianapolis, IN", 39.77, -86.16, eastern),
  office("LMK", "Louisville, KY", 38.25, -85.76, eastern),
  office("LOT", "Chicago, IL", 41.88, -87.63, central),
  office("MKX", "Milwaukee, WI", 43.04, -87.91, central),
  office("OHX", "Nashville, TN", 36.16, -86.78, central),
  office("BMX", "Birmingham, AL", 33.52, -86.8, central),
  office("LIX", "New Orleans, LA", 29.95, -90.07, central),
  office("LSX", "St. Louis, MO", 38.63, -90.2, central),
  office("MPX", "Minneapolis, MN", 44.98, -93.27, central),
  office("OAX", "Omaha, NE", 41.26, -95.93, central),
  office("BIS", "Bismarck, ND", 46.81, -100.78, central),
  office("OUN", "Norman, OK", 35.22, -97.44, central),
  office("HGX", "Houston, TX", 29.76, -95.37, central),
  office("EWX", "Austin, TX", 30.27, -97.74, central),
  office("LUB", "Lubbock, TX", 33.58, -101.86, central),
  office("EPZ", "El Paso, TX", 31.76, -106.49, mountain),
  office("ABQ", "Albuquerque, NM", 35.08, -106.65, mountain),
  office("BOU", "Denver, CO", 39.74, -104.99, mountain),
  office("UNR", "Rapid City, SD", 44.08, -103.23, mountain),
  office("CYS", "Cheyenne, WY", 41.14, -104.82, mountain),
  office("TFX", "Great Falls, MT", 47.5, -111.3, mountain),
  office("GGW", "Glasgow, MT", 48.2, -106.64, mountain),
  office("SLC", "Salt Lake City, UT", 40.76, -111.89, mountain),
  office("BOI", "Boise, ID", 43.62, -116.2, mountain),
  office("PSR", "Phoenix, AZ", 33.45, -112.07, "America/Phoenix"),
  office("VEF", "Las Vegas, NV", 36.17, -115.14, pacific),
  office("REV", "Reno, NV", 39.53, -119.81, pacific),
  office("LOX", "Los Angeles, CA", 34.05, -118.24, pacific),
  office("MTR", "San Francisco, CA", 37.77, -122.42, pacific),
  office("PQR", "Portland, OR", 45.52, -122.68, pacific),
  office("OTX", "Spokane, WA", 47.66, -117.43, pacific),
  office("SEW", "Seattle, WA", 47.61, -122.33, pacific),
  office("AJK", "Juneau, AK", 58.3, -134.42, "America/Juneau"),
  office("AFC", "Anchorage, AK", 61.22, -149.9, "America/Anchorage"),
  office("ALU", "Adak, AK", 51.88, -176.65, "America/Adak"),
  office("HFO", "Honolulu, HI", 21.31, -157.86, "Pacific/Honolulu"),
  office("SJU", "San Juan, PR", 18.47, -66.11, "America/Puerto_Rico"),
  office("GUM", "Hagåtña, GU", 13.47, 144.75, "Pacific/Guam"),
]

export const nearestOffice = (point: Coordinates): Office => findNearest(offices, point, (each) => each).place

/** The position of a point in its office's grid of 2.5 km: the office's own town is cell 500,500. */
export const gridCell = (home: Office, point: Coordinates): { readonly x: number; readonly y: number } => {
  const cells = (a: Coordinates, b: Coordinates): number => Math.round(distanceKm(a, b) / 2.5)
  const east = { lat: home.lat, lon: point.lon }
  return {
    x: 500 + Math.sign(point.lon - home.lon) * cells(home, east),
    y: 500 + Math.sign(point.lat - home.lat) * cells(home, { lat: point.lat, lon: home.lon }),
  }
}
