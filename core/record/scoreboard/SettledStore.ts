import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { SettledMarket } from "./Settled.ts"

/** Write port of settled rows, append-only. */
export class SettledStore extends Context.Tag("market-signals/core/record/SettledStore")<
  SettledStore,
  {
    /**
     * Appends all rows or none. A market with unchanged results is skipped; one with other results gets a new revision, which
     * replaces the previous one on the scoreboard. Both stay stored.
     *
     * @returns the number of new rows
     */
    readonly append: (rows: ReadonlyArray<SettledMarket>) => Effect.Effect<number, Failure>
  }
>() {}
