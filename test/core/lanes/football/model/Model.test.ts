import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { FootballData } from "../../../../../bench/open/lanes/football/data.ts"
import { readFootball } from "../../../../../bench/open/lanes/football/files.ts"
import { modelName } from "../../../../../bench/open/lanes/football/models.ts"
import { closeName } from "../../../../../bench/open/lanes/football/task.ts"
import type { Trained } from "../../../../../bench/open/train/footballTraining.ts"
import { fitModel, type PredictedGame, predictAll } from "../../../../../bench/open/train/footballWalk.ts"
import { groupByGameday, hideResult, readGame } from "../../../../../core/lanes/football/data/Game.ts"
import { findBlend, initialState, learn, predict, trained } from "../../../../../core/lanes/football/model/Model.ts"
import { parameters } from "../../../../../core/lanes/football/model/parameters.ts"
import { scoreForecast } from "../../../../../core/lanes/football/model/score.ts"
import { bundled } from "../../../../support/built.ts"
import { league, rewrittenFrom } from "../../../../support/footballLeague.ts"
import { describeRealData } from "../../../../support/realData.ts"

const file = readFileSync(new URL("../../../../../core/lanes/football/model/model.json", import.meta.url), "utf8")
const published: Trained = JSON.parse(file)

/** Every number of a value with the way to it. */
const numbers = (value: unknown, path = ""): ReadonlyArray<readonly [path: string, value: number]> =>
  typeof value === "number"
    ? [[path, value]]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => numbers(inner, `${path}/${key}`))
      : []

describe("the trained model", () => {
  it("was trained with the constants of the code, and stays small", () => {
    assert.deepStrictEqual(published.parameters, parameters)
    assert.match(trained.model_version, /^kf-epa-elo-2026\.1-[0-9a-f]{8}$/)
    assert.isBelow(file.length, 80_000)
    assert.isTrue(trained.inputs.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)))
  })

  it("has a link for every season, the last for those to come", () => {
    assert.deepStrictEqual(findBlend(2026), trained.links.at(-1))
    assert.strictEqual(findBlend(2031), findBlend(2026))
    assert.strictEqual(findBlend(2010).season, 2010)
    assert.strictEqual(findBlend(1990), trained.links[0])
    for (const { season, weights, total } of trained.links) {
      assert.strictEqual(weights.length, season < 2002 ? 0 : 61)
      assert.strictEqual(total.weights.length, season < 2002 ? 0 : 121)
      assert.isTrue(total.sigma > 12.5 && total.sigma < 14.5, `${season}: ${total.sigma}`)
    }
  })

  it("is as good as it must be, and no better than leaked results could make it", () => {
    const { backtest, backtest_holdout: held } = published
    const [{ calibration }, recent] = [backtest[0]!, backtest.at(-1)!.rows]
    const rowNamed = (title: string) => recent.find(({ name }) => name === title)!
    const [model, close] = [rowNamed(modelName), rowNamed(closeName)]
    const within = (value: number, least: number, most: number) =>
      assert.isTrue(value > least && value <= most, `${value} in (${least}, ${most}]`)
    within(held.spread.mae_model, 9.7, 10.15)
    within(held.spread.su_accuracy_model, 0.655, 0.7)
    within(held.total.mae_model, 9.95, 10.22)
    within(held.moneyline.brier_model_wp, 0.206, 0.219)
    within(model.mae.value, close.mae.value, 10.12)
    within(model.brier!.value, close.brier!.value, 0.2205)
    within(model.total_mae!.value, close.total_mae!.value, 10.77)
    within(calibration.z_sd, 1 / 1.06, 1.06)
    within(calibration.ece, 0, 0.07)
  })

  it("predicts from a state that learns day by day as the replay does", () => {
    const made = league(3, [2024, 2025], 3)
    let state = initialState
    const one: Array<PredictedGame> = []
    for (const day of groupByGameday(made.games)) {
      for (const game of day) one.push({ game, line: predict(state, hideResult(game)) })
      state = learn(state, day, made.weeks)
    }
    const steps = [...predictAll(initialState, made.games, made.weeks)]
    assert.deepStrictEqual(
      steps.flatMap(({ predictions }) => predictions),
      one,
    )
    assert.deepStrictEqual(steps.at(-1)!.after, state)
    assert.strictEqual(one.at(-1)!.line.sigmaMargin, findBlend(2025).sigma)
  })
})

/** From which on the walk with other results goes: past the seasons that its first links are fitted on. 1999: all. */
const firstSeason = Number(process.env["FIRST_SEASON"] ?? 2012)

