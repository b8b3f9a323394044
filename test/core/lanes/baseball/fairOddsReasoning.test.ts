import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  explainOdds,
  type FairOddsData,
  listFlags,
  makeExtras,
  scoreConfidence,
  whyUnrecorded,
} from "../../../../core/lanes/baseball/fairOddsReasoning.ts"
import { trained } from "../../../../core/lanes/baseball/Model.ts"
import type { ListedGame, Listings, PitcherLines, TeamLines } from "../../../../core/lanes/baseball/ports.ts"
import type { Stacked } from "../../../../core/lanes/baseball/skill/stack.ts"
import { pitchedGames } from "../../../support/pitching.ts"

const day = 86_400_000
const firstPitch = Date.UTC(2026, 6, 11, 23, 5)
const sourced = { source: "mlb", locator: "/x", fetchedAt: 0, stale: false }
const lines = (...games: ReadonlyArray<readonly [id: number, games: number]>): TeamLines => ({
  ...sourced,
  lines: new Map(games.map(([id, count]) => [id, { games: count, scored: 4 * count, allowed: 4 * count }])),
})
const pitcher: PitcherLines = {
  ...sourced,
  locator: "/pitcher",
  season: { innings: 9, earnedRuns: 4 },
  earlier: [],
  counts: new Map(),
}

const game: ListedGame = {
  gamePk: 1,
  season: 2026,
  type: "R",
  firstPitch,
  officialDate: "2026-07-11",
  state: "Scheduled",
  phase: "scheduled",
  venue: "Park",
  neutral: false,
  doubleHeader: "N",
  gameNumber: 1,
  home: { teamId: 1, name: "Homes", wins: 0, losses: 0, starter: { id: 11, name: "H. Starter" } },
  away: { teamId: 2, name: "Aways", wins: 0, losses: 0, starter: { id: 12, name: "A. Starter" } },
}
const { starter: _, ...bareHome } = game.home
const { starter: __, ...bareAway } = game.away
const data = (changes: Partial<ListedGame> = {}, more: Partial<FairOddsData> = {}): FairOddsData => ({
  game: { ...game, ...changes },
  before: "2026-07-11",
  teams: lines([1, 65], [2, 80]),
  last: lines([1, 162], [2, 162]),
  home: pitcher,
  away: pitcher,
  pitched: pitchedGames(80),
  stacked: {
    terms: { kbb: { starter: 0, bullpen: 0, bats: 0 }, lw: { starter: 0, bullpen: 0, bats: 0 } },
    coefficients: trained.skill.coefficients.at(-1)!,
  },
  lineUps: { reason: "No line-up is posted" },
  ...more,
})
const listings: Listings = { ...sourced, games: [game], unreadable: 0 }

describe("the quality flags of a game", () => {
  const flags = (changes: Partial<ListedGame> = {}, more: Partial<FairOddsData> = {}) =>
    listFlags(data(changes, more), listings)

  it("are none of an ordinary game of the season or its playoffs", () => {
    for (const type of ["R", "F", "D", "L", "W"]) assert.deepStrictEqual(flags({ type }), [])
  })

  it("name each doubt", () => {
    assert.deepStrictEqual(flags({ away: bareAway }), ["away_starter_unknown"])
    assert.deepStrictEqual(flags({ home: bareHome }), ["home_starter_unknown"])
    assert.deepStrictEqual(flags({ neutral: true }), ["neutral_site"])
    assert.deepStrictEqual(flags({ type: "S" }), ["not_a_season_game"])
    assert.deepStrictEqual(flags({ type: "RR" }), ["not_a_season_game"])
    assert.deepStrictEqual(flags({ phase: "off" }), ["not_played_as_listed"])
    assert.deepStrictEqual(flags({}, { away: { ...pitcher, stale: true } }), ["last_good"])
    const sources = [{ ...sourced, stale: true }]
    assert.deepStrictEqual(flags({}, { lineUps: { difference: 0, sources } }), ["last_good"])
    for (const flag of ["line_up_refused", "line_up_unavailable"] as const) {
      assert.deepStrictEqual(flags({}, { lineUps: { reason: "Not read", flag } }), [flag])
      assert.match(whyUnrecorded([flag])!, new RegExp(flag))
    }
    assert.deepStrictEqual(listFlags(data({}, { home: undefined }), { ...listings, stale: true }), ["last_good"])
  })

  it("name a team without a line in this season and the last one", () => {
    assert.deepStrictEqual(flags({}, { teams: lines() }), [])
    assert.deepStrictEqual(flags({}, { teams: lines([1, 5]), last: lines([2, 5]) }), [])
    assert.deepStrictEqual(flags({}, { teams: lines([1, 5]), last: lines([1, 5]) }), ["no_season_line"])
    assert.deepStrictEqual(flags({}, { teams: lines([2, 5]), last: lines() }), ["no_season_line"])
  })
})

