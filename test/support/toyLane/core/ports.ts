import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Freshness } from "../../../../core/endpoint/Answer.ts"
import type { Failure } from "../../../../core/Failure.ts"

/** Read port: water levels by gauge. */
export class Levels extends Context.Tag("market-signals/core/lanes/toy/Levels")<
  Levels,
  {
    readonly freshness: Freshness
    /** Centimetres. */
    readonly at: (gauge: string) => Effect.Effect<number, Failure>
  }
>() {}
