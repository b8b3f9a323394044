import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { SettledMarket } from "./Settled.ts"

/** Write port of settled rows, append-only. */
export class SettledStore extends Context.Tag("market-signals/core/record/SettledStore")<
  SettledStore,
  {
    /**
     * Appends all or none. A market with the same results as before is skipped; with other results it gets a new
     * revision, which replaces the previous one on the scoreboard. Both are stored.
     *
     * @returns the number of new rows
     */
    readonly append: (rows: ReadonlyArray<SettledMarket>) => Effect.Effect<number, Failure>
  }
>() {}
