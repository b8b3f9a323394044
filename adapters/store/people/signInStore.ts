import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import {
  badCode,
  type Departure,
  type NewSession,
  type PeopleStore,
  uninvited,
} from "../../../core/people/PeopleStore.ts"
import type { Role } from "../../../core/people/Person.ts"
import { limits, mostLogged, mostOpen } from "../../../core/people/Session.ts"
import { day } from "../../../core/time.ts"
import { append } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { lockRow } from "../engine/locks.ts"
import { firstAs, inTransaction, mapStorageErrors } from "../engine/storage.ts"

/** Ended sessions of a person that are kept, the newest: more than are logged of a day. */
const mostKept = 2 * mostLogged

interface InvitationRow {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly is_operator: number
  readonly account_id: string | null
  readonly role: Role
}

/** Somebody who is with the provider. */
const away = columns<Departure>()(["codeHash", "returnTo", "expiresAt"])

type Beginning = Omit<NewSession, "personId" | "accountId">

/** Writes a line of the log whose author is the person who comes. */
const note = (
  sql: SqlClient.SqlClient,
  { id, createdAt, address }: Beginning,
  personId: string,
  verb: string,
  subject: string,
  accountId: string | undefined,
): Effect.Effect<void, Failure | SqlError> =>
  append(sql, {
    at: createdAt,
    who: personId,
    sessionId: id,
    verb,
    subject,
    ...(address === undefined ? {} : { address }),
    ...(accountId === undefined ? {} : { accountId }),
  })

/** Makes somebody a member; who is one already keeps the higher role. */
const join = (sql: SqlClient.SqlClient, session: Beginning, personId: string, accountId: string, role: Role) =>
  Effect.gen(function* () {
    const [before] = yield* sql<{ role: Role }>`
        SELECT role FROM memberships WHERE account_id = ${accountId} AND person_id = ${personId}`
    yield* sql`
        INSERT INTO memberships ${sql.insert({ account_id: accountId, person_id: personId, role })}
        ON CONFLICT (account_id, person_id) DO UPDATE SET
          role = CASE WHEN memberships.role = 'owner' THEN 'owner' ELSE excluded.role END`
    const isNew = before === undefined || (before.role === "viewer" && role === "owner")
    if (isNew) yield* note(sql, session, personId, "people_join", personId, accountId)
  })

/** Leaves room for one more open session. Rows of the surplus that ended are not kept for the usual days. */
const endOldest = (sql: SqlClient.SqlClient, personId: string, now: number) =>
  Effect.gen(function* () {
    const [person] = yield* sql<{ is_operator: number }>`SELECT is_operator FROM persons WHERE id = ${personId}`
    const { idle, total } = limits[person!.is_operator === 1 ? "operator" : "member"]
    yield* sql`
        UPDATE sessions SET ended_at = ${now} WHERE id IN (
          SELECT id FROM sessions
          WHERE person_id = ${personId} AND ended_at IS NULL
            AND seen_at > ${now - idle} AND created_at > ${now - total}
          ORDER BY created_at DESC, id DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${mostOpen - 1})`
    yield* sql`
        DELETE FROM sessions WHERE id IN (
          SELECT id FROM sessions WHERE person_id = ${personId} AND ended_at IS NOT NULL
          ORDER BY created_at DESC, id DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${mostKept})`
  })

const begin = (
  sql: SqlClient.SqlClient,
  session: Beginning,
  personId: string,
  accountId: string | undefined,
  tokenHash: string,
) =>
  Effect.gen(function* () {
    const { id, createdAt, address, browser } = session
    // Two sign-ins of a person at once count each other's sessions.
    yield* lockRow(sql, "persons", personId)
    yield* endOldest(sql, personId, createdAt)
    const today = createdAt - (createdAt % day)
    const [before] = yield* sql<{ n: number }>`
        SELECT count(*) AS n FROM sessions WHERE person_id = ${personId} AND created_at >= ${today}`
    yield* sql`INSERT INTO sessions ${sql.insert({
      id,
      token_hash: tokenHash,
      person_id: personId,
      account_id: accountId ?? null,
      created_at: createdAt,
      seen_at: createdAt,
      address: address ?? null,
      browser: browser ?? null,
    })}`
    if (Number(before!.n) < mostLogged) yield* note(sql, session, personId, "sign_in", id, accountId)
  })

/**
 * An operator is who the provider says, whatever becomes of this sign-in. A change ends the person's sessions, and the
 * invitations of somebody who is none any more.
 */
