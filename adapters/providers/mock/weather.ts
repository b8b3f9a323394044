import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { parse } from "../../../core/lanes/weather/ClimateReport.ts"
import {
  ClimateReports,
  Forecasts,
  type Issuance,
  newestFirst,
  Observations,
} from "../../../core/lanes/weather/providers.ts"
import { addDays, byId, climateDay, type Station } from "../../../core/lanes/weather/stations.ts"
import type { WeatherPorts } from "../../../core/lanes/weather/Weather.ts"
import { isCorrected, issuedAt, type Kind, textOf } from "./climateText.ts"

/** As far back as the real archive goes. */
const firstDay = "2001-01-01"

const kinds = (station: Station, day: string): ReadonlyArray<Kind> =>
  isCorrected(station, day) ? ["preliminary", "final", "correction"] : ["preliminary", "final"]

/** A generated text goes through the parser of the real ones; one that it refuses is a bug here. */
const issuanceOf = (station: Station, day: string, kind: Kind): Issuance => {
  const { productId, issuedAt: at, reports } = Either.getOrThrow(parse(textOf(station, day, kind)))
  return { station: station.id, productId, issuedAt: at, source: "mock daily climate report", report: reports[0]! }
}

/** Nine mock offices that issue their reports as the clock goes on: the same texts on every run, nothing stored. */
export const layerReports: Layer.Layer<ClimateReports> = Layer.succeed(ClimateReports, {
  freshness: "mock",
  versions: (id, day) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const station = byId.get(id)!
      if (day < firstDay) return []
      return kinds(station, day)
        .filter((kind) => issuedAt(station, day, kind) <= now)
        .map((kind) => issuanceOf(station, day, kind))
        .sort(newestFirst)
    }),
  latestFinalDay: (id, today) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const station = byId.get(id)!
      const begun = climateDay(station, now)
      let day = addDays(today, -1)
      if (day >= begun) day = addDays(begun, -1)
      if (issuedAt(station, day, "final") > now) day = addDays(day, -1)
      return day < firstDay ? undefined : day
    }),
})

/** Every port of the weather lane, generated. */
export const layer: Layer.Layer<WeatherPorts> = Layer.mergeAll(
  layerReports,
  Forecasts.layerUnavailable,
  Observations.layerUnavailable,
)
