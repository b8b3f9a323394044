import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Destinations } from "../../../core/events/Destinations.ts"
import { invalid } from "../../../core/Failure.ts"
import * as Guard from "./guard.ts"

/** Checks URLs with the guard when they are saved. */
export const layer = (options: Guard.Options = {}): Layer.Layer<Destinations> =>
  Layer.sync(Destinations, () => {
    const guard = Guard.make(options)
    return {
      check: (text) =>
        Effect.flatMap(
          Effect.promise(() => guard.check(text)),
          (checked) => {
            if (Either.isRight(checked)) return Effect.succeed({ url: checked.right.url.href })
            if (checked.left instanceof Guard.BlockedUrl) return Effect.fail(invalid("url", checked.left.message))
            return Effect.succeed({
              url: new URL(text).href,
              warning: `${checked.left.message} Deliveries are attempted anyway.`,
            })
          },
        ),
    }
  })
