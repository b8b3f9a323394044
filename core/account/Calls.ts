import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Audit } from "./Ledger.ts"

/** Which calls of an account; every filter that is given must hold. */
export interface CallFilter {
  /** An endpoint's id. A row with calls of several endpoints has none. */
  readonly endpoint?: string
  readonly agentId?: string
  readonly keyId?: string
  /** Status codes by their first digit; `failed`: 400 and above. */
  readonly status?: 2 | 3 | 4 | 5 | "failed"
  /** First start of a call, epoch milliseconds. */
  readonly from?: number
  /** Starts before this, epoch milliseconds. */
  readonly to?: number
}

export interface CallPage {
  readonly rows: ReadonlyArray<Audit>
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string
}

/** Most rows of a page. */
export const mostRows = 500

/** The audit trail by account, newest calls first: months from the last to the first, and calls of a month by their start. */
export class Calls extends Context.Tag("core/account/Calls")<
  Calls,
  {
    /**
     * One page, of bounded work: where few rows pass the filter it may be short, even empty, and have a next one. An export
     * asks for pages until there is no next one.
     *
     * @param limit 1 to `mostRows`
     * @param cursor `next` of a page with the same filter
     */
    readonly page: (
      accountId: string,
      filter: CallFilter,
      limit: number,
      cursor?: string,
    ) => Effect.Effect<CallPage, Failure>
  }
>() {}