const turnOperator = (
  sql: SqlClient.SqlClient,
  issuer: string,
  subject: string,
  isOperator: boolean,
  session: Beginning,
) =>
  inTransaction(
    sql,
    Effect.gen(function* () {
      const { createdAt: now } = session
      const [turned] = yield* sql<{ id: string }>`
          UPDATE persons SET is_operator = ${Number(isOperator)}
          WHERE issuer = ${issuer} AND subject = ${subject} AND is_operator <> ${Number(isOperator)} RETURNING id`
      if (turned === undefined) return
      yield* sql`UPDATE sessions SET ended_at = ${now} WHERE person_id = ${turned.id} AND ended_at IS NULL`
      if (!isOperator) {
        yield* sql`UPDATE invitations SET used_at = ${now} WHERE invited_by = ${turned.id} AND used_at IS NULL`
      }
      yield* note(sql, session, turned.id, isOperator ? "operator_begin" : "operator_end", turned.id, undefined)
    }),
  )

const signIn =
  (sql: SqlClient.SqlClient): PeopleStore["Type"]["signIn"] =>
  ({ issuer, subject, name, isOperator }, codeHash, newPersonId, newAccountId, session, tokenHash) =>
    Effect.zipRight(
      turnOperator(sql, issuer, subject, isOperator, session),
      inTransaction(
        sql,
        Effect.gen(function* () {
          const now = session.createdAt
          const [person] = yield* sql<{ id: string }>`
              INSERT INTO persons ${sql.insert({
                id: newPersonId,
                issuer,
                subject,
                name,
                is_operator: Number(isOperator),
                created_at: now,
              })}
              ON CONFLICT (issuer, subject) DO UPDATE SET name = excluded.name, is_operator = excluded.is_operator
              RETURNING id`
          const personId = person!.id
          // A link for operators is of no use here: the provider says who is one.
          const [invited] =
            codeHash === undefined
              ? []
              : yield* sql<{ account_id: string; role: Role }>`
                    UPDATE invitations SET used_at = ${now}
                    WHERE code_hash = ${codeHash} AND used_at IS NULL AND expires_at > ${now}
                      AND is_operator = 0 AND account_id IS NOT NULL
                    RETURNING account_id, role`
          if (codeHash !== undefined && invited === undefined) return yield* badCode
          if (invited !== undefined) yield* join(sql, session, personId, invited.account_id, invited.role)
          const [first] = yield* sql<{ account_id: string }>`
              SELECT account_id FROM memberships WHERE person_id = ${personId} ORDER BY account_id LIMIT 1`
          let accountId = invited?.account_id ?? first?.account_id
          if (accountId === undefined && !isOperator) {
            if (newAccountId === undefined) return yield* uninvited
            accountId = newAccountId
            const account = { id: accountId, name: `account-${accountId.slice(-12).toLowerCase()}`, created_at: now }
            yield* sql`INSERT INTO accounts ${sql.insert(account)}`
            yield* sql`INSERT INTO wallets ${sql.insert({ account_id: accountId, balance_micros: 0 })}`
            yield* note(sql, session, personId, "accounts_create", account.name, accountId)
            yield* join(sql, session, personId, accountId, "owner")
          }
          yield* begin(sql, session, personId, accountId, tokenHash)
        }),
      ),
    )

/** How people come: by a code, or from an identity provider. Both leave lines in the log of changes. */
export const signInStore = (
  sql: SqlClient.SqlClient,
): Pick<PeopleStore["Type"], "accept" | "depart" | "comeBack" | "signIn"> => ({
  accept: (codeHash, newPersonId, session, tokenHash) =>
    inTransaction(
      sql,
      Effect.gen(function* () {
        const now = session.createdAt
        const [used] = yield* sql<InvitationRow>`
            UPDATE invitations SET used_at = ${now}
            WHERE code_hash = ${codeHash} AND used_at IS NULL AND expires_at > ${now}
            RETURNING issuer, subject, name, is_operator, account_id, role`
        if (used === undefined) return false
        const { account_id: accountId, role, is_operator, ...identity } = used
        const [person] = yield* sql<{ id: string }>`
            INSERT INTO persons ${sql.insert({ id: newPersonId, ...identity, is_operator, created_at: now })}
            ON CONFLICT (issuer, subject) DO UPDATE SET
              name = excluded.name,
              is_operator = CASE WHEN persons.is_operator = 1 THEN 1 ELSE excluded.is_operator END
            RETURNING id`
        if (accountId !== null && is_operator === 0) yield* join(sql, session, person!.id, accountId, role)
        yield* begin(sql, session, person!.id, accountId ?? undefined, tokenHash)
        return true
      }),
    ),
  depart: (sent, tokenHash, now) =>
    mapStorageErrors(
      Effect.zipRight(
        sql`DELETE FROM sign_ins WHERE expires_at <= ${now}`,
        Effect.asVoid(sql`INSERT INTO sign_ins ${sql.insert({ token_hash: tokenHash, ...away.toRow(sent) })}`),
      ),
    ),
  comeBack: (tokenHash, now) =>
    firstAs(
      sql<RowOf<typeof away>>`
          DELETE FROM sign_ins WHERE token_hash = ${tokenHash} AND expires_at > ${now}
          RETURNING code_hash, return_to, expires_at`,
      away.fromRow,
    ),
  signIn: signIn(sql),
})
