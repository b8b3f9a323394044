import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Watch from "../../alerts/Watch.ts"
import type { Feeds } from "../../feeds/Feeds.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import type { Definition } from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import type { ClimateReports } from "./ports.ts"
import { read } from "./signal/inputs.ts"
import { outlookOf, outputOf } from "./signal/signal.ts"
import type { VenueSettlement } from "./venue/VenueSettlement.ts"
import { Weather, type WeatherPorts } from "./Weather.ts"

/** Recomputes a recorded temperature signal from its stored grid, observations, report and states. */
export const recompute: Recompute = (_, kept) =>
  Effect.flatMap(read(kept), (inputs) => Either.map(outlookOf(inputs), (outlook) => outputOf(inputs, outlook)))

export const weather: Definition<typeof Weather.lane, Feeds | WeatherPorts, Weather, ClimateReports | VenueSettlement> =
  {
    lane: Weather.lane,
    layer: Weather.layer,
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
  }
