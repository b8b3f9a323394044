import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"

/** Port: which addresses of users may be called at all. */
export class Destinations extends Context.Tag("core/events/Destinations")<
  Destinations,
  {
    /**
     * Fails with a hint for the field `url` when it must not be called.
     *
     * @returns the URL as it will be called; `warning`: its host cannot be looked up at the moment
     */
    readonly check: (url: string) => Effect.Effect<{ readonly url: string; readonly warning?: string }, Failure>
  }
>() {}
