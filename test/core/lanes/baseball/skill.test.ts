import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { feeds, skillDataOf } from "../../../../bench/open/lanes/baseball/data.ts"
import type { GameLog } from "../../../../bench/open/lanes/baseball/gameLog.ts"
import { type SkillArchive, skillFeeds } from "../../../../bench/open/lanes/baseball/skillFiles.ts"
import { walkSkills } from "../../../../bench/open/lanes/baseball/walkSkills.ts"
import { readInput } from "../../../../bench/open/lanes/files.ts"
import type { FileFormat } from "../../../../core/csv/FileFormat.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import {
  computeLineUpDifference,
  type LineUp,
  whyImplausibleLineUp,
} from "../../../../core/lanes/baseball/skill/lineUps.ts"
import {
  type Careers,
  countNames,
  type PitchingCounts,
  rateNames,
  toRates,
  whyImplausibleCounts,
} from "../../../../core/lanes/baseball/skill/rates.ts"
import { homeWinProbability, listDrivers, toSkillRegressors } from "../../../../core/lanes/baseball/skill/stack.ts"
import { makeSkills, type SkillTerms } from "../../../../core/lanes/baseball/skill/states.ts"
import { logistic } from "../../../../core/math/logistic.ts"
import { pitched, usual } from "../../../support/pitching.ts"
import { describeRealData } from "../../../support/realData.ts"

const none: Careers = { of: () => undefined, league: () => undefined }
const ask = { season: 2026, day: "2026-05-01", home: { team: "111", starter: "7001" }, away: { team: "222" } }

describe("rates of pitching", () => {
  it("are per batter faced", () => {
    assert.approximately(toRates(usual).kbb, 6 / 38, 1e-15)
    assert.approximately(toRates(usual).lw, (0.33 * 3 + 0.47 * 5 + 0.77 * 2 + 1.4) / 38, 1e-15)
  })

  it.each<[string, Partial<PitchingCounts>, RegExp]>([
    ["a negative count", { walks: -1 }, /walks is -1/],
    ["half a batter", { hits: 7.5 }, /hits is 7.5/],
    ["more batters than a game has", { faced: 131 }, /131 batters/],
    ["more outcomes than batters", { strikeouts: 30 }, /More outcomes/],
    ["more intentional walks than walks", { intentional: 4 }, /4 of 3 walks/],
    ["more long hits than hits", { homers: 7 }, /were long/],
  ])("refuse %s", (_, changes, reason) => {
    assert.isUndefined(whyImplausibleCounts(usual))
    assert.match(whyImplausibleCounts({ ...usual, ...changes })!, reason)
  })
})

