import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Place } from "../../adapters/store/engine/opening.ts"
import * as stores from "../../adapters/store/open.ts"
import { archivedTables, filledAtFirst } from "../../adapters/store/upkeep/archive/tables.ts"
import { fill, nodeOver } from "./filledStore.ts"
import { database } from "./postgres.ts"

export type SqlitePlace = Extract<Place, { readonly _tag: "Sqlite" }>
export type PostgresPlace = Extract<Place, { readonly _tag: "Postgres" }>

export const sqliteIn = (path: string, name: string): SqlitePlace => ({
  _tag: "Sqlite",
  file: join(path, `${name}.db`),
})
export const newDatabase = Effect.map(database, (url): PostgresPlace => ({ _tag: "Postgres", url }))

/** A store as the configuration names it. */
export const urlOf = (place: Place): string =>
  place._tag === "Sqlite" ? `sqlite:${place.file}` : Redacted.value(place.url)

/** Runs against a store without a node, and closes it. */
export const using = <A, E>(place: Place, work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(work, Layer.fresh(stores.layer(place)))

export const run = (place: Place, statement: string) =>
  using(
    place,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)),
  )

/** A store with rows of every kind. */
export const filledIn = (path: string, name = "a") =>
  Effect.gen(function* () {
    const place = sqliteIn(path, name)
    yield* Effect.provide(fill, nodeOver(place, path))
    return place
  })

/** The number of rows that an archive has of each table that is empty in a new store. */
export const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = (yield* archivedTables).filter(({ name }) => !filledAtFirst.includes(name))
  return yield* Effect.forEach(tables, ({ name, queries }) =>
    Effect.map(
      Effect.forEach(queries, (query) => sql.unsafe<{ n: number }>(`SELECT count(*) AS n FROM (${query}) AS of_table`)),
      (all) => [name, all.reduce((sum, [row]) => sum + row!.n, 0)] as const,
    ),
  )
})

export const isEmpty = (place: Place) => Effect.map(using(place, counts), (all) => all.every(([, rows]) => rows === 0))
