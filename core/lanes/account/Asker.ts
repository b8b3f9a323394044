import * as Context from "effect/Context"
import type { Caller } from "../../account/Keyring.ts"

/** The caller and the start of the call; the gateway provides it to the account lane. */
export class Asker extends Context.Tag("core/lanes/account/Asker")<
  Asker,
  {
    readonly caller: Caller
    /** Epoch milliseconds. */
    readonly startedAt: number
  }
>() {}
