import type { Game } from "../data/Game.ts"
import { teams } from "../data/teams.ts"
import type { Hyperparameters } from "./parameters.ts"
import type { Quarterback, RatingState } from "./State.ts"
import * as slots from "./stateIndex.ts"

/** A square matrix with the rows and columns in `kept`, followed by new ones with the variances in `added`. */
const resizeMatrix = (from: Float64Array, n: number, kept: ReadonlyArray<number>, added: ReadonlyArray<number>) => {
  const size = kept.length + added.length
  const to = new Float64Array(size * size)
  kept.forEach((old, row) => {
    kept.forEach((column, at) => {
      to[row * size + at] = from[old * n + column]!
    })
  })
  added.forEach((variance, at) => {
    const slot = kept.length + at
    to[slot * size + slot] = variance
  })
  return to
}

const range = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, at) => at)

/** Takes quarterbacks without a recent start out of the joint distribution and keeps their mean and variance. */
const retireQuarterbacks = (state: RatingState, season: number, { quarterback }: Hyperparameters): RatingState => {
  const n = state.mean.length
  const gone = new Set<number>()
  const absent = new Map(state.absent)
  for (const [id, { slot, firstSeason, lastSeason }] of state.quarterbacks) {
    if (season - lastSeason <= quarterback.absent.seasons) continue
    gone.add(slot)
    absent.set(id, { mean: state.mean[slot]!, variance: state.covariance[slot * n + slot]!, firstSeason })
  }
  if (gone.size === 0) return state
  const kept = range(n).filter((slot) => !gone.has(slot))
  const moved = new Map(kept.map((slot, at) => [slot, at]))
  return {
    ...state,
    mean: Float64Array.from(kept, (slot) => state.mean[slot]!),
    covariance: resizeMatrix(state.covariance, n, kept, []),
    absent,
    quarterbacks: new Map(
      [...state.quarterbacks].flatMap(([id, known]) =>
        gone.has(known.slot) ? [] : [[id, { ...known, slot: moved.get(known.slot)! }] as const],
      ),
    ),
  }
}

/** Moves the state to the next season: strengths and Elo regress to the mean, variances grow, games are counted anew. */
export const advanceSeason = (previous: RatingState, parameters: Hyperparameters): RatingState => {
  const season = previous.season + 1
  const state = retireQuarterbacks(previous, season, parameters)
  const { quarterback } = parameters
  const n = state.mean.length
  const carry = new Float64Array(n).fill(1)
  const variance = new Float64Array(n)
  const gain = new Float64Array(n)
  for (const team of teams) {
    carry[slots.offense(team)] = parameters.season.offense.carry
    variance[slots.offense(team)] = parameters.season.offense.variance
    carry[slots.defense(team)] = parameters.season.defense.carry
    variance[slots.defense(team)] = parameters.season.defense.variance
  }
  variance[slots.league] = parameters.season.league
  variance[slots.home] = parameters.season.home
  for (const { slot, firstSeason } of state.quarterbacks.values()) {
    const second = firstSeason === previous.season
    carry[slot] = parameters.season.quarterback.carry
    variance[slot] = parameters.season.quarterback.variance * (second ? quarterback.second.variance : 1)
    if (second) gain[slot] = quarterback.second.gain
  }
  const covariance = new Float64Array(n * n)
  for (let row = 0; row < n; row++) {
    for (let at = 0; at < n; at++) covariance[row * n + at] = carry[row]! * carry[at]! * state.covariance[row * n + at]!
    covariance[row * n + row]! += variance[row]!
  }
  const { elo } = parameters
  return {
    ...state,
    season,
    week: 1,
    mean: state.mean.map((value, slot) => value * carry[slot]! + gain[slot]!),
    covariance,
    clubs: new Map(
      [...state.clubs].map(([team, club]) => [
        team,
        { ...club, elo: elo.mean + elo.carry * (club.elo - elo.mean), games: 0 },
      ]),
    ),
  }
}

/** Moves the state to `week`, by which variances grow. */
export const advanceWeeks = (state: RatingState, week: number, parameters: Hyperparameters): RatingState => {
  const weeks = week - state.week
  if (weeks <= 0) return state
  const n = state.mean.length
  const covariance = state.covariance.slice()
  const add = (slot: number, variance: number) => {
    covariance[slot * n + slot]! += weeks * variance
  }
  for (const team of teams) {
    add(slots.offense(team), parameters.week.offense)
    add(slots.defense(team), parameters.week.defense)
  }
  add(slots.league, parameters.week.league)
  return { ...state, week, covariance }
}

interface Prior {
  readonly mean: number
  readonly variance: number
  readonly firstSeason: number
}

const makePrior = (game: Game, state: RatingState, id: string, { quarterback: by }: Hyperparameters): Prior => {
  const { newcomer } = by
  const seen = state.absent.get(id)
  if (seen !== undefined) {
    return {
      mean: by.absent.carry * seen.mean + (1 - by.absent.carry) * newcomer.mean,
      variance: Math.min(newcomer.variance, seen.variance + by.absent.variance),
      firstSeason: seen.firstSeason,
    }
  }
  const firstSeason = game.season
  // In the first season of the data it is not known who is a newcomer.
  if (firstSeason === state.firstSeason) return { ...by.first, firstSeason: firstSeason - 1 }
  return { mean: game.week === 1 ? newcomer.weekOne : newcomer.mean, variance: newcomer.variance, firstSeason }
}

/** Adds all scheduled starters who are missing in the state, from `absent` or by the prior. */
export const addNewcomers = (
  state: RatingState,
  games: ReadonlyArray<Game>,
  parameters: Hyperparameters,
): RatingState => {
  const added = new Map<string, Prior>()
  for (const game of games) {
    for (const { quarterback } of [game.home, game.away]) {
      if (quarterback === undefined || state.quarterbacks.has(quarterback) || added.has(quarterback)) continue
      added.set(quarterback, makePrior(game, state, quarterback, parameters))
    }
  }
  if (added.size === 0) return state
  const n = state.mean.length
  const priors = [...added.values()]
  const quarterbacks = new Map<string, Quarterback>(state.quarterbacks)
  const absent = new Map(state.absent)
  for (const [id, { firstSeason }] of added) {
    quarterbacks.set(id, { slot: slots.firstQuarterback + quarterbacks.size, firstSeason, lastSeason: state.season })
    absent.delete(id)
  }
  const mean = new Float64Array(n + priors.length)
  mean.set(state.mean)
  priors.forEach((prior, at) => {
    mean[n + at] = prior.mean
  })
  const variances = priors.map(({ variance }) => variance)
  return { ...state, mean, covariance: resizeMatrix(state.covariance, n, range(n), variances), quarterbacks, absent }
}
