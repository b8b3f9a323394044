import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"

/** A statement that was run on the bare connection, with its parameters. */
export type Ran = readonly [sql: string, parameters: ReadonlyArray<unknown>]

/**
 * Notes the reads of statements that are prepared from now on.
 *
 * @param ran the reads are appended to it
 */
export const notingReads = (ran: Array<Ran>): Layer.Layer<never, never, Sqlite> =>
  Layer.effectDiscard(
    Effect.map(Sqlite, ({ db }) => {
      const prepare = db.prepare.bind(db) as (sql: string) => ReturnType<typeof db.prepare>
      db.prepare = ((sql: string) => {
        const statement = prepare(sql)
        for (const name of ["all", "get"] as const) {
          const read = statement[name].bind(statement)
          statement[name] = (...parameters: Array<unknown>) => {
            ran.push([sql, parameters])
            return read(...(parameters as [object])) as never
          }
        }
        return statement
      }) as typeof db.prepare
    }),
  )
