import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/** A stored row. */
export type Columns = Readonly<Record<string, string | number | null>>

/** A table of ingested data: its rows have a `season`, a `source` and the time `fetched_at`. */
export interface Table {
  readonly name: string
  readonly key: ReadonlyArray<string>
  /** SQL over the row and `excluded`: true if the new row has less data than the old one, which then stays. */
  readonly isTakenBack?: string
}

/** Rows of one statement, far below SQLite's limit of parameters. */
const chunk = 100

const chunks = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(values.length / chunk) }, (_, at) => values.slice(at * chunk, (at + 1) * chunk))

/**
 * Inserts rows and updates those whose content has changed; unchanged rows keep their source and time.
 *
 * @returns the season of every written row
 */
export const upsert = (sql: SqlClient.SqlClient, { name, key, isTakenBack }: Table, rows: ReadonlyArray<Columns>) =>
  Effect.gen(function* () {
    const [first] = rows
    if (first === undefined) return []
    const columns = Object.keys(first).filter((column) => !key.includes(column))
    const content = columns.filter((column) => column !== "source" && column !== "fetched_at")
    const differs = sql.onDialectOrElse({ sqlite: () => "IS NOT", orElse: () => "IS DISTINCT FROM" })
    const list = (prefix: string) => content.map((column) => `${prefix}.${column}`).join(", ")
    const unless = isTakenBack === undefined ? "" : ` AND NOT (${isTakenBack})`
    const change =
      content.length === 0
        ? "NOTHING"
        : `UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
           WHERE (${list(name)}) ${differs} (${list("excluded")})${unless}`
    const onConflict = sql.literal(`ON CONFLICT (${key.join(", ")}) DO ${change} RETURNING season`)
    const touched: Array<number> = []
    for (const some of chunks(rows)) {
      const returned = yield* sql<{ season: number }>`
        INSERT INTO ${sql(name)} ${sql.insert(some as ReadonlyArray<Record<string, string>>)} ${onConflict}`
      for (const { season } of returned) touched.push(season)
    }
    return touched
  })

/** Number of rows of a table. */
export const count = (sql: SqlClient.SqlClient, table: string): Effect.Effect<number, SqlError> =>
  Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM ${sql(table)}`, ([row]) => row!.n)
