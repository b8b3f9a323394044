import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { averaged, averages } from "../../../../bench/open/backtest/cryptoAverages.ts"
import { namedAhead, unlisted, unnamed } from "../../../../bench/open/backtest/footballNamed.ts"
import {
  adjusted,
  advantageOf,
  changedLate,
  coefficientFor,
  type Reported,
  reported,
  reportsOf,
} from "../../../../bench/open/backtest/footballReports.ts"
import { type AirCase, type AirScore, scoreOf, walkAir, withAir } from "../../../../bench/open/backtest/weatherAir.ts"
import { readAir } from "../../../../bench/open/backtest/weatherData.ts"
import type { Played } from "../../../../bench/open/lanes/football/data.ts"
import { type Game, kickoffOf } from "../../../../core/lanes/football/data/Game.ts"
import { temperatureDistribution } from "../../../../core/lanes/weather/signal/temperatureDistribution.ts"
import { mean } from "../../../../core/math/mean.ts"
import { studentT8, unitSd } from "../../../../core/math/studentT8.ts"
import { xoshiro128 } from "../../../../core/math/xoshiro128.ts"
import { addDays } from "../../../../core/time.ts"
import { league } from "../../../support/footballLeague.ts"

const { games } = league(7, [2001, 2002, 2003], 16)
const played = games as ReadonlyArray<Played>
const first = played[0]!

const row = (game: Game, side: "home" | "away", status: string, more: Partial<Reported> = {}): Reported => ({
  season: game.season,
  week: game.week,
  team: game[side].team,
  code: game[side].code,
  player: `${side} ${status}`,
  reportStatus: status,
  ...more,
})

describe("players missing by the injury reports", () => {
  const kickoff = kickoffOf(first)!
  const rows = [
    row(first, "home", "Out", { modified: kickoff - 1 }),
    row(first, "home", "Questionable"),
    row(first, "away", "Out"),
    row(first, "away", "Doubtful", { modified: kickoff }),
    row(first, "away", "Out", { modified: kickoff + 1 }),
  ]

  it("are those out or doubtful, of which a change after kickoff is not known", () => {
    const reports = reportsOf(rows)
    assert.strictEqual(advantageOf(reports, first, "known before kickoff"), 1)
    assert.strictEqual(advantageOf(reports, first, "as filed"), 2)
    assert.deepStrictEqual([...changedLate(reports, played)], [[first.season, { entries: 4, late: 1 }]])
  })

  it("are unknown where a team has no report of the week", () => {
    const reports = reportsOf(rows.filter(({ team }) => team === first.home.team))
    assert.isUndefined(advantageOf(reports, first, "known before kickoff"))
  })

  it("are read with the time of their change; a time that is none is an error", () => {
    const cells = { season: "2021", week: "3", team: "KC", full_name: "A. Player", report_status: "Out" }
    const read = (date_modified: string) => reported.read({ ...cells, date_modified })
    assert.strictEqual(Either.getOrThrow(read("2021-09-24T20:00:00Z"))?.modified, Date.UTC(2021, 8, 24, 20))
    assert.isFalse("modified" in Either.getOrThrow(read(""))!)
    const wrong = read("yesterday")
    assert.deepStrictEqual(Either.isLeft(wrong) && wrong.left, {
      field: "date_modified",
      reason: '"yesterday" is not a time.',
    })
  })

  it("move a season by the coefficient of earlier seasons alone", () => {
    const counted = played.map((game, at) => ({ game, advantage: (at % 5) - 2 }))
    // The model is wrong by half a point for each player.
    const served = new Map(
      counted.map(({ game, advantage }) => [
        game.id,
        { homeMargin: game.score.home - game.score.away - 0.5 * advantage, winHome: 0.5 },
      ]),
    )
    assert.isUndefined(coefficientFor(2001, counted, served))
    assert.isUndefined(coefficientFor(2002, counted, served), "256 games are too few")
    assert.approximately(coefficientFor(2003, counted, served)!, 0.5, 1e-12)
    const rewritten = counted.map(({ game, advantage }) => ({
      game: game.season < 2003 ? game : { ...game, score: { home: 0, away: 60 } },
      advantage,
    }))
    assert.approximately(coefficientFor(2003, rewritten, served)!, 0.5, 1e-12)
    const moved = adjusted(counted, served)
    assert.deepStrictEqual(
      [...moved.keys()].sort(),
      played
        .filter(({ season }) => season === 2003)
        .map(({ id }) => id)
        .sort(),
    )
    for (const { game } of counted.filter(({ game }) => game.season === 2003)) {
      const { homeMargin, winHome } = moved.get(game.id)!
      assert.approximately(homeMargin, game.score.home - game.score.away, 1e-9)
      if (homeMargin > 1) assert.isAbove(winHome!, 0.5)
    }
  })
})

