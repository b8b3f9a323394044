import * as Schema from "effect/Schema"
import type { Game } from "../data/Game.ts"
import type { TeamWeeks } from "../data/TeamWeek.ts"
import { performance } from "../endpoints.ts"
import { type FairLine, fairLineOf } from "./fairLine.ts"
import type { Link } from "./link.ts"
import artefact from "./model.json" with { type: "json" }
import { parameters } from "./parameters.ts"
import { step } from "./rating.ts"
import { initial, type State } from "./State.ts"
import { type Prediction, walk } from "./walk.ts"

/** The part of a trained model that predictions and the track record read; `npm run train:football` writes more. */
export const Artefact = Schema.Struct({
  model_version: Schema.String,
  trained_at: Schema.String,
  inputs: Schema.Array(Schema.Struct({ name: Schema.String, sha256: Schema.String })),
  links: Schema.NonEmptyArray(
    Schema.Struct({
      season: Schema.Int,
      games: Schema.Int,
      kalman: Schema.Finite,
      elo: Schema.Finite,
      sigma: Schema.Positive,
      weights: Schema.Array(Schema.Positive),
    }),
  ),
  backtest_holdout: performance.results.fields.backtest_holdout,
})
export type Artefact = typeof Artefact.Type

/** The model that is served. Its state is the caller's: a value that starts at `start` and is learnt from finals. */
export const trained: Artefact = Schema.decodeUnknownSync(Artefact)(artefact)

const links: ReadonlyMap<number, Link> = new Map(trained.links.map((link) => [link.season, link]))
const first = trained.links[0]
const last = trained.links.at(-1)!

/** The link of a season: fitted on the seasons before it. Seasons after the training have the last one. */
export const linkFor = (season: number): Link => links.get(season) ?? (season < first.season ? first : last)

/** Before any game. */
export const start: State = initial(parameters)

/**
 * The line of a game from the state after the last gameday before it; in less than a millisecond.
 *
 * @param state for a played game, that of before its gameday: with a later one the answer has seen what came
 */
export const predict = (state: State, game: Game): FairLine => fairLineOf(state, game, linkFor(game.season), parameters)

/**
 * The state that has seen the finals of a gameday, too.
 *
 * @param games of one gameday after `state.through`; those without a score teach nothing
 * @param weeks by expected points what offenses did; where a game's rows are missing, points alone count
 */
export const learn = (state: State, games: ReadonlyArray<Game>, weeks: TeamWeeks): State =>
  step(state, games, weeks, parameters)

/**
 * The line of every game as it stood before its gameday, day by day, with the state after it.
 *
 * @param games any order, all after `from.through`
 */
export const replay = (
  from: State,
  games: ReadonlyArray<Game>,
  weeks: TeamWeeks,
): Generator<{ readonly predictions: ReadonlyArray<Prediction>; readonly after: State }, void> =>
  walk(from, games, { parameters, weeks, linkFor })