describe("an answer without skills", () => {
  it("is flagged, says why, and is not recorded", () => {
    const lacking = data({}, { stacked: undefined, pitched: pitchedGames(20), teams: lines([1, 65], [2, 81]) })
    assert.deepStrictEqual(listFlags(lacking, listings), ["no_skills"])
    assert.match(whyUnrecorded(["no_skills"])!, /no_skills/)
    const inputs = { home_games: 65, away_games: 80, home_pyth: 0.5, away_pyth: 0.45, home_edge: 0.14, league_era: 4.2 }
    const { reasoning } = explainOdds(lacking, listings, { ...inputs, win_prob_home: 0.5 }, false)
    assert.include(reasoning.join(" "), "No skills: 53 games of the season lack pitching lines.")
  })
})

describe("the steps of fair odds", () => {
  const inputs = {
    ...{ home_games: 65, away_games: 80, home_pyth: 0.5, away_pyth: 0.45, home_edge: 0.14 },
    ...{ home_starter_era: 3.456, away_starter_era: 4, league_era: 4.2, win_prob_home: 0.56789 },
  }

  it("have the sources of what they used", () => {
    const { reasoning, citations } = explainOdds(data(), listings, inputs, false)
    assert.match(reasoning[0]!, /^Found Aways at Homes, first pitch .*, Scheduled\.$/)
    assert.include(reasoning[1], "in 2026 before 2026-07-11 (home 65, away 80 games)")
    assert.include(reasoning[2], "home 0.5000, away 0.4500.")
    assert.match(reasoning[3]!, /^ERA of H\. Starter \(home starter\), .*: 3\.46\.$/)
    assert.match(reasoning[4]!, /^ERA of A\. Starter \(away starter\), .*: 4\.00\.$/)
    assert.match(reasoning[5]!, /^Skills of starters, .* from the pitching in 80 games before 2026-07-11/)
    assert.strictEqual(reasoning[6], "No line-ups used. No line-up is posted.")
    assert.match(reasoning[7]!, /^Model .* home win probability 0\.5679\.$/)
    assert.lengthOf(reasoning, 8)
    assert.deepStrictEqual(
      citations.map(({ step, locator }) => [step, locator]),
      [
        [1, "/x"],
        [2, "/x"],
        [2, "/x"],
        [4, "/pitcher"],
        [5, "/pitcher"],
        [6, "pitching"],
      ],
    )
  })

  it("say where a starter is not announced, where the home edge is left out, and that a game has begun", () => {
    const { reasoning } = explainOdds(data({ home: bareHome, neutral: true }), listings, inputs, true)
    assert.strictEqual(reasoning[3], "No starter announced for Homes: league-mean ERA 4.20 used.")
    assert.strictEqual(reasoning[7], "No home edge: the game is not in the home team's park.")
    assert.strictEqual(reasoning[9], "Game started: inputs are as of first pitch; not recorded.")
  })
})