describe("starters named ahead", () => {
  it("are counted by week, and compared with those listed later", () => {
    const from = played.find(({ season, week }) => season === 2001 && week === 3)!.gameday
    const { gameday, week } = played.at(-1)!
    const earlier = played.map((game) => {
      const { score: _, ...open } = game
      if (game.gameday < from) return game
      return game.gameday === from ? open : { ...open, ...unnamed(open) }
    })
    const counts = namedAhead(earlier, played)
    const [next, later] = counts
    // Half of the games of the week are played on its first day; a team's starter of week 2 is its second one.
    assert.deepStrictEqual(next, { season: 2001, week: 3, sides: 32, named: 16, same: 16, lastSame: 0 })
    assert.deepInclude(later, { week: 4, sides: 32, named: 0, same: 0 })
    assert.isTrue(gameday > from)
    assert.deepInclude(counts.at(-1), { season: 2003, week })
  })

  it("are listed though they have no statistics of the week", () => {
    const { quarterback } = first.home
    const keys = [first.away.quarterback!].map((player) => `${first.season}/${first.week}/${player}`)
    assert.deepStrictEqual(unlisted([first, played.at(-1)!], new Set(keys)), [{ season: 2001, sides: 2, without: 1 }])
    keys.push(`${first.season}/${first.week}/${quarterback}`)
    assert.deepStrictEqual(unlisted([first], new Set(keys)), [{ season: 2001, sides: 2, without: 0 }])
  })
})

describe("wind, dew point and pressure beside the same-day rule", () => {
  const text = [
    "origin,temp,dewp,wind_dir,wind_speed,pressure,time_hour",
    "EWR,39,26,270,10,1012,2013-01-01T06:00:00Z",
    "EWR,39,26,NA,3,NA,2013-01-01T07:00:00Z",
    "",
  ].join("\n")

  it("are read as they blow, without a direction as no wind to any side", () => {
    const folder = mkdtempSync(join(tmpdir(), "air-"))
    try {
      const file = join(folder, "hours.csv")
      writeFileSync(file, text)
      const [west, none] = [...readAir(file).values()]
      assert.closeTo(west!.eastward, 10, 1e-9)
      assert.closeTo(west!.northward, 0, 1e-9)
      assert.deepInclude(none, { northward: 0, eastward: 0, speedMph: 3, dewF: 26, pressureHpa: Number.NaN })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  const random = xoshiro128(3)
  /** A year of days whose high is what the law says, and `weight` degrees more for each unit of the first term. */
  const year = (weight: number): ReadonlyArray<AirCase> =>
    Array.from({ length: 360 }, (_, at) => {
      const terms = [(random.word() / 2 ** 32) * 4 - 2, (random.word() / 2 ** 32) * 4 - 2]
      const drawn = studentT8.quantile((random.word() + 0.5) / 2 ** 32)
      const high = Math.max(60, Math.round(63 + weight * terms[0]! + 1.5 * unitSd * drawn))
      const day = addDays("2013-01-01", at)
      return { id: day, day, law: temperatureDistribution(63, 1.5), reached: 60, high, terms }
    })
  const gain = (scores: ReadonlyArray<AirScore>) => mean(scores.map(({ own, served }) => own.rps - served.rps))

  it("are fitted on earlier months alone, and found where they help", () => {
    const cases = year(1)
    const scores = walkAir(cases, 2, 1)
    assert.strictEqual(scores[0]!.day, "2013-04-01")
    assert.isBelow(gain(scores), -0.1)
    // A later truth changes nothing of an earlier month.
    const other = cases.map((one) => (one.day < "2013-07-01" ? one : { ...one, high: 61 }))
    const spring = (all: ReadonlyArray<AirScore>) => all.filter(({ day }) => day < "2013-07-01")
    assert.deepStrictEqual(spring(walkAir(other, 2, 1)), spring(scores))
  })

  it("cost a little where they say nothing, and no rule is the served law", () => {
    const cases = year(0)
    const worse = gain(walkAir(cases, 2, 1))
    assert.isAbove(worse, -0.01)
    assert.isBelow(worse, 0.03)
    assert.deepStrictEqual(scoreOf(withAir(cases[0]!, [0, 0, 0, 0]), cases[0]!), scoreOf(cases[0]!.law, cases[0]!))
  })
})

describe("the law of a minute's average", () => {
  it("lacks two thirds of a minute's variance", () => {
    const law = averaged({ scale: 0.01, nu: 5 }, 5)
    assert.isTrue("scale" in law && Math.abs(law.scale ** 2 / 0.01 ** 2 - (5 - 2 / 3) / 5) < 1e-12)
    assert.deepInclude(law, { nu: 5 })
    assert.deepStrictEqual(averaged({ pAbove: [0.5] }, 5), { pAbove: [0.5] })
  })

  it("is scored against the mean of open, high, low and close", () => {
    const folder = mkdtempSync(join(tmpdir(), "averages-"))
    const file = join(folder, "candles.csv")
    try {
      writeFileSync(file, "ts_ms,open,high,low,close\n60000,100,104,98,102\n120000,102,102,102,102\n")
      assert.deepStrictEqual(
        [...averages(file)],
        [
          [1, 101],
          [2, 102],
        ],
      )
      writeFileSync(file, "ts_ms,open,close\n60000,100,102\n")
      assert.throws(() => averages(file), "Line 2: open, high, low and close are not four prices.")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
