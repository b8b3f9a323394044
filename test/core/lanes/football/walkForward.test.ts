import { assert, describe, it } from "@effect/vitest"
import { fitModel, type PredictedGame, walkForward } from "../../../../bench/open/train/footballWalk.ts"
import type { Game } from "../../../../core/lanes/football/data/Game.ts"
import { groupByGameday } from "../../../../core/lanes/football/data/Game.ts"
import { parameters } from "../../../../core/lanes/football/model/parameters.ts"
import * as slots from "../../../../core/lanes/football/model/stateIndex.ts"
import { league, rewrittenFrom } from "../../../support/footballLeague.ts"

const made = league(7, [2000, 2001, 2002, 2003, 2004], 6)
const options = { parameters, weeks: made.weeks }
const fitted = fitModel(made.games, options)
const blendFor = (season: number) => fitted.links.find((link) => link.season === season)!

const unplayed = ({ score: _, ...game }: Game): Game => game

describe("fitModel", () => {
  it("does not look ahead: what happens on a day or later changes no line of that day or earlier", () => {
    const days = groupByGameday(made.games).map(([game]) => game!.gameday)
    for (const cut of [days[30]!, days[41]!, days[55]!]) {
      const { games, weeks } = rewrittenFrom(cut, made.games, made.weeks)
      const changed = fitModel(games, { parameters, weeks }).predictions
      const untouched = ({ game }: PredictedGame) => game.gameday <= cut
      assert.deepStrictEqual(
        changed.filter(untouched).map(({ line }) => line),
        fitted.predictions.filter(untouched).map(({ line }) => line),
      )
      const later = changed.flatMap(({ line }, at) => (untouched(changed[at]!) ? [] : [line.homeMargin]))
      const before = fitted.predictions.flatMap((one) => (untouched(one) ? [] : [one.line.homeMargin]))
      assert.isTrue(later.every((margin, at) => margin !== before[at]))
    }
  })

  it("predicts a game the same, played or not, in whatever order the games come", () => {
    const linesOf = (known: (game: Game) => Game) =>
      fitModel(made.games, { ...options, known }).predictions.map(({ line }) => line)
    assert.deepStrictEqual(
      linesOf(unplayed),
      linesOf((game) => game),
    )
    const shuffled = [...made.games].sort((a, b) => (a.home.team < b.home.team ? -1 : 1))
    assert.deepStrictEqual(fitModel(shuffled, options), fitted)
  })

  it("knows no weather of a game that it predicts, and learns from that of those before", () => {
    const all = fitModel(made.games, { ...options, known: (game) => game })
    // Totals are expected with the wind, so that how they lie around that is another thing.
    const ofMargins = ({ links }: typeof all) => links.map(({ total: _, ...link }) => link)
    assert.deepStrictEqual(ofMargins(all), ofMargins(fitted))
    assert.notDeepEqual(all.links, fitted.links)
    assert.deepStrictEqual(all.state, fitted.state)
    fitted.predictions.forEach(({ game, line }, at) => {
      const other = all.predictions[at]!.line
      assert.strictEqual(other.homeMargin, line.homeMargin)
      if (game.wind === undefined) assert.strictEqual(other.total, line.total)
    })
    const windy = fitted.predictions.filter(
      ({ game }, at) =>
        game.week > 1 && game.season > 2000 && all.predictions[at]!.line.total !== fitted.predictions[at]!.line.total,
    )
    assert.isAbove(windy.length, 50)
    const calm = fitModel(
      made.games.map(({ wind: _, ...game }) => game),
      options,
    )
    assert.notDeepEqual(calm.state.mean, fitted.state.mean)
  })

  it("has a link per season and one for the next", () => {
    assert.deepStrictEqual(
      fitted.links.map(({ season, games }) => [season, games]),
      [
        [2000, 0],
        [2001, 0],
        [2002, 0],
        [2003, 288],
        [2004, 384],
        [2005, 480],
      ],
    )
  })

  it("finds out who is strong, and beats the home edge at predicting", () => {
    const { mean } = fitted.state
    const rated = [...made.strength].map(([team, truth]) => [
      mean[slots.offense(team)]! + mean[slots.defense(team)]!,
      truth,
    ])
    const n = rated.length
    const centre = [0, 1].map((at) => rated.reduce((sum, pair) => sum + pair[at]!, 0) / n)
    const moment = (a: number, b: number) =>
      rated.reduce((sum, pair) => sum + (pair[a]! - centre[a]!) * (pair[b]! - centre[b]!), 0)
    assert.isAbove(moment(0, 1) / Math.sqrt(moment(0, 0) * moment(1, 1)), 0.75)
    const errors = fitted.predictions.flatMap(({ game, line }) => {
      if (game.season < 2002) return []
      const margin = game.score!.home - game.score!.away
      return [[Math.abs(margin - line.homeMargin), Math.abs(margin - (game.neutral ? 0 : 3))] as const]
    })
    const total = (at: 0 | 1) => errors.reduce((sum, pair) => sum + pair[at], 0)
    assert.isBelow(total(0) / total(1), 0.93)
  })
})

describe("walk", () => {
  it("goes on from a state as if it had never stopped", () => {
    const days = groupByGameday(made.games)
    const cut = days[29]![0]!.gameday
    const early = made.games.filter(({ gameday }) => gameday <= cut)
    const late = made.games.filter(({ gameday }) => gameday > cut)
    const { state } = fitModel(early, options)
    assert.strictEqual(state.through, cut)
    const steps = [...walkForward(state, late, { ...options, blendFor: blendFor })]
    assert.deepStrictEqual(steps.at(-1)!.after, fitted.state)
    assert.deepStrictEqual(
      steps.flatMap(({ predictions }) => predictions),
      fitted.predictions.slice(early.length),
    )
  })

  it("predicts what is not played, and learns nothing from it", () => {
    const steps = [
      ...walkForward(
        fitted.state,
        [unplayed(made.games[0]!)].map((game) => ({ ...game, gameday: "2005-09-08", season: 2005 })),
        { ...options, blendFor: blendFor },
      ),
    ]
    assert.strictEqual(steps.length, 1)
    assert.strictEqual(steps[0]!.after, fitted.state)
    assert.deepStrictEqual(steps[0]!.predictions[0]!.line.formGamesUsed, { home: 0, away: 0 })
  })
})
