import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Watch from "../../alerts/Watch.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import { finds } from "./finds.ts"
import type { SecondForecasts } from "./guidance/Guidance.ts"
import type { ClimateReports, Forecasts, Observations, WeatherLaws } from "./ports.ts"
import type { Calibrations, EarlierForecasts } from "./signal/Calibrations.ts"
import { read } from "./signal/inputs.ts"
import { computeOutlook, toOutput } from "./signal/signal.ts"
import type { VenueSettlement } from "./venue/VenueSettlement.ts"

/** The lane's ports. */
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
  Effect.flatMap(read(kept), (inputs) => Either.map(computeOutlook(inputs), (outlook) => toOutput(inputs, outlook)))

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
