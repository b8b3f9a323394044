import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { day } from "../../../core/time.ts"
import { mapStorageErrors } from "../engine/storage.ts"

const keptDays = 120

/** Records the outcome of a check of lanes and deletes days older than `keptDays`. */
export const recordCheck = (
  lanes: ReadonlyArray<{ readonly lane: string; readonly isGood: boolean }>,
  now: number,
): Effect.Effect<void, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const today = Math.floor(now / day)
    const rows = lanes.map(({ lane, isGood }) => ({ lane, day: today, checks: 1, good: isGood ? 1 : 0 }))
    return sql`
      INSERT INTO lane_days ${sql.insert(rows)}
      ON CONFLICT (lane, day) DO UPDATE SET checks = lane_days.checks + 1, good = lane_days.good + excluded.good
    `.pipe(Effect.zipRight(sql`DELETE FROM lane_days WHERE day < ${today - keptDays}`), mapStorageErrors, Effect.asVoid)
  })

/** The checks of each lane per day; `day` is days since 1970. */
export const listLaneDays = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ lane: string; day: number; checks: number; good: number }>`SELECT * FROM lane_days ORDER BY day`,
).pipe(mapStorageErrors)
