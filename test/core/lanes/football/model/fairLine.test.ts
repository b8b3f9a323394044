import { assert, describe, it } from "@effect/vitest"
import { fitModel, walkForward } from "../../../../../bench/open/train/footballWalk.ts"
import type { Game } from "../../../../../core/lanes/football/data/Game.ts"
import { computeFairLine } from "../../../../../core/lanes/football/model/fairLine.ts"
import { parameters } from "../../../../../core/lanes/football/model/parameters.ts"
import { makeInitialState } from "../../../../../core/lanes/football/model/State.ts"
import { league } from "../../../../support/footballLeague.ts"

const made = league(7, [2000, 2001, 2002, 2003, 2004], 6)
const options = { parameters, weeks: made.weeks }
const fitted = fitModel(made.games, options)
const blendFor = (season: number) => fitted.links.find((link) => link.season === season)!
const latest = fitted.predictions.slice(-16)

describe("a fair line", () => {
  it("is the sum of its drivers, largest first, and agrees with itself", () => {
    for (const { game, line } of fitted.predictions) {
      const points = line.drivers.map((driver) => driver.points)
      assert.approximately(
        points.reduce((sum, one) => sum + one, 0),
        line.homeMargin,
        1e-9,
      )
      const link = blendFor(game.season)
      assert.approximately(line.homeMargin, link.kalman * line.members.kalman + link.elo * line.members.elo, 1e-9)
      assert.deepStrictEqual(
        points,
        [...points].sort((a, b) => Math.abs(b) - Math.abs(a)),
      )
      assert.strictEqual(new Set(line.drivers.map(({ feature }) => feature)).size, points.length)
      assert.strictEqual(line.spread, -line.homeMargin)
      assert.strictEqual(line.winProbHome > 0.5, line.homeMargin > 0)
      assert.approximately(line.winProbHome + line.winProbAway, 1, 1e-15)
      assert.strictEqual(line.sigmaMargin, link.sigma)
      const own = line.drivers.find(({ feature }) => feature === "home_field")
      assert.strictEqual(own === undefined, game.neutral)
    }
  })

  it("counts the games of the season that it has seen", () => {
    for (const { game, line } of latest) {
      assert.deepStrictEqual(line.formGamesUsed, { home: 5, away: 5 }, game.id)
    }
  })

  it("takes the last starter when nobody is named, and says so", () => {
    const bare = ({ quarterback: _, ...side }: Game["home"]) => side
    const known = (game: Game): Game => ({ ...game, home: bare(game.home) })
    const steps = [...walkForward(makeInitialState(parameters), made.games, { ...options, blendFor, known })]
    const last = steps.at(-1)!.predictions.at(-1)
    const { home, away } = last!.game
    assert.deepStrictEqual(last!.line.starters, {
      home: { id: home.quarterback!, assumed: true },
      away: { id: away.quarterback!, assumed: false },
    })
    // The same man, so the same line.
    assert.strictEqual(last!.line.homeMargin, latest.at(-1)!.line.homeMargin)
    const first = steps[0]!.predictions[0]!
    assert.deepStrictEqual(first.line.starters.home, { assumed: true })
    const { kalman, elo } = blendFor(2000)
    const { members, homeMargin } = first.line
    assert.approximately(homeMargin, kalman * members.kalman + elo * members.elo, 1e-9)
  })

  it("knows neither the score of its game nor the state after it", () => {
    const { game, line } = latest.at(-1)!
    const again = computeFairLine(makeInitialState(parameters), game, blendFor(2004), parameters)
    assert.deepStrictEqual(
      computeFairLine(
        makeInitialState(parameters),
        { ...game, score: { home: 70, away: 0 } },
        blendFor(2004),
        parameters,
      ),
      again,
    )
    assert.deepStrictEqual(again.formGamesUsed, { home: 0, away: 0 })
    assert.notStrictEqual(again.homeMargin, line.homeMargin)
  })
})
