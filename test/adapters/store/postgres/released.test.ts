import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Client from "../../../../adapters/store/engine/postgres/client.ts"
import { migrate, migrateTo, newest, readVersion } from "../../../../adapters/store/migrations/mod.ts"
import { database } from "../../../support/postgres.ts"
import { factsOf, names, postgresSchema, releases, stores } from "../../../support/releasedStores.ts"

/** A database without tables. */
const empty = Effect.map(database, (url) =>
  Layer.tap(Client.layer(url), (context) =>
    Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("DROP SCHEMA public CASCADE; CREATE SCHEMA public")),
      context,
    ),
  ),
)

describe.each(releases())("the schema of %s on PostgreSQL", (release) => {
  const { schema } = factsOf(release)
  const made = readFileSync(join(stores, release, names.postgres), "utf8")

  it.scopedLive(
    "is made to the letter by its migrations, which therefore did not change, and is brought to the newest",
    () =>
      Effect.gen(function* () {
        yield* migrateTo(schema)
        assert.strictEqual(yield* postgresSchema, made)
        assert.strictEqual(yield* readVersion, schema)
        yield* migrate
        assert.strictEqual(yield* readVersion, newest)
        const brought = yield* postgresSchema
        const fresh = yield* Effect.provide(
          Effect.zipRight(migrate, postgresSchema),
          Layer.fresh(Layer.unwrapScoped(empty)),
        )
        assert.strictEqual(brought, fresh)
      }).pipe(Effect.provide(Layer.unwrapScoped(empty))),
    120_000,
  )
})
