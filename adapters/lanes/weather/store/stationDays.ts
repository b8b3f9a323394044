import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import { orUnavailable } from "../../../sql/storage.ts"

/** How many climate days have a report, over all stations: a day counts once, however often it was corrected. */
export const stationDays: Effect.Effect<number, Failure, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    orUnavailable(
      Effect.map(
        sql<{ days: number }>`SELECT COUNT(*) AS days FROM (SELECT DISTINCT station, day FROM climate_reports)`,
        ([row]) => row!.days,
      ),
    ),
)
