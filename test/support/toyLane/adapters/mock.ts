import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Levels } from "../core/Toy.ts"

/** Generated levels: the same for a gauge at all times. */
export const mock = Layer.succeed(Levels, {
  freshness: "mock",
  at: (gauge) => Effect.succeed(100 + gauge.charCodeAt(0)),
})
