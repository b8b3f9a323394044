import * as Schema from "effect/Schema"
import type { Game, TeamWeeks } from "../data/Game.ts"
import { Performance } from "../fields.ts"
import { BlendWeights } from "./distributions.ts"
import { computeFairLine, type FairLine } from "./fairLine.ts"
import artefact from "./model.json" with { type: "json" }
import { parameters } from "./parameters.ts"
import { step } from "./rating.ts"
import { initial, type RatingState } from "./State.ts"

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

/** The served model. The caller holds its state: a value that starts at `start` and is learnt from finals. */
export const trained: Artefact = Schema.decodeUnknownSync(Artefact)(artefact)

const links: ReadonlyMap<number, BlendWeights> = new Map(trained.links.map((link) => [link.season, link]))
const first = trained.links[0]
const last = trained.links.at(-1)!

/** The blend of a season, fitted on earlier seasons. Seasons after the training have the last one. */
export const blendFor = (season: number): BlendWeights => links.get(season) ?? (season < first.season ? first : last)

/** The state before any game. */
export const start: RatingState = initial(parameters)

/**
 * The line of a game from the state after the last gameday before it; takes under 1 ms.
 *
 * @param state for a played game, the state before its gameday: a later one includes its result
 */
export const predict = (state: RatingState, game: Game): FairLine =>
  computeFairLine(state, game, blendFor(game.season), parameters)

/**
 * The state after the finals of a gameday.
 *
 * @param games of one gameday after `state.through`; those without a score are ignored
 * @param weeks expected points of the offenses; where a game's rows are missing, only points count
 */
export const learn = (state: RatingState, games: ReadonlyArray<Game>, weeks: TeamWeeks): RatingState =>
  step(state, games, weeks, parameters)
