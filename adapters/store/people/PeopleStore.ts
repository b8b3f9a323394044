import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PerAccount } from "../../../core/account/AccountStore.ts"
import { PeopleStore } from "../../../core/people/PeopleStore.ts"
import type { Person, Role } from "../../../core/people/Person.ts"
import type { Session } from "../../../core/people/Session.ts"
import { changing } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { checkRoom, lockRow } from "../engine/locks.ts"
import { allAs, firstAs, mapStorageErrors, wrote } from "../engine/storage.ts"
import { signInStore } from "./signInStore.ts"

const person = columns<Person>()(["id", "issuer", "subject", "name", "isOperator", "createdAt"], {
  own: { id: "person_id", createdAt: "person_created_at" },
  flags: ["isOperator"],
})
const session = columns<Session>()(["id", "createdAt", "seenAt", "accountId", "role", "endedAt", "address", "browser"])

type PersonRow = RowOf<typeof person>
type SessionRow = PersonRow & RowOf<typeof session>

const sessionOf = (row: SessionRow): Session => ({ ...session.fromRow(row), person: person.fromRow(row) })

const personColumns = "p.id AS person_id, p.issuer, p.subject, p.name, p.is_operator, p.created_at AS person_created_at"

/** A person in a SELECT, `p`. */
const columnsOfPerson = (sql: SqlClient.SqlClient) => sql.literal(personColumns)

const sessionsIn = (
  sql: SqlClient.SqlClient,
): Pick<PeopleStore["Type"], "findSession" | "seen" | "show" | "endSession" | "endOthers" | "sessions"> => {
  const sessions = sql`
      SELECT s.id, s.account_id, m.role, s.created_at, s.seen_at, s.ended_at, s.address, s.browser, ${columnsOfPerson(sql)}
      FROM sessions s JOIN persons p ON p.id = s.person_id
      LEFT JOIN memberships m ON m.account_id = s.account_id AND m.person_id = s.person_id`

  return {
    findSession: (tokenHash) => firstAs(sql<SessionRow>`${sessions} WHERE s.token_hash = ${tokenHash}`, sessionOf),
    seen: (sessionId, at) =>
      mapStorageErrors(Effect.asVoid(sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${sessionId}`)),
    show: (sessionId, accountId) =>
      changing(sql, Effect.asVoid(sql`UPDATE sessions SET account_id = ${accountId} WHERE id = ${sessionId}`)),
    endSession: (personId, sessionId, at) =>
      changing(
        sql,
        wrote(sql`
            UPDATE sessions SET ended_at = ${at}
            WHERE id = ${sessionId} AND person_id = ${personId} AND ended_at IS NULL RETURNING id`),
      ),
    endOthers: (personId, kept, at) =>
      changing(
        sql,
        Effect.asVoid(sql`
            UPDATE sessions SET ended_at = ${at}
            WHERE person_id = ${personId} AND ended_at IS NULL AND id <> ${kept ?? ""}`),
      ),
    sessions: (personId) =>
      allAs(
        sql<SessionRow>`
            ${sessions} WHERE s.person_id = ${personId} AND s.ended_at IS NULL ORDER BY s.created_at DESC, s.id DESC`,
        sessionOf,
      ),
  }
}

const membersIn = (sql: SqlClient.SqlClient): Pick<PeopleStore["Type"], "members" | "memberships" | "setRole"> => ({
  members: (accountId, { role, cursor, limit }) =>
    allAs(
      sql<PersonRow & { readonly role: Role }>`
            SELECT m.role, ${columnsOfPerson(sql)} FROM memberships m JOIN persons p ON p.id = m.person_id
            WHERE m.account_id = ${accountId} ${cursor === undefined ? sql`` : sql`AND m.person_id < ${cursor}`}
            ${role === undefined ? sql`` : sql`AND m.role = ${role}`}
            ORDER BY m.person_id DESC LIMIT ${limit}`,
      (row) => ({ person: person.fromRow(row), role: row.role }),
    ),
  memberships: (personId) =>
    allAs(
      sql<{ account_id: string; role: Role }>`
            SELECT account_id, role FROM memberships WHERE person_id = ${personId} ORDER BY account_id`,
      ({ account_id, role }) => ({ personId, accountId: account_id, role }),
    ),
  setRole: (accountId, personId, role, at) =>
    changing(
      sql,
      Effect.gen(function* () {
        // The account's row is the lock of its members.
        yield* lockRow(sql, "accounts", accountId)
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
})

export const layer: Layer.Layer<PeopleStore, never, SqlClient.SqlClient> = Layer.effect(
  PeopleStore,
  Effect.map(Effect.all([SqlClient.SqlClient, PerAccount]), ([sql, most]) => ({
    invite: ({ person: invited, isOperator, accountId = "", role, invitedBy, createdAt, expiresAt }, codeHash) => {
      const open = sql`
        SELECT 1 FROM invitations WHERE account_id = ${accountId} AND used_at IS NULL AND expires_at > ${createdAt}
        LIMIT ${most}`
      const room = checkRoom(sql, accountId, most, "open invitations: wait until one is used or expires", open)
      return changing(
        sql,
        Effect.zipRight(
          room,
          sql`INSERT INTO invitations ${sql.insert({
            code_hash: codeHash,
            ...invited,
            is_operator: Number(isOperator),
            account_id: accountId || null,
            role,
            invited_by: invitedBy,
            created_at: createdAt,
            expires_at: expiresAt,
          })}`,
        ).pipe(Effect.asVoid),
      )
    },
    ...signInStore(sql),
    ...sessionsIn(sql),
    ...membersIn(sql),
    sweep: (at) =>
      mapStorageErrors(
        Effect.zipWith(
          sql`DELETE FROM invitations WHERE expires_at < ${at} RETURNING code_hash`,
          // The longest session lasts a week from its beginning.
          sql`DELETE FROM sessions WHERE created_at < ${at} AND (ended_at IS NOT NULL OR seen_at < ${at}) RETURNING id`,
          (invitations, ended) => invitations.length + ended.length,
        ),
      ),
  })),
)
