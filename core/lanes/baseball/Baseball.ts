import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import * as Step from "../../Step.ts"
import { type BaseballMethods, endpoints } from "./endpoints.ts"
import { fairOddsOver } from "./fairOdds.ts"
import { gamesOver } from "./games.ts"
import { trackRecord } from "./performance.ts"
import { SeasonLines, Slates } from "./ports.ts"

/** The lane's ports. */
export type BaseballPorts = SeasonLines | Slates

export class Baseball extends Context.Tag("core/lanes/Baseball")<Baseball, BaseballMethods>() {
  static readonly lane: Lane.Lane<"baseball", typeof endpoints, Baseball> = Lane.make(
    "baseball",
    endpoints,
    Baseball,
    "MLB games, and the model's win probabilities.",
  )

  static readonly layer: Layer.Layer<Baseball, never, BaseballPorts> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Baseball,
  Effect.gen(function* () {
    const slates = yield* Slates
    const lines = yield* SeasonLines
    return Baseball.of(
      Rounding.methods(endpoints, {
        games: gamesOver(slates),
        fairOdds: fairOddsOver(slates, lines),
        performance: Step.methodSync(() => ({ ...trackRecord, freshness: slates.freshness })),
      }),
    )
  }),
)
