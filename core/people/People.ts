import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Accounts, checkName } from "../account/Accounts.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Ulid from "../account/Ulid.ts"
import { change, type Failure, fail, invalid, notFound } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import { day, minute } from "../time.ts"
import { badCode, type MemberFilter, type PendingSignIn, PeopleStore } from "./PeopleStore.ts"
import type { Identity, Person, Role } from "./Person.ts"
import { isOpen, type Session } from "./Session.ts"

/** How long a sign-in link of an operator can be used. */
export const signInLinkLifeMs = 10 * minute

/** How long an invitation to an account can be used. */
export const invitationLifeMs = 7 * day

/** How long a sign-in at the identity provider may take. */
export const pendingSignInMs = 10 * minute

/** The client with which a session begins. */
export interface Origin {
  readonly address?: string
  readonly browser?: string
}

/** A code that lets one person in, once. */
export interface Code {
  readonly code: Redacted.Redacted
  readonly expiresAt: number
}

export interface InvitationRequest {
  /** Id or name; absent: an operator without an account. */
  readonly account?: string
  /** Of the person: one name in one account is one person, and an operator's is one everywhere. */
  readonly name: string
  readonly role: Role
  readonly isOperator: boolean
  /** Who invites: a person's id, or an operator's tool. */
  readonly invitedBy: string
  readonly lifeMs: number
}

export class People extends Context.Tag("market-signals/core/people/People")<
  People,
  {
    readonly invite: (request: InvitationRequest) => Effect.Effect<Code, Failure>
    /** Uses a code up and begins a session. The token goes into the browser's cookie, and nowhere else. */
    readonly acceptInvitation: (code: string, origin: Origin) => Effect.Effect<Redacted.Redacted, Failure>
    /**
     * Stores a sign-in that begins at the identity provider.
     *
     * @param code of an invitation to an account
     * @returns a token for the browser's cookie
     */
    readonly startSignIn: (returnTo: string, code?: string) => Effect.Effect<Redacted.Redacted, Failure>
    /** Returns the sign-in that `startSignIn` stored, once. */
    readonly takeSignIn: (token: string) => Effect.Effect<PendingSignIn, Failure>
    /**
     * Begins a session of a person whom the identity provider knows: a member, an operator, or one with an invitation.
     *
     * @param isOpen whether anybody else may register, with a new account
     */
    readonly signIn: (
      identity: Identity & { readonly isOperator: boolean },
      codeHash: string | undefined,
      isOpen: boolean,
      origin: Origin,
    ) => Effect.Effect<Redacted.Redacted, Failure>
    /**
     * The open session of a token; undefined: unknown, ended, idle for too long or too old, or of a person without a role
     * in its account.
     */
    readonly session: (token: string) => Effect.Effect<Session | undefined, Failure>
    /** Like `session`, but it does not count as use: an open page that polls does not keep a session alive. */
    readonly peekSession: (token: string) => Effect.Effect<Session | undefined, Failure>
    /** Changes the account that a session shows: an operator's to any, a member's to one of their own. */
    readonly showAccount: (session: Session, account: string) => Effect.Effect<void, Failure>
    /** The open sessions of a person, newest first. */
    readonly sessions: (personId: string) => Effect.Effect<ReadonlyArray<Session>, Failure>
    readonly endSession: (personId: string, sessionId: string) => Effect.Effect<void, Failure>
    readonly endOthers: (personId: string, exceptSessionId?: string) => Effect.Effect<void, Failure>
    /** The members of an account, the newest people first. */
    readonly members: (
      account: string,
      filter: MemberFilter,
    ) => Effect.Effect<ReadonlyArray<{ readonly person: Person; readonly role: Role }>, Failure>
    readonly accountsOf: (
      personId: string,
    ) => Effect.Effect<ReadonlyArray<{ readonly accountId: string; readonly role: Role }>, Failure>
    /** Changes a member's role; undefined: removes the member, and webhooks to its address. It fails for an account's last owner. */
    readonly setRole: (account: string, personId: string, role: Role | undefined) => Effect.Effect<void, Failure>
  }
>() {
  static readonly layer: Layer.Layer<People, never, Accounts | PeopleStore | PlatformCrypto> = Layer.suspend(
    () => layer,
  )
}

/** Restores a code as it was made: separators and letters that look like digits are tolerated. */
const normaliseCode = (code: string): string =>
  code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1")

/** Splits a code into groups, so that people can copy it. */
const groupCode = (code: string): string => code.match(/.{4}/g)!.join("-")

const noSuchSession = notFound("There is no such open session.", change("session", "Use the id of a listed session."))

const lateSignIn = fail("invalid_parameter", {
  detail: "This sign-in was finished before, took longer than 10 minutes, or began in another browser. Begin it again.",
})

