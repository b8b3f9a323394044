import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { day } from "../../../core/time.ts"
import { mapStorageErrors } from "../engine/storage.ts"

const keptDays = 120

/** Counts a check of lanes, and forgets days that are too old. */
export const addCheck = (
  lanes: ReadonlyArray<{ readonly lane: string; readonly isGood: boolean }>,
  at: number,
): Effect.Effect<void, Failure, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const today = Math.floor(at / day)
    const rows = lanes.map(({ lane, isGood }) => ({ lane, day: today, checks: 1, good: isGood ? 1 : 0 }))
    return sql`
      INSERT INTO lane_days ${sql.insert(rows)}
      ON CONFLICT (lane, day) DO UPDATE SET checks = lane_days.checks + 1, good = lane_days.good + excluded.good
    `.pipe(Effect.zipRight(sql`DELETE FROM lane_days WHERE day < ${today - keptDays}`), mapStorageErrors, Effect.asVoid)
  })

/** The checks of each lane by days since 1970. */
export const laneDays = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ lane: string; day: number; checks: number; good: number }>`SELECT * FROM lane_days ORDER BY day`,
).pipe(mapStorageErrors)
