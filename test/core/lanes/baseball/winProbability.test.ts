import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import {
  carryEarlierSeasons,
  computeLeagueEra,
  noGames,
  noInnings,
  sumLeague,
} from "../../../../core/lanes/baseball/lines.ts"
import { findCoefficients, trained } from "../../../../core/lanes/baseball/Model.ts"
import artefact from "../../../../core/lanes/baseball/model.json" with { type: "json" }
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import { homeWinProbability, listDrivers } from "../../../../core/lanes/baseball/skill/stack.ts"
import {
  computePythagorean,
  type Matchup,
  makeInputs,
  shrinkEra,
  shrinkPythagorean,
} from "../../../../core/lanes/baseball/winProbability.ts"

const coefficients = { home_edge: 0.14, pythagorean: 0.8, starter_era: 0.24 }
const team = (games: number, scored: number, allowed: number) => ({ games, scored, allowed })
const even: Matchup = { home: { season: noGames }, away: { season: noGames }, neutral: false, leagueEra: 4.2 }

const winOf = (matchup: Matchup) =>
  homeWinProbability(listDrivers(makeInputs(matchup, coefficients, parameters), coefficients, matchup.leagueEra))

describe("the Pythagorean expectation", () => {
  it("is the customary one, with a run added to both sides", () => {
    assert.strictEqual(computePythagorean(noGames, parameters), 0.5)
    // 800^1.83 / (800^1.83 + 700^1.83)
    assert.approximately(computePythagorean(team(162, 799, 699), parameters), 0.5607884244424522, 1e-14)
    assert.approximately(
      computePythagorean(team(162, 799, 699), parameters) + computePythagorean(team(162, 699, 799), parameters),
      1,
      1e-15,
    )
  })

  it("starts a season half of the way between last season and .5, and counts that for 65 games", () => {
    const last = team(162, 799, 699)
    const start = 0.5 + 0.5 * (computePythagorean(last, parameters) - 0.5)
    assert.approximately(shrinkPythagorean({ season: noGames, last }, parameters), start, 1e-15)
    assert.strictEqual(shrinkPythagorean({ season: noGames }, parameters), 0.5)
    const season = team(65, 300, 250)
    assert.approximately(
      shrinkPythagorean({ season, last }, parameters),
      (computePythagorean(season, parameters) + start) / 2,
      1e-15,
    )
  })
})

describe("a starter's earned run average", () => {
  it("is drawn to what is expected of a newcomer, by innings", () => {
    const none = { season: noInnings, carried: noInnings }
    assert.approximately(shrinkEra(none, 4.2, parameters), 4.94, 1e-12)
    const seen = { season: { innings: 100, earnedRuns: 30 }, carried: { innings: 40, earnedRuns: 20 } }
    assert.approximately(shrinkEra(seen, 4.2, parameters), (9 * 50 + 140 * 4.94) / 280, 1e-12)
  })

  it("counts a season less with each year, and neither the present one nor later ones", () => {
    const line = { innings: 100, earnedRuns: 40 }
    const years = [2022, 2024, 2025, 2026, 2027].map((year) => [year, line] as const)
    const { innings, earnedRuns } = carryEarlierSeasons(2026, years, parameters)
    assert.approximately(innings, 100 * (0.4 + 0.4 ** 2 + 0.4 ** 4), 1e-12)
    assert.approximately(earnedRuns, 0.4 * innings, 1e-12)
  })

  it("has the league's mean from its teams' runs, last season's where there are few", () => {
    const teams = [team(300, 1500, 1200), team(300, 1200, 1500)]
    const line = sumLeague(teams, parameters)
    assert.deepStrictEqual([line.games, line.earnedRuns], [600, 2700 * 0.92])
    const none = { games: 0, earnedRuns: 0 }
    assert.strictEqual(computeLeagueEra(none, undefined, parameters), 4.2)
    assert.approximately(computeLeagueEra(none, line, parameters), 4.5 * 0.92, 1e-12)
    assert.approximately(computeLeagueEra(line, { games: 300, earnedRuns: 900 }, parameters), (2484 + 900) / 900, 1e-12)
  })
})