describe("skills", () => {
  it("learn from a game what its innovation says, each by its share of the variance", () => {
    const skills = makeSkills(none, parameters)
    const before = skills.before(ask)
    for (const name of rateNames) assert.deepStrictEqual(Object.values(before[name]).map(Math.abs), [0, 0, 0])
    skills.learn({
      ...pitched("1", "2026-04-30"),
      away: { team: "222", starter: "7002", counts: { ...usual, faced: 19 } },
    })
    // The home side alone: V/BF + .62² · 1.12 τ² + .38² · .15 τ² + .25 τ².
    const { noise, faced, league } = parameters.skill.rates.kbb
    const talent = noise / faced
    const variance = noise / 38 + talent * (0.62 ** 2 * 1.12 + 0.38 ** 2 * 0.15 + 0.25)
    const surprise = 9 / 38 - league
    const { kbb } = skills.before(ask)
    assert.approximately(kbb.starter, (-0.62 * 1.12 * talent * surprise) / variance, 1e-12)
    assert.approximately(kbb.bullpen, (-0.38 * 0.15 * talent * surprise) / variance, 1e-12)
    assert.approximately(kbb.bats, (-0.25 * talent * surprise) / variance, 1e-12)
    assert.approximately(skills.states().rates.kbb.league, league + 0.0006 * surprise, 1e-12)
  })

  it("count a surprise up to three standard deviations, and forget a part of it each season", () => {
    const skills = makeSkills(none, parameters)
    skills.learn(
      pitched("1", "2026-04-30", {
        home: { team: "111", counts: { ...usual, strikeouts: 27, hits: 3, doubles: 0, homers: 0 } },
      }),
    )
    const { bullpen, bats } = skills.before(ask).kbb
    const later = skills.before({ ...ask, season: 2028 }).kbb
    assert.approximately(later.bullpen, bullpen * 0.55 ** 2, 1e-12)
    assert.approximately(later.bats, bats * 0.6 ** 2, 1e-12)
    const talent = parameters.skill.rates.kbb.noise / 350
    const variance = parameters.skill.rates.kbb.noise / 38 + talent * (0.15 + 0.25)
    assert.isAtMost(Math.abs(bats), (3 * 0.25 * talent) / Math.sqrt(variance) + 1e-12)
  })

  it("keep in the league what games show of all teams: bullpens and bats begin a season around 0", () => {
    const skills = makeSkills(none, parameters)
    const rates = ["2026-04-30", "2026-05-01", "2026-05-02"].map((day) => pitched(day, day))
    for (const game of rates) skills.learn(game)
    const own = skills.before(ask)
    skills.before({ ...ask, season: 2027 })
    const meansOf = (of: Readonly<Record<string, { readonly mean: number }>>) =>
      Object.values(of).reduce((sum, { mean }) => sum + mean, 0)
    for (const name of rateNames) {
      const { league, bullpens, bats } = skills.states().rates[name]
      assert.approximately(meansOf(bullpens), 0, 1e-15)
      assert.approximately(meansOf(bats), 0, 1e-15)
      assert.isAbove(Math.abs(league - parameters.skill.rates[name].league), 0.0002)
    }
    // The sides' differences are the carried ones.
    const later = skills.before({ ...ask, season: 2027 })
    assert.approximately(later.kbb.bats, 0.6 * own.kbb.bats, 1e-12)
    assert.approximately(later.lw.bullpen, 0.55 * own.lw.bullpen, 1e-12)
  })

  it("begin a starter's season with his last three above their leagues', and an unknown pitcher with none", () => {
    const careers: Careers = {
      of: (pitcher, season) =>
        pitcher === "7001" && season > 2023 ? { ...usual, faced: 380, strikeouts: 120 } : undefined,
      league: () => ({ kbb: 0.14, lw: 0.17 }),
    }
    const { kbb } = makeSkills(careers, parameters).before(ask)
    const above = 120 - 3 - 0.14 * 380
    assert.approximately(kbb.starter, -((1 + 0.5) * above) / (1.5 * 380 + 350), 1e-12)
    const unknown = makeSkills(careers, parameters).before({ ...ask, home: { team: "111" } })
    assert.strictEqual(Math.abs(unknown.kbb.starter), 0)
  })

  it("keep namesakes apart by their ids, and the two games of a day out of each other", () => {
    const skills = makeSkills(none, parameters)
    skills.learn(pitched("1", "2026-04-30"))
    const own = skills.before(ask).kbb.starter
    const namesake = skills.before({ ...ask, home: { team: "111", starter: "7003" } }).kbb.starter
    assert.isBelow(own, 0)
    assert.strictEqual(Math.abs(namesake), 0)
    const day = [pitched("a", "2026-04-30"), pitched("b", "2026-04-30")]
    const { terms } = walkSkills(day, none, parameters)
    assert.deepStrictEqual(terms.get("a"), terms.get("b"))
  })

  it("add the line-ups above the usual ones, from seasons before, by the places of the order", () => {
    const nine = Array.from({ length: 9 }, (_, at) => String(at))
    const careers: Careers = {
      // Batter 0 alone is known: 9 runs above the league's in 90 appearances of last season and 90 of the one before.
      of: (batter, season) =>
        batter === "0" && season > 2023 ? { ...usual, faced: 90, homers: 0, hits: 60 } : undefined,
      league: () => ({ kbb: 0, lw: 0.2 }),
    }
    const events = 0.33 * 3 + 0.47 * 58 + 0.77 * 2
    const own = ((1 + 0.8) * (events - 18)) / (1.8 * 90 + 250)
    const turned = nine.toReversed()
    const away = { own: nine, recent: [nine, nine, nine] }
    const difference = (recent: ReadonlyArray<LineUp>) =>
      computeLineUpDifference(2026, { home: { own: nine, recent }, away }, careers, parameters)
    const gain = ((1.13 - 0.91) / 9.21) * (own - parameters.lineUp.unknown)
    assert.approximately(difference([turned, turned, turned]), gain, 1e-12)
    assert.approximately(difference([nine, nine, nine, turned]), gain / 4, 1e-12)
    // Of sixteen games the first is left out; before three there is no usual line-up.
    assert.approximately(difference([turned, ...Array.from({ length: 15 }, () => nine)]), 0, 1e-12)
    assert.strictEqual(difference([turned, turned]), 0)
  })

  it.each<[string, LineUp, RegExp]>([
    ["of eight", ["1", "2", "3", "4", "5", "6", "7", "8"], /8 of 9 batters/],
    ["with a player twice", ["1", "2", "3", "4", "5", "6", "7", "8", "3"], /Batter 3 is in it twice/],
  ])("refuse a line-up %s", (_, lineUp, reason) => assert.match(whyImplausibleLineUp(lineUp, parameters)!, reason))

  it("make drivers that sum to the log-odds, with and without them", () => {
    const inputs = { home_pyth: 0.55, away_pyth: 0.5, home_games: 9, away_games: 9, home_edge: 0.14 }
    const runs = { home_edge: 0.14, pythagorean: 0.8, starter_era: 0.2 }
    const coefficients = {
      ...{ constant: 0.08, runs: 0.5, starter_kbb: -3, bullpen_kbb: -1, bats_kbb: -1, bullpen_lw: 3, bats_lw: 5 },
    }
    const one = { starter: -0.01, bullpen: 0.002, bats: 0.003 }
    const terms: SkillTerms = { kbb: one, lw: { starter: 9, bullpen: 0.004, bats: -0.005 } }
    const alone = listDrivers(inputs, runs, 4.2)
    const logit = alone.reduce((sum, { log_odds }) => sum + log_odds, 0)
    const all = listDrivers(inputs, runs, 4.2, { terms, coefficients })
    const expected = 0.08 + 0.5 * logit + 0.03 - 0.002 - 0.003 + 0.012 - 0.025
    assert.approximately(homeWinProbability(all), logistic(expected), 1e-15)
    assert.lengthOf(new Set(all.map(({ feature }) => feature)), 8)
    const lineUp = { difference: 0.004, coefficients: { line_up: 20 } }
    const posted = listDrivers(inputs, runs, 4.2, { terms, coefficients, lineUp })
    assert.approximately(homeWinProbability(posted), logistic(expected + 0.08), 1e-15)
    assert.deepStrictEqual(posted.at(-1), { feature: "line-ups", log_odds: 0.08 })
  })
})

