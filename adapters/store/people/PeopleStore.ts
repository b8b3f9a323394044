import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PerAccount } from "../../../core/account/AccountStore.ts"
import type { Failure } from "../../../core/Failure.ts"
import {
  badCode,
  type NewSession,
  type PendingSignIn,
  PeopleStore,
  uninvited,
} from "../../../core/people/PeopleStore.ts"
import type { Person, Role } from "../../../core/people/Person.ts"
import { maxLoggedSignIns, maxOpenSessions, type Session, sessionLimits } from "../../../core/people/Session.ts"
import { day } from "../../../core/time.ts"
import { remove as removeWebhook } from "../account/webhooks.ts"
import { appendLine, runChange } from "../engine/changes.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { checkRoom, lockRow } from "../engine/locks.ts"
import { hasWritten, inTransaction, mapStorageErrors, readAll, readFirst } from "../engine/storage.ts"

/** Number of a person's newest ended sessions that are kept: more than a day's that are logged. */
const maxEndedSessions = 2 * maxLoggedSignIns

interface InvitationRow {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly is_operator: number
  readonly account_id: string | null
  readonly role: Role
}

/** A sign-in that is under way at the identity provider. */
const pendingSignIn = columns<PendingSignIn>()(["codeHash", "returnTo", "expiresAt"])

type NewOwnSession = Omit<NewSession, "personId" | "accountId">

/** Writes a line of the log, by the person who signs in. */
const logChange = (
  sql: SqlClient.SqlClient,
  { id, createdAt, address }: NewOwnSession,
  personId: string,
  verb: string,
  subject: string,
  accountId: string | undefined,
): Effect.Effect<void, Failure | SqlError> =>
  appendLine(sql, {
    at: createdAt,
    who: personId,
    sessionId: id,
    verb,
    subject,
    ...(address === undefined ? {} : { address }),
    ...(accountId === undefined ? {} : { accountId }),
  })

/** Makes a person a member. An existing member keeps the higher role. */
const join = (sql: SqlClient.SqlClient, session: NewOwnSession, personId: string, accountId: string, role: Role) =>
  Effect.gen(function* () {
    const [before] = yield* sql<{ role: Role }>`
        SELECT role FROM memberships WHERE account_id = ${accountId} AND person_id = ${personId}`
    yield* sql`
        INSERT INTO memberships ${sql.insert({ account_id: accountId, person_id: personId, role })}
        ON CONFLICT (account_id, person_id) DO UPDATE SET
          role = CASE WHEN memberships.role = 'owner' THEN 'owner' ELSE excluded.role END`
    const isNew = before === undefined || (before.role === "viewer" && role === "owner")
    if (isNew) yield* logChange(sql, session, personId, "people_join", personId, accountId)
  })

/** Ends the oldest sessions, to make room for one more, and deletes ended ones beyond the number that is kept. */
const endOldest = (sql: SqlClient.SqlClient, personId: string, now: number) =>
  Effect.gen(function* () {
    const [person] = yield* sql<{ is_operator: number }>`SELECT is_operator FROM persons WHERE id = ${personId}`
    const { idle, total } = sessionLimits[person!.is_operator === 1 ? "operator" : "member"]
    yield* sql`
        UPDATE sessions SET ended_at = ${now} WHERE id IN (
          SELECT id FROM sessions
          WHERE person_id = ${personId} AND ended_at IS NULL
            AND seen_at > ${now - idle} AND created_at > ${now - total}
          ORDER BY created_at DESC, id DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${maxOpenSessions - 1})`
    yield* sql`
        DELETE FROM sessions WHERE id IN (
          SELECT id FROM sessions WHERE person_id = ${personId} AND ended_at IS NOT NULL
          ORDER BY created_at DESC, id DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${maxEndedSessions})`
  })

const beginSession = (
  sql: SqlClient.SqlClient,
  session: NewOwnSession,
  personId: string,
  accountId: string | undefined,
  tokenHash: string,
) =>
  Effect.gen(function* () {
    const { id, createdAt, address, browser } = session
    // The lock makes two simultaneous sign-ins of a person count each other's sessions.
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
    if (Number(before!.n) < maxLoggedSignIns) yield* logChange(sql, session, personId, "sign_in", id, accountId)
  })

/**
 * Stores the operator's role as the provider states it, whether or not the sign-in then succeeds. A change ends the person's
 * sessions; with the role, the invitations that the person made end too.
 */
const updateOperator = (
  sql: SqlClient.SqlClient,
  issuer: string,
  subject: string,
  isOperator: boolean,
  session: NewOwnSession,
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
      yield* logChange(sql, session, turned.id, isOperator ? "operator_begin" : "operator_end", turned.id, undefined)
    }),
  )

