import { assert, describe, it } from "@effect/vitest"
import { market, simple } from "../../../../../bench/open/lanes/baseball/task.ts"
import type { Played } from "../../../../../bench/open/lanes/baseball/walk.ts"

const game = (day: string, home: string, homeRuns: number, away: string, awayRuns: number): Played => ({
  id: `${day}/${away}/${home}`,
  season: Number(day.slice(0, 4)),
  day,
  home: { team: home, runs: homeRuns },
  away: { team: away, runs: awayRuns },
  neutral: false,
})

/** A strong and a weak team, each at home in turn; the weak one wins at home once in a while, the strong one loses so. */
const season = (year: number): ReadonlyArray<Played> =>
  Array.from({ length: 24 }, (_, at) => {
    const day = `${year}-05-${String(at + 1).padStart(2, "0")}`
    const upset = at % 6 > 3
    const [strong, weak] = upset ? [2, 3] : [6, 2]
    return at % 2 === 0 ? game(day, "S", strong, "W", weak) : game(day, "W", weak, "S", strong)
  })

const games = [2020, 2021].flatMap(season)
const forecasts = new Map(simple(games, { from: 2020, to: 2020 }))
const meanOf = (name: string, home: string): number => {
  const found = games.filter(({ season: year, home: { team } }) => year === 2021 && team === home)
  return found.reduce((sum, { id }) => sum + forecasts.get(name)!.get(id)!, 0) / found.length
}

describe("forecasts from scores alone", () => {
  it("are three, for the seasons after the first fitted one", () => {
    assert.deepStrictEqual([...forecasts.keys()], ["elo", "pythagorean log5", "home constant"])
    for (const [name, found] of forecasts) {
      assert.deepStrictEqual(
        [...found.keys()],
        season(2021).map(({ id }) => id),
        name,
      )
      for (const p of found.values()) assert.isTrue(p > 0 && p < 1, name)
    }
  })

  it("are the share of home wins without any other knowledge", () => {
    // Of 24 games the home team won 8 as the strong one and 4 as the weak one.
    for (const p of forecasts.get("home constant")!.values()) assert.approximately(p, 0.5, 1e-6)
  })

  it("favour the stronger team", () => {
    for (const name of ["elo", "pythagorean log5"]) assert.isAbove(meanOf(name, "S"), meanOf(name, "W") + 0.1, name)
  })

  it("use no game of their own day or later", () => {
    const last = games.at(-1)!
    const other = { ...last, home: { ...last.home, runs: 30 }, away: { ...last.away, runs: 0 } }
    const changed = simple([...games.slice(0, -1), other], { from: 2020, to: 2020 })
    assert.deepStrictEqual(new Map(changed), forecasts)
  })
})

describe("the market's forecasts", () => {
  it("are its prices without the margin, in proportion", () => {
    const found = market(
      new Map([
        ["even", { home: -110, away: -110 }],
        ["home", { home: -150, away: 130 }],
      ]),
    )
    assert.strictEqual(found.get("even"), 0.5)
    assert.approximately(found.get("home")!, 0.6 / (0.6 + 100 / 230), 1e-12)
  })
})
