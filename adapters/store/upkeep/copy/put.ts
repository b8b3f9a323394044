import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Row } from "./canonical.ts"
import { type Column, copiedRows, type Table } from "./catalogue.ts"
import type { End } from "./End.ts"

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")

/** A table's columns as SQL. */
export const columnsSql = ({ columns }: Pick<Table, "columns">): string => quoted(columns.map(({ name }) => name))

/** A table's rows in the order of its key. Nulls come first in both stores. */
export const rowsSql = (table: Table): string => {
  const order = table.key.map((name) => `"${name}" NULLS FIRST`).join(", ")
  return `SELECT ${columnsSql(table)} FROM "${table.name}" WHERE ${copiedRows[table.name] ?? "true"} ORDER BY ${order}`
}

const types: Readonly<Record<Column["kind"], string>> = {
  whole: "bigint",
  real: "double precision",
  text: "text",
  bytes: "bytea",
  "whole or text": "text",
  unknown: "text",
}

/** Runs synchronous work on SQLite's connection. */
export const attempt = (work: () => void): Effect.Effect<void, SqlError> =>
  Effect.try({ try: work, catch: (cause) => new SqlError({ cause, message: "Failed to write" }) })

/** Inserts rows into a table of the target. */
export const inserter = (
  { db, sql, within }: End,
  table: Table,
): ((rows: ReadonlyArray<Row>) => Effect.Effect<void, SqlError>) => {
  const { name, columns } = table
  const into = `INSERT INTO "${name}" (${columnsSql(table)})`
  if (db !== undefined) {
    const insert = db.prepare(`${into} VALUES (${columns.map(() => "?").join(", ")})`)
    return (rows) => attempt(() => rows.forEach((row) => void insert.run(...row)))
  }
  // One array a column. Rows keep the numbers that they have.
  const arrays = columns.map(({ kind }, at) => `$${at + 1}::${types[kind]}[]`).join(", ")
  const text = `${into} OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays})`
  return (rows) =>
    Effect.asVoid(
      within(
        sql.unsafe(
          text,
          columns.map((_, at) => rows.map((row) => row[at]!)),
        ),
      ),
    )
}

/** Lets PostgreSQL number the rows to come after those that are there; SQLite looks at the rows. */
export const continueNumbers = (
  { db, sql, within }: End,
  { name, numbered }: Pick<Table, "name" | "numbered">,
): Effect.Effect<void, SqlError> =>
  db !== undefined || numbered === undefined
    ? Effect.void
    : within(
        Effect.flatMap(
          sql.unsafe<{ next: number }>(`SELECT coalesce(max("${numbered}"), 0) + 1 AS next FROM "${name}"`),
          ([row]) =>
            Effect.asVoid(sql.unsafe(`ALTER TABLE "${name}" ALTER COLUMN "${numbered}" RESTART WITH ${row!.next}`)),
        ),
      )

const run = ({ sql, within }: End, statements: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  within(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))

/**
 * Suspends the triggers of the target, which would refuse copied rows or write others in addition, such as deliveries of
 * copied events. On PostgreSQL this needs the tables' owner, and foreign keys remain; SQLite's triggers are created again
 * from the texts that the store has. Nobody else sees the change, since it is the transaction's.
 *
 * @returns puts them back
 */
export const suspendTriggers = (
  target: End,
  tables: ReadonlyArray<Table>,
): Effect.Effect<Effect.Effect<void, SqlError>, SqlError> => {
  if (target.db === undefined) {
    const all = (verb: string) =>
      run(
        target,
        tables.map(({ name }) => `ALTER TABLE "${name}" ${verb} TRIGGER USER`),
      )
    return Effect.as(all("DISABLE"), all("ENABLE"))
  }
  return Effect.gen(function* () {
    const triggers = yield* target.within(
      target.sql.unsafe<{ name: string; text: string }>(
        "SELECT name, sql AS text FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
      ),
    )
    yield* run(
      target,
      triggers.map(({ name }) => `DROP TRIGGER "${name}"`),
    )
    return run(
      target,
      triggers.map(({ text }) => text),
    )
  })
}
