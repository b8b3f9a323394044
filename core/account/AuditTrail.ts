import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Audit } from "./Ledger.ts"

export interface AuditMonth {
  /** YYYY-MM, UTC. */
  readonly month: string
  readonly rows: number
  /** When all its rows were exported, epoch milliseconds; absent while some were not. */
  readonly exportedAt?: number
}

/** The audit trail of all accounts by month, for export and for deletion of old months. */
export class AuditTrail extends Context.Tag("market-signals/core/account/AuditTrail")<
  AuditTrail,
  {
    readonly months: Effect.Effect<ReadonlyArray<AuditMonth>, Failure>
    /**
     * Rows of a month in the order of writing.
     *
     * @param after the number of the last row read; 0: from the beginning
     */
    readonly page: (
      month: string,
      after: number,
      limit: number,
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<Audit>; readonly next?: number }, Failure>
    /** Marks a past month as exported; fails unless it has this number of rows. */
    readonly markExported: (month: string, rows: number) => Effect.Effect<AuditMonth, Failure>
    /**
     * Drops a month that was exported in its present state; never the current or the previous month.
     *
     * @param force drop it even if it was not exported
     * @returns the dropped month
     */
    readonly drop: (month: string, force: boolean) => Effect.Effect<AuditMonth, Failure>
    /**
     * Keeps the newest `months` months, at least two, and drops older ones, exported or not; resumes interrupted drops and
     * prepares the coming months.
     */
    readonly dropOlderThan: (months: number) => Effect.Effect<ReadonlyArray<AuditMonth>, Failure>
  }
>() {}