describeRealData("football model on recorded games", (root) => {
  const games = join(root, "football/games/nfl_games_1999_2025_merged.csv")
  let data: FootballData
  beforeAll(async () => {
    data = await Effect.runPromise(readFootball({ games, teamStats: join(root, "football/team_stats") }))
  })

  // A program of its own: the fit takes longer than a blocked worker may be silent.
  it("is what training finds again, figure by figure", { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "football-"))
    const out = join(folder, "model.json")
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[bundled("bench/open/train/football.ts"), "--out", out],
      ...["--games", games, "--team-stats", join(root, "football/team_stats")],
    ])
    const again: Trained = JSON.parse(readFileSync(out, "utf8"))
    rmSync(folder, { recursive: true })
    assert.deepStrictEqual(again.inputs, published.inputs)
    assert.strictEqual(again.model_version, published.model_version)
    assert.strictEqual(again.trained_at, published.trained_at)
    const [found, stated] = [numbers(again), numbers(published)]
    assert.isAbove(stated.length, 2000)
    assert.deepStrictEqual(
      found.map(([path]) => path),
      stated.map(([path]) => path),
    )
    found.forEach(([path, value], at) => {
      assert.approximately(value, stated[at]![1], 1e-9, path)
    })
    assert.notMatch(stdout, /NaN/)
  })

  it("has the games, the ties and the market that the data have", () => {
    const { games: held, spread, total, moneyline, ties_excluded } = trained.backtest_holdout
    assert.deepStrictEqual([held, moneyline.games_priced, ties_excluded], [570, 570, 1])
    assert.strictEqual(data.games.length, 7276)
    const closes = data.games.flatMap(({ id, season, score }) =>
      season >= 2024 ? [{ score, ...data.lines.get(id)! }] : [],
    )
    const mean = (values: ReadonlyArray<number>) => values.reduce((sum, one) => sum + one, 0) / values.length
    assert.approximately(
      spread.mae_market,
      mean(closes.map(({ score, spread: line }) => Math.abs(score.home - score.away - line!))),
      1e-12,
    )
    assert.approximately(
      total.mae_market,
      mean(closes.map(({ score, total: line }) => Math.abs(score.home + score.away - line!))),
      1e-12,
    )
  })

  it("serves every game as of its kickoff what training measured", { timeout: 60_000 }, () => {
    const steps = [...predictAll(initialState, data.games, data.weeks)]
    const held = steps.flatMap(({ predictions }) => predictions).filter(({ game }) => game.season >= 2024)
    const { spread, total, moneyline } = trained.backtest_holdout
    const scored = held.map(({ game, line }) =>
      scoreForecast({ homeMargin: line.homeMargin, total: line.total, winHome: line.winProbHome }, game.score!),
    )
    const mean = (values: ReadonlyArray<number>) => values.reduce((sum, one) => sum + one, 0) / values.length
    assert.approximately(mean(scored.map(({ marginError }) => Math.abs(marginError))), spread.mae_model, 1e-9)
    assert.approximately(mean(scored.map(({ totalError }) => Math.abs(totalError!))), total.mae_model, 1e-9)
    assert.approximately(mean(scored.flatMap(({ brier }) => brier ?? [])), moneyline.brier_model_wp, 1e-9)
    const superBowl = held.find(({ game }) => game.id === "2025_22_SEA_NE")!
    assert.deepStrictEqual(superBowl.line.formGamesUsed, { home: 20, away: 19 })
  })

  it("has no look-ahead: other results from a day on change no line of that day or earlier", {
    timeout: 60_000,
  }, () => {
    const cut = "2019-12-08"
    const seen = data.games.filter(({ season }) => season >= firstSeason)
    const before = fitModel(seen, { parameters, weeks: data.weeks }).predictions
    const { games, weeks } = rewrittenFrom(cut, seen, data.weeks)
    const after = fitModel(games, { parameters, weeks }).predictions
    const changed = after.flatMap(({ line, game }, at) => {
      const original = before[at]!
      assert.strictEqual(game.id, original.game.id)
      if (game.gameday > cut) return [line.homeMargin !== original.line.homeMargin]
      assert.deepStrictEqual(line, original.line, game.id)
      return []
    })
    assert.isAbove(changed.length, 1600)
    assert.isTrue(changed.every((different) => different))
  })

  it("reads no line of a market: blanking them all changes no game", () => {
    const columns = readFileSync(games, "utf8").split("\n", 1)[0]!.trim().split(",")
    const market = columns.filter((name) => /moneyline|_line$|_odds$/.test(name))
    assert.strictEqual(market.length, 8)
    const rows = readFileSync(games, "utf8").trim().split(/\r?\n/).slice(1)
    rows.forEach((line, at) => {
      const cells = line.split(",")
      const row = Object.fromEntries(columns.map((name, column) => [name, cells[column]]))
      const blank = { ...row, ...Object.fromEntries(market.map((name) => [name, "0"])) }
      assert.deepStrictEqual(Either.getOrThrow(readGame(blank)), data.games[at])
    })
  })
})
