import * as Schema from "effect/Schema"
import type { Game, TeamWeeks } from "../data/Game.ts"
import { Performance } from "../fields.ts"
import { BlendWeights } from "./distributions.ts"
import { computeFairLine, type FairLine } from "./fairLine.ts"
import artefact from "./model.json" with { type: "json" }
import { parameters } from "./parameters.ts"
import { learnGameday } from "./rating.ts"
import { makeInitialState, type RatingState } from "./State.ts"

/** The part of a trained model that predictions and the track record read; `npm run train:football` writes more. */
export const Artefact = Schema.Struct({
  model_version: Schema.String,
  trained_at: Schema.String,
  inputs: Schema.Array(Schema.Struct({ name: Schema.String, sha256: Schema.String })),
  links: Schema.NonEmptyArray(BlendWeights),
  backtest_holdout: Performance.fields.backtest_holdout,
  against_the_spread: Performance.fields.against_the_spread,
})
export type Artefact = typeof Artefact.Type

/** The served model. Its state is a value that callers keep: it begins as `initialState`, and `learn` updates it with finals. */
export const trained: Artefact = Schema.decodeUnknownSync(Artefact)(artefact)

const links: ReadonlyMap<number, BlendWeights> = new Map(trained.links.map((link) => [link.season, link]))
const firstLink = trained.links[0]
const lastLink = trained.links.at(-1)!

/** The blend for a season, fitted on earlier seasons. Seasons after the training have the last one. */
export const findBlend = (season: number): BlendWeights =>
  links.get(season) ?? (season < firstLink.season ? firstLink : lastLink)

export const initialState: RatingState = makeInitialState(parameters)

/**
 * Predicts the line of a game from the state after the last gameday before it; takes less than 1 ms.
 *
 * @param state for a played game, the state before its gameday, as a later one includes its result
 */
export const predict = (state: RatingState, game: Game): FairLine =>
  computeFairLine(state, game, findBlend(game.season), parameters)

/**
 * The state after the finals of a gameday.
 *
 * @param games games of one gameday after `state.through`; those without a score are ignored
 * @param weeks expected points of the offenses; if a game's rows are missing, only its points count
 */
export const learn = (state: RatingState, games: ReadonlyArray<Game>, weeks: TeamWeeks): RatingState =>
  learnGameday(state, games, weeks, parameters)
