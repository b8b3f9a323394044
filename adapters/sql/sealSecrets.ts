import { randomBytes } from "node:crypto"
import type { SqlError } from "@effect/sql/SqlError"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isSealed, SecretBox, SecretBoxError, sealedPrefix } from "../../core/account/SecretBox.ts"
import { secretLength } from "../../core/gateway/EntityTags.ts"
import { Sqlite } from "./client.sqlite.ts"

/** The `place` of a webhook's secrets. */
export const placeOfWebhook = (id: string): string => `webhook ${id}`

/** The `place` of a secret of the installation. */
export const placeOfInstallation = (name: string): string => `installation ${name}`

/** Opens a stored secret: sealed, or plaintext if no box could seal it yet. */
export const openSecret = (
  box: SecretBox["Type"],
  place: string,
  text: string,
): Either.Either<Redacted.Redacted, SecretBoxError> =>
  isSealed(text) ? box.open(place, text) : Either.right(Redacted.make(text))

/** Columns with secrets: the table, the column that identifies a row, and the row's place. */
const columns = [
  { table: "webhooks", name: "id", column: "secret", place: placeOfWebhook },
  { table: "webhooks", name: "id", column: "previous_secret", place: placeOfWebhook },
  { table: "installation_secrets", name: "name", column: "secret", place: placeOfInstallation },
]

const isSealedSql = (column: string): string => `substr(${column}, 1, ${sealedPrefix.length}) = '${sealedPrefix}'`

interface Clear {
  readonly name: string
  readonly secret: string
}

const clearIn = (db: Database) => {
  const statements = columns.map(({ table, name, column }) =>
    db.prepare(
      `SELECT ${name} AS name, ${column} AS secret FROM ${table} WHERE ${column} IS NOT NULL AND NOT ${isSealedSql(column)}`,
    ),
  )
  return () => columns.map((where, at) => ({ ...where, rows: statements[at]!.all() as ReadonlyArray<Clear> }))
}

/** The only secret of the installation that may be replaced: only entity tags change with it. */
const entityTags = "entity_tags"

/**
 * Seals every plaintext secret in the store, all or none, and creates the box's key if nothing is sealed yet. The
 * plaintext is overwritten in the file and in the WAL.
 *
 * @returns why the box cannot be used; undefined if it can
 */
export const sealSecrets: Effect.Effect<SecretBoxError | undefined, SqlError, SecretBox | Sqlite> = Effect.gen(
  function* () {
    const { db, exclusive } = yield* Sqlite
    const box = yield* SecretBox
    const clear = clearIn(db)
    const sealedAny = db
      .prepare(
        `SELECT ${columns.map(({ table, column }) => `EXISTS (SELECT 1 FROM ${table} WHERE ${isSealedSql(column)})`).join(" OR ")}`,
      )
      .pluck()

    const installation = db.prepare("SELECT secret FROM installation_secrets WHERE name = ?").pluck()

    const get = <A>(either: Either.Either<A, SecretBoxError>): A => Either.getOrThrowWith(either, (error) => error)

    const sealAll = db.transaction((): number => {
      get(box.ready(sealedAny.get() === 1))
      let count = 0
      const place = placeOfInstallation(entityTags)
      if (box.mayReplace && Either.isLeft(openSecret(box, place, installation.get(entityTags) as string))) {
        const fresh = get(box.seal(place, Redacted.make(randomBytes(secretLength).toString("hex"))))
        db.prepare("UPDATE installation_secrets SET secret = ? WHERE name = ?").run(fresh, entityTags)
      }
      for (const { table, name, column, place, rows } of clear()) {
        const update = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${name} = ?`)
        for (const row of rows) {
          update.run(get(box.seal(place(row.name), Redacted.make(row.secret))), row.name)
          count++
        }
      }
      return count
    })

    return yield* exclusive((): SecretBoxError | undefined => {
      // Usually there is nothing to seal: then no write lock is taken.
      if (!box.mayReplace && sealedAny.get() === 1 && clear().every(({ rows }) => rows.length === 0)) {
        return Either.match(box.ready(true), { onLeft: (error) => error, onRight: () => undefined })
      }
      const before = db.pragma("secure_delete", { simple: true })
      db.pragma("secure_delete = ON")
      try {
        if (sealAll.immediate() > 0) db.pragma("wal_checkpoint(TRUNCATE)")
        return undefined
      } catch (error) {
        if (error instanceof SecretBoxError) return error
        throw error
      } finally {
        db.pragma(`secure_delete = ${before}`)
      }
    })
  },
)

/** Seals the store's secrets at the start. An error is only logged, since calls do not need the secrets. */
export const layer: Layer.Layer<never, never, SecretBox | Sqlite> = Layer.effectDiscard(
  Effect.matchEffect(sealSecrets, {
    onFailure: (error) => Effect.logError("The store's secrets were not sealed; retried at the next start", error),
    onSuccess: (error) =>
      error === undefined ? Effect.void : Effect.logError(`${error.message} Until then webhook deliveries wait.`),
  }),
)
