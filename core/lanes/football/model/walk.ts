import { byKey, compare } from "../../../text.ts"
import { beforehand, type Game } from "../data/Game.ts"
import type { TeamWeeks } from "../data/TeamWeek.ts"
import { type FairLine, fairLineOf } from "./fairLine.ts"
import { type Link, linkOf, type Predicted } from "./link.ts"
import type { Parameters } from "./parameters.ts"
import { step } from "./rating.ts"
import { initial, type State } from "./State.ts"

/** By day, the earliest first; within a day by id, independent of the input order. */
export const gamedays = (games: ReadonlyArray<Game>): ReadonlyArray<ReadonlyArray<Game>> => {
  const byDay = new Map<string, Array<Game>>()
  for (const game of games) {
    const same = byDay.get(game.gameday)
    if (same === undefined) byDay.set(game.gameday, [game])
    else same.push(game)
  }
  return [...byDay].sort(byKey).map(([, day]) => day.sort((a, b) => compare(a.id, b.id)))
}

/** A game with its line from the state of the gameday before. */
export interface Prediction {
  readonly game: Game
  readonly line: FairLine
}

export interface Walk {
  readonly parameters: Parameters
  readonly weeks: TeamWeeks
  /** The blend of a season; called at the season's first gameday. */
  readonly linkFor: (season: number) => Link
  /** Strips a game to the data known before it; default `beforehand`, as for served lines. */
  readonly known?: (game: Game) => Game
}

/**
 * Walks through games day by day: predicts every game of a day before learning from any, so that a line depends only on
 * earlier days. Games without a score are predicted and not learnt from.
 *
 * @param from a state before the first day
 * @returns per gameday its predictions, and the state after it
 */
export function* walk(
  from: State,
  games: ReadonlyArray<Game>,
  { parameters, weeks, linkFor, known = beforehand }: Walk,
): Generator<{ readonly predictions: ReadonlyArray<Prediction>; readonly after: State }, void> {
  let state = from
  for (const day of gamedays(games)) {
    const predictions = day.map((game) => ({
      game,
      line: fairLineOf(state, known(game), linkFor(game.season), parameters),
    }))
    state = step(state, day, weeks, parameters)
    yield { predictions, after: state }
  }
}

/** The result of a walk from the first game on. */
export interface Fit {
  readonly predictions: ReadonlyArray<Prediction>
  /** One per season of the games, and that of the season after them. */
  readonly links: ReadonlyArray<Link>
  readonly state: State
}

/** Fits the model: the whole walk, the blend of each season fitted on the walk's own predictions of earlier seasons. */
export const fitModel = (games: ReadonlyArray<Game>, options: Omit<Walk, "linkFor">): Fit => {
  const { parameters } = options
  const history: Array<Predicted> = []
  const links = new Map<number, Link>()
  const linkFor = (season: number): Link => {
    const link = links.get(season) ?? linkOf(season, history, parameters)
    links.set(season, link)
    return link
  }
  const all: Array<Prediction> = []
  let state = initial(parameters)
  for (const { predictions, after } of walk(state, games, { ...options, linkFor })) {
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
      })
    }
  }
  linkFor(state.season + 1)
  return { predictions: all, links: [...links.values()], state }
}
