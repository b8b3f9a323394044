import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as secretBox from "../../../../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import * as sealedSecrets from "../../../../../adapters/store/events/sealSecrets.ts"
import { isSealed } from "../../../../../core/account/SecretBox.ts"
import { EntityTags } from "../../../../../core/gateway/EntityTags.ts"
import { database } from "../../../../support/postgres.ts"
import { storeFile } from "../../../../support/store.ts"

const tag = Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}"))

/** Starts a node. */
const node = (url: Redacted.Redacted, key: string, mayReplace = false) =>
  sealedSecrets.layerEntityTags.pipe(
    Layer.provideMerge(sealedSecrets.layer),
    Layer.provideMerge(Layer.mergeAll(Postgres.layer(url), secrets.layer, secretBox.layerFile(key, mayReplace))),
  )

/** Holds what a statement locks until so many others wait for a lock, each in the connection of a node. */
const held = <A, E>(
  sql: SqlClient.SqlClient,
  statement: Effect.Effect<unknown, SqlError>,
  waiters: number,
  work: Effect.Effect<A, E>,
) =>
  Effect.gen(function* () {
    const [has, free] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
    const holding = yield* Effect.fork(
      sql.withTransaction(
        statement.pipe(Effect.zipRight(Deferred.succeed(has, undefined)), Effect.zipRight(Deferred.await(free))),
      ),
    )
    yield* Deferred.await(has)
    const working = yield* Effect.fork(work)
    yield* Effect.repeat(
      sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      { until: ({ length }) => length === waiters },
    )
    yield* Deferred.succeed(free, undefined)
    yield* Fiber.join(holding)
    return yield* Fiber.join(working)
  })

describe("the secret of entity tags of several nodes", () => {
  it.scopedLive("is made once, sealed, whoever starts first; with another key one of them makes a new one", () =>
    Effect.gen(function* () {
      const url = yield* database
      const key = `${yield* storeFile}.secrets-key`
      const start = (key: string, mayReplace: boolean) =>
        Effect.all(
          Array.from({ length: 4 }, () => Effect.provide(tag, node(url, key, mayReplace))),
          { concurrency: "unbounded" },
        )
      // The key file is made by the first; the others read it.
      const tags = yield* start(key, false)
      assert.strictEqual(new Set(tags).size, 1)
      const sql = Context.get(yield* Layer.build(Postgres.layer(url)), SqlClient.SqlClient)
      const secrets = yield* sql<{ secret: string }>`SELECT secret FROM installation_secrets`
      assert.deepStrictEqual(
        secrets.map(({ secret }) => isSealed(secret)),
        [true],
      )
      assert.deepStrictEqual(yield* start(key, false), tags)
      assert.deepStrictEqual(yield* sql`SELECT secret FROM installation_secrets`, secrets)
      const other = `${key}.other`
      const replaced = yield* held(sql, sql`SELECT 1 FROM installation_secrets FOR UPDATE`, 4, start(other, true))
      assert.strictEqual(new Set(replaced).size, 1)
      assert.notStrictEqual(replaced[0], tags[0])
    }),
  )
})