const signIns = Effect.gen(function* () {
  const accounts = yield* Accounts
  const store = yield* PeopleStore
  const { randomBytes, sha256 } = yield* PlatformCrypto
  const newId = Ulid.makeNewId(randomBytes)

  return {
    invite: Effect.fn("People.invite")(function* ({ account, name, role, isOperator, invitedBy, lifeMs }) {
      yield* checkName(name)
      if (account === undefined && !isOperator)
        return yield* invalid("account", "Name an account, or make the person an operator.")
      const accountId = account === undefined ? undefined : (yield* accounts.get(account)).id
      const createdAt = yield* Clock.currentTimeMillis
      // 80 random bits in 16 characters.
      const code = Ulid.encode(0, yield* randomBytes(10)).slice(-16)
      const expiresAt = createdAt + lifeMs
      // An operator is the same person in every account.
      const subject = `${isOperator ? "operator" : accountId}/${name}`
      const person = { issuer: "local", subject, name }
      yield* store.invite(
        { person, isOperator, role, invitedBy, createdAt, expiresAt, ...ifDefined("accountId", accountId) },
        yield* sha256(code),
      )
      return { code: Redacted.make(groupCode(code)), expiresAt }
    }),
    acceptInvitation: Effect.fn("People.acceptInvitation")(function* (code, origin) {
      const createdAt = yield* Clock.currentTimeMillis
      const token = Encoding.encodeHex(yield* randomBytes(32))
      const entered = yield* store.accept(
        yield* sha256(normaliseCode(code)),
        yield* newId("psn", createdAt),
        { id: yield* newId("ses", createdAt), createdAt, ...origin },
        yield* sha256(token),
      )
      if (!entered) return yield* badCode
      return Redacted.make(token)
    }),
    startSignIn: Effect.fn("People.startSignIn")(function* (returnTo, code) {
      const now = yield* Clock.currentTimeMillis
      const token = Encoding.encodeHex(yield* randomBytes(32))
      const codeHash = code === undefined ? {} : { codeHash: yield* sha256(normaliseCode(code)) }
      yield* store.startSignIn({ returnTo, expiresAt: now + pendingSignInMs, ...codeHash }, yield* sha256(token), now)
      return Redacted.make(token)
    }),
    takeSignIn: Effect.fn("People.takeSignIn")(function* (token) {
      const session = yield* store.takeSignIn(yield* sha256(token), yield* Clock.currentTimeMillis)
      if (session === undefined) return yield* lateSignIn
      return session
    }),
    signIn: Effect.fn("People.signIn")(function* (identity, codeHash, isOpen, origin) {
      const createdAt = yield* Clock.currentTimeMillis
      const token = Encoding.encodeHex(yield* randomBytes(32))
      yield* store.signIn(
        identity,
        codeHash,
        yield* newId("psn", createdAt),
        isOpen ? yield* newId("acct", createdAt) : undefined,
        { id: yield* newId("ses", createdAt), createdAt, ...origin },
        yield* sha256(token),
      )
      return Redacted.make(token)
    }),
  } satisfies Partial<People["Type"]>
})

const sessions = Effect.gen(function* () {
  const accounts = yield* Accounts
  const store = yield* PeopleStore
  const { sha256 } = yield* PlatformCrypto

  const peekSession = Effect.fn("People.peekSession")(function* (token: string) {
    const session = yield* store.findSession(yield* sha256(token))
    if (session === undefined || !isOpen(session, yield* Clock.currentTimeMillis)) return undefined
    // A person who lost the last role may see nothing.
    return session.role === undefined && !session.person.isOperator ? undefined : session
  })

  return {
    session: Effect.fn("People.session")(function* (token) {
      const session = yield* peekSession(token)
      const now = yield* Clock.currentTimeMillis
      if (session === undefined || now - session.seenAt < minute) return session
      // A store that cannot be written can still be read: the session only ends sooner.
      return yield* Effect.matchEffect(store.markSeen(session.id, now), {
        onSuccess: () => Effect.succeed({ ...session, seenAt: now }),
        onFailure: (failure) => Effect.as(Effect.logWarning("A session's use is not stored", failure), session),
      })
    }),
    peekSession,
    showAccount: Effect.fn("People.showAccount")(function* ({ id, person }, account) {
      const memberships = yield* store.memberships(person.id)
      const isOwn = memberships.some(({ accountId }) => accountId === account)
      if (!isOwn && !person.isOperator) {
        return yield* fail("not_found", { detail: "There is no such account." })
      }
      yield* store.showAccount(id, isOwn ? account : (yield* accounts.get(account)).id)
    }),
    sessions: (personId) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(store.sessions(personId), (all) => all.filter((each) => isOpen(each, now))),
      ),
    endSession: Effect.fn("People.endSession")(function* (personId, sessionId) {
      const ended = yield* store.endSession(personId, sessionId, yield* Clock.currentTimeMillis)
      if (!ended) return yield* noSuchSession
    }),
    endOthers: Effect.fn("People.endOthers")(function* (personId, kept) {
      yield* store.endOthers(personId, kept, yield* Clock.currentTimeMillis)
    }),
  } satisfies Partial<People["Type"]>
})

const members = Effect.gen(function* () {
  const accounts = yield* Accounts
  const store = yield* PeopleStore
  return {
    members: (account, filter) => Effect.flatMap(accounts.get(account), ({ id }) => store.members(id, filter)),
    accountsOf: store.memberships,
    setRole: Effect.fn("People.setRole")(function* (account, personId, role) {
      const { id } = yield* accounts.get(account)
      const done = yield* store.setRole(id, personId, role, yield* Clock.currentTimeMillis)
      if (done === "absent") {
        return yield* notFound("The account has no such member.", change("person", "Use the id of a listed member."))
      }
      if (done === "last owner") {
        return yield* invalid("person", "An account keeps at least one owner. Make somebody else an owner first.")
      }
    }),
  } satisfies Partial<People["Type"]>
})

const layer = Layer.effect(
  People,
  Effect.map(Effect.all([signIns, sessions, members]), ([entry, session, member]) =>
    People.of({ ...entry, ...session, ...member }),
  ),
)
