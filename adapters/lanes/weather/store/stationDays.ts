import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import { mapStorageErrors } from "../../../store/engine/storage.ts"

/** Number of climate days with a report, over all stations; corrections do not count. */
export const stationDays: Effect.Effect<number, Failure, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    mapStorageErrors(
      Effect.map(
        sql<{ days: number }>`SELECT COUNT(*) AS days FROM (SELECT DISTINCT station, day FROM climate_reports)`,
        ([row]) => row!.days,
      ),
    ),
)
