import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import {
  type BaseballData,
  earlyLine,
  impliedHomeWin,
  priceOf,
  profit,
  starterKey,
} from "../../../../bench/open/lanes/baseball/data.ts"
import { type BaseballFiles, readBaseball } from "../../../../bench/open/lanes/baseball/files.ts"
import { inningsOf } from "../../../../bench/open/lanes/baseball/gameLog.ts"
import { fittedSeasons } from "../../../../bench/open/lanes/baseball/task.ts"
import { fitModel } from "../../../../bench/open/train/baseballForecasts.ts"
import { betsOf, type Decided, rowOf } from "../../../../bench/open/train/baseballScores.ts"
import { print, train } from "../../../../bench/open/train/baseballTraining.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import { csvOf, inningsHead, logLine, logOf, oddsHead, oddsRows, withInnings } from "../../../support/baseballFiles.ts"
import { bundled } from "../../../support/built.ts"
import { describeRealData } from "../../../support/realData.ts"

/** Fails unless a promise rejects with a matching message. */
const rejects = async (promise: Promise<unknown>, message: RegExp) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.match(error instanceof Error ? error.message : String(error), message)
}

const folder = mkdtempSync(join(tmpdir(), "baseball-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rows = oddsRows(1)

const csv = (name: string, lines: ReadonlyArray<ReadonlyArray<string>>, head = oddsHead): string => {
  const file = join(folder, name)
  writeFileSync(file, gzipSync(csvOf(head, lines)))
  return file
}

const readBaseballData = (files: BaseballFiles): Promise<BaseballData> => Effect.runPromise(readBaseball(files))

const odds = csv("odds.csv.gz", rows)
const byInning = csv("innings.csv.gz", withInnings(rows), inningsHead)
const data = await readBaseballData({ odds, innings: byInning })
const fitted = { from: 2011, to: 2021 }

describe("prices", () => {
  it("are American odds, of one line or of none", () => {
    assert.deepStrictEqual([profit(150), profit(-200)], [1.5, 0.5])
    assert.approximately(impliedHomeWin({ home: -150, away: 130 }), 0.6 / (0.6 + 100 / 230), 1e-15)
    assert.deepStrictEqual(priceOf(-150, 130), { home: -150, away: 130 })
    // A negative margin, a margin of a third, half a line, and invalid American odds.
    for (const [home, away] of [
      [175, 200],
      [-210, -190],
      [undefined, 130],
      [-150, undefined],
      [50, -130],
      [-219.5, 189.5],
      [0, 0],
    ] as const) {
      assert.isUndefined(priceOf(home, away), `${home}/${away}`)
    }
  })
})

describe("starters", () => {
  it("go by initial and surname in both archives", () => {
    for (const [text, key] of [
      ["JLESTER-L", "JLESTER"],
      ["Jon Lester", "JLESTER"],
      ["LMCCULLERSJR-R", "LMCCULLERS"],
      ["Hyun-Jin Ryu", "HRYU"],
      ["RWLND-SMTH-L", "RWLNDSMTH"],
      ["Chi Chi Gonzalez", "CCHIGONZALEZ"],
      ["-", undefined],
      ["", undefined],
    ] as const) {
      assert.strictEqual(starterKey(text), key, text)
    }
  })

  it("answer for the first five innings that were batted; `x` is none, and not an inning without a run", () => {
    const line = (text: string) => earlyLine(text.split("|"))
    const close = (found: ReturnType<typeof line>, inningsBatted: number, runs: number) => {
      assert.strictEqual(found?.innings, inningsBatted)
      assert.approximately(found!.earnedRuns, parameters.league.earnedShare * runs, 1e-12)
    }
    close(line("1|0|0|2|0|9|9|9|9"), 5, 3)
    close(line("1|0|0|2|x|x|x|x|x"), 4, 3)
    assert.isUndefined(line("x|x|x|x|x|x|x|x|x"))
    assert.isUndefined(line("1|-1|0|0|0|0|0|0|0"))
    assert.isUndefined(line("1||0"))
    assert.deepStrictEqual(inningsOf("01(10)00x"), ["0", "1", "10", "0", "0", "x"])
  })
})

describe("the archives", () => {
  it("are read with the hash of their bytes, games by rotation number", () => {
    assert.strictEqual(data.games.length, rows.length)
    assert.strictEqual(data.close.size, rows.length)
    assert.deepStrictEqual(data.priced, { from: 2010, to: 2021 })
    for (const { sha256 } of data.inputs) assert.match(sha256, /^[0-9a-f]{64}$/)
  })

  it("know nothing of starters without runs by inning", async () => {
    const bare = await readBaseballData({ odds })
    assert.isTrue(bare.games.every(({ home, away }) => home.pitched === undefined && away.pitched === undefined))
  })

  it("are refused by file, line and column", async () => {
    const file = csv("a.gz", rows, oddsHead.replace("home_ml_close", "closing"))
    await rejects(readBaseballData({ odds: file }), /^a\.gz: line 1, home_ml_close, Missing column\.$/)
  })

  it("omit a game without a score and an invalid close, not the others", async () => {
    const [first, second, ...rest] = rows as [ReadonlyArray<string>, ReadonlyArray<string>, ...typeof rows]
    const noScore = first.map((cell, at) => (at === 11 || at === 12 ? "" : cell))
    const noLine = second.map((cell, at) => (at >= 15 ? "200" : cell))
    const found = await readBaseballData({ odds: csv("d.gz", [noScore, noLine, ...rest]) })
    assert.deepStrictEqual([found.games.length, found.close.size], [rows.length - 1, rows.length - 1])
  })

  it("are distinguished: a folder without game logs is rejected", () =>
    rejects(readBaseballData({ odds, retrosheet: folder }), /has no game logs/))

  const logs = mkdtempSync(join(folder, "logs-"))
  const log2022 = [
    // A season that the odds file covers is used for the share of earned runs only.
    logLine({ 1: "20210620" }),
    ...Array.from({ length: 10 }, (_, at) => logLine({ 1: `202204${String(at + 1).padStart(2, "0")}` })),
    logLine({ 1: "20220620", 17: "LON01" }),
  ]

  it("go on with game logs where the prices end", async () => {
    writeFileSync(join(logs, "GL2022.TXT"), logOf(log2022))
    const found = await readBaseballData({ odds, retrosheet: logs })
    const added = found.games.slice(rows.length)
    assert.deepStrictEqual([added.length, found.priced.to], [11, 2021])
    assert.deepStrictEqual([added[0]!.home.team, added[0]!.away.team, added[0]!.day], ["CHC", "NYY", "2022-04-01"])
    assert.deepStrictEqual([added[0]!.home.starter, added[0]!.away.starter], ["JLESTER", "GCOLE"])
    // The visitors scored twelve in the first five innings, the home team two.
    assert.approximately(added[0]!.home.pitched!.earnedRuns, 12 * parameters.league.earnedShare, 1e-12)
    assert.approximately(added[0]!.away.pitched!.earnedRuns, 2 * parameters.league.earnedShare, 1e-12)
    assert.deepStrictEqual(
      added.map(({ neutral }) => neutral),
      [...Array.from({ length: 10 }, () => false), true],
    )
    assert.approximately(found.earnedShare!, 14 / 16, 1e-12)
  })

  it("with one game twice are rejected", async () => {
    const twice = mkdtempSync(join(folder, "twice-"))
    for (const name of ["GL2022.TXT", "GL2022.TXT.gz"]) writeFileSync(join(twice, name), logOf(log2022))
    await rejects(readBaseballData({ odds, retrosheet: twice }), /Game 20210620\/CHN\/0 is in two files\./)
  })
})

describe("the training", () => {
  const { forecasts, coefficients } = fitModel(data.games, fitted, parameters)
  const fit = { forecasts, coefficients, ...{ runs: forecasts, skills: forecasts, skill: [], lineUp: [] } }

  it("reads no market: without a single price every prediction is the same", async () => {
    const priceless = await readBaseballData({
      odds: csv(
        "e.gz",
        rows.map((cells) => cells.map((cell, at) => (at >= 13 ? "0" : cell))),
      ),
      innings: byInning,
    })
    assert.strictEqual(priceless.close.size, 0)
    assert.deepStrictEqual(fitModel(priceless.games, fitted, parameters), fit)
  })

  it("looks at nothing that comes later: rewriting results from a day on changes no prediction up to it", () => {
    for (const cut of ["2014-04-10", "2018-04-01", "2021-04-20"]) {
      const rewritten = data.games.map((game, at) =>
        game.day < cut
          ? game
          : { ...game, home: { ...game.home, runs: 9 + (at % 3) }, away: { ...game.away, runs: at % 5 } },
      )
      const { forecasts: other } = fitModel(rewritten, fitted, parameters)
      let same = 0
      let changed = 0
      for (const { id, day } of data.games) {
        if (!forecasts.has(id)) continue
        if (day <= cut) {
          assert.strictEqual(other.get(id), forecasts.get(id), `${id}, cut ${cut}`)
          same++
        } else if (other.get(id) !== forecasts.get(id)) changed++
      }
      assert.isAbove(Math.min(same, changed), 10, cut)
    }
  })

  it("predicts from the season after the first that is fitted on, by coefficients of earlier seasons", () => {
    assert.deepStrictEqual(
      coefficients.map(({ season }) => season),
      Array.from({ length: 11 }, (_, at) => 2012 + at),
    )
    assert.isTrue(coefficients.every((fit, at) => at === 0 || fit.games > coefficients[at - 1]!.games))
    for (const { id, season } of data.games) assert.strictEqual(forecasts.has(id), season >= 2012)
  })

  it("writes the same bytes for the same files, also as a program", () => {
    const run = (out: string) => {
      const words = [
        bundled("bench/open/train/baseball.ts"),
        "--odds",
        odds,
        "--innings",
        byInning,
        "--out",
        join(folder, out),
      ]
      execFileSync(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] })
      return readFileSync(join(folder, out), "utf8")
    }
    const [one, other] = [run("one.json"), run("other.json")]
    assert.strictEqual(one, other)
    assert.strictEqual(one, print(train(data)))
    assert.notInclude(one, "null")
  })

  it("overwrites the served model only on request", () => {
    const words = [bundled("bench/open/train/baseball.ts"), "--odds", odds, "--innings", byInning]
    const there = mkdtempSync(join(folder, "elsewhere-"))
    execFileSync(process.execPath, words, {
      cwd: there,
      stdio: ["ignore", "ignore", "pipe"],
    })
    assert.strictEqual(readFileSync(join(there, "var/train/baseball.json"), "utf8"), print(train(data)))
    assert.deepStrictEqual(readdirSync(there), ["var"])
  })
})

