import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { type Figures, scoreboard } from "../adapters/http/discovery/figures.ts"
import { stationDays } from "../adapters/lanes/weather/store/stationDays.ts"
import type { Gateway } from "../core/gateway/Gateway.ts"
import { catalogue } from "../core/lanes/all.ts"

/** A failed count is logged and omitted. */
const orNone =
  (what: string) =>
  <E, R>(counted: Effect.Effect<Figures, E, R>): Effect.Effect<Figures, never, R> =>
    Effect.catchAll(counted, (failure) => Effect.as(Effect.logWarning(`${what} could not be counted`, failure), {}))

/** Counts from the store and the public scoreboard. */
export const figures: Effect.Effect<Figures, never, Gateway | SqlClient.SqlClient> = Effect.zipWith(
  orNone("Station-days")(Effect.map(stationDays, (days): Figures => (days === 0 ? {} : { station_days: days }))),
  orNone("Settled markets")(scoreboard(catalogue)),
  (weather, markets) => ({ ...weather, ...markets }),
)
