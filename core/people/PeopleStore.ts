import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { type Failure, fail, invalid } from "../Failure.ts"
import type { Page } from "../Page.ts"
import type { Identity, Membership, Person, Role } from "./Person.ts"
import type { Session } from "./Session.ts"

/** The cursor is a person's id. */
export interface MemberFilter extends Page {
  readonly role?: Role
}

/** A code that lets one person in, once. */
export interface Invitation {
  /** For a new local person the subject is that of the link. */
  readonly person: Identity
  readonly isOperator: boolean
  /** Absent: an operator's link without an account. */
  readonly accountId?: string
  readonly role: Role
  /** Who made it: a person's id, or an operator's tool. */
  readonly invitedBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

export type NewSession = Pick<Session, "id" | "accountId" | "createdAt" | "address" | "browser"> & {
  readonly personId: string
}

/** A sign-in that went to the identity provider. */
export interface PendingSignIn {
  /** Hash of an invitation's code, which is used when the person comes back. */
  readonly codeHash?: string
  /** A path of ours. */
  readonly returnTo: string
  readonly expiresAt: number
}

export const badCode = invalid("code", "This link has expired or was already used. Ask for a new one.")

export const uninvited = fail("invalid_parameter", {
  detail: "You are not a member of an account here. Ask one of its owners for an invitation, and sign in with it.",
})

/** Write port behind `People`. Every method is one short transaction. */
export class PeopleStore extends Context.Tag("market-signals/core/people/PeopleStore")<
  PeopleStore,
  {
    readonly invite: (invitation: Invitation, codeHash: string) => Effect.Effect<void, Failure>
    /**
     * Uses an invitation, adds its person and membership, and begins a session, with lines in the log of changes: all or
     * nothing. An existing membership keeps the higher role.
     *
     * @returns false if no unused invitation has this code, or its time is over: nothing was written
     */
    readonly accept: (
      codeHash: string,
      newPersonId: string,
      session: Omit<NewSession, "personId" | "accountId">,
      tokenHash: string,
    ) => Effect.Effect<boolean, Failure>
    /** Stores a sign-in that has begun, and deletes expired ones. */
    readonly startSignIn: (signIn: PendingSignIn, tokenHash: string, now: number) => Effect.Effect<void, Failure>
    /** Takes a sign-in that has begun: of several calls at once one has it. Undefined: used, too old, or never made. */
    readonly takeSignIn: (tokenHash: string, now: number) => Effect.Effect<PendingSignIn | undefined, Failure>
    /**
     * Begins a session as in `People`, with lines in the log of changes. All or nothing: a refused person leaves no trace,
     * except that a change of the operator's role is stored in any case, and ends all of the person's other sessions.
     *
     * @param identity its `isOperator` is the provider's present statement
     * @param newAccountId of the account that anybody else gets; absent: they fail with `uninvited`
     */
    readonly signIn: (
      identity: Identity & { readonly isOperator: boolean },
      codeHash: string | undefined,
      newPersonId: string,
      newAccountId: string | undefined,
      session: Omit<NewSession, "personId" | "accountId">,
      tokenHash: string,
    ) => Effect.Effect<void, Failure>
    /** By the hash of its token; ended ones too. */
    readonly findSession: (tokenHash: string) => Effect.Effect<Session | undefined, Failure>
    readonly markSeen: (sessionId: string, at: number) => Effect.Effect<void, Failure>
    readonly showAccount: (sessionId: string, accountId: string) => Effect.Effect<void, Failure>
    /** False: the person has no such session, or it has ended. */
    readonly endSession: (personId: string, sessionId: string, at: number) => Effect.Effect<boolean, Failure>
    readonly endOthers: (
      personId: string,
      exceptSessionId: string | undefined,
      at: number,
    ) => Effect.Effect<void, Failure>
    /** Sessions of a person that have not ended, newest first. */
    readonly sessions: (personId: string) => Effect.Effect<ReadonlyArray<Session>, Failure>
    /** By the ids of the people, newest first. */
    readonly members: (
      accountId: string,
      filter: MemberFilter,
    ) => Effect.Effect<ReadonlyArray<{ readonly person: Person; readonly role: Role }>, Failure>
    readonly memberships: (personId: string) => Effect.Effect<ReadonlyArray<Membership>, Failure>
    /**
     * Sets or removes (`undefined`) a role, and ends the person's sessions in the account and the invitations to it that
     * the person has or made. Refuses to leave an account with people but without an owner.
     *
     * @returns "absent": no such member; "last owner": refused
     */
    readonly setRole: (
      accountId: string,
      personId: string,
      role: Role | undefined,
      at: number,
    ) => Effect.Effect<"done" | "absent" | "last owner", Failure>
    /** Deletes sessions and invitations that ended before `at`. */
    readonly sweep: (at: number) => Effect.Effect<number, Failure>
  }
>() {}