const signIn =
  (sql: SqlClient.SqlClient): PeopleStore["Type"]["signIn"] =>
  ({ issuer, subject, name, isOperator, email = null }, codeHash, newPersonId, newAccountId, session, tokenHash) =>
    Effect.zipRight(
      updateOperator(sql, issuer, subject, isOperator, session),
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
                email,
              })}
              ON CONFLICT (issuer, subject) DO UPDATE SET
                name = excluded.name, is_operator = excluded.is_operator, email = excluded.email
              RETURNING id`
          const personId = person!.id
          // Operators' links do not count here: the provider states who is an operator.
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
            yield* logChange(sql, session, personId, "accounts_create", account.name, accountId)
            yield* join(sql, session, personId, accountId, "owner")
          }
          yield* beginSession(sql, session, personId, accountId, tokenHash)
        }),
      ),
    )

/** Sign-in by a code or at an identity provider. Both write lines in the log of changes. */
const makeSignIns = (
  sql: SqlClient.SqlClient,
): Pick<PeopleStore["Type"], "accept" | "startSignIn" | "takeSignIn" | "signIn"> => ({
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
        yield* beginSession(sql, session, person!.id, accountId ?? undefined, tokenHash)
        return true
      }),
    ),
  startSignIn: (sent, tokenHash, now) =>
    mapStorageErrors(
      Effect.zipRight(
        sql`DELETE FROM sign_ins WHERE expires_at <= ${now}`,
        Effect.asVoid(sql`INSERT INTO sign_ins ${sql.insert({ token_hash: tokenHash, ...pendingSignIn.toRow(sent) })}`),
      ),
    ),
  takeSignIn: (tokenHash, now) =>
    readFirst(
      sql<RowOf<typeof pendingSignIn>>`
          DELETE FROM sign_ins WHERE token_hash = ${tokenHash} AND expires_at > ${now}
          RETURNING code_hash, return_to, expires_at`,
      pendingSignIn.fromRow,
    ),
  signIn: signIn(sql),
})

const person = columns<Person>()(["id", "issuer", "subject", "name", "isOperator", "createdAt", "email"], {
  own: { id: "person_id", createdAt: "person_created_at" },
  flags: ["isOperator"],
})
const session = columns<Session>()(["id", "createdAt", "seenAt", "accountId", "role", "endedAt", "address", "browser"])

type PersonRow = RowOf<typeof person>
type SessionRow = PersonRow & RowOf<typeof session>

const sessionFromRow = (row: SessionRow): Session => ({ ...session.fromRow(row), person: person.fromRow(row) })

const personColumns =
  "p.id AS person_id, p.issuer, p.subject, p.name, p.is_operator, p.created_at AS person_created_at, p.email"

const selectPerson = (sql: SqlClient.SqlClient) => sql.literal(personColumns)

const makeSessions = (
  sql: SqlClient.SqlClient,
): Pick<PeopleStore["Type"], "findSession" | "markSeen" | "showAccount" | "endSession" | "endOthers" | "sessions"> => {
  const sessions = sql`
      SELECT s.id, s.account_id, m.role, s.created_at, s.seen_at, s.ended_at, s.address, s.browser, ${selectPerson(sql)}
      FROM sessions s JOIN persons p ON p.id = s.person_id
      LEFT JOIN memberships m ON m.account_id = s.account_id AND m.person_id = s.person_id`

  return {
    findSession: (tokenHash) =>
      readFirst(sql<SessionRow>`${sessions} WHERE s.token_hash = ${tokenHash}`, sessionFromRow),
    markSeen: (sessionId, at) =>
      mapStorageErrors(Effect.asVoid(sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${sessionId}`)),
    showAccount: (sessionId, accountId) =>
      runChange(sql, Effect.asVoid(sql`UPDATE sessions SET account_id = ${accountId} WHERE id = ${sessionId}`)),
    endSession: (personId, sessionId, at) =>
      runChange(
        sql,
        hasWritten(sql`
            UPDATE sessions SET ended_at = ${at}
            WHERE id = ${sessionId} AND person_id = ${personId} AND ended_at IS NULL RETURNING id`),
      ),
    endOthers: (personId, kept, at) =>
      runChange(
        sql,
        Effect.asVoid(sql`
            UPDATE sessions SET ended_at = ${at}
            WHERE person_id = ${personId} AND ended_at IS NULL AND id <> ${kept ?? ""}`),
      ),
    sessions: (personId) =>
      readAll(
        sql<SessionRow>`
            ${sessions} WHERE s.person_id = ${personId} AND s.ended_at IS NULL ORDER BY s.created_at DESC, s.id DESC`,
        sessionFromRow,
      ),
  }
}

const makeMembers = (sql: SqlClient.SqlClient): Pick<PeopleStore["Type"], "members" | "memberships" | "setRole"> => ({
  members: (accountId, { role, cursor, limit }) =>
    readAll(
      sql<PersonRow & { readonly role: Role }>`
            SELECT m.role, ${selectPerson(sql)} FROM memberships m JOIN persons p ON p.id = m.person_id
            WHERE m.account_id = ${accountId} ${cursor === undefined ? sql`` : sql`AND m.person_id < ${cursor}`}
            ${role === undefined ? sql`` : sql`AND m.role = ${role}`}
            ORDER BY m.person_id DESC LIMIT ${limit}`,
      (row) => ({ person: person.fromRow(row), role: row.role }),
    ),
  memberships: (personId) =>
    readAll(
      sql<{ account_id: string; role: Role }>`
            SELECT account_id, role FROM memberships WHERE person_id = ${personId} ORDER BY account_id`,
      ({ account_id, role }) => ({ personId, accountId: account_id, role }),
    ),
  setRole: (accountId, personId, role, at) =>
    runChange(
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
        if (role === undefined) {
          // A former member gets no more mail about the account's events.
          const mails = yield* sql<{ id: string }>`
                SELECT w.id FROM webhooks w JOIN persons p ON w.url = 'mailto:' || p.email
                WHERE p.id = ${personId} AND w.account_id = ${accountId} AND w.status <> 'deleted' ORDER BY w.id`
          for (const { id } of mails) yield* removeWebhook(sql, id, at)
        }
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
      return runChange(
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
    ...makeSignIns(sql),
    ...makeSessions(sql),
    ...makeMembers(sql),
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
