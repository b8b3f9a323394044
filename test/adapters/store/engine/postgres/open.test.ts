import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import { database } from "../../../../support/postgres.ts"

const open = (url: Redacted.Redacted) => Effect.flip(Effect.scoped(Layer.build(Postgres.layer(url))))

const over =
  (url: Redacted.Redacted) =>
  <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.provide(work, Postgres.layer(url))

describe("a PostgreSQL store", () => {
  it.scoped.each<readonly [string, string, RegExp]>([
    ["newer", "INSERT INTO store_schemas VALUES (999, 0)", /newer version of this program/],
    [
      "older",
      "ALTER TABLE store_schemas RENAME TO migrations",
      /before 0\.4\.0, .* Set another database in DATABASE_URL/,
    ],
  ])("of a time %s than the releases that this program knows is refused", ([reason, statement, message]) =>
    Effect.gen(function* () {
      const url = yield* database
      yield* over(url)(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))
      const error = yield* open(url)
      assert.strictEqual(error.reason, reason)
      assert.match(error.message, message)
    }),
  )

  it.scoped.each<readonly [string, string, RegExp]>([
    [
      "an encoding other than UTF-8",
      "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
      /encoding is LATIN1; UTF8 is needed/,
    ],
    [
      "another collation",
      "ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'",
      /collation is C\.UTF-8; C is needed/,
    ],
  ])("is refused with %s", ([, made, message]) =>
    Effect.gen(function* () {
      const url = yield* database
      const name = `${new URL(Redacted.value(url)).pathname.slice(1)}_other`
      yield* over(url)(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0 ${made}`)),
      )
      const error = yield* open(Redacted.make(`${Redacted.value(url)}_other`))
      assert.strictEqual(error.reason, "server")
      assert.match(error.message, message)
      yield* over(url)(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`DROP DATABASE ${name}`)))
    }),
  )

  it.scoped("that cannot be reached is an error without the password", () =>
    Effect.gen(function* () {
      const error = yield* open(Redacted.make("postgres://someone:hidden-word@127.0.0.1:9/nowhere"))
      assert.strictEqual(error.reason, "open")
      assert.match(error.message, /ECONNREFUSED/)
      assert.notInclude(JSON.stringify(error), "hidden-word")
    }),
  )
})
