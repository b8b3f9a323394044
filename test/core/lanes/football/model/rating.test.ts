import { assert, describe, it } from "@effect/vitest"
import type { Game } from "../../../../../core/lanes/football/data/Game.ts"
import { groupByGameday, toTeamWeekKey } from "../../../../../core/lanes/football/data/Game.ts"
import { makeMarginRow, makeTotalRow, updateHomeField } from "../../../../../core/lanes/football/model/covariates.ts"
import { computeEloGain, toEloRest, toEloWin } from "../../../../../core/lanes/football/model/elo.ts"
import { parameters } from "../../../../../core/lanes/football/model/parameters.ts"
import {
  advanceTo,
  learnGameday,
  makeMarginTerms,
  makeTotalTerms,
  type Terms,
} from "../../../../../core/lanes/football/model/rating.ts"
import { makeInitialState, type RatingState } from "../../../../../core/lanes/football/model/State.ts"
import * as slots from "../../../../../core/lanes/football/model/stateIndex.ts"
import { league } from "../../../../support/footballLeague.ts"

const made = league(1, [2000, 2001], 4)
const days = groupByGameday(made.games)
const none = new Map()

const stateAfter = (count: number): RatingState =>
  days
    .slice(0, count)
    .reduce((state, day) => learnGameday(state, day, made.weeks, parameters), makeInitialState(parameters))

/** Solves A x = b for every column of b by Gaussian elimination with pivoting. */
const solve = (a: ReadonlyArray<ReadonlyArray<number>>, b: ReadonlyArray<ReadonlyArray<number>>) => {
  const rows = a.map((row, at) => [...row, ...b[at]!])
  const n = rows.length
  for (let column = 0; column < n; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row, at) => (Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? column + at : best), column)
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    for (let row = 0; row < n; row++) {
      if (row === column) continue
      const factor = rows[row]![column]! / rows[column]![column]!
      for (let at = column; at < rows[row]!.length; at++) rows[row]![at]! -= factor * rows[column]![at]!
    }
  }
  return rows.map((row, at) => row.slice(n).map((value) => value / row[at]!))
}

describe("step", () => {
  it("is the conditional of the joint normal distribution, all observations of a day at once", () => {
    const before = stateAfter(3)
    const day = days[3]!.slice(0, 3)
    const prior = advanceTo(before, day, parameters)
    const n = prior.mean.length
    const rows = day.flatMap((game) => [makeMarginTerms(prior, game), makeTotalTerms(prior, game, parameters)])
    const seen = day.flatMap(({ score }) => [score!.home - score!.away, score!.home + score!.away])
    const along = (terms: Terms, from: ArrayLike<number>, start = 0) =>
      terms.reduce((sum, [slot, coefficient]) => sum + coefficient * from[start + slot]!, 0)
    const cross = rows.map((terms) => Array.from({ length: n }, (_, at) => along(terms, prior.covariance, at * n)))
    const s = rows.map((terms, row) =>
      rows.map(
        (_, at) => along(terms, cross[at]!) + (row === at ? parameters.noise[row % 2 === 0 ? "margin" : "total"] : 0),
      ),
    )
    const innovation = rows.map((terms, at) => [seen[at]! - along(terms, prior.mean)])
    const gains = solve(s, innovation)
    const reductions = solve(s, cross)
    const posterior = learnGameday(before, day, none, parameters)
    for (let slot = 0; slot < n; slot++) {
      const mean = prior.mean[slot]! + cross.reduce((sum, row, at) => sum + row[slot]! * gains[at]![0]!, 0)
      assert.approximately(posterior.mean[slot]!, mean, 1e-9)
      const reduction = cross.reduce((sum, row, at) => sum + row[slot]! * reductions[at]![slot]!, 0)
      assert.approximately(posterior.covariance[slot * n + slot]!, prior.covariance[slot * n + slot]! - reduction, 1e-9)
    }
  })

  it("leaves the state that it is given, and learns nothing from games without a score", () => {
    const before = stateAfter(4)
    const kept = structuredClone(before)
    const changed = learnGameday(before, days[4]!, made.weeks, parameters)
    assert.deepStrictEqual(before, kept)
    assert.notDeepEqual(changed, kept)
    const unplayed = days[4]!.map(({ score: _, ...game }): Game => game)
    assert.strictEqual(learnGameday(before, unplayed, made.weeks, parameters), before)
  })

  it("reaches the last week of a day whose games are of two", () => {
    const before = stateAfter(3)
    const [first, second] = days[3]!
    const later = (game: Game | undefined): Game => ({ ...game!, week: game!.week + 1 })
    const at = (games: ReadonlyArray<Game>) => learnGameday(before, games, none, parameters).week
    assert.strictEqual(at([later(first), second!]), first!.week + 1)
  })

  it("has a covariance symmetric to the last bit and positive on its diagonal", () => {
    const { covariance, mean } = stateAfter(days.length)
    const n = mean.length
    for (let row = 0; row < n; row++) {
      assert.isAbove(covariance[row * n + row]!, 0)
      for (let at = 0; at < row; at++) assert.strictEqual(covariance[row * n + at], covariance[at * n + row])
    }
  })

  it("reads expected points where both teams have them, and points alone otherwise", () => {
    const before = stateAfter(3)
    const [game] = days[3]!
    const week = (team: Game["home"]["team"], epa: number) =>
      [
        toTeamWeekKey(game!.season, game!.week, team),
        { season: game!.season, week: game!.week, team, epa, turnovers: 1 },
      ] as const
    const home = game!.home.team
    const strength = (weeks: ReadonlyMap<string, never> | ReadonlyMap<string, ReturnType<typeof week>[1]>) =>
      learnGameday(before, [game!], weeks, parameters).mean[slots.offense(home)]!
    const plain = strength(none)
    assert.strictEqual(strength(new Map([week(home, 40)])), plain)
    assert.isAbove(strength(new Map([week(home, 40), week(game!.away.team, 0)])), plain)
    assert.isBelow(strength(new Map([week(home, -40), week(game!.away.team, 0)])), plain)
  })

  it("is less certain of a team under another coach", () => {
    const before = stateAfter(3)
    const [game] = days[3]!
    const team = game!.home.team
    const variance = (coach: string) => {
      const { covariance, mean } = learnGameday(
        before,
        [{ ...game!, home: { ...game!.home, coach } }],
        none,
        parameters,
      )
      return covariance[slots.defense(team) * (mean.length + 1)]!
    }
    assert.isAbove(variance("somebody else"), variance(game!.home.coach!))
  })
})

