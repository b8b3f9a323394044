import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Event } from "../events/Event.ts"
import type { Code, Failure } from "../Failure.ts"
import type { Alert } from "./Alert.ts"
import type { Change, Memory } from "./Watch.ts"

/** A crossing that is stored and not yet fired. */
export interface Pending {
  /** Epoch milliseconds at which it was seen. */
  readonly at: number
  readonly changes: ReadonlyArray<Change>
}

/** An alert as its runner knows it. */
export interface Watched extends Alert {
  /** SHA-256 of its key. */
  readonly keyHash: string
  readonly memory?: Memory
  /** Number of changes of the memory: a check that began before the last change writes nothing. */
  readonly version: number
  readonly pending?: Pending
}

/** Write port behind `Alerts` and its runner. Every method is one short transaction. */
export class AlertStore extends Context.Tag("market-signals/core/alerts/AlertStore")<
  AlertStore,
  {
    /** False: the account already has `limit` alerts. */
    readonly insert: (alert: Alert, keyHash: string, limit: number) => Effect.Effect<boolean, Failure>
    readonly find: (id: string) => Effect.Effect<Alert | undefined, Failure>
    /** Newest first. */
    readonly ofAccount: (accountId: string) => Effect.Effect<ReadonlyArray<Alert>, Failure>
    /** The active ones of all accounts. */
    readonly active: Effect.Effect<ReadonlyArray<Watched>, Failure>
    /**
     * Stores the result of a check: the memory, and a crossing if there is one. False, and nothing stored, if the alert has
     * changed since it was read, is not active, or has a crossing that is not fired.
     */
    readonly remember: (
      seen: Pick<Watched, "id" | "version">,
      memory: Memory,
      pending: Pending | undefined,
    ) => Effect.Effect<boolean, Failure>
    /** Ends a crossing with its event, and counts it, in one transaction; false if it has ended already. */
    readonly fire: (
      seen: Pick<Watched, "id" | "version" | "accountId">,
      event: Event,
    ) => Effect.Effect<boolean, Failure>
    /** Pauses or resumes; both forget memory and crossing. Only the runner gives a `reason`. */
    readonly setStatus: (id: string, status: Alert["status"], reason?: Code) => Effect.Effect<void, Failure>
    readonly remove: (id: string) => Effect.Effect<void, Failure>
    /** Events `alert.fired` of an account as they were sent, oldest first. */
    readonly fired: (
      accountId: string,
      since: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Event<"alert.fired">>, Failure>
  }
>() {}