describe("the win probability", () => {
  it("is the home edge alone between equals, and ½ on neutral ground", () => {
    assert.approximately(winOf(even), 1 / (1 + Math.exp(-0.14)), 1e-15)
    assert.strictEqual(winOf({ ...even, neutral: true }), 0.5)
  })

  it("rises with the runs of the home team and falls with its starter's", () => {
    const good = { season: { innings: 100, earnedRuns: 20 }, carried: noInnings }
    const bad = { season: { innings: 100, earnedRuns: 70 }, carried: noInnings }
    const base = winOf(even)
    assert.isAbove(winOf({ ...even, home: { season: team(80, 420, 350) } }), base)
    assert.isBelow(winOf({ ...even, away: { season: team(80, 420, 350) } }), base)
    assert.isAbove(winOf({ ...even, homeStarter: good }), base)
    assert.isBelow(winOf({ ...even, awayStarter: good }), base)
    assert.isAbove(winOf({ ...even, homeStarter: good, awayStarter: bad }), winOf({ ...even, homeStarter: good }))
  })

  it("leaves an unknown starter's average out and takes the league's mean for it", () => {
    const inputs = makeInputs(even, coefficients, parameters)
    assert.deepStrictEqual(Object.keys(inputs), ["home_pyth", "away_pyth", "home_games", "away_games", "home_edge"])
    assert.strictEqual(
      homeWinProbability(listDrivers({ ...inputs, home_starter_era: 4.2, away_starter_era: 4.2 }, coefficients, 4.2)),
      homeWinProbability(listDrivers(inputs, coefficients, 4.2)),
    )
  })

  it("stays strictly between 0 and 1, and is 1 minus itself when everything changes sides", () => {
    const form = FastCheck.record({
      season: FastCheck.record({
        games: FastCheck.integer({ min: 0, max: 162 }),
        scored: FastCheck.integer({ min: 0, max: 1_200 }),
        allowed: FastCheck.integer({ min: 0, max: 1_200 }),
      }),
    })
    const starter = FastCheck.record({
      innings: FastCheck.double({ min: 0, max: 250, noNaN: true }),
      earnedRuns: FastCheck.integer({ min: 0, max: 200 }),
    }).map((season) => ({ season, carried: noInnings }))
    FastCheck.assert(
      FastCheck.property(form, form, starter, starter, (home, away, homeStarter, awayStarter) => {
        const matchup = { home, away, homeStarter, awayStarter, neutral: true, leagueEra: 4.2 }
        const p = winOf(matchup)
        const turned = { ...matchup, home: away, away: home, homeStarter: awayStarter, awayStarter: homeStarter }
        assert.isTrue(p > 0 && p < 1)
        assert.approximately(p + winOf(turned), 1, 1e-12)
      }),
    )
  })
})

describe("the model that is served", () => {
  it("was trained with the parameters that it is served with", () => {
    assert.deepStrictEqual(artefact.parameters, parameters)
  })

  it("has the coefficients of a season from the seasons before, and the last ones ever after", () => {
    const [first] = trained.coefficients
    assert.strictEqual(findCoefficients(2019).season, 2019)
    assert.strictEqual(findCoefficients(2026), trained.coefficients.at(-1))
    assert.strictEqual(findCoefficients(1999), first)
    for (const { season, games } of trained.coefficients) assert.isAbove(games, 2_000, String(season))
    assert.isTrue(Schema.is(Schema.Array(Schema.String))(trained.inputs.map(({ sha256 }) => sha256)))
    for (const { sha256 } of trained.inputs) assert.match(sha256, /^[0-9a-f]{64}$/)
  })

  it("was fitted on nothing after 2024, its log-odds from runs on nothing after 2021", () => {
    assert.strictEqual(trained.trained_at.slice(0, 4), "2024")
    assert.strictEqual(trained.skill.coefficients.at(-1)!.season, 2025)
    assert.strictEqual(trained.coefficients.at(-1)!.season, 2022)
  })
})
