import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trail } from "../../../../adapters/store/upkeep/copy/audit.ts"
import { copiedTables, difference, everyTable, notCopied } from "../../../../adapters/store/upkeep/copy/catalogue.ts"
import { fill, nodeOver } from "../../../support/filledStore.ts"
import { folder } from "../../../support/store.ts"
import { newDatabase, sqliteIn, using } from "../../../support/storeCopies.ts"

describe("the schemas of both stores", () => {
  it.scoped(
    "have the same tables with the same columns and keys, but for those that are named",
    () =>
      Effect.gen(function* () {
        const sqlite = yield* using(sqliteIn(yield* folder, "a"), everyTable)
        const postgres = yield* using(yield* newDatabase, everyTable)
        assert.isUndefined(difference(copiedTables(sqlite), copiedTables(postgres)))
        for (const { name, columns } of copiedTables(sqlite)) {
          assert.isTrue(
            columns.every(({ kind }) => kind !== "unknown"),
            name,
          )
        }
        // What is left out stands in one of the stores.
        const all = [...sqlite, ...postgres].map(({ name }) => name)
        for (const [pattern] of notCopied) {
          assert.isTrue(`${pattern}` === "/^moved$/" || all.some((name) => pattern.test(name)), `${pattern}`)
        }
        const audit = postgres.find(({ name }) => name === "audit")!.columns.map(({ name }) => name)
        assert.sameMembers(
          audit.filter((name) => !["seq", "tx"].includes(name)),
          trail.columns.map(({ name }) => name),
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
    "take only finite numbers",
    () =>
      Effect.gen(function* () {
        const keys = yield* folder
        for (const place of [sqliteIn(keys, "a"), yield* newDatabase]) {
          yield* Effect.provide(fill, nodeOver(place, keys))
          yield* using(
            place,
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              // Rows are inserted anew, since some tables refuse every change.
              const tables = yield* everyTable
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
            }),
          )
        }
      }),
    120_000,
  )
})
