import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Account } from "../account/AccountStore.ts"
import type { MicroUsd } from "../account/Money.ts"
import type { BoundedCount } from "../BoundedCount.ts"
import type { Delivery } from "../events/Webhook.ts"
import type { Failure } from "../Failure.ts"

interface AccountBalance {
  readonly account: Account
  readonly balance: MicroUsd
}

/** A delivery with its account; also of deleted webhooks. */
export interface Sent {
  readonly account: Pick<Account, "id" | "name">
  /** Of the webhook. */
  readonly url: string
  readonly delivery: Delivery
}

/** Deliveries of all accounts. Times are epoch milliseconds. */
export interface Deliveries {
  readonly pending: BoundedCount
  /** Number of webhooks with a pending delivery that has failed several times. */
  readonly failing: number
  /** When the first pending delivery of a webhook that is not paused is due; in the past if the worker is behind. */
  readonly dueAt?: number
  /** Ended since the requested time. */
  readonly ended: BoundedCount
  /** Those of them that are dead letters. */
  readonly dead: BoundedCount
  /** Accounts with most of the newest dead letters. */
  readonly deadByAccount: ReadonlyArray<{ readonly account: Pick<Account, "id" | "name">; readonly count: number }>
}

interface StoreFacts {
  /** Such as `SQLite 3.50.1`. */
  readonly server: string
  readonly schema: number
  readonly bytes: number
}

/** How many of the newest accounts are searched for a part of a name or id, for which there is no index. */
export const maxSearchedAccounts = 10_000

/** Reads for operators over all accounts. Each is bounded: none counts a table that calls write to. */
export class Installation extends Context.Tag("market-signals/core/operation/Installation")<
  Installation,
  {
    /**
     * Accounts, newest first.
     *
     * @param text a part of the id or of the name, among the newest `maxSearchedAccounts`, or the whole of one; empty: all
     * @param cursor id of an account: only older ones
     */
    readonly accounts: (
      text: string,
      limit: number,
      cursor?: string,
    ) => Effect.Effect<ReadonlyArray<AccountBalance>, Failure>
    /** @param since of the ended ones */
    readonly deliveries: (since: number) => Effect.Effect<Deliveries, Failure>
    /** The newest deliveries, or the newest dead letters. */
    readonly sent: (of: {
      readonly dead: boolean
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Sent>, Failure>
    readonly store: Effect.Effect<StoreFacts, Failure>
  }
>() {}
