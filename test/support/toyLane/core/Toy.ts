import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { cite, explain, step } from "../../../../core/endpoint/explain.ts"
import * as Field from "../../../../core/endpoint/Field.ts"
import * as Param from "../../../../core/endpoint/Param.ts"
import * as Port from "../../../../core/endpoint/Port.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { recorded } from "../../../../core/lanes/confidence.ts"
import { dataTerms } from "../../../../core/lanes/fields.ts"
import * as Lane from "../../../../core/lanes/Lane.ts"

export const gauges = ["A", "B"] as const

/** Read port: water levels by gauge, centimetres. */
export const Levels = Port.define("toy/Levels")<{
  readonly at: (gauge: string) => Effect.Effect<number, Failure>
}>()

export const level = Endpoint.make("/v1/toy/level", {
  ...dataTerms(3_000),
  summary: "The water level at a gauge",
  example: { gauge: "A" },
  params: Schema.Struct({ gauge: Param.oneOf(gauges, "The gauge.") }),
  results: Schema.Struct({ gauge: Field.text(), level_cm: Field.integer("Centimetres above the gauge's zero.") }),
  ports: { levels: Levels },
  answer: function* ({ gauge }, { levels }, give) {
    return give({
      results: { gauge, level_cm: yield* levels.at(gauge) },
      explained: explain(step(`Read gauge ${gauge}.`, cite("gauges", gauge))),
      confidence: recorded(0.9, "a reading"),
      links: [{ id: gauge, endpoints: [`/v1/toy/level?gauge=${gauge}`] }],
    })
  },
})

export const Toy = Lane.define("toy", { description: "Water levels.", endpoints: { level } })