describe("the scores", () => {
  const game = (id: string, won: boolean): Decided => ({
    game: { ...data.games[0]!, id },
    won,
  })
  const games = [game("a", true), game("b", false), game("c", true), game("d", true)]
  const forecasts = new Map([
    ["a", 0.6],
    ["b", 0.6],
    ["c", 0.3],
    ["d", 0.5],
  ])

  it("are means with standard errors, and a coin names half a winner", () => {
    const { brier, accuracy, brier_against } = rowOf(
      "x",
      games,
      forecasts,
      new Map(games.map(({ game: { id } }) => [id, 0.5])),
    )
    assert.approximately(brier.value, (0.16 + 0.36 + 0.49 + 0.25) / 4, 1e-15)
    assert.strictEqual(accuracy.value, 1.5 / 4)
    assert.approximately(brier_against!.value, brier.value - 0.25, 1e-15)
  })

  it("bet one unit where the price pays more than 5 % too much, on either side", () => {
    const prices = new Map([
      // 0.6 · 2 − 1 = .2 on the home side: won.
      ["a", { home: 100, away: -120 }],
      // 0.6 · 1.746 − 1 = .048 is not enough.
      ["b", { home: -134, away: 110 }],
      // 0.7 · 2 − 1 on the visitors: lost.
      ["c", { home: -120, away: 100 }],
      // Neither side is worth a bet.
      ["d", { home: -110, away: -110 }],
    ])
    const { bets, wins, losses, units, roi, hit_rate } = betsOf(games, forecasts, prices)
    assert.deepStrictEqual([bets, wins, losses, units, roi.value, hit_rate], [2, 1, 1, 0, 0, 0.5])
  })
})

