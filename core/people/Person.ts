/** Role of a person in an account: a viewer reads; an owner also changes keys, agents, webhooks and people. */
export const roles = ["viewer", "owner"] as const
export type Role = (typeof roles)[number]

/** Somebody who signs in. `issuer` and `subject` identify a person; a name or an e-mail address never does. */
export interface Person {
  readonly id: string
  /** The identity provider's URL; `local` for those who came by a link. */
  readonly issuer: string
  readonly subject: string
  readonly name: string
  /** May do everything in every account. */
  readonly isOperator: boolean
  readonly createdAt: number
  /** Verified by the provider, which is asked for it where the service sends e-mail. */
  readonly email?: string
}

export interface Membership {
  readonly personId: string
  readonly accountId: string
  readonly role: Role
}

/** A person's identity at an identity provider. */
export type Identity = Pick<Person, "issuer" | "subject" | "name" | "email">
