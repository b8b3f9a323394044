import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { entered } from "../../../../../bench/open/compare/compare.ts"
import { startOf } from "../../../../../bench/open/compare/seasons.ts"
import type { FootballData, Played } from "../../../../../bench/open/lanes/football/data.ts"
import { readFootball } from "../../../../../bench/open/lanes/football/files.ts"
import { modelName } from "../../../../../bench/open/lanes/football/models.ts"
import { footballTask } from "../../../../../bench/open/lanes/football/task.ts"
import { groupByGameday, hideResult } from "../../../../../core/lanes/football/data/Game.ts"
import { initialState, learn, predict, trained } from "../../../../../core/lanes/football/model/Model.ts"
import { league, rewrittenFrom } from "../../../../support/footballLeague.ts"
import { assertNoLookAhead, assertRefusesLater, type BadForecast, figuresOf } from "../../../../support/noLookAhead.ts"
import { describeRealData } from "../../../../support/realData.ts"

const made = league(11, [2005, 2006, 2007], 3)

const dataOf = ({ games, weeks }: Pick<typeof made, "games" | "weeks">): FootballData => ({
  games: games as ReadonlyArray<Played>,
  lines: new Map(
    games.map(({ id }, at) => [id, { spread: (at % 9) - 3, total: 44, homeMoneyline: -120, awayMoneyline: 100 }]),
  ),
  weeks,
  inputs: [],
})

const task = footballTask(dataOf(made))

describe("football's task", () => {
  it("asks what is known before a game, at the start of its day, in order of time", () => {
    assert.deepStrictEqual(task.groups, ["2006–2023"])
    assert.strictEqual(task.cases.length, made.games.filter(({ season }) => season >= 2006).length)
    const byId = new Map(made.games.map((game) => [game.id, game]))
    for (const [at, { id, at: time, question, outcome }] of task.cases.entries()) {
      const { score, gameday } = byId.get(id)!
      assert.deepStrictEqual(question, hideResult(byId.get(id)!))
      assert.notProperty(question, "score")
      assert.notProperty(question, "wind")
      assert.deepStrictEqual(structuredClone(question), question)
      assert.deepStrictEqual([outcome, time], [score, Date.parse(`${gameday}T00:00:00Z`)])
      assert.isAtMost(task.cases[at - 1]?.at ?? 0, time)
    }
  })

  it("knows a game, with the rows of its offenses, from the day after it on", () => {
    assert.strictEqual(task.facts.length, made.games.length)
    for (const { at, fact } of task.facts) {
      assert.strictEqual(at, startOf(fact.game.gameday) + 86_400_000)
      assert.strictEqual(fact.weeks.length, fact.game.week % 2 === 0 ? 2 : 0)
    }
  })

  it("has later seasons as a part of their own", () => {
    const later = league(5, [2024, 2026, 2027], 1)
    assert.deepStrictEqual(footballTask(dataOf(later)).groups, ["2024–2025", "2026–2027"])
  })

  it("names the served model without team statistics by what it lacks", () => {
    const nameOf = (weeks: typeof made.weeks) => {
      const [first] = footballTask(dataOf({ ...made, weeks })).entrants
      return first !== undefined && "model" in first ? first.model.name : undefined
    }
    assert.deepStrictEqual([nameOf(made.weeks), nameOf(new Map())], [modelName, `${modelName} without expected points`])
  })

  it.effect("walks the served model as the lane does, day by day", () =>
    Effect.gen(function* () {
      const [first] = yield* entered(task)
      let state = initialState
      let compared = 0
      for (const day of groupByGameday(made.games)) {
        for (const game of day) {
          const forecast = first!.forecasts.get(game.id)
          if (forecast === undefined) continue
          const { homeMargin, total, winProbHome, margins } = predict(state, hideResult(game))
          const expected = { homeMargin, total, winHome: winProbHome, margins: Array.from(margins.pmf) }
          assert.deepStrictEqual(forecast, expected, game.id)
          compared++
        }
        state = learn(state, day, made.weeks)
      }
      assert.strictEqual(compared, task.cases.length)
    }),
  )

  it.effect("does not look ahead: other results from a day on change no forecast up to it", () =>
    Effect.gen(function* () {
      const days = [...new Set(task.cases.map(({ question }) => question.gameday))]
      for (const cut of [days[2]!, days[5]!]) {
        yield* assertNoLookAhead(
          task,
          footballTask(dataOf({ ...made, ...rewrittenFrom(cut, made.games, made.weeks) })),
          startOf(cut),
        )
      }
    }),
  )

  it.effect("refuses a model that asks for later facts", () => assertRefusesLater(task))

  const law = (first: number) => [first, ...Array.from({ length: 120 }, () => 1 / 121)]
  const bad: ReadonlyArray<BadForecast> = [
    ["no margin", { winHome: 0.5 }, /homeMargin/],
    ["a margin that is no number", { homeMargin: Number.NaN }, /homeMargin/],
    ["a margin without end", { homeMargin: Number.POSITIVE_INFINITY }, /homeMargin/],
    ["a margin in words", { homeMargin: "3" }, /homeMargin/],
    ["a total below 0", { homeMargin: 3, total: -1 }, /total/],
    ["a total that is no number", { homeMargin: 3, total: Number.NaN }, /total/],
    ["a probability above 1", { homeMargin: 3, winHome: 1.0001 }, /winHome/],
    ["a probability below 0", { homeMargin: 3, winHome: -0.1 }, /winHome/],
    ["a probability that is no number", { homeMargin: 3, winHome: Number.NaN }, /winHome/],
    ["a law of too few margins", { homeMargin: 3, margins: [0.5, 0.5] }, /margins/],
    ["a law with a probability below 0", { homeMargin: 3, margins: law(-1 / 121) }, /margins/],
    ["a law that does not sum to 1", { homeMargin: 3, margins: law(0.5) }, /sum to 1\.49\d*, not to 1/],
    ["nothing", undefined, /Expected/],
  ]
  it.each(bad)("takes no forecast with %s", (_, forecast, message) => {
    const read = Schema.decodeUnknownEither(task.forecast)(forecast)
    if (read._tag === "Right") return assert.fail("The forecast was taken.")
    assert.match(ParseResult.TreeFormatter.formatErrorSync(read.left), message)
  })

  it("takes a margin alone, and a whole law", () => {
    for (const forecast of [{ homeMargin: -3.5 }, { homeMargin: 3, total: 44, winHome: 1, margins: law(1 / 121) }]) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(task.forecast)(forecast), forecast)
    }
  })

  it("scores a forecast for what it says", () => {
    const { question } = task.cases[0]!
    const scores = (forecast: Parameters<(typeof task.measures)[number]["score"]>[0], home: number, away: number) =>
      task.measures.map(({ score }) => score(forecast, { home, away }, question))
    const margins = Array.from({ length: 121 }, (_, at) => (at === 63 ? 0.25 : 0.75 / 120))
    assert.deepStrictEqual(scores({ homeMargin: 3 }, 27, 20), [4, undefined, undefined, 1, undefined])
    assert.deepStrictEqual(scores({ homeMargin: 3, total: 40, winHome: 0.5, margins }, 23, 20), [
      ...[0, 0.25, 3, 1, -Math.log(0.25)],
    ])
    // A tie has no winner. A margin wider than 60 is at the end of the law.
    assert.deepStrictEqual(scores({ homeMargin: 3, winHome: 0.6 }, 20, 20), [
      3,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    assert.deepStrictEqual(scores({ homeMargin: 3, margins }, 73, 0).at(-1), -Math.log(0.75 / 120))
  })
})

