import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

export type Columns = Readonly<Record<string, string | number | null>>

/** A table of ingested data: its rows have a `season`, a `source` and the time `fetched_at`. */
export interface Table {
  readonly name: string
  readonly key: ReadonlyArray<string>
  /** SQL over the row and `excluded`: true if the new row has less data than the old one, which then stays. */
  readonly losesData?: string
}

/** Rows of one statement, far below SQLite's limit of parameters. */
const chunk = 100

const chunks = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(values.length / chunk) }, (_, at) => values.slice(at * chunk, (at + 1) * chunk))

/** What an upsert wrote: the season of every new row, and of every changed one. */
export interface Written {
  readonly added: ReadonlyArray<number>
  readonly changed: ReadonlyArray<number>
}

/**
 * Inserts rows and updates those whose content has changed; unchanged rows keep their source and time. New rows come first,
 * since an upsert does not say which of its rows were new, and others may write to the table at the same time.
 */
export const upsert = (
  sql: SqlClient.SqlClient,
  { name, key, losesData: isTakenBack }: Table,
  rows: ReadonlyArray<Columns>,
): Effect.Effect<Written, SqlError> =>
  Effect.gen(function* () {
    const [first] = rows
    if (first === undefined) return { added: [], changed: [] }
    const columns = Object.keys(first).filter((column) => !key.includes(column))
    const content = columns.filter((column) => column !== "source" && column !== "fetched_at")
    const list = (prefix: string) => content.map((column) => `${prefix}.${column}`).join(", ")
    const unless = isTakenBack === undefined ? "" : ` AND NOT (${isTakenBack})`
    const change = `UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
      WHERE (${list(name)}) IS DISTINCT FROM (${list("excluded")})${unless}`
    const put = (some: ReadonlyArray<Columns>, action: string) =>
      Effect.map(
        sql<{ season: number }>`
          INSERT INTO ${sql(name)} ${sql.insert(some as ReadonlyArray<Record<string, string>>)}
          ${sql.literal(`ON CONFLICT (${key.join(", ")}) DO ${action} RETURNING season`)}`,
        (returned) => returned.map(({ season }) => season),
      )
    const written = { added: [] as number[], changed: [] as number[] }
    for (const some of chunks(rows)) {
      const added = yield* put(some, "NOTHING")
      written.added.push(...added)
      if (added.length < some.length && content.length > 0) written.changed.push(...(yield* put(some, change)))
    }
    return written
  })