describe("seasons", () => {
  const last = stateAfter(days.length)
  const named = (season: number, id: string, week = 3): Game => {
    const [game] = days[0]!
    return { ...game!, season, week, home: { ...game!.home, quarterback: id } }
  }
  const at = (state: RatingState, slot: number) =>
    [state.mean[slot]!, state.covariance[slot * (state.mean.length + 1)]!] as const

  it("falls back towards the mean and becomes less certain", () => {
    const next = advanceTo(last, [named(2002, "LA-2000")], parameters)
    const { season } = parameters
    for (const [slot, { carry, variance }] of [
      [slots.offense("KC"), season.offense],
      [slots.defense("KC"), season.defense],
      [slots.league, { carry: 1, variance: season.league }],
      [slots.teamHome("KC"), { carry: 1, variance: 0 }],
    ] as const) {
      const [mean, spread] = at(last, slot)
      assert.approximately(at(next, slot)[0], carry * mean, 1e-12)
      assert.approximately(at(next, slot)[1], carry * carry * spread + variance, 1e-12)
    }
    const { elo } = last.clubs.get("KC")!
    assert.approximately(next.clubs.get("KC")!.elo, 1505 + (2 / 3) * (elo - 1505), 1e-9)
    assert.deepStrictEqual([last.clubs.get("KC")!.games, next.clubs.get("KC")!.games, next.season], [4, 0, 2002])
  })

  it("gives a newcomer his prior, a second season its step, and puts the absent aside until they return", () => {
    const { newcomer, second, absent } = parameters.quarterback
    for (const [week, mean] of [
      [1, newcomer.weekOne],
      [6, newcomer.mean],
    ] as const) {
      const state = advanceTo(last, [named(2001, "rookie", week)], parameters)
      assert.deepStrictEqual(at(state, state.quarterbacks.get("rookie")!.slot), [mean, newcomer.variance])
      const later = advanceTo(state, [named(2002, "rookie")], parameters)
      const [gained, spread] = at(later, later.quarterbacks.get("rookie")!.slot)
      const { carry, variance } = parameters.season.quarterback
      assert.approximately(gained, carry * mean + second.gain, 1e-12)
      assert.approximately(spread, carry * carry * newcomer.variance + second.variance * variance, 1e-12)
    }
    const gone = advanceTo(last, [named(2004, "KC-2000")], parameters)
    assert.isFalse(gone.quarterbacks.has("LA-2000"))
    assert.strictEqual(gone.mean.length, slots.firstQuarterback + gone.quarterbacks.size)
    const kept = gone.absent.get("LA-2000")!
    const back = advanceTo(gone, [named(2004, "LA-2000")], parameters)
    const [mean, spread] = at(back, back.quarterbacks.get("LA-2000")!.slot)
    assert.approximately(mean, absent.carry * kept.mean + (1 - absent.carry) * newcomer.mean, 1e-12)
    assert.approximately(spread, Math.min(newcomer.variance, kept.variance + absent.variance), 1e-12)
    assert.isFalse(back.absent.has("LA-2000"))
    // Those who stayed kept their estimates when others left.
    const stayed = advanceTo(last, [named(2003, "KC-2000")], parameters)
    const from = last.quarterbacks.get("KC-2000")!.slot
    const to = stayed.quarterbacks.get("KC-2000")!.slot
    assert.approximately(stayed.mean[to]!, parameters.season.quarterback.carry ** 2 * last.mean[from]!, 1e-12)
  })
})

