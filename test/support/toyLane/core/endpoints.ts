import * as Schema from "effect/Schema"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import * as Field from "../../../../core/endpoint/Field.ts"
import type * as Lane from "../../../../core/endpoint/Lane.ts"
import * as Param from "../../../../core/endpoint/Param.ts"

export const gauges = ["A", "B"] as const

/** The water level at a gauge. */
export const level = Endpoint.declare({
  path: "/v1/toy/level",
  kind: "Data",
  priceMicros: 3_000,
  auth: "key",
  summary: "The water level at a gauge",
  example: { gauge: "A" },
  params: Schema.Struct({ gauge: Param.oneOf(gauges, "The gauge.") }),
  results: Schema.Struct({
    gauge: Field.text(),
    level_cm: Field.integer("Centimetres above the gauge's zero."),
  }).annotations({ identifier: "ToyLevel" }),
})

export const endpoints = { level }

/** One method per endpoint of the lane. */
export interface ToyMethods extends Lane.Methods<typeof endpoints> {}
