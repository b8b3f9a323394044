import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Audit } from "./Ledger.ts"

/** A UTC month of the audit trail. */
export interface AuditMonth {
  /** YYYY-MM. */
  readonly month: string
  readonly rows: number
  /** When all of its rows were exported, epoch milliseconds; absent while some were not. */
  readonly exportedAt?: number
}

/** The audit trail of all accounts, by months: for export, and to be dropped when it is old. */
export class AuditTrail extends Context.Tag("core/account/AuditTrail")<
  AuditTrail,
  {
    readonly months: Effect.Effect<ReadonlyArray<AuditMonth>, Failure>
    /**
     * Rows of a month in the order of their writing.
     *
     * @param after the number of the last row that was read; 0: from the beginning
     */
    readonly page: (
      month: string,
      after: number,
      limit: number,
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<Audit>; readonly next?: number }, Failure>
    /** Notes that a month that is over was exported; fails unless it has as many rows. */
    readonly exported: (month: string, rows: number) => Effect.Effect<AuditMonth, Failure>
    /**
     * Drops a month, neither this one nor the one before, that was exported as it is now.
     *
     * @param force also one that was not exported
     * @returns what was dropped
     */
    readonly drop: (month: string, force: boolean) => Effect.Effect<AuditMonth, Failure>
    /** Drops every month that is older than so many, exported or not, and goes on with what was broken off. */
    readonly keep: (months: number) => Effect.Effect<ReadonlyArray<AuditMonth>, Failure>
  }
>() {}
