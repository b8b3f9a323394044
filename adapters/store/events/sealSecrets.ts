import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { SecretBox } from "../../../core/account/SecretBox.ts"
import { EntityTags, secretLength } from "../../../core/gateway/EntityTags.ts"
import { serialise } from "../engine/locks.ts"
import { mapStorageErrors, transaction } from "../engine/storage.ts"

/** The `place` of a webhook's secrets. */
export const webhookPlace = (id: string): string => `webhook ${id}`

/** The only secret of the installation that may be replaced: only entity tags change with it. */
const entityTags = "entity_tags"
const entityTagsPlace = `installation ${entityTags}`

const readTags = (sql: SqlClient.SqlClient) =>
  sql<{ secret: string }>`SELECT secret FROM installation_secrets WHERE name = ${entityTags}`

/** Why the key does not open the store's secrets; undefined if it does, or nothing is sealed yet. */
export const findWrongKey = Effect.gen(function* () {
  const [box, [row]] = [yield* SecretBox, yield* readTags(yield* SqlClient.SqlClient)]
  return row === undefined
    ? undefined
    : Either.match(box.open(entityTagsPlace, row.secret), { onLeft: (error) => error, onRight: () => undefined })
}).pipe(mapStorageErrors)

/** The sealed secret of entity tags. The first start makes it, and the box's key if nothing is sealed yet. */
const readySecret = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox
  const read = readTags(sql)
  const readOrMake = Effect.gen(function* () {
    yield* serialise(sql, "secrets")
    const [row] = yield* read
    yield* box.ready(row !== undefined || (yield* sql`SELECT 1 FROM webhooks LIMIT 1`).length > 0)
    if (row !== undefined && (!box.mayReplace || Either.isRight(box.open(entityTagsPlace, row.secret)))) {
      return row.secret
    }
    const secret = yield* box.seal(entityTagsPlace, Redacted.make(randomBytes(secretLength).toString("hex")))
    yield* sql`
      INSERT INTO installation_secrets ${sql.insert({ name: entityTags, secret })}
      ON CONFLICT (name) DO UPDATE SET secret = excluded.secret`
    return secret
  })
  const [row] = yield* read
  if (row === undefined || box.mayReplace) return yield* transaction(sql, readOrMake)
  // The usual start: no write lock is needed.
  yield* box.ready(true)
  return row.secret
})

/** Makes the store ready to seal secrets. An error is only logged, since calls do not need the secrets. */
export const layer: Layer.Layer<never, never, SecretBox | SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.catchTags(readySecret, {
    SqlError: (error) => Effect.logError("The store's secrets are not ready; retried at the next start", error),
    SecretBoxError: ({ message }) => Effect.logError(`${message} Until then webhook deliveries wait.`),
  }),
)

/**
 * Entity tags under the store's own secret, the same after a restart and in every process over the store. If the secret
 * does not open, this process uses a random one: an unchanged answer is then sent and charged once more.
 */
export const layerEntityTags: Layer.Layer<EntityTags, never, SecretBox | PlatformCrypto | SqlClient.SqlClient> =
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const opened = yield* (yield* SecretBox).open(entityTagsPlace, yield* readySecret)
      return EntityTags.layer(Either.getOrThrow(Encoding.decodeHex(Redacted.value(opened))))
    }).pipe(
      Effect.catchTag("SecretBoxError", ({ message }) =>
        Effect.as(Effect.logWarning(`Entity tags are valid only in this process: ${message}`), EntityTags.layerMemory),
      ),
      Effect.orDie,
    ),
  )
