import { assert, describe, it } from "@effect/vitest"
import type { Game } from "../../../../../core/lanes/football/data/Game.ts"
import { parameters } from "../../../../../core/lanes/football/model/parameters.ts"
import { makeInitialState, type RatingState } from "../../../../../core/lanes/football/model/State.ts"
import { addNewcomers, advanceSeason, advanceWeeks } from "../../../../../core/lanes/football/model/seasons.ts"
import * as slots from "../../../../../core/lanes/football/model/stateIndex.ts"
import { league } from "../../../../support/footballLeague.ts"

const [game] = league(1, [2001], 1).games as [Game, ...ReadonlyArray<Game>]
const state: RatingState = { ...makeInitialState(parameters), firstSeason: 1999, season: 2001, week: 3 }
const starter = game.home.quarterback!
const { team } = game.home

const variance = ({ mean, covariance }: RatingState, slot: number): number => covariance[slot * mean.length + slot]!

describe("a starter who is not in the state", () => {
  it("is added by the prior of a newcomer, once, and so is the other one", () => {
    const { newcomer } = parameters.quarterback
    const found = addNewcomers(state, [game, game], parameters)
    const { slot, firstSeason } = found.quarterbacks.get(starter)!
    assert.strictEqual(found.mean.length, state.mean.length + 2)
    assert.deepStrictEqual(
      [found.mean[slot], variance(found, slot), firstSeason],
      [newcomer.weekOne, newcomer.variance, 2001],
    )
    assert.strictEqual(variance(found, slots.offense(team)), variance(state, slots.offense(team)))
    assert.strictEqual(addNewcomers(found, [game], parameters), found)
  })

  it("is less of a newcomer later in the season, and unknown in the first season of the data", () => {
    const meanOf = (from: RatingState, week: number) => {
      const found = addNewcomers(from, [{ ...game, week }], parameters)
      return found.mean[found.quarterbacks.get(starter)!.slot]
    }
    assert.strictEqual(meanOf(state, 9), parameters.quarterback.newcomer.mean)
    assert.strictEqual(meanOf({ ...state, firstSeason: 2001 }, 9), parameters.quarterback.first.mean)
  })

  it("comes back from years of absence nearer to a newcomer, with more variance", () => {
    const { carry, variance: more, seasons } = parameters.quarterback.absent
    let later = addNewcomers(state, [game], parameters)
    const { slot } = later.quarterbacks.get(starter)!
    later = { ...later, mean: later.mean.with(slot, 4) }
    for (let season = 0; season <= seasons; season++) later = advanceSeason(later, parameters)
    assert.strictEqual(later.quarterbacks.size, 0)
    assert.strictEqual(later.mean.length, state.mean.length)
    const seen = later.absent.get(starter)!
    const { newcomer } = parameters.quarterback
    const back = addNewcomers(later, [{ ...game, season: later.season }], parameters)
    const at = back.quarterbacks.get(starter)!.slot
    assert.approximately(back.mean[at]!, carry * seen.mean + (1 - carry) * newcomer.mean, 1e-12)
    assert.strictEqual(variance(back, at), Math.min(newcomer.variance, seen.variance + more))
    assert.isFalse(back.absent.has(starter))
  })
})

describe("time", () => {
  it("from season to season takes strengths towards the mean and begins the count of games anew", () => {
    const slot = slots.offense(team)
    const { carry, variance: more } = parameters.season.offense
    const clubs = new Map(state.clubs).set(team, { elo: 1_700, games: 17 })
    const next = advanceSeason({ ...state, clubs, mean: state.mean.with(slot, 6) }, parameters)
    assert.deepStrictEqual([next.season, next.week], [2002, 1])
    assert.strictEqual(next.mean[slot], 6 * carry)
    assert.approximately(variance(next, slot), carry ** 2 * variance(state, slot) + more, 1e-12)
    const { mean, carry: ofElo } = parameters.elo
    assert.deepStrictEqual(next.clubs.get(team), { elo: mean + ofElo * (1_700 - mean), games: 0 })
  })

  it("from week to week makes strengths less certain, for each week that has passed", () => {
    const slot = slots.defense(team)
    const later = advanceWeeks(state, 7, parameters)
    assert.approximately(variance(later, slot), variance(state, slot) + 4 * parameters.week.defense, 1e-12)
    assert.strictEqual(advanceWeeks(state, 3, parameters), state)
  })
})