/** The day of a bench id: 2019-07-04/901/902 or 20220704/WAS/0. */
const dayOfId = (id: string): string => id.slice(0, id.indexOf("/")).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")

describeRealData("skills of the recorded games", (root) => {
  const folder = join(root, "baseball/skill")
  const read = async () => {
    const values = async <Name extends string, Row>(feed: FileFormat<Name, Row>, path: string) =>
      (await Effect.runPromise(readInput(feed, join(folder, path)))).values
    const archive: SkillArchive = {
      pitching: await values(skillFeeds.team_pitching, "mlb_team_pitching_by_game_2009_2024.csv.gz"),
      careers: await values(skillFeeds.pitcher_seasons, "mlb_pitchers_by_season_2007_2024.csv.gz"),
      batters: await values(skillFeeds.batter_seasons, "mlb_batters_by_season_2007_2024.csv.gz"),
      starters: await values(skillFeeds.starters, "mlb_sbr_starters_2013_2021.csv.gz"),
    }
    const logs = [2020, 2021, 2022].map((year) => values(feeds.game_logs, `../retrosheet/GL${year}.TXT.gz`))
    return { archive, logs: (await Promise.all(logs)).flat() }
  }

  it("have the check vectors, and look at nothing later", { timeout: 120_000 }, async () => {
    const { archive, logs } = await read()
    const { terms, lineUps } = skillDataOf(archive, logs, 2021)
    assert.isAbove(lineUps.size, 5_600)
    // Of the recipe's program in Python, with the same anchor.
    for (const [id, runs, values] of [
      ["2019-07-04/901/902", 0.559366, [-0.010236, -0.012188, -0.037626, -0.004374, 0.02301]],
      ["2019-07-04/903/904", 0.27161, [0.029897, 0.013226, 0.00245, 0.003074, -0.003717]],
    ] as const) {
      const row = toSkillRegressors(1, runs, terms.get(id)!)
      values.forEach((value, at) => {
        assert.approximately(row[at + 2]!, value, 1e-5, id)
      })
    }
    for (const cut of ["2014-06-01", "2019-04-10", "2021-06-01"]) {
      const changed = (counts: PitchingCounts) =>
        ({
          ...Object.fromEntries(countNames.map((name) => [name, 1.7 * counts[name]])),
          faced: counts.faced,
        }) as unknown as PitchingCounts
      const later = archive.pitching.filter(({ day }) => day >= cut)
      const permuted = new Map(later.map((line, at) => [line, later[(at * 7 + 3) % later.length]!.counts]))
      const pitching = archive.pitching.map((line) => {
        const counts = permuted.get(line)
        return counts === undefined ? line : { ...line, counts: changed(counts) }
      })
      const seasons = (rows: SkillArchive["careers"]) =>
        rows.map((row) => (row.season < Number(cut.slice(0, 4)) ? row : { ...row, counts: changed(row.counts) }))
      const [careers, batters] = [seasons(archive.careers), seasons(archive.batters)]
      const laterLogs = logs.filter(({ day }) => day >= cut)
      const other = skillDataOf(
        { ...archive, pitching, careers, batters },
        logs.map((log) => {
          const at = laterLogs.indexOf(log)
          if (at < 0) return log
          const { home, away } = laterLogs[(at * 7 + 3) % laterLogs.length]!
          const lineUp = (side: GameLog["home"]) => ({ lineUp: side.lineUp!.toReversed() })
          return { ...log, home: { ...log.home, ...lineUp(away) }, away: { ...log.away, ...lineUp(home) } }
        }),
        2021,
      )
      const differing = { skills: 0, lineUps: 0 }
      for (const [id, own] of terms) {
        const isEarlier = dayOfId(id) <= cut
        if (isEarlier) assert.deepStrictEqual(other.terms.get(id), own, `${id}, cut ${cut}`)
        else if (other.terms.get(id)!.kbb.bats !== own.kbb.bats) differing.skills++
      }
      for (const [id, own] of lineUps) {
        // The line-up of a game is known at its first pitch, what came before it is that of earlier days.
        if (dayOfId(id) < cut) assert.strictEqual(other.lineUps.get(id), own, `${id}, cut ${cut}`)
        else if (other.lineUps.get(id) !== own) differing.lineUps++
      }
      assert.isAbove(Math.min(differing.skills, differing.lineUps), 1_000)
    }
  })
})
