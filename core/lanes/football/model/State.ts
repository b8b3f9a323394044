import { type Team, teams } from "../data/teams.ts"
import type { Hyperparameters } from "./parameters.ts"
import * as slots from "./stateIndex.ts"

export interface Quarterback {
  readonly slot: number
  readonly firstSeason: number
  readonly lastSeason: number
}

/** A quarterback without a start for some seasons. */
export interface Absent {
  readonly mean: number
  readonly variance: number
  readonly firstSeason: number
}

/** A franchise, besides its strength. */
export interface Club {
  readonly elo: number
  /** Number of games of the current season in the state. */
  readonly games: number
  readonly coach?: string
  /** GSIS id of the last starter. */
  readonly starter?: string
  readonly turf?: boolean
  readonly indoor?: boolean
}

/**
 * The rating after all games up to and including `through`: a joint normal distribution over strengths and effects (indexed
 * by `slots`), Elo, and each team's starter, coach and field. It is immutable: `learnGameday` returns a new state.
 */
export interface RatingState {
  /** The seasons of the first and of the last game; 0 before any. */
  readonly firstSeason: number
  readonly season: number
  readonly week: number
  /** The last gameday, YYYY-MM-DD; empty before the first. */
  readonly through: string
  /** Points. */
  readonly mean: Float64Array
  /** Covariance by rows, square of the length of `mean`, points². */
  readonly covariance: Float64Array
  readonly quarterbacks: ReadonlyMap<string, Quarterback>
  readonly absent: ReadonlyMap<string, Absent>
  readonly clubs: ReadonlyMap<Team, Club>
}

export const makeInitialState = ({ initial: prior, elo }: Hyperparameters): RatingState => {
  const n = slots.firstQuarterback
  const mean = new Float64Array(n)
  const covariance = new Float64Array(n * n)
  const set = (slot: number, variance: number, value = 0) => {
    mean[slot] = value
    covariance[slot * n + slot] = variance
  }
  for (const team of teams) {
    set(slots.offense(team), prior.offense)
    set(slots.defense(team), prior.defense)
    set(slots.teamHome(team), prior.teamHome)
  }
  set(slots.league, prior.league.variance, prior.league.mean)
  set(slots.home, prior.home.variance, prior.home.mean)
  for (let slot = slots.marginEffect(0); slot < slots.totalEffect(0); slot++) set(slot, prior.marginEffect)
  for (let slot = slots.totalEffect(0); slot < n; slot++) set(slot, prior.totalEffect)
  return {
    firstSeason: 0,
    season: 0,
    week: 0,
    through: "",
    mean,
    covariance,
    quarterbacks: new Map(),
    absent: new Map(),
    clubs: new Map(teams.map((team) => [team, { elo: elo.mean, games: 0 }])),
  }
}
