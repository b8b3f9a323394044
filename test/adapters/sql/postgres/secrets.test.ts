import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as secretBox from "../../../../adapters/node/secretBox.ts"
import * as secrets from "../../../../adapters/node/secrets.ts"
import * as entityTags from "../../../../adapters/sql/EntityTags.ts"
import * as Postgres from "../../../../adapters/sql/postgres/open.ts"
import * as sealedSecrets from "../../../../adapters/sql/sealSecrets.ts"
import { SecretBox } from "../../../../core/account/SecretBox.ts"
import { EntityTags } from "../../../../core/gateway/EntityTags.ts"
import { database } from "../../../support/postgres.ts"
import { storeFile } from "../../../support/store.ts"

const ids = Array.from({ length: 30 }, (_, n) => `wh_${n}`)
const secretOf = (id: string): string => `whsec_plain_${id}`

const tag = Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}"))

/** Starts a node, which seals what it finds. */
const node = (url: Redacted.Redacted, key: string, mayReplace = false) =>
  entityTags.layer.pipe(
    Layer.provideMerge(sealedSecrets.layer),
    Layer.provideMerge(Layer.mergeAll(Postgres.layer(url), secrets.layer, secretBox.layerFile(key, mayReplace))),
  )

const stored = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ id: string; secret: string; previous_secret: string }>`
    SELECT id, secret, previous_secret FROM webhooks ORDER BY length(id), id`,
)

describe("the secrets of several nodes", () => {
  it.scopedLive("are sealed once, whoever starts first, and give all the same entity tags", () =>
    Effect.gen(function* () {
      const url = yield* database
      const key = `${yield* storeFile}.secrets-key`
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO accounts ${sql.insert({ id: "acct_1", name: "one", created_at: 1 })}`
        yield* Effect.forEach(
          ids,
          (id) => sql`
            INSERT INTO webhooks ${sql.insert({
              ...{ id, account_id: "acct_1", url: "https://one.example/", events: "[]", status: "active" },
              ...{ secret: secretOf(id), previous_secret: secretOf(`old ${id}`), previous_until: 2, created_at: 1 },
            })}`,
        )
      }).pipe(Effect.provide(Postgres.layer(url)))
      const start = (mayReplace: boolean) =>
        Effect.all(
          Array.from({ length: 4 }, () => Effect.provide(tag, node(url, key, mayReplace))),
          { concurrency: "unbounded" },
        )
      const opened = Effect.gen(function* () {
        const box = yield* SecretBox
        const rows = yield* stored
        return rows.map(({ id, secret, previous_secret }) =>
          [secret, previous_secret].map((text) => Redacted.value(Either.getOrThrow(box.open(`webhook ${id}`, text)))),
        )
      })
      // The key file is made by the first; the others read it.
      const tags = yield* start(false)
      assert.strictEqual(new Set(tags).size, 1)
      const whole = ids.map((id) => [secretOf(id), secretOf(`old ${id}`)])
      assert.deepStrictEqual(yield* Effect.provide(opened, node(url, key)), whole)
      const before = yield* Effect.provide(stored, Postgres.layer(url))
      assert.deepStrictEqual(yield* start(false), tags)
      assert.deepStrictEqual(yield* Effect.provide(stored, Postgres.layer(url)), before)
      // With another key one of them makes a new secret of entity tags, and the others take it.
      const other = `${key}.other`
      const replaced = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.provide(tag, node(url, other, true))),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(new Set(replaced).size, 1)
      assert.notStrictEqual(replaced[0], tags[0])
    }),
  )
})
