import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../Failure.ts"
import type { Settled } from "./Settled.ts"

/** Write port: settled rows, append-only, and the scoreboard that goes with them in the same step. */
export class SettledStore extends Context.Tag("core/record/SettledStore")<
  SettledStore,
  {
    /**
     * Keeps all of them or none. A market that is there with the same results is left as it is; with others it gets
     * another revision, which takes the place of the one before on the scoreboard. Both stay.
     *
     * @returns how many rows were new
     */
    readonly append: (rows: ReadonlyArray<Settled>) => Effect.Effect<number, Failure>
    /** Computes the scoreboard anew from every row; how many rows there were. */
    readonly rebuild: Effect.Effect<number, Failure>
  }
>() {}
