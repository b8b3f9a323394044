import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"

/** Port: decides which user-supplied URLs may be called. */
export class Destinations extends Context.Tag("market-signals/core/events/Destinations")<
  Destinations,
  {
    /**
     * Fails with a hint for the field `url` if the URL must not be called.
     *
     * @returns the normalised URL; `warning`: its host does not resolve at the moment
     */
    readonly check: (url: string) => Effect.Effect<{ readonly url: string; readonly warning?: string }, Failure>
  }
>() {}