describeRealData("the model that is served", (root) => {
  const read = (): Promise<BaseballData> =>
    readBaseballData({
      odds: join(root, "baseball/odds/mlb_sbr_odds_2010_2021_combined.csv.gz"),
      innings: join(root, "baseball/odds/mlb_sbr_innings_2010_2021.csv.gz"),
      retrosheet: join(root, "baseball/retrosheet"),
      skill: join(root, "baseball/skill"),
    })

  it("equals the training's result on the archives, byte by byte", { timeout: 240_000 }, async () => {
    const served = readFileSync(new URL("../../../../core/lanes/baseball/model.json", import.meta.url), "utf8")
    assert.strictEqual(print(train(await read())), served)
    assert.strictEqual(JSON.parse(served).backtest.overall.games, 5_859)
  })

  it("has the same scores on seasons without tuning", { timeout: 240_000 }, async () => {
    const archive = await read()
    const trained = train(archive)
    const { backtest, earned_share_counted } = trained
    const { brier_model, brier_market, accuracy } = backtest.overall
    // The expected figures of the three periods.
    const { forecasts, skills, runs } = fitModel(archive.games, fittedSeasons(archive), parameters)
    const brierOf = (from: number, to: number, some: typeof runs) => {
      const rows = archive.games.filter(
        ({ id, season, home, away }) =>
          season >= from && season <= to && home.runs !== away.runs && (season > 2021 || archive.close.has(id)),
      )
      const scores = rows.map(({ id, home, away }) => (some.get(id)! - Number(home.runs > away.runs)) ** 2)
      return scores.reduce((sum, score) => sum + score, 0) / scores.length
    }
    for (const [from, to, before, skilled, now] of [
      [2015, 2018, 0.24351, 0.24254, 0.24254],
      [2019, 2021, 0.23986, 0.23914, 0.23914],
      [2022, 2024, 0.24186, 0.24108, 0.24075],
    ] as const) {
      assert.approximately(brierOf(from, to, runs), before, 1e-4)
      assert.approximately(brierOf(from, to, skills), skilled, 1e-4)
      assert.approximately(brierOf(from, to, forecasts), now, 1e-4)
    }
    // Line-ups are served from the third season with them on.
    for (const { id, season } of archive.games) {
      if (season < 2022) assert.strictEqual(forecasts.get(id), skills.get(id), id)
    }
    assert.isAbove(accuracy, 0.583)
    // A score better than the close would indicate a leak.
    assert.isAbove(brier_model, brier_market)
    assert.isAtMost(brier_model, brier_market + 0.0017)
    assert.isBelow(backtest.periods[0].calibration.model.ece, 0.008)
    assert.approximately(earned_share_counted!, parameters.league.earnedShare, 0.005)
  })
})
