import { getOrMake } from "../../../core/getOrMake.ts"
import type { TeamWeeks } from "../../../core/lanes/football/data/Game.ts"
import { type Game, groupByGameday, hideResult } from "../../../core/lanes/football/data/Game.ts"
import type { BlendWeights } from "../../../core/lanes/football/model/distributions.ts"
import { computeFairLine, type FairLine } from "../../../core/lanes/football/model/fairLine.ts"
import { findBlend } from "../../../core/lanes/football/model/Model.ts"
import { type Hyperparameters, parameters } from "../../../core/lanes/football/model/parameters.ts"
import { learnGameday } from "../../../core/lanes/football/model/rating.ts"
import { makeInitialState, type RatingState } from "../../../core/lanes/football/model/State.ts"
import { fitBlend, type Predicted } from "./footballBlend.ts"

/** A game with its line from the state of the gameday before. */
export interface PredictedGame {
  readonly game: Game
  readonly line: FairLine
}

export interface WalkOptions {
  readonly parameters: Hyperparameters
  readonly weeks: TeamWeeks
  /** The blend of a season; called at the season's first gameday. */
  readonly blendFor: (season: number) => BlendWeights
  /** Strips a game to the data known before it; default `hideResult`, as for served lines. */
  readonly known?: (game: Game) => Game
}

/**
 * Walks through games day by day: predicts every game of a day before learning from any, so that a line depends only on
 * earlier days. Games without a score are predicted and not learnt from.
 *
 * @param from a state before the first day
 * @returns per gameday its predictions, and the state after it
 */
export function* walkForward(
  from: RatingState,
  games: ReadonlyArray<Game>,
  { parameters, weeks, blendFor, known = hideResult }: WalkOptions,
): Generator<{ readonly predictions: ReadonlyArray<PredictedGame>; readonly after: RatingState }, void> {
  let state = from
  for (const day of groupByGameday(games)) {
    const predictions = day.map((game) => ({
      game,
      line: computeFairLine(state, known(game), blendFor(game.season), parameters),
    }))
    state = learnGameday(state, day, weeks, parameters)
    yield { predictions, after: state }
  }
}

/** The result of a walk from the first game on. */
export interface Fit {
  readonly predictions: ReadonlyArray<PredictedGame>
  /** One per season of the games, and that of the season after them. */
  readonly links: ReadonlyArray<BlendWeights>
  readonly state: RatingState
}

/** Fits the model: the whole walk, the blend of each season fitted on the walk's own predictions of earlier seasons. */
export const fitModel = (games: ReadonlyArray<Game>, options: Omit<WalkOptions, "blendFor">): Fit => {
  const { parameters } = options
  const history: Array<Predicted> = []
  const links = new Map<number, BlendWeights>()
  const blendFor = (season: number): BlendWeights =>
    getOrMake(links, season, () => fitBlend(season, history, parameters))
  const all: Array<PredictedGame> = []
  let state = makeInitialState(parameters)
  for (const { predictions, after } of walkForward(state, games, { ...options, blendFor })) {
    state = after
    for (const prediction of predictions) {
      const { game, line } = prediction
      all.push(prediction)
      if (game.score === undefined) continue
      history.push({
        season: game.season,
        ...line.members,
        blend: line.homeMargin,
        sigma: line.sigmaMargin,
        margin: game.score.home - game.score.away,
        total: { mean: line.total, sigma: line.sigmaTotal, points: game.score.home + game.score.away },
      })
    }
  }
  blendFor(state.season + 1)
  return { predictions: all, links: [...links.values()], state }
}

/**
 * The line of every game before its gameday, day by day, with the state after it.
 *
 * @param games any order, all after `from.through`
 */
export const predictAll = (
  from: RatingState,
  games: ReadonlyArray<Game>,
  weeks: TeamWeeks,
): Generator<{ readonly predictions: ReadonlyArray<PredictedGame>; readonly after: RatingState }, void> =>
  walkForward(from, games, { parameters, weeks, blendFor: findBlend })
