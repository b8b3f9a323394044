import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import {
  ClimateReports,
  firstOfficial,
  type Issuance,
  type Versions,
  WeatherLaws,
} from "../../../../core/lanes/weather/ports.ts"
import { parse } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { EarlierForecasts } from "../../../../core/lanes/weather/signal/Calibrations.ts"
import { variables } from "../../../../core/lanes/weather/signal/temperature.ts"
import { archiveStart, byId, climateDay, listDays, type Station } from "../../../../core/lanes/weather/stations.ts"
import { pairValues } from "../../../../core/lanes/weather/venue/agreement.ts"
import type { VenueReading } from "../../../../core/lanes/weather/venue/reading.ts"
import { makeComparisons, VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import type { WeatherPorts } from "../../../../core/lanes/weather/Weather.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, day as dayLength } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { uniform } from "../../mock/hash.ts"
import { simulatedLaws } from "../../mock/laws.ts"
import { layerCalibrations } from "./calibrations.ts"
import { isCorrected, issuedAt, type Kind, printReport } from "./climateText.ts"
import { layerForecasts, layerObservations } from "./forecast.ts"
import { layerGuidance } from "./guidance.ts"

/** Days that the generated source covers. */
const readDays = 60
/** One value in this many differs from the report by a degree. */
const perDifference = 200

const drawDifference = (key: string): number =>
  uniform(key, "venue") * perDifference >= 1 ? 0 : uniform(key, "side") < 0.5 ? -1 : 1

const venueReading = ({ station, issuedAt, report: { day, highF, lowF } }: Issuance): VenueReading => ({
  ...{ station, day, issuedAt, status: "official" },
  ...(highF !== undefined && { highF: highF + drawDifference(`${station}/${day}/high`) }),
  ...(lowF !== undefined && { lowF: lowF + drawDifference(`${station}/${day}/low`) }),
})

/** A source that repeats the first final report, with a few values off: the same on every run. */
const layerVenue: Layer.Layer<VenueSettlement, never, ClimateReports> = Layer.effect(
  VenueSettlement,
  Effect.map(ClimateReports, ({ versions, range }) => {
    const first = (all: ReadonlyArray<Issuance>): VenueReading | undefined => {
      const official = firstOfficial(all)
      return official && venueReading(official)
    }
    const comparisons = makeComparisons((id, now) => {
      const today = climateDay(byId.get(id)!, now)
      return Effect.map(range(id, addDays(today, -readDays), addDays(today, -1)), (days) =>
        pairValues(new Map(days.flatMap((all) => first(all) ?? []).map((one) => [one.day, one])), days),
      )
    })
    return {
      freshness: "mock",
      firstOfficial: (station, day) => Effect.map(versions(station, day), first),
      ...comparisons,
    }
  }),
)

const kinds = (station: Station, day: string): ReadonlyArray<Kind> =>
  isCorrected(station, day) ? ["correction", "final", "preliminary"] : ["final", "preliminary"]

/** Mock texts use the parser of the real ones; a rejected text is a bug here. */
export const drawIssuance = (station: Station, day: string, kind: Kind): Issuance => {
  const { productId, issuedAt: at, reports } = Either.getOrThrow(parse(printReport(station, day, kind)))
  return { station: station.id, productId, issuedAt: at, source: "mock daily climate report", report: reports[0]! }
}

const maxEntries = 20_000

/** Nine mock offices with reports by the clock: the same texts on every run, nothing stored. */
export const layerReports: Layer.Layer<ClimateReports> = Layer.sync(ClimateReports, () => {
  // Cached: issued reports never change, and a year of texts takes a while to generate and parse.
  const issued = memoize(
    (station: string, day: string, kind: Kind) => drawIssuance(byId.get(station)!, day, kind),
    maxEntries,
  )

  const listVersions = (station: Station, day: string, now: number): ReadonlyArray<Issuance> =>
    day < archiveStart
      ? []
      : kinds(station, day)
          .filter((kind) => issuedAt(station, day, kind) <= now)
          .map((kind) => issued(station.id, day, kind))

  /** Today, if it has a report by now, or yesterday. */
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
    versions: (id, day) => read(id, (station, now) => listVersions(station, day, now)),
    latestFinalDay: (id, today) =>
      read(id, (station, now) => {
        const day = lastFinal(station, now, today)
        return day < archiveStart ? undefined : day
      }),
    range: (id, start, end) =>
      read(id, (station, now) => {
        const last = lastDay(station, now)
        return listDays(start < archiveStart ? archiveStart : start, end < last ? end : last)
          .map((day) => listVersions(station, day, now))
          .filter((versions): versions is Versions => versions.length > 0)
      }),
    coverage: (id, today) =>
      read(id, (station, now) => {
        const last = lastDay(station, now)
        return { first: archiveStart, last: last === today ? today : lastFinal(station, now, today) }
      }),
  }
})

export const layer: Layer.Layer<WeatherPorts> = Layer.mergeAll(
  layerReports,
  layerForecasts,
  layerObservations,
  layerCalibrations,
  EarlierForecasts.layerNone,
  layerGuidance,
  layerVenue.pipe(Layer.provide(layerReports)),
  Layer.succeed(
    WeatherLaws,
    simulatedLaws(
      dayLength,
      [0, 1].flatMap((lead) => variables.map((variable) => ({ variable, lead, scale: 1.8 + 0.5 * lead }))),
    ),
  ),
)
