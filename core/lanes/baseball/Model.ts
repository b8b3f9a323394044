import * as Schema from "effect/Schema"
import { performance } from "./endpoints.ts"
import artefact from "./model.json" with { type: "json" }

/** The part of a trained model that the service reads; `npm run train:baseball` writes more. */
export const Artefact = Schema.Struct({
  model_version: Schema.String,
  trained_at: Schema.String,
  inputs: Schema.Array(Schema.Struct({ name: Schema.String, sha256: Schema.String })),
  coefficients: Schema.NonEmptyArray(
    Schema.Struct({
      season: Schema.Int,
      games: Schema.Int,
      home_edge: Schema.Finite,
      pythagorean: Schema.Finite,
      starter_era: Schema.Finite,
    }),
  ),
  backtest: performance.results.fields.backtest,
})
export type Artefact = typeof Artefact.Type

/** The served model, with its backtest. */
export const trained: Artefact = Schema.decodeUnknownSync(Artefact)(artefact)

const first = trained.coefficients[0].season
const last = trained.coefficients.length - 1

/** The coefficients of a season, fitted on earlier seasons. Seasons after the training have the last ones. */
export const coefficientsFor = (season: number): Artefact["coefficients"][number] =>
  trained.coefficients[Math.max(0, Math.min(last, season - first))]!
