import * as Context from "effect/Context"
import type { Caller } from "../../account/Keyring.ts"

/** Whose call is answered, and since when: what the gateway tells a lane that is about the caller. */
export class Asker extends Context.Tag("core/lanes/account/Asker")<
  Asker,
  {
    readonly caller: Caller
    /** Epoch milliseconds. */
    readonly startedAt: number
  }
>() {}
