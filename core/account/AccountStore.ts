import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { BoundedCount } from "../BoundedCount.ts"
import type { Failure } from "../Failure.ts"
import type { Page } from "../Page.ts"
import { minute } from "../time.ts"
import type * as ApiKey from "./ApiKey.ts"
import type { MicroUsd } from "./Money.ts"
import type * as Tier from "./Tier.ts"

export interface Account {
  readonly id: string
  readonly name: string
  /** Tier and calls per minute of the keys that its owners make. */
  readonly tier: Tier.Tier
  readonly perMinute: number
  readonly createdAt: number
  /** When the operator suspended it: calls of all its keys are refused. Absent: it is not suspended. */
  readonly suspendedAt?: number
}

/** A key as it is stored; times are epoch milliseconds. */
export interface KeyRecord {
  readonly id: string
  readonly accountId: string
  readonly environment: ApiKey.Environment
  readonly tier: Tier.Tier
  readonly perMinute: number
  readonly lastFour: string
  /** The owner's name for the key; keys may share one. A rotated key passes it on. */
  readonly name?: string
  /** The agent whose caps and status apply to the key. */
  readonly agentId?: string
  /** Lanes that the key may call; absent: all. */
  readonly scopes?: ReadonlyArray<string>
  readonly createdAt: number
  /** The expiry that the key was created with. */
  readonly expiresAt?: number
  /** The end of the overlap with the key that replaced it. */
  readonly overlapEndsAt?: number
  /** Accurate to a minute. */
  readonly lastUsedAt?: number
  readonly revokedAt?: number
}

/** When a key expires, revoked or not; undefined: never. */
export const keyEndsAt = ({ expiresAt, overlapEndsAt }: KeyRecord): number | undefined =>
  expiresAt === undefined || overlapEndsAt === undefined
    ? (expiresAt ?? overlapEndsAt)
    : Math.min(expiresAt, overlapEndsAt)

/** Name and longest lifetime of the keys that the dashboard's playground makes. */
export const playground = { name: "playground", lifetimeMs: 30 * minute } as const

export interface KeyFilter extends Page {
  /** A part of a key's last characters, id, name, kind or agent's name. */
  readonly text?: string
  /** Those that may be used at `at`, or those that have ended; absent: both. */
  readonly open?: boolean
  readonly at: number
  readonly agentId?: string
  /** Keys that the service made for itself, of the playground and of alerts, or all others; absent: both. */
  readonly internal?: boolean
}

/** A `KeyFilter` as of now. */
export type KeyQuery = Omit<KeyFilter, "at">

export interface KeySummary {
  /** Those that may be used, without internal keys. */
  readonly open: BoundedCount
  /** Whether one was ever used. */
  readonly isUsed: boolean
}

/** One line of the journal: credits positive, charges and reversals negative. */
export interface Posting {
  /** The request id of a charge, the transaction id of a credit or a reversal. */
  readonly id: string
  readonly at: number
  readonly micros: number
  /** A reversal takes a credit back, such as after a dispute at the payment provider. */
  readonly kind: "credit" | "charge" | "reversal"

  readonly endpoint?: string
  /** The id of the credit that a reversal takes back. */
  readonly reverses?: string
  /** The payment provider of a credit, and its id of the payment. */
  readonly provider?: string
  readonly receipt?: string
}

/** `transactions`: credits and reversals, without the charges of calls. */
export type JournalPart = "transactions"

/** What came into a wallet from outside on a UTC day, or was taken back. */
export interface DayTransfers {
  /** The beginning of the day, epoch milliseconds. */
  readonly at: number
  readonly kind: "credit" | "reversal"
  readonly lines: number
  /** Of a reversal below 0. */
  readonly micros: number
}

export interface Reversal {
  /** Transaction id; one that is repeated with the same credit takes nothing more. */
  readonly id: string
  readonly accountId: string
  /** The id of a credit of the account. */
  readonly credit: string
  /** At most this; absent: all that is left of the credit. */
  readonly micros?: MicroUsd
  readonly at: number
}

