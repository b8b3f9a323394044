import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as secretBox from "../../../../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import * as sealedSecrets from "../../../../../adapters/store/events/sealSecrets.ts"
import { isSealed, SecretBox } from "../../../../../core/account/SecretBox.ts"
import { EntityTags } from "../../../../../core/gateway/EntityTags.ts"
import { database } from "../../../../support/postgres.ts"
import { storeFile } from "../../../../support/store.ts"

const ids = Array.from({ length: 30 }, (_, n) => `wh_${n}`)
const secretOf = (id: string): string => `whsec_plain_${id}`

const tag = Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}"))

/** Starts a node, which seals what it finds. */
const node = (url: Redacted.Redacted, key: string, mayReplace = false) =>
  sealedSecrets.layerEntityTags.pipe(
    Layer.provideMerge(sealedSecrets.layer),
    Layer.provideMerge(Layer.mergeAll(Postgres.layer(url), secrets.layer, secretBox.layerFile(key, mayReplace))),
  )

const stored = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ id: string; secret: string; previous_secret: string | null }>`
    SELECT id, secret, previous_secret FROM webhooks ORDER BY length(id), id`,
)

/** Webhooks with secrets that no box has sealed yet. */
const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts ${sql.insert({ id: "acct_1", name: "one", created_at: 1 })}`
  yield* Effect.forEach(
    ids,
    (id) => sql`
            INSERT INTO webhooks ${sql.insert({
              ...{ id, account_id: "acct_1", url: "https://one.example/", status: "active" },
              ...{ secret: secretOf(id), previous_secret: secretOf(`old ${id}`), previous_until: 2, created_at: 1 },
            })}`,
  )
})

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

describe("the secrets of several nodes", () => {
  it.scopedLive("are sealed once, whoever starts first, and give all the same entity tags", () =>
    Effect.gen(function* () {
      const url = yield* database
      const key = `${yield* storeFile}.secrets-key`
      yield* Effect.provide(webhooks, Postgres.layer(url))
      const start = (key: string, mayReplace: boolean) =>
        Effect.all(
          Array.from({ length: 4 }, () => Effect.provide(tag, node(url, key, mayReplace))),
          { concurrency: "unbounded" },
        )
      const opened = Effect.gen(function* () {
        const box = yield* SecretBox
        const rows = yield* stored
        return rows.map(({ id, secret, previous_secret }) =>
          [secret, previous_secret!].map((text) => Redacted.value(Either.getOrThrow(box.open(`webhook ${id}`, text)))),
        )
      })
      // The key file is made by the first; the others read it.
      const tags = yield* start(key, false)
      assert.strictEqual(new Set(tags).size, 1)
      const whole = ids.map((id) => [secretOf(id), secretOf(`old ${id}`)])
      assert.deepStrictEqual(yield* Effect.provide(opened, node(url, key)), whole)
      const before = yield* Effect.provide(stored, Postgres.layer(url))
      assert.deepStrictEqual(yield* start(key, false), tags)
      assert.deepStrictEqual(yield* Effect.provide(stored, Postgres.layer(url)), before)
      // With another key one of them makes a new secret of entity tags, and the others take it.
      const other = `${key}.other`
      const sql = Context.get(yield* Layer.build(Postgres.layer(url)), SqlClient.SqlClient)
      const replaced = yield* held(sql, sql`SELECT 1 FROM installation_secrets FOR UPDATE`, 4, start(other, true))
      assert.strictEqual(new Set(replaced).size, 1)
      assert.notStrictEqual(replaced[0], tags[0])
    }),
  )

  it.scopedLive("are not put back where one is rotated meanwhile", () =>
    Effect.gen(function* () {
      const url = yield* database
      const key = `${yield* storeFile}.secrets-key`
      const sql = Context.get(yield* Layer.build(Postgres.layer(url)), SqlClient.SqlClient)
      yield* Effect.provideService(webhooks, SqlClient.SqlClient, sql)
      yield* held(
        sql,
        sql`UPDATE webhooks SET secret = 'sealed1.another', previous_secret = NULL WHERE id = 'wh_3'`,
        1,
        Effect.provide(tag, node(url, key)),
      )
      const rows = yield* Effect.provideService(stored, SqlClient.SqlClient, sql)
      assert.deepStrictEqual(
        rows.filter(({ id, secret }) => id === "wh_3" || !isSealed(secret)),
        [{ id: "wh_3", secret: "sealed1.another", previous_secret: null }],
      )
    }),
  )
})
