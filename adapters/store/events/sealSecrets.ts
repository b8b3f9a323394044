import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { isSealed, SecretBox, type SecretBoxError, sealedPrefix } from "../../../core/account/SecretBox.ts"
import { EntityTags, secretLength } from "../../../core/gateway/EntityTags.ts"
import { serialise } from "../engine/locks.ts"
import { transaction } from "../engine/storage.ts"

/** The `place` of a webhook's secrets. */
export const webhookPlace = (id: string): string => `webhook ${id}`

/** The `place` of a secret of the installation. */
const installationPlace = (name: string): string => `installation ${name}`

/** Opens a stored secret: sealed, or plaintext if no box could seal it yet. */
export const openSecret = (box: SecretBox["Type"], place: string, text: string) =>
  isSealed(text) ? box.open(place, text) : Either.right(Redacted.make(text))

/** Columns with secrets: the table, the column that identifies a row, and the row's place. */
const columns = [
  { table: "webhooks", name: "id", column: "secret", place: webhookPlace },
  { table: "webhooks", name: "id", column: "previous_secret", place: webhookPlace },
  { table: "installation_secrets", name: "name", column: "secret", place: installationPlace },
]

const isSealedSql = (column: string): string => `substr(${column}, 1, ${sealedPrefix.length}) = '${sealedPrefix}'`

interface PlaintextRow {
  readonly name: string
  readonly secret: string
}

const findPlaintext = (sql: SqlClient.SqlClient) =>
  Effect.forEach(columns, ({ table, name, column, place }) =>
    Effect.map(
      sql.unsafe<PlaintextRow>(
        `SELECT ${name} AS name, ${column} AS secret FROM ${table} WHERE ${column} IS NOT NULL AND NOT ${isSealedSql(column)}`,
      ),
      (rows) => ({ table, name, column, place, rows }),
    ),
  )

const isAnySealed = (sql: SqlClient.SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe<{ found: unknown }>(
      `SELECT ${columns.map(({ table, column }) => `EXISTS (SELECT 1 FROM ${table} WHERE ${isSealedSql(column)})`).join(" OR ")} AS found`,
    ),
    ([row]) => Boolean(row!.found),
  )

/** The only secret of the installation that may be replaced: only entity tags change with it. */
const entityTags = "entity_tags"

/** @returns the number of sealed secrets */
const sealAll = (sql: SqlClient.SqlClient, box: SecretBox["Type"]): Effect.Effect<number, SecretBoxError | SqlError> =>
  Effect.gen(function* () {
    yield* serialise(sql, "secrets")
    yield* box.ready(yield* isAnySealed(sql))
    const context = installationPlace(entityTags)
    if (box.mayReplace) {
      const [row] = yield* sql<Pick<PlaintextRow, "secret">>`
        SELECT secret FROM installation_secrets WHERE name = ${entityTags}`
      if (Either.isLeft(openSecret(box, context, row!.secret))) {
        const fresh = yield* box.seal(context, Redacted.make(randomBytes(secretLength).toString("hex")))
        yield* sql`UPDATE installation_secrets SET secret = ${fresh} WHERE name = ${entityTags}`
      }
    }
    let count = 0
    for (const { table, name, column, place: context, rows } of yield* findPlaintext(sql)) {
      for (const row of rows) {
        const sealed = yield* box.seal(context(row.name), Redacted.make(row.secret))
        // Unless it was rotated meanwhile by another program, which sealed it itself.
        yield* sql`
          UPDATE ${sql(table)} SET ${sql(column)} = ${sealed} WHERE ${sql(name)} = ${row.name} AND ${sql(column)} = ${row.secret}`
        count++
      }
    }
    return count
  })

/** On SQLite, overwrites deleted content with zeros during the work, and truncates the WAL afterwards. */
const overwrite = (sql: SqlClient.SqlClient, sealing: Effect.Effect<number, SecretBoxError | SqlError>) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.acquireUseRelease(
        Effect.zipLeft(
          sql.unsafe<{ secure_delete: number }>("PRAGMA secure_delete"),
          sql.unsafe("PRAGMA secure_delete = ON"),
        ),
        () =>
          Effect.flatMap(sealing, (count) =>
            Effect.when(sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)"), () => count > 0),
          ),
        ([before]) => Effect.orDie(sql.unsafe(`PRAGMA secure_delete = ${before!.secure_delete}`)),
      ),
    orElse: () => Effect.asVoid(sealing),
  })

/**
 * Seals every plaintext secret in the store, all or none, and creates the box's key if nothing is sealed yet. On SQLite the
 * plaintext is overwritten in the file and in the WAL; on PostgreSQL it is gone from the files after a vacuum and a
 * checkpoint, and stays in archived WAL and backups.
 *
 * @returns why the box cannot be used; undefined if it can
 */
export const sealSecrets: Effect.Effect<SecretBoxError | undefined, SqlError, SecretBox | SqlClient.SqlClient> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    // Usually there is nothing to seal, and no write lock is needed.
    if (
      !box.mayReplace &&
      (yield* isAnySealed(sql)) &&
      (yield* findPlaintext(sql)).every(({ rows }) => rows.length === 0)
    ) {
      yield* box.ready(true)
    } else {
      yield* overwrite(sql, transaction(sql, sealAll(sql, box)))
    }
    return undefined
  }).pipe(Effect.catchTag("SecretBoxError", (error) => Effect.succeed(error)))

/** Seals the store's secrets at the start. An error is only logged, since calls do not need the secrets. */
export const layer: Layer.Layer<never, never, SecretBox | SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.matchEffect(sealSecrets, {
    onFailure: (error) => Effect.logError("The store's secrets were not sealed; retried at the next start", error),
    onSuccess: (error) =>
      error === undefined ? Effect.void : Effect.logError(`${error.message} Until then webhook deliveries wait.`),
  }),
)

/**
 * Entity tags under the store's own secret, the same after a restart and in every process over the store. If the secret
 * does not open, this process uses a random one: an unchanged answer is then sent and charged once more.
 */
export const layerEntityTags: Layer.Layer<EntityTags, never, SecretBox | PlatformCrypto | SqlClient.SqlClient> =
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* Effect.orDie(
        sql<{ secret: string }>`SELECT secret FROM installation_secrets WHERE name = ${entityTags}`,
      )
      const opened = openSecret(yield* SecretBox, installationPlace(entityTags), row!.secret)
      if (Either.isRight(opened)) {
        return EntityTags.layer(Either.getOrThrow(Encoding.decodeHex(Redacted.value(opened.right))))
      }
      yield* Effect.logWarning(`Entity tags are valid only in this process: ${opened.left.message}`)
      return EntityTags.layerMemory
    }),
  )
