import * as Context from "effect/Context"
import type { Caller } from "./Keyring.ts"

/** The caller and the start of the call; the gateway provides it to the account lane and to methods that write. */
export class Asker extends Context.Tag("core/account/Asker")<
  Asker,
  {
    readonly caller: Caller
    /** Epoch milliseconds. */
    readonly startedAt: number
  }
>() {}