export interface Reversed {
  /** Taken back by this reversal: never more than the balance. 0: nothing was written. */
  readonly taken: MicroUsd
  /** Not yet taken back of the credit. */
  readonly left: MicroUsd
  readonly balance: MicroUsd
}

/** Maximum of usable keys of an account, and as many agents and open invitations; each alert uses a key. */
export class PerAccount extends Context.Reference<PerAccount>()("market-signals/core/account/PerAccount", {
  defaultValue: (): number => 250,
}) {}

/** Write port behind `Accounts`. Every method is one short transaction. */
export class AccountStore extends Context.Tag("market-signals/core/account/AccountStore")<
  AccountStore,
  {
    /** False: the name is taken. */
    readonly insertAccount: (account: Account) => Effect.Effect<boolean, Failure>
    /** By id or by name. */
    readonly findAccount: (idOrName: string) => Effect.Effect<Account | undefined, Failure>
    /** Newest first. */
    readonly accounts: (page: Page) => Effect.Effect<ReadonlyArray<Account>, Failure>
    readonly setTier: (accountId: string, tier: Tier.Tier, perMinute: number) => Effect.Effect<void, Failure>
    /**
     * @param at when it was suspended; undefined resumes it
     * @returns false if nothing changed
     */
    readonly setSuspended: (accountId: string, at: number | undefined) => Effect.Effect<boolean, Failure>
    /** False: there is a key with this hash. */
    readonly insertKey: (key: KeyRecord, hash: string) => Effect.Effect<boolean, Failure>
    readonly findKey: (keyId: string) => Effect.Effect<KeyRecord | undefined, Failure>
    /**
     * Replaces a key by `next`. The old key stays valid until `overlapEndsAt` or its own expiry, whichever is earlier.
     * False: no such key, or it had expired before `next` was made; nothing written.
     */
    readonly replaceKey: (
      keyId: string,
      overlapEndsAt: number,
      next: KeyRecord,
      hash: string,
    ) => Effect.Effect<boolean, Failure>
    /** False: no such key, or already revoked. */
    readonly revokeKey: (keyId: string, at: number) => Effect.Effect<boolean, Failure>
    /** Newest first. */
    readonly keyPage: (accountId: string, filter: KeyFilter) => Effect.Effect<ReadonlyArray<KeyRecord>, Failure>
    /** The keys with these ids; ids of other accounts are ignored. */
    readonly keysNamed: (
      accountId: string,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<KeyRecord>, Failure>
    readonly keySummary: (accountId: string, at: number) => Effect.Effect<KeySummary, Failure>
    /** Undefined: the balance would not be a safe integer; nothing written. */
    readonly credit: (credit: {
      readonly id: string
      readonly accountId: string
      readonly micros: MicroUsd
      readonly at: number
    }) => Effect.Effect<MicroUsd | undefined, Failure>
    /** The balance below which a charge causes `wallet.low`; undefined: none. */
    readonly lowBalance: (accountId: string) => Effect.Effect<MicroUsd | undefined, Failure>
    /** @param micros above 0; undefined removes it */
    readonly setLowBalance: (accountId: string, micros: MicroUsd | undefined) => Effect.Effect<void, Failure>
    /** Undefined: the account has no such credit; nothing written. */
    readonly reverse: (reversal: Reversal) => Effect.Effect<Reversed | undefined, Failure>
    /**
     * Postings newest first, by the times in their ids.
     *
     * @param cursor id of a posting: only those after it in this order
     * @param part absent: all postings
     */
    readonly journal: (
      accountId: string,
      limit: number,
      cursor?: string,
      part?: JournalPart,
    ) => Effect.Effect<ReadonlyArray<Posting>, Failure>
    /** Sums of all credits and reversals by day, the oldest first. */
    readonly transfers: (accountId: string) => Effect.Effect<ReadonlyArray<DayTransfers>, Failure>
  }
>() {}
