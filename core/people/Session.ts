import { day, hour, minute } from "../time.ts"
import type { Person, Role } from "./Person.ts"

/** A signed-in browser. Times are epoch milliseconds. */
export interface Session {
  readonly id: string
  readonly person: Person
  /** The account that the pages show; absent: an operator without one. */
  readonly accountId?: string
  /** The person's role in the account, as it is now; absent: none, and only an operator may go on. */
  readonly role?: Role
  readonly createdAt: number
  /** Accurate to a minute. */
  readonly seenAt: number
  /** When somebody ended it, such as by signing out. */
  readonly endedAt?: number
  /** The address and the browser that it began with. */
  readonly address?: string
  readonly browser?: string
}

/** Longest time without a request, and in total, milliseconds. Operators' sessions are shorter. */
export const sessionLimits = {
  member: { idle: 12 * hour, total: 7 * day },
  operator: { idle: 30 * minute, total: 12 * hour },
} as const

/** Maximum number of open sessions of a person; another sign-in ends the oldest. */
export const maxOpenSessions = 20

/** Sign-ins of a person and UTC day that have a line in the log of changes. Later ones are in the list of sessions alone. */
export const maxLoggedSignIns = 50

/** When a session ends unless it is used again. */
export const sessionEnd = ({ person, createdAt, seenAt }: Pick<Session, "person" | "createdAt" | "seenAt">): number => {
  const { idle, total } = sessionLimits[person.isOperator ? "operator" : "member"]
  return Math.min(seenAt + idle, createdAt + total)
}

export const isOpen = (session: Session, now: number): boolean =>
  session.endedAt === undefined && now < sessionEnd(session)
