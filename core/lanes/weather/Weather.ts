import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Watch from "../../alerts/Watch.ts"
import { type Findable, type Finds, makeReadyCall } from "../../find/Findable.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { addDays } from "../../time.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { endpoints, forecast, history, settlement, signal } from "./endpoints.ts"
import type { SecondForecasts } from "./guidance/Guidance.ts"
import type { ClimateReports, Forecasts, Observations, WeatherLaws } from "./ports.ts"
import type { Calibrations, EarlierForecasts } from "./signal/Calibrations.ts"
import { readInputs } from "./signal/inputs.ts"
import { computeOutlook, toOutput } from "./signal/signal.ts"
import { daysBetween, type Station, stations } from "./stations.ts"
import type { VenueSettlement } from "./venue/VenueSettlement.ts"

/** Other names of the stations' cities, for searches. */
const nicknames: Readonly<Record<string, string>> = {
  KNYC: "nyc manhattan",
  KMDW: "chi",
  KLAX: "la",
  KPHL: "philly",
  KBOS: "beantown",
}

const toFindable = ({ id, name, city, state, tz, cliProduct, settles, coordinates }: Station): Findable => ({
  kind: "station",
  name: `${city}, ${name}`,
  words: [id, id.slice(1), state, cliProduct, nicknames[id] ?? "", ...Object.values(settles), "weather station"].join(
    " ",
  ),
  ids: { station: id },
  zone: tz,
  calls: [
    makeReadyCall(
      signal,
      "high low temperature hot cold warm degrees probability chance distribution above below at least contract",
      ({ day, today }) =>
        day === undefined ? { station: id } : day < today ? undefined : { station: id, target: day },
    ),
    makeReadyCall(
      settlement,
      "official report latest settlement high low temperature hot cold wet recorded settled observed precipitation snow rain",
      ({ day, today }) => (day === undefined ? { station: id } : day < today ? { station: id, day } : undefined),
    ),
    makeReadyCall(
      forecast,
      "forecast rain rainy snow wind windy storm conditions alerts warnings precipitation",
      ({ day, today }) => {
        const ahead = day === undefined ? 1 : daysBetween(today, day)
        return ahead < 0 ? undefined : { ...coordinates, hours: 24 * (ahead + 1) }
      },
    ),
    makeReadyCall(history, "history past days since range archive series month year", ({ day, today }) => ({
      station: id,
      start: day ?? addDays(today, -30),
      end: addDays(today, -1),
    })),
  ],
})

/** The stations, each named by its city. */
const finds: Finds = () => [{ what: "stations", read: Effect.sync(() => stations.map(toFindable)) }]

export type WeatherPorts =
  | Calibrations
  | ClimateReports
  | EarlierForecasts
  | Forecasts
  | Observations
  | SecondForecasts
  | VenueSettlement
  | WeatherLaws

/** Recomputes a recorded temperature signal from its stored grid, observations, report and states. */
export const recompute: Recompute = (_, kept) =>
  Effect.flatMap(readInputs(kept), (inputs) =>
    Either.map(computeOutlook(inputs), (outlook) => toOutput(inputs, outlook)),
  )

export type Weather = Lane.Id<"weather">
export const Weather = Lane.define("weather", {
  description: "Official daily climate reports, forecasts and temperature distributions.",
  endpoints,
  finds,
  recomputations: { [endpoints.signal.id]: recompute },
  pricing,
  watches: [
    Watch.make(endpoints.settlement, "report", {
      read: ({ station, settlement: { day, revision = 1 } }) => ({
        subject: `${station.id} ${day}`,
        version: `${day}, revision ${revision}`,
      }),
    }),
    Watch.make(endpoints.signal, "move", {
      unit: "degrees Fahrenheit of the centre of high or low",
      read: ({ target_day: subject, projection: { high_f, low_f } }) => ({ subject, levels: { high_f, low_f } }),
    }),
  ],
})
