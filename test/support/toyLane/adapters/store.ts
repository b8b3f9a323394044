import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Readings of the past. */
export class Readings extends Context.Tag("market-signals/adapters/lanes/toy/Readings")<
  Readings,
  {
    /** Centimetres by gauge; the number of rows that are new. */
    readonly append: (rows: ReadonlyArray<readonly [gauge: string, cm: number]>) => Effect.Effect<number>
  }
>() {}

export const layer: Layer.Layer<Readings, never, SqlClient.SqlClient> = Layer.effect(
  Readings,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    append: (rows) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE IF NOT EXISTS toy_readings (gauge TEXT PRIMARY KEY, cm INTEGER NOT NULL)`
        const added = yield* Effect.forEach(
          rows,
          ([gauge, cm]) => sql`INSERT INTO toy_readings VALUES (${gauge}, ${cm}) ON CONFLICT DO NOTHING RETURNING cm`,
        )
        return added.flat().length
      }).pipe(Effect.orDie),
  })),
)
