import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Lane from "../../../../core/endpoint/Lane.ts"
import { endpoints, type ToyMethods } from "./endpoints.ts"
import { Levels } from "./ports.ts"

export class Toy extends Context.Tag("market-signals/core/lanes/Toy")<Toy, ToyMethods>() {
  static readonly lane: Lane.Lane<"toy", typeof endpoints, Toy> = Lane.make("toy", endpoints, Toy, "Water levels.")

  static readonly layer: Layer.Layer<Toy, never, Levels> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Toy,
  Effect.map(Levels, ({ at, freshness }) =>
    Toy.of({
      level: ({ gauge }) =>
        Effect.map(at(gauge), (cm) => ({
          results: { gauge, level_cm: cm },
          reasoning: [`Read gauge ${gauge}.`],
          citations: [{ step: 1, source: "gauges", locator: gauge }],
          confidence: { score: 0.9, label: "settlement", factors: ["a reading"] },
          links: [{ id: gauge, endpoints: [`/v1/toy/level?gauge=${gauge}`] }],
          freshness,
        })),
    }),
  ),
)
