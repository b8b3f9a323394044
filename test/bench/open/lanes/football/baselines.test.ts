import { assert, describe, it } from "@effect/vitest"
import type { Played } from "../../../../../bench/open/lanes/football/data.ts"
import { market, simple } from "../../../../../bench/open/lanes/football/task.ts"
import * as normal from "../../../../../core/math/normal.ts"
import { league } from "../../../../support/footballLeague.ts"

const { games, strength } = league(5, [2001, 2002, 2003], 8)
const played = games as ReadonlyArray<Played>
const forecasts = new Map(simple(played))
const last = played.filter(({ season }) => season === 2003)

describe("forecasts from scores alone", () => {
  it("are none for the first season, which has none before it", () => {
    for (const [name, found] of forecasts) {
      assert.deepStrictEqual(
        [...found.keys()],
        played.flatMap(({ id, season }) => (season > 2001 ? [id] : [])),
        name,
      )
    }
  })

  it("are the mean home margin of the seasons before, and even on neutral ground", () => {
    const margins = played
      .filter(({ season, neutral }) => season < 2003 && !neutral)
      .map(({ score }) => score.home - score.away)
    const mean = margins.reduce((sum, margin) => sum + margin, 0) / margins.length
    const sigma = Math.sqrt(margins.reduce((sum, margin) => sum + (margin - mean) ** 2, 0) / margins.length)
    for (const { id, neutral } of last) {
      const { homeMargin, winHome } = forecasts.get("home constant")!.get(id)!
      assert.approximately(homeMargin, neutral ? 0 : mean, 1e-12)
      assert.approximately(winHome!, neutral ? 0.5 : normal.cdf(mean / sigma), 1e-12)
    }
  })

  it("favour the team that scores more than it allows", () => {
    const late = last.filter(({ week }) => week === 8)
    const pairs = late.map(({ id, home, away }) => [
      strength.get(home.team)! - strength.get(away.team)!,
      forecasts.get("pythagorean log5")!.get(id)!.homeMargin,
    ])
    assert.isAbove(
      pairs.reduce((sum, [gap, margin]) => sum + Math.sign(gap!) * margin!, 0),
      0,
    )
  })

  it("use no game of their own day or later", () => {
    const { gameday } = last[20]!
    const changed = played.map((game) => (game.gameday < gameday ? game : { ...game, score: { home: 60, away: 0 } }))
    const until = ([id]: readonly [string, unknown]) => played.find((game) => game.id === id)!.gameday <= gameday
    for (const [name, found] of simple(changed)) {
      assert.deepStrictEqual([...found].filter(until), [...forecasts.get(name)!].filter(until), name)
    }
  })
})

describe("the market's forecasts", () => {
  it("are the closing spread and total with the moneylines' probability, where there is a spread", () => {
    const lines = new Map([
      ["a", { spread: 3, total: 44, homeMoneyline: -150, awayMoneyline: 130 }],
      ["b", { spread: -1 }],
      ["c", { total: 40 }],
    ])
    const found = market(lines)
    assert.deepStrictEqual([...found.keys()], ["a", "b"])
    assert.deepStrictEqual(found.get("b"), { homeMargin: -1, total: undefined, winHome: undefined })
    assert.approximately(found.get("a")!.winHome!, 0.6 / (0.6 + 100 / 230), 1e-12)
  })
})
