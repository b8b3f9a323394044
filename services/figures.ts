import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { type Figures, scoreboard } from "../adapters/http/discovery/figures.ts"
import { stationDays } from "../adapters/sql/stationDays.ts"
import type { Gateway } from "../core/gateway/Gateway.ts"
import { catalogue } from "../core/lanes/catalogue.ts"

/** What a store and the public scoreboard hold, counted. What cannot be counted now is left out, and said in the log. */
export const figures: Effect.Effect<Figures, never, Gateway | SqlClient.SqlClient> = Effect.zipWith(
  stationDays.pipe(
    Effect.map((days): Figures => (days === 0 ? {} : { station_days: days })),
    Effect.catchAll((failure) => Effect.as(Effect.logWarning("Station-days could not be counted", failure), {})),
  ),
  scoreboard(catalogue),
  (weather, markets) => ({ ...weather, ...markets }),
)
