import * as Schema from "effect/Schema"
import { type Team, teams } from "../data/teams.ts"
import type { Hyperparameters } from "./parameters.ts"
import * as slots from "./stateIndex.ts"

const exactOptional = <A>(value: Schema.Schema<A>) => Schema.optionalWith(value, { exact: true })

const Quarterback = Schema.Struct({ slot: Schema.Int, firstSeason: Schema.Int, lastSeason: Schema.Int })
export type Quarterback = typeof Quarterback.Type

/** A quarterback who has not started for some seasons. */
const AbsentQuarterback = Schema.Struct({ mean: Schema.Finite, variance: Schema.Finite, firstSeason: Schema.Int })
export type Absent = typeof AbsentQuarterback.Type

/** What is known of a franchise besides its strength. */
const Club = Schema.Struct({
  elo: Schema.Finite,
  /** Number of games of the current season in the state. */
  games: Schema.Int,
  coach: exactOptional(Schema.String),
  /** GSIS id of the last starter. */
  starter: exactOptional(Schema.String),
  turf: exactOptional(Schema.Boolean),
  indoor: exactOptional(Schema.Boolean),
})
export type Club = typeof Club.Type

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

/** The state before any game. */
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

const record = <A, I>(value: Schema.Schema<A, I>) => Schema.Record({ key: Schema.String, value })

/** A state as plain JSON; of the covariance only the lower triangle, by rows. */
export const StateJson = Schema.Struct({
  firstSeason: Schema.Int,
  season: Schema.Int,
  week: Schema.Int,
  through: Schema.String,
  mean: Schema.Array(Schema.Finite),
  covariance: Schema.Array(Schema.Finite),
  quarterbacks: record(Quarterback),
  absent: record(AbsentQuarterback),
  clubs: record(Club),
}).pipe(
  Schema.filter(({ mean, covariance, quarterbacks, clubs }) => {
    const n = mean.length
    if (covariance.length !== (n * (n + 1)) / 2) return "covariance does not belong to mean"
    if (n !== slots.firstQuarterback + Object.keys(quarterbacks).length) return "mean does not belong to quarterbacks"
    const taken = new Set(Object.values(quarterbacks).map(({ slot }) => slot))
    for (let slot = slots.firstQuarterback; slot < n; slot++) if (!taken.has(slot)) return `nobody has slot ${slot}`
    return teams.every((team) => clubs[team] !== undefined) || "a team is missing"
  }),
)
export type StateJson = typeof StateJson.Type

/** Converts a state to JSON without loss. */
export const toJson = ({ mean, covariance, quarterbacks, absent, clubs, ...rest }: RatingState): StateJson => {
  const n = mean.length
  const lower: Array<number> = []
  for (let row = 0; row < n; row++) for (let at = 0; at <= row; at++) lower.push(covariance[row * n + at]!)
  return {
    ...rest,
    mean: Array.from(mean),
    covariance: lower,
    quarterbacks: Object.fromEntries(quarterbacks),
    absent: Object.fromEntries(absent),
    clubs: Object.fromEntries(clubs),
  }
}

/** @param json decoded by `StateJson` */
export const fromJson = ({ mean, covariance, quarterbacks, absent, clubs, ...rest }: StateJson): RatingState => {
  const n = mean.length
  const square = new Float64Array(n * n)
  for (let row = 0, next = 0; row < n; row++) {
    for (let at = 0; at <= row; at++, next++) {
      square[row * n + at] = covariance[next]!
      square[at * n + row] = covariance[next]!
    }
  }
  return {
    ...rest,
    mean: Float64Array.from(mean),
    covariance: square,
    quarterbacks: new Map(Object.entries(quarterbacks)),
    absent: new Map(Object.entries(absent)),
    clubs: new Map(teams.map((team) => [team, clubs[team]!])),
  }
}