const game: Game = {
  id: "2021_05_SF_NYJ",
  season: 2021,
  type: "REG",
  week: 5,
  gameday: "2021-10-10",
  kickoff: "13:00",
  home: { team: "NYJ", code: "NYJ", rest: 14 },
  away: { team: "SF", code: "SF", rest: 6 },
  neutral: false,
  division: false,
  roof: "outdoors",
  surface: "fieldturf",
  wind: 18,
}
const side = (change: Partial<Game["home"]>) => ({ home: { ...game.home, ...change } })

describe("covariates", () => {
  it("are what the game is", () => {
    const grass = { turf: false }
    const cases: ReadonlyArray<readonly [change: Partial<Game>, row: ReadonlyArray<number>]> = [
      [{}, [4 / 3, 0, 1, 1, 0, 0]],
      [{ week: 1 }, [0, 0, 1, 1, 0, 0]],
      [side({ rest: 7 }), [1 / 3, 0, 1, 1, 0, 0]],
      [{ division: true, kickoff: "19:00" }, [4 / 3, 1, 0, 1, 1, 0]],
      [{ kickoff: "16:05", season: 2020 }, [4 / 3, 0, 0, 1, 0, 1]],
      [{ surface: "dessograss" }, [4 / 3, 0, 1, 0, 0, 0]],
      [{ home: { ...game.home, team: "DEN", code: "DEN" } }, [4 / 3, 0, 0, 1, 0, 0]],
      [{ away: { ...game.away, team: "LA", code: "STL" } }, [4 / 3, 0, 0, 1, 0, 0]],
      [{ neutral: true, division: true, kickoff: "20:00", season: 2020 }, [4 / 3, 0, 0, 0, 0, 0]],
    ]
    for (const [change, row] of cases) {
      assert.deepStrictEqual(makeMarginRow({ ...game, ...change }, {}, grass), row, JSON.stringify(change))
    }
    const { kickoff: _, surface: __, ...bare } = game
    assert.deepStrictEqual(makeMarginRow(bare, {}, grass), [4 / 3, 0, 0, 0, 0, 0])
    assert.deepStrictEqual(makeMarginRow(bare, { turf: true }, grass), [4 / 3, 0, 0, 1, 0, 0])
  })

  it("of the total: roof, wind, rivalry, hour and weeks", () => {
    const { wind: _, roof: __, ...bare } = game
    const cases: ReadonlyArray<readonly [game: Game, home: object, row: ReadonlyArray<number>]> = [
      [game, {}, [0, 1, 0, 0, 0]],
      [{ ...game, wind: 5 }, {}, [0, 0, 0, 0, 0]],
      [{ ...game, roof: "closed" }, {}, [1, 0, 0, 0, 0]],
      [{ ...game, week: 3, division: true, kickoff: "20:30", neutral: true }, {}, [0, 1, 1, 1, 1]],
      [bare, {}, [0, 0.23, 0, 0, 0]],
      [bare, { indoor: true }, [1, 0, 0, 0, 0]],
      [{ ...bare, neutral: true }, { indoor: true }, [0, 0.23, 0, 0, 0]],
      [{ ...bare, roof: "open" }, { indoor: true }, [0, 0, 0, 0, 0]],
    ]
    for (const [of, home, row] of cases)
      assert.deepStrictEqual(makeTotalRow(of, home, 0.23), row, JSON.stringify([of, home]))
  })

  it("remember a team's own field, not one that it borrowed", () => {
    const known = { turf: false, indoor: true }
    assert.deepStrictEqual(updateHomeField(game, known), { turf: true, indoor: false })
    assert.deepStrictEqual(updateHomeField({ ...game, neutral: true }, known), known)
    const { surface: _, ...bare } = game
    assert.deepStrictEqual(updateHomeField(bare, known), { turf: false, indoor: false })
  })
})

describe("elo", () => {
  it("gains by how surprising and how clear a win is", () => {
    assert.strictEqual(toEloWin(0), 0.5)
    assert.approximately(toEloWin(400), 10 / 11, 1e-15)
    assert.approximately(computeEloGain(0, 7, parameters), 20 * 0.5 * Math.log(8), 1e-12)
    assert.approximately(
      computeEloGain(100, 7, parameters),
      (20 * (1 - toEloWin(100)) * Math.log(8) * 2.2) / 2.3,
      1e-12,
    )
    assert.approximately(computeEloGain(100, -7, parameters), (-20 * toEloWin(100) * Math.log(8) * 2.2) / 2.1, 1e-12)
    assert.strictEqual(Math.abs(computeEloGain(100, 0, parameters)), 0)
  })

  it("counts a week off on either side, but in week 1", () => {
    assert.strictEqual(toEloRest(game, parameters), 12.5)
    assert.strictEqual(toEloRest({ ...game, week: 1 }, parameters), 0)
    assert.strictEqual(toEloRest({ ...game, away: { ...game.away, rest: 11 } }, parameters), 0)
    assert.strictEqual(
      toEloRest({ ...game, ...side({ rest: 10 }), away: { ...game.away, rest: 13 } }, parameters),
      -12.5,
    )
  })
})
