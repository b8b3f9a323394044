import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { ClimateReports, type Issuance, type Versions } from "../../../../core/lanes/weather/ports.ts"
import { parse } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { archiveBegins, byId, climateDay, daysFrom, type Station } from "../../../../core/lanes/weather/stations.ts"
import type { WeatherPorts } from "../../../../core/lanes/weather/Weather.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { layerCalibrations } from "./calibrations.ts"
import { isCorrected, issuedAt, type Kind, textOf } from "./climateText.ts"
import { layerForecasts, layerObservations } from "./forecast.ts"
import { layerGuidance } from "./guidance.ts"
import { layerVenue } from "./venue.ts"

const kinds = (station: Station, day: string): ReadonlyArray<Kind> =>
  isCorrected(station, day) ? ["correction", "final", "preliminary"] : ["final", "preliminary"]

/** Mock texts use the parser of the real ones; a rejected text is a bug here. */
export const issuanceOf = (station: Station, day: string, kind: Kind): Issuance => {
  const { productId, issuedAt: at, reports } = Either.getOrThrow(parse(textOf(station, day, kind)))
  return { station: station.id, productId, issuedAt: at, source: "mock daily climate report", report: reports[0]! }
}

const maxEntries = 20_000

/** Nine mock offices with reports by the clock: the same texts on every run, nothing stored. */
export const layerReports: Layer.Layer<ClimateReports> = Layer.sync(ClimateReports, () => {
  // Cached: issued reports never change, and a year of texts takes a while to generate and parse.
  const issued = memoize(
    (station: string, day: string, kind: Kind) => issuanceOf(byId.get(station)!, day, kind),
    maxEntries,
  )

  const versionsOf = (station: Station, day: string, now: number): ReadonlyArray<Issuance> =>
    day < archiveBegins
      ? []
      : kinds(station, day)
          .filter((kind) => issuedAt(station, day, kind) <= now)
          .map((kind) => issued(station.id, day, kind))

  /** The last day with a report by now: today, or yesterday. */
  const lastDay = (station: Station, now: number): string => {
    const today = climateDay(station, now)
    return issuedAt(station, today, "preliminary") <= now ? today : addDays(today, -1)
  }

  /** The last day before `today` with a final report. */
  const lastFinal = (station: Station, now: number, today: string): string => {
    const begun = climateDay(station, now)
    const day = addDays(today < begun ? today : begun, -1)
    return issuedAt(station, day, "final") > now ? addDays(day, -1) : day
  }

  const read = <A>(id: string, body: (station: Station, now: number) => A): Effect.Effect<A> =>
    Step.map(Step.now, (now) => body(byId.get(id)!, now))

  return {
    freshness: "mock",
    versions: (id, day) => read(id, (station, now) => versionsOf(station, day, now)),
    latestFinalDay: (id, today) =>
      read(id, (station, now) => {
        const day = lastFinal(station, now, today)
        return day < archiveBegins ? undefined : day
      }),
    range: (id, start, end) =>
      read(id, (station, now) => {
        const last = lastDay(station, now)
        return daysFrom(start < archiveBegins ? archiveBegins : start, end < last ? end : last)
          .map((day) => versionsOf(station, day, now))
          .filter((versions): versions is Versions => versions.length > 0)
      }),
    coverage: (id, today) =>
      read(id, (station, now) => {
        const last = lastDay(station, now)
        return { first: archiveBegins, last: last === today ? today : lastFinal(station, now, today) }
      }),
  }
})

/** Every port of the weather lane, generated. */
export const layer: Layer.Layer<WeatherPorts> = Layer.mergeAll(
  layerReports,
  layerForecasts,
  layerObservations,
  layerCalibrations,
  layerGuidance,
  layerVenue.pipe(Layer.provide(layerReports)),
)