describeRealData("football's bench on the recorded games", (root) => {
  const published = JSON.parse(
    readFileSync(new URL("../../../../../core/lanes/football/model/model.json", import.meta.url), "utf8"),
  )
  const keys: Readonly<Record<string, string>> = {
    "margin MAE": "mae",
    "Brier of the home win": "brier",
    "total MAE": "total_mae",
    "straight-up accuracy": "su_accuracy",
  }

  it("has the published figures of all contenders, to the digit", async () => {
    const data = await Effect.runPromise(
      readFootball({
        games: join(root, "football/games/nfl_games_1999_2025_merged.csv"),
        teamStats: join(root, "football/team_stats"),
      }),
    )
    const inputs = data.inputs.map(({ name, sha256 }) => ({ name, sha256 }))
    assert.deepStrictEqual(inputs, published.inputs)
    assert.strictEqual(trained.model_version.slice(0, -9), modelName)
    const figures = await Effect.runPromise(figuresOf(footballTask(data)))
    for (const { group, measure, contender, rows, value } of figures) {
      const [from, to] = group.split("–").map(Number)
      const period = published.backtest.find(
        ({ seasons }: { seasons: { from: number; to: number } }) => seasons.from === from && seasons.to === to,
      )
      const row = period.rows.find(({ name }: { name: string }) => name === contender)
      const key = keys[measure]
      // Sums are in another order than those of training, so that the last bit may differ.
      assert.approximately(
        value,
        key === undefined ? period.calibration.log_discrete : row[key].value,
        1e-12,
        `${group}, ${measure}, ${contender}`,
      )
      if (measure === "margin MAE") assert.strictEqual(rows, row.games)
    }
    // Three periods; totals of three of the five contenders, the law of one.
    assert.strictEqual(figures.length, 3 * (5 + 5 + 3 + 5 + 1))
    const priced = figures.filter(({ measure, contender }) => measure.startsWith("Brier") && contender === modelName)
    assert.deepStrictEqual(
      priced.map(({ rows }) => rows),
      [569, 4712, 2448],
    )
  })
})
