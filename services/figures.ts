import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Board } from "../adapters/describe/figures.ts"
import * as Sources from "../adapters/describe/figures.ts"
import { stationDays } from "../adapters/lanes/weather/store/ClimateReports.ts"
import type { Gateway } from "../core/gateway/Gateway.ts"
import { catalogue } from "../core/lanes/all.ts"

/** A failed count is logged and omitted. */
const orNone =
  (what: string) =>
  <E, R>(counted: Effect.Effect<Sources.Figures, E, R>): Effect.Effect<Sources.Figures, never, R> =>
    Effect.catchAll(counted, (failure) => Effect.as(Effect.logWarning(`${what} could not be counted`, failure), {}))

/** Counts from the store and the public scoreboard. */
export const figures: Effect.Effect<Sources.Figures, never, Gateway | SqlClient.SqlClient> = Effect.zipWith(
  orNone("Station-days")(
    Effect.map(stationDays, (days): Sources.Figures => (days === 0 ? {} : { station_days: days })),
  ),
  orNone("Settled markets")(Sources.scoreboard(catalogue)),
  (weather, markets) => ({ ...weather, ...markets }),
)

/** The public scoreboard for the front page. A board that cannot be read is logged and omitted. */
export const board: Effect.Effect<Board | undefined, never, Gateway> = Effect.catchAll(
  Sources.board(catalogue),
  (failure) => Effect.as(Effect.logWarning("The scoreboard could not be read", failure), undefined),
)
