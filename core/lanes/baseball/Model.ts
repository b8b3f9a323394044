import * as Schema from "effect/Schema"
import { ifDefined } from "../../ifDefined.ts"
import { LineUpCoefficients, Performance, RunCoefficients, SkillCoefficients } from "./fields.ts"
import artefact from "./model.json" with { type: "json" }
import type { Stacked } from "./skill/stack.ts"
import { SkillStates, type SkillTerms } from "./skill/states.ts"

/** Coefficients by season, each fitted on earlier ones. */
const fitsBySeason = <F extends Schema.Struct.Fields>({ fields }: Schema.Struct<F>) =>
  Schema.NonEmptyArray(Schema.Struct({ season: Schema.Int, games: Schema.Int, ...fields }))

const Bin = Schema.Struct({ count: Schema.Int, meanProbability: Schema.Finite, frequency: Schema.Finite })

/** The part of a trained model that the service reads; `npm run train:baseball` writes more. */
export const Artefact = Schema.Struct({
  model_version: Schema.String,
  trained_at: Schema.String,
  inputs: Schema.Array(Schema.Struct({ name: Schema.String, sha256: Schema.String })),
  coefficients: fitsBySeason(RunCoefficients),
  skill: Schema.Struct({
    coefficients: fitsBySeason(SkillCoefficients),
    /** The states after the last season of the training, by the league's team ids. */
    states: SkillStates,
    /** The league's rates per batter faced, for the seasons that priors still need. */
    league: Schema.Record({ key: Schema.String, value: Schema.Struct({ kbb: Schema.Finite, lw: Schema.Finite }) }),
  }),
  /** For games whose line-ups are posted. */
  line_up: Schema.Struct({ coefficients: fitsBySeason(LineUpCoefficients) }),
  backtest: Schema.Struct({
    ...Performance.fields.backtest.fields,
    periods: Schema.Array(
      Schema.Struct({
        seasons: Schema.Struct({ from: Schema.Int, to: Schema.Int }),
        calibration: Schema.Struct({ model: Schema.Struct({ ece: Schema.Finite, bins: Schema.Array(Bin) }) }),
      }),
    ),
  }),
})
export type Artefact = typeof Artefact.Type

/** The served model, with its backtest. */
export const trained: Artefact = Schema.decodeUnknownSync(Artefact)(artefact)

const firstSeason = trained.coefficients[0].season
const lastIndex = trained.coefficients.length - 1

/** The coefficients for a season, fitted on earlier seasons. Seasons after the training have the last ones. */
export const findCoefficients = (season: number): Artefact["coefficients"][number] =>
  trained.coefficients[Math.max(0, Math.min(lastIndex, season - firstSeason))]!

const findFit = <A extends { readonly season: number; readonly games: number }>(
  fits: ReadonlyArray<A>,
  season: number,
): Omit<A, "season" | "games"> | undefined => {
  const fit = fits.findLast((each) => each.season <= season)
  if (fit === undefined) return undefined
  const { season: _, games: __, ...coefficients } = fit
  return coefficients
}

/**
 * The skills and line-ups of a game with the coefficients for its season; undefined if there are no skills.
 *
 * @param difference of line-ups; absent while one is not posted
 */
export const makeStacked = (
  season: number,
  terms: SkillTerms | undefined,
  difference?: number | undefined,
): Stacked | undefined => {
  const coefficients = findFit(trained.skill.coefficients, season)
  if (terms === undefined || coefficients === undefined) return undefined
  const lineUpCoefficients = findFit(trained.line_up.coefficients, season)
  const lineUp =
    lineUpCoefficients && difference !== undefined ? { difference, coefficients: lineUpCoefficients } : undefined
  return { terms, coefficients, ...ifDefined("lineUp", lineUp) }
}
