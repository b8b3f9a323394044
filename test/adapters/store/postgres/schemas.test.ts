import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Place } from "../../../../adapters/store/engine/opening.ts"
import { archivedTables, type Table } from "../../../../adapters/store/upkeep/archive/tables.ts"
import { newDatabase, run, sqliteIn, using } from "../../../support/archives.ts"
import { fill, nodeOver } from "../../../support/filledStore.ts"
import { folder } from "../../../support/store.ts"

/** Tables that no archive has, each with the reason. */
const notArchived = {
  store_schemas: "each store's own",
  heartbeats: "signs of life of one store, and its last backup",
  audit_rows: "SQLite's form of the audit trail, which an archive has as whole rows",
  audit_index: "SQLite's index of the trail by accounts",
  audit_begins: "the first row of each month",
  audit_accounts: "SQLite's numbers of values that recur in the trail",
  audit_agents: "the same",
  audit_callers: "the same",
  audit_ends: "the same",
  places: "how far SQLite's folds have come: before an export all is folded",
  idempotency_names: "SQLite's index of the keys of stored replies",
  versions: "PostgreSQL's count of changes of keys, which nodes compare with their caches",
  charge_batches: "PostgreSQL's answers to batches of the last minutes; a node that asked for one is gone",
  cancels: "PostgreSQL's batches that are to be ended, which happens before an export",
  buckets: "PostgreSQL's rate limits, which SQLite has in memory",
}

describe("the schemas of both stores", () => {
  it.scoped(
    "have the same tables with the same columns and keys, but for those that are named",
    () =>
      Effect.gen(function* () {
        const [sqlite, postgres] = [sqliteIn(yield* folder, "a"), yield* newDatabase]
        const shape = (tables: ReadonlyArray<Table>) => tables.map(({ queries, ...table }) => table)
        const tables = shape(yield* using(sqlite, archivedTables))
        assert.deepStrictEqual(shape(yield* using(postgres, archivedTables)), tables)
        const names = new Set(tables.map(({ name }) => name))
        const others = (place: Place, query: string) =>
          Effect.map(run(place, query), (rows) =>
            rows.map(({ name }) => String(name)).filter((name) => !names.has(name)),
          )
        const left = [
          ...(yield* others(sqlite, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")),
          ...(yield* others(
            postgres,
            "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
          )),
        ]
        assert.deepStrictEqual([...new Set(left)].sort(), Object.keys(notArchived).sort())
        const audit = yield* run(
          postgres,
          "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'audit'::regclass AND attnum > 0",
        )
        assert.sameMembers(
          audit.map(({ name }) => name).filter((name) => name !== "seq" && name !== "tx"),
          [...tables.at(-1)!.columns],
        )
      }),
    120_000,
  )

  const floats: ReadonlyArray<readonly [table: string, column: string]> = [
    ...(["temperature", "wind", "spread_line", "total_line"] as const).map(
      (column) => ["football_games", column] as const,
    ),
    ["football_quarterback_weeks", "passing_epa"],
    ["football_quarterback_weeks", "cpoe"],
    ["settled_rows", "floor_strike"],
    ["settled_rows", "cap_strike"],
    ["climate_reports", "precip_in"],
    ["climate_reports", "snow_in"],
    ["candles", "high"],
  ]
  it.scoped(
    "take only finite numbers, and no change of what is append-only",
    () =>
      Effect.gen(function* () {
        const keys = yield* folder
        const appendOnly = yield* run(
          sqliteIn(keys, "none"),
          "SELECT tbl_name AS name FROM sqlite_schema WHERE type = 'trigger' AND name = tbl_name || '_no_delete' AND tbl_name NOT LIKE 'audit%'",
        )
        assert.isAbove(appendOnly.length, 20)
        for (const place of [sqliteIn(keys, "a"), yield* newDatabase]) {
          yield* Effect.provide(fill, nodeOver(place, keys))
          yield* using(
            place,
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              // Rows are inserted anew, since some tables refuse every change.
              const tables = yield* archivedTables
              for (const [name, column] of floats) {
                const [row] = yield* sql.unsafe<Record<string, unknown>>(`SELECT * FROM "${name}" LIMIT 1`)
                const table = tables.find((each) => each.name === name)!
                const text = table.key.find((key) => typeof row![key] === "string" && key !== "station")
                const fresh = Object.fromEntries(
                  Object.entries(row!).filter(([key]) => name !== "settled_rows" || key !== "seq"),
                )
                for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
                  const changed = {
                    ...fresh,
                    ...(text === undefined ? { ticker: "fresh" } : { [text]: "fresh" }),
                    [column]: value,
                  }
                  const exit = yield* Effect.exit(sql`INSERT INTO ${sql(name)} ${sql.insert(changed as never)}`)
                  assert.isTrue(exit._tag === "Failure", `${place._tag} ${name}.${column} took ${value}`)
                }
                const allowed = { ...fresh, ...(text === undefined ? { ticker: column } : { [text]: column }) }
                yield* sql`INSERT INTO ${sql(name)} ${sql.insert(allowed as never)}`
              }
              const other = place._tag === "Postgres" ? "TRUNCATE $ CASCADE" : "REPLACE INTO $ SELECT * FROM $"
              for (const name of [...appendOnly.map((row) => String(row["name"])), "audit"]) {
                const column = tables.find((each) => each.name === name)!.columns.at(-1)!
                for (const text of [`UPDATE $ SET ${column} = ${column}`, "DELETE FROM $", other]) {
                  const refused = yield* Effect.flip(sql.unsafe(text.replaceAll("$", name)))
                  assert.match(String(refused.cause), /append-only|view|no gaps/, text)
                }
              }
              // Rows that are no longer used may go.
              for (const [name, column] of [
                ["climate_days_no_report", "asked_at"],
                ["weather_guidance", "temp_f"],
              ] as const) {
                const refused = yield* Effect.flip(sql.unsafe(`UPDATE ${name} SET ${column} = ${column}`))
                assert.match(String(refused.cause), /append-only|do not change/)
                assert.lengthOf(yield* sql.unsafe(`DELETE FROM ${name} RETURNING 1`), 1)
              }
              // A leaf comes after the last one.
              for (const position of ["position + 1000000", "-1"]) {
                yield* Effect.flip(
                  sql.unsafe(`INSERT INTO record_leaves (position, id, leaf_hash, subtrees, text)
                    SELECT ${position}, 'other', subtrees, leaf_hash, '{}' FROM record_leaves WHERE position = 1`),
                )
              }
            }),
          )
        }
      }),
    120_000,
  )
})
