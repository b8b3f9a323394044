import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PeopleStore } from "../../core/people/PeopleStore.ts"
import type { Person, Role } from "../../core/people/Person.ts"
import type { Session } from "../../core/people/Session.ts"
import { changing } from "./changes.ts"
import { entering } from "./entering.ts"
import { mapStorageErrors } from "./storage.ts"

interface PersonRow {
  readonly person_id: string
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly is_operator: number
  readonly person_created_at: number
}

interface SessionRow extends PersonRow {
  readonly id: string
  readonly account_id: string | null
  readonly role: Role | null
  readonly created_at: number
  readonly seen_at: number
  readonly ended_at: number | null
  readonly address: string | null
  readonly browser: string | null
}

const personOf = (row: PersonRow): Person => ({
  id: row.person_id,
  issuer: row.issuer,
  subject: row.subject,
  name: row.name,
  isOperator: row.is_operator === 1,
  createdAt: row.person_created_at,
})

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  person: personOf(row),
  createdAt: row.created_at,
  seenAt: row.seen_at,
  ...(row.account_id === null ? {} : { accountId: row.account_id }),
  ...(row.role === null ? {} : { role: row.role }),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  ...(row.address === null ? {} : { address: row.address }),
  ...(row.browser === null ? {} : { browser: row.browser }),
})

const personColumns = "p.id AS person_id, p.issuer, p.subject, p.name, p.is_operator, p.created_at AS person_created_at"

export const layer: Layer.Layer<PeopleStore, never, SqlClient.SqlClient> = Layer.effect(
  PeopleStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(personColumns)
    /** The account's row is the lock of its members, where several transactions write at once. */
    const lock = (accountId: string) =>
      sql.onDialectOrElse({
        sqlite: () => Effect.void,
        orElse: () => Effect.asVoid(sql`SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`),
      })
    const sessions = sql`
      SELECT s.id, s.account_id, m.role, s.created_at, s.seen_at, s.ended_at, s.address, s.browser, ${columns}
      FROM sessions s JOIN persons p ON p.id = s.person_id
      LEFT JOIN memberships m ON m.account_id = s.account_id AND m.person_id = s.person_id`

    return {
      invite: ({ person, isOperator, accountId, role, invitedBy, createdAt, expiresAt }, codeHash) =>
        changing(
          sql,
          Effect.asVoid(
            sql`INSERT INTO invitations ${sql.insert({
              code_hash: codeHash,
              ...person,
              is_operator: Number(isOperator),
              account_id: accountId ?? null,
              role,
              invited_by: invitedBy,
              created_at: createdAt,
              expires_at: expiresAt,
            })}`,
          ),
        ),
      ...entering(sql),
      findSession: (tokenHash) =>
        mapStorageErrors(
          Effect.map(sql<SessionRow>`${sessions} WHERE s.token_hash = ${tokenHash}`, ([row]) =>
            row === undefined ? undefined : sessionOf(row),
          ),
        ),
      seen: (sessionId, at) =>
        mapStorageErrors(Effect.asVoid(sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${sessionId}`)),
      show: (sessionId, accountId) =>
        changing(sql, Effect.asVoid(sql`UPDATE sessions SET account_id = ${accountId} WHERE id = ${sessionId}`)),
      endSession: (personId, sessionId, at) =>
        changing(
          sql,
          Effect.map(
            sql`
              UPDATE sessions SET ended_at = ${at}
              WHERE id = ${sessionId} AND person_id = ${personId} AND ended_at IS NULL RETURNING id`,
            (rows) => rows.length === 1,
          ),
        ),
      endOthers: (personId, kept, at) =>
        changing(
          sql,
          Effect.asVoid(sql`
            UPDATE sessions SET ended_at = ${at}
            WHERE person_id = ${personId} AND ended_at IS NULL AND id <> ${kept ?? ""}`),
        ),
      sessions: (personId) =>
        mapStorageErrors(
          Effect.map(
            sql<SessionRow>`
              ${sessions} WHERE s.person_id = ${personId} AND s.ended_at IS NULL ORDER BY s.created_at DESC, s.id DESC`,
            (rows) => rows.map(sessionOf),
          ),
        ),
      members: (accountId) =>
        mapStorageErrors(
          Effect.map(
            sql<PersonRow & { readonly role: Role }>`
              SELECT m.role, ${columns} FROM memberships m JOIN persons p ON p.id = m.person_id
              WHERE m.account_id = ${accountId} ORDER BY p.name, p.id`,
            (rows) => rows.map((row) => ({ person: personOf(row), role: row.role })),
          ),
        ),
      memberships: (personId) =>
        mapStorageErrors(
          Effect.map(
            sql<{ account_id: string; role: Role }>`
              SELECT account_id, role FROM memberships WHERE person_id = ${personId} ORDER BY account_id`,
            (rows) => rows.map(({ account_id, role }) => ({ personId, accountId: account_id, role })),
          ),
        ),
      setRole: (accountId, personId, role, at) =>
        changing(
          sql,
          Effect.gen(function* () {
            yield* lock(accountId)
            const all = yield* sql<{ person_id: string; role: Role }>`
              SELECT person_id, role FROM memberships WHERE account_id = ${accountId}`
            if (!all.some(({ person_id }) => person_id === personId)) return "absent" as const
            const others = all.filter((each) => each.person_id !== personId)
            if (role !== "owner" && !others.some((each) => each.role === "owner")) return "last owner" as const
            yield* role === undefined
              ? sql`DELETE FROM memberships WHERE account_id = ${accountId} AND person_id = ${personId}`
              : sql`
                  UPDATE memberships SET role = ${role} WHERE account_id = ${accountId} AND person_id = ${personId}`
            yield* sql`
              UPDATE sessions SET ended_at = ${at}
              WHERE person_id = ${personId} AND account_id = ${accountId} AND ended_at IS NULL`
            yield* sql`
              UPDATE invitations SET used_at = ${at}
              WHERE account_id = ${accountId} AND used_at IS NULL AND (
                invited_by = ${personId} OR EXISTS (
                  SELECT 1 FROM persons p
                  WHERE p.id = ${personId} AND p.issuer = invitations.issuer AND p.subject = invitations.subject))`
            return "done" as const
          }),
          (done) => done === "done",
        ),
      sweep: (at) =>
        mapStorageErrors(
          Effect.zipWith(
            sql`DELETE FROM invitations WHERE expires_at < ${at} RETURNING code_hash`,
            // The longest session lasts a week from its beginning.
            sql`DELETE FROM sessions WHERE created_at < ${at} AND (ended_at IS NOT NULL OR seen_at < ${at}) RETURNING id`,
            (invitations, ended) => invitations.length + ended.length,
          ),
        ),
    }
  }),
)
