import * as Context from "effect/Context"
import type { Caller } from "./Keyring.ts"

/** The caller and the start of the call. The gateway provides it to the account lane and to methods that write. */
export class CurrentCaller extends Context.Tag("market-signals/core/account/CurrentCaller")<
  CurrentCaller,
  {
    readonly caller: Caller
    /** Epoch milliseconds. */
    readonly startedAt: number
    /** The call's idempotency key. */
    readonly once?: string
  }
>() {}
