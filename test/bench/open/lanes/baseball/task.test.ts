import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { entered } from "../../../../../bench/open/compare/compare.ts"
import { startOf } from "../../../../../bench/open/compare/seasons.ts"
import { type BaseballData, baseballData, feeds } from "../../../../../bench/open/lanes/baseball/data.ts"
import { readBaseball } from "../../../../../bench/open/lanes/baseball/files.ts"
import { baseballTask, modelName, runsName } from "../../../../../bench/open/lanes/baseball/task.ts"
import { walk } from "../../../../../bench/open/lanes/baseball/walk.ts"
import { findCoefficients, trained } from "../../../../../core/lanes/baseball/Model.ts"
import { parameters } from "../../../../../core/lanes/baseball/parameters.ts"
import { homeWinProbability, listDrivers } from "../../../../../core/lanes/baseball/skill/stack.ts"
import { makeInputs } from "../../../../../core/lanes/baseball/winProbability.ts"
import { inningsHead, oddsRows, withInnings } from "../../../../support/baseballFiles.ts"
import { assertNoLookAhead, assertRefusesLater, type BadForecast, figuresOf } from "../../../../support/noLookAhead.ts"
import { describeRealData } from "../../../../support/realData.ts"

const rows = withInnings(oddsRows(3)).map((cells) =>
  Object.fromEntries(inningsHead.split(",").map((name, at) => [name, cells[at]])),
)
const data: BaseballData = Either.getOrThrow(
  baseballData({
    odds: rows.map((row) => Either.getOrThrow(feeds.odds.read(row))!),
    innings: rows.map((row) => Either.getOrThrow(feeds.innings.read(row))!),
    logs: [],
    inputs: [],
  }),
)
const task = baseballTask(data)
const decided = data.games.filter(({ season, home, away }) => season >= 2013 && home.runs !== away.runs)

/** The same games with other runs from a day on. */
const rewritten = (cut: string): BaseballData => ({
  ...data,
  games: data.games.map((game, at) =>
    game.day < cut
      ? game
      : {
          ...game,
          home: { ...game.home, runs: 20 + (at % 3), pitched: { innings: 5, earnedRuns: at % 7 } },
          away: { ...game.away, runs: at % 5, pitched: undefined },
        },
  ),
})