describe("the confidence in fair odds", () => {
  const factors = (some: FairOddsData, flags: ReadonlyArray<string>, now: number) =>
    scoreConfidence(some, flags, now).factors.slice(1, -1)

  it("counts the games of the team with fewer, from none to 65", () => {
    const of = (first: number, second: number) =>
      factors(data({}, { teams: lines([1, first], [2, second]) }), [], firstPitch)[0]
    assert.strictEqual(of(65, 80), "65 games played by the team with fewer (65 for full weight): ×1.00")
    assert.match(of(100, 80)!, /^80 games .*: ×1\.00$/)
    assert.match(of(80, 13)!, /^13 games .*: ×0\.68$/)
    assert.match(factors(data({}, { teams: lines([1, 65]) }), [], firstPitch)[0]!, /^0 games .*: ×0\.60$/)
  })

  it("counts the starters who are announced, and the days until the first pitch", () => {
    const [, starters, pitch] = factors(data(), ["home_starter_unknown"], firstPitch - 2 * day)
    assert.strictEqual(starters, "1 of 2 starters announced: ×0.90")
    assert.strictEqual(pitch, "first pitch in 2.0 days: ×0.90")
    assert.strictEqual(factors(data(), [], firstPitch - 20 * day)[2], "first pitch in 20.0 days: ×0.70")
    for (const now of [firstPitch, firstPitch + day]) {
      assert.deepStrictEqual(factors(data(), [], now).slice(1), [
        "2 of 2 starters announced: ×1.00",
        "past the scheduled first pitch",
      ])
    }
  })

  it("counts the other flags once, but not a neutral site", () => {
    const flags = ["home_starter_unknown", "last_good", "neutral_site", "no_season_line"]
    assert.strictEqual(factors(data(), flags, firstPitch)[3], "quality flags last_good, no_season_line: ×0.80")
    assert.lengthOf(factors(data(), ["neutral_site"], firstPitch), 3)
  })

  it("is 0.9 at most", () => {
    const { score, label } = scoreConfidence(data(), [], firstPitch)
    assert.strictEqual(label, "reasoned")
    assert.isAtMost(score, 0.9)
    assert.isAbove(score, 0.8)
  })
})

describe("the extras of fair odds", () => {
  const coefficients = { home_edge: 0.14, pythagorean: 0.8, starter_era: 0.24 }
  const at = (home_edge: number) =>
    makeExtras(
      data({}, { stacked: undefined }),
      { home_pyth: 0.5, away_pyth: 0.5, home_games: 65, away_games: 80, home_edge },
      coefficients,
      4.2,
    )

  it.effect("ask for the same game without the home edge, and with it at a neutral site", () =>
    Effect.gen(function* () {
      for (const [from, to] of [
        [0.14, 0],
        [0, 0.14],
      ] as const) {
        const found = yield* at(from).counterfactual!
        assert.deepStrictEqual([found.input, found.from, found.to], ["home_edge", from, to])
        const { win_prob_home, win_prob_away } = found.result as Record<string, number>
        assert.approximately(win_prob_home! + win_prob_away!, 1, 1e-12)
        assert.strictEqual(Math.sign((found.delta as Record<string, number>)["win_prob_home"]!), Math.sign(to - from))
      }
    }),
  )

  it.effect("without the home edge are those of equal sides, and of sides that are named the other way round", () =>
    Effect.gen(function* () {
      const [skill, line] = [trained.skill.coefficients.at(-1)!, trained.line_up.coefficients.at(-1)!]
      const stacked = (sign: number): Stacked => {
        const one = { starter: 0.01 * sign, bullpen: -0.02 * sign, bats: 0.005 * sign }
        return {
          terms: { kbb: one, lw: one },
          coefficients: skill,
          lineUp: { difference: 0.01 * sign, coefficients: line },
        }
      }
      const withoutLineUps = (sign: number): Stacked => {
        const { terms, coefficients } = stacked(sign)
        return { terms, coefficients }
      }
      const [best, worst] = [0.56, 0.47]
      const without = (home_pyth: number, away_pyth: number, some: Stacked | undefined) => {
        const inputs = {
          home_pyth,
          away_pyth,
          home_games: 65,
          away_games: 65,
          home_edge: trained.coefficients.at(-1)!.home_edge,
        }
        return Effect.map(
          makeExtras(data({}, { stacked: some }), inputs, trained.coefficients.at(-1)!, 4.2).counterfactual!,
          ({ result }) => (result as Record<string, number>)["win_prob_home"]!,
        )
      }
      for (const stackedOf of [() => undefined, stacked, withoutLineUps]) {
        assert.approximately(yield* without(0.5, 0.5, stackedOf(0)), 0.5, 1e-12)
        const sum = (yield* without(best, worst, stackedOf(1))) + (yield* without(worst, best, stackedOf(-1)))
        assert.approximately(sum, 1, 1e-12)
      }
    }),
  )

  it("suggest the games of the same day", () => {
    assert.deepStrictEqual(at(0).suggestions?.[0]?.params, { date: "2026-07-11" })
  })
})
