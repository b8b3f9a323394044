import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import { minute, second } from "../time.ts"
import type { Environment } from "./ApiKey.ts"
import type { Audit } from "./Ledger.ts"
import * as Ulid from "./Ulid.ts"

/** Selects calls of an account; all given filters must hold. */
export interface CallFilter {
  /** An endpoint's id. A row with calls of several endpoints has none. */
  readonly endpoint?: string
  readonly agentId?: string
  readonly keyId?: string
  /** A status, such as 429; a first digit, 2 to 5, for its class; `failed`: 400 and above. */
  readonly status?: number | "failed"
  /** The code of the error that the call was answered with. */
  readonly code?: string
  /** Calls of keys of this environment. */
  readonly environment?: Environment
  readonly requestId?: string
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

export const maxRows = 500

/** The audit trail by account, newest calls first by their start. */
export class Calls extends Context.Tag("market-signals/core/account/Calls")<
  Calls,
  {
    /**
     * One page. Its work is bounded: where few rows pass the filter the page may be short, even empty, and still have a next
     * one. Read pages until there is no next one.
     *
     * @param limit 1 to `maxRows`
     * @param cursor `next` of a page with the same filter
     */
    readonly page: (
      accountId: string,
      filter: CallFilter,
      limit: number,
      cursor?: string,
    ) => Effect.Effect<CallPage, Failure>
    /** The names of the fields for which a call was refused, for a day. */
    readonly fields: (requestId: string) => Effect.Effect<string | undefined, Failure>
  }
>() {}

/** Pages read to find one call: more than a key has calls in a minute. */
const maxPages = 20

/**
 * The audit row of a call by its request id, whose ULID says when the call began. Undefined: the account has no such call, or
 * the call is counted in a row of several calls, which has the id of the last of them.
 */
export const findCall = (accountId: string, requestId: string) =>
  Effect.gen(function* () {
    const time = Ulid.decodeTime(requestId.replace(/^req_/, ""))
    if (time === undefined) return undefined
    const { page } = yield* Calls
    const filter = { requestId, from: time - minute - second, to: time + second }
    let cursor: string | undefined
    for (let look = 0; look < maxPages; look++) {
      const { rows, next } = yield* page(accountId, filter, 1, cursor)
      if (rows[0] !== undefined || next === undefined) return rows[0]
      cursor = next
    }
    return undefined
  })
