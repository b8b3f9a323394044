import { readdirSync, readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as postgres from "../../../../adapters/store/engine/postgres/ready.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { migrate, newest, readVersion, type Schema, schemas } from "../../../../adapters/store/schema/migrate.ts"
import { anyStore, sharedStore } from "../../../support/anyStore.ts"

const folder = new URL("../../../../adapters/store/schema/", import.meta.url)

const schema = (text: string): Schema => ({ sqlite: text, postgres: text })

/** What a later program has: an account gets a colour. */
const coloured = schema("ALTER TABLE accounts ADD COLUMN colour TEXT NOT NULL DEFAULT 'green';")

/** Brings the store of the context to the schemas of a later program. */
const brought = (later: ReadonlyArray<Schema>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const connection = Option.match(yield* Effect.serviceOption(Sqlite), {
      onNone: () => postgres.connection(sql),
      onSome: (own) => sqlite.connection(sql, own),
    })
    yield* migrate(connection, [...schemas, ...later])
  })

const account = { id: "acct_1", name: "one", created_at: 1 }
const created = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO accounts ${sql.insert(account)}`)
const accounts = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<Record<string, unknown>>`SELECT * FROM accounts`)
const applied = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT version FROM store_schemas ORDER BY 1`)

describe("the files of the schemas", () => {
  it("are a new store's and, for each later schema, one with its number for each engine; all are applied", () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".sql"))
    const source = readFileSync(new URL("migrate.ts", folder), "utf8")
    const listed = [...source.matchAll(/new URL\("\.\/([^"]+\.sql)", import\.meta\.url\)/g)].map(([, name]) => name!)
    assert.sameMembers(listed, names)
    assert.lengthOf(listed, 2 * newest)
    for (const [at, name] of listed.entries()) {
      const number = at < 2 ? "" : `${String(Math.floor(at / 2) + 1).padStart(4, "0")}-[a-z-]+\\.`
      assert.match(name, new RegExp(`^${number}${at % 2 === 0 ? "sqlite" : "postgres"}\\.sql$`))
    }
  })
})

describe("a store", () => {
  it.effect("gets a column from the next schema, once, and keeps its rows", () =>
    Effect.gen(function* () {
      yield* created
      assert.strictEqual(yield* readVersion, newest)
      const [before] = yield* accounts
      yield* brought([coloured])
      assert.deepStrictEqual(yield* accounts, [{ ...before, colour: "green" }])
      assert.strictEqual(yield* readVersion, newest + 1)
      // A second time the column would be there already.
      yield* brought([coloured])
      yield* brought([coloured, schema("UPDATE accounts SET colour = 'red';")])
      assert.deepStrictEqual(yield* accounts, [{ ...before, colour: "red" }])
      assert.deepStrictEqual((yield* applied).at(-1), { version: newest + 2 })
    }).pipe(Effect.provide(anyStore)),
  )

  it.effect("stays at the schema before one that fails, with nothing of it", () =>
    Effect.gen(function* () {
      yield* created
      const before = [yield* accounts, yield* applied]
      const broken = schema(`${coloured.sqlite} UPDATE accounts SET colour = 'red'; INSERT INTO nowhere VALUES (1);`)
      const error = yield* Effect.flip(brought([broken]))
      assert.match(String((error.cause as Error).message), /nowhere/)
      assert.deepStrictEqual([yield* accounts, yield* applied], before)
      assert.strictEqual((yield* Effect.flip(brought([coloured, broken])))._tag, "SqlError")
      assert.strictEqual(yield* readVersion, newest + 1)
    }).pipe(Effect.provide(anyStore)),
  )

  it.scopedLive("is brought on by one of several programs that start at once", () =>
    Effect.gen(function* () {
      const shared = yield* sharedStore
      const programs = yield* Effect.replicateEffect(Layer.build(Layer.fresh(shared)), 4)
      yield* Effect.provide(created, programs[0]!)
      // Each waits for the one that began: where two apply it, the column is there already.
      const slow = { ...coloured, postgres: `${coloured.postgres} SELECT pg_sleep(0.2);` }
      yield* Effect.forEach(programs, (program) => Effect.provide(brought([slow]), program), {
        concurrency: "unbounded",
        discard: true,
      })
      const [rows, versions] = yield* Effect.provide(Effect.all([accounts, applied]), programs[0]!)
      assert.deepStrictEqual(
        [rows.map(({ colour }) => colour), versions],
        [["green"], [...schemas.keys(), newest].map((at) => ({ version: at + 1 }))],
      )
    }),
  )
})