describe("baseball's task", () => {
  it("asks what is known before a game, at the start of its day, in order of time; a tie is not asked", () => {
    assert.deepStrictEqual(task.groups, ["2019–2021", "2013–2018"])
    assert.isBelow(decided.length, data.games.filter(({ season }) => season >= 2013).length)
    assert.sameMembers(
      task.cases.map(({ id }) => id),
      decided.map(({ id }) => id),
    )
    for (const [at, { at: time, question, cluster }] of task.cases.entries()) {
      assert.deepStrictEqual(Object.keys(question).sort(), ["away", "day", "home", "id", "neutral", "season"])
      assert.deepStrictEqual(Object.keys(question.home).sort(), ["starter", "team"])
      assert.deepStrictEqual(structuredClone(question), question)
      assert.deepStrictEqual([time, cluster], [Date.parse(`${question.day}T00:00:00Z`), question.day])
      assert.isAtMost(task.cases[at - 1]?.at ?? 0, time)
    }
  })

  it("knows a game from the day after it on", () => {
    assert.strictEqual(task.facts.length, data.games.length)
    for (const { at, fact } of task.facts) assert.strictEqual(at, startOf(fact.day) + 86_400_000)
  })

  it.effect("walks the served model as the lane computes it, game by game", () =>
    Effect.gen(function* () {
      const [served] = yield* entered(task)
      const expected = new Map(
        [...walk(data.games, parameters)].map(({ game, matchup }) => {
          const fit = findCoefficients(game.season)
          return [
            game.id,
            homeWinProbability(listDrivers(makeInputs(matchup, fit, parameters), fit, matchup.leagueEra)),
          ]
        }),
      )
      assert.strictEqual(served!.forecasts.size, decided.length)
      for (const [id, { winHome }] of served!.forecasts) assert.strictEqual(winHome, expected.get(id), id)
    }),
  )

  it.effect("does not look ahead: other results from a day on change no forecast up to it", () =>
    Effect.gen(function* () {
      for (const cut of ["2014-04-10", "2016-04-01", "2020-04-05"]) {
        yield* assertNoLookAhead(task, baseballTask(rewritten(cut)), startOf(cut))
      }
    }),
  )

  it.effect("refuses a model that asks for later facts", () => assertRefusesLater(task))

  const bad: ReadonlyArray<BadForecast> = [
    ["no probability", {}, /winHome/],
    ["a probability above 1", { winHome: 1.0001 }, /winHome/],
    ["a probability below 0", { winHome: -0.1 }, /winHome/],
    ["a probability that is no number", { winHome: Number.NaN }, /winHome/],
    ["a probability in words", { winHome: "0.5" }, /winHome/],
    ["nothing", undefined, /Expected/],
  ]
  it.each(bad)("takes no forecast with %s", (_, forecast, message) => {
    const read = Schema.decodeUnknownEither(task.forecast)(forecast)
    if (read._tag === "Right") return assert.fail("The forecast was taken.")
    assert.match(ParseResult.TreeFormatter.formatErrorSync(read.left), message)
  })

  it("scores a probability, cut off at 1 in 10,000; a coin names half a winner", () => {
    const { question } = task.cases[0]!
    const scores = (winHome: number, home: number, away: number) =>
      task.measures.map(({ score }) => score({ winHome }, { home, away }, question))
    assert.deepStrictEqual(scores(0.75, 5, 3), [0.0625, -Math.log(0.75), 1])
    assert.deepStrictEqual(scores(1, 3, 5), [1, -Math.log(1e-4), 0])
    assert.deepStrictEqual(scores(0.5, 3, 5), [0.25, -Math.log(0.5), 0.5])
  })

  it("needs no market, and no season to fit on", () => {
    const one = baseballTask({
      ...data,
      games: data.games.filter(({ season }) => season === 2019),
      priced: { from: 2019, to: 2019 },
      close: new Map(),
    })
    assert.deepStrictEqual(one.groups, ["2019–2021"])
    assert.deepStrictEqual(
      one.entrants.map((entrant) => ("forecasts" in entrant ? entrant.forecasts.size : "model")),
      ["model", 0, 0, 0, 0],
    )
    // Nor lines of pitchers: then it is served from runs alone, and named so.
    const names = one.entrants.map((entrant) => ("model" in entrant ? entrant.model.name : entrant.name))
    assert.deepStrictEqual(names.slice(0, 2), [runsName, "market close"])
  })
})

describeRealData("baseball's bench on the recorded games", (root) => {
  const published = JSON.parse(
    readFileSync(new URL("../../../../../core/lanes/baseball/model.json", import.meta.url), "utf8"),
  )
  const keys: Readonly<Record<string, string>> = { Brier: "brier", accuracy: "accuracy" }

  it("has the published figures of all contenders, to the digit", async () => {
    const archive = await Effect.runPromise(
      readBaseball({
        odds: join(root, "baseball/odds/mlb_sbr_odds_2010_2021_combined.csv.gz"),
        innings: join(root, "baseball/odds/mlb_sbr_innings_2010_2021.csv.gz"),
        retrosheet: join(root, "baseball/retrosheet"),
        skill: join(root, "baseball/skill"),
      }),
    )
    const inputs = archive.inputs.map(({ name, sha256 }) => ({ name, sha256 }))
    assert.deepStrictEqual(inputs, published.inputs)
    assert.strictEqual(trained.model_version.slice(0, -9), modelName)
    const figures = await Effect.runPromise(figuresOf(baseballTask(archive)))
    const found = figures.filter(({ measure }) => keys[measure] !== undefined)
    for (const { group, measure, contender, rows: games, value } of found) {
      const [from, to] = group.split("–").map(Number)
      const period = published.backtest.periods.find(
        ({ seasons }: { seasons: { from: number; to: number } }) => seasons.from === from && seasons.to === to,
      )
      const row = period.rows.find(({ name }: { name: string }) => name === contender)
      assert.strictEqual(value, row[keys[measure]!].value, `${group}, ${measure}, ${contender}`)
      assert.strictEqual(games, row.games)
    }
    // The seasons after the prices have no market.
    assert.strictEqual(found.length, 2 * (7 + 7 + 6))
  })
})
