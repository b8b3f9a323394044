import { assert, describe, it } from "@effect/vitest"
import { toFigures } from "../../../../core/lanes/markets/performance.ts"
import { quantile } from "../../../../core/math/normal.ts"
import { xoshiro128 } from "../../../../core/math/xoshiro128.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import type { SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { boardIntervals, findPair, pairScores } from "../../../../core/record/scoreboard/scores.ts"
import { settledRow, settledRows } from "../../../support/settledRows.ts"

const boardOf = (rows: Iterable<SettledMarket>): Board.Board => {
  const board = Board.empty()
  for (const row of rows) Board.add(board, row)
  return board
}

const rows = settledRows(3_000, 1)

/** Samples of each number of days in the long form, which prints what it finds. */
const longForm = process.env["COVERAGE_SAMPLES"]
const samples = Number(longForm ?? 300)

describe("the scoreboard's sums", () => {
  it("are the same to the last bit, one by one, in parts, in any order", () => {
    const whole = boardOf(rows)
    const shuffled = [...rows].sort((a, b) => ((a.model * 7_919) % 10_007) - ((b.model * 7_919) % 10_007))
    assert.deepStrictEqual(boardOf(shuffled), whole)
    const merged = Board.empty()
    for (let from = 0; from < rows.length; from += 613) Board.merge(merged, boardOf(rows.slice(from, from + 613)))
    assert.deepStrictEqual(merged, whole)
    // As the store keeps them: through JSON.
    const kept = Board.empty()
    for (const kind of Board.kinds)
      for (const [name, cell] of whole[kind])
        (kept[kind] as Map<string, unknown>).set(name, JSON.parse(JSON.stringify(cell)))
    assert.deepStrictEqual(toFigures(kept), toFigures(whole))
  })

  it("draw what shares its weather, its slate or its day together", () => {
    const clusters = (domain: SettledMarket["domain"], ...closes: ReadonlyArray<string>) =>
      [
        ...boardOf(
          closes.map((close) => settledRow({ domain, capturedAt: 0, closeTime: Date.parse(close) })),
        ).clusters.keys(),
      ].sort()
    // Climate days of Monday and Sunday, New York's closing first: one week; the next Monday is another.
    assert.deepStrictEqual(clusters("weather", "2026-07-07T04:59Z", "2026-07-13T07:59Z", "2026-07-14T04:59Z"), [
      "weather/2026-07-06",
      "weather/2026-07-13",
    ])
    // A Thursday's game, the Monday's that ends on Tuesday in UTC, one put off to Tuesday; the next Wednesday's.
    const games = ["2026-09-18T03:30Z", "2026-09-22T03:30Z", "2026-09-23T03:30Z", "2026-09-23T23:30Z"]
    assert.deepStrictEqual(clusters("nfl", ...games), ["nfl/2026-09-16", "nfl/2026-09-23"])
    assert.deepStrictEqual(clusters("mlb", "2026-07-09T17:00Z", "2026-07-10T06:00Z", "2026-07-10T17:00Z"), [
      "mlb/2026-07-09",
      "mlb/2026-07-10",
    ])
    assert.deepStrictEqual(clusters("crypto", "2026-07-09T01:00Z", "2026-07-10T00:00Z", "2026-07-10T01:00Z"), [
      "crypto/2026-07-09",
      "crypto/2026-07-10",
    ])
  })

  it("have no interval of fewer than ten clusters", () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        settledRow({
          domain: "mlb",
          capturedAt: 0,
          closeTime: Date.UTC(2026, 6, 9 + index, 18),
          model: 300_000 + index,
        }),
      )
    assert.isUndefined(boardIntervals(boardOf(days(9))).get("mlb"))
    assert.isDefined(boardIntervals(boardOf(days(10))).get("mlb"))
  })

  it(`cover the mean score 93 to 97 times of 100 where the hours of a day share a shock, from ${samples} samples`, async () => {
    // Contracts of some days, 8 hours a day and two assets: the chance of each moves with its day and its hour.
    const generator = xoshiro128(9)
    const normal = () => quantile((generator.integer(1_000_000) + 0.5) / 1_000_000)
    const sample = (days: number) =>
      Array.from({ length: days }, (_, index) => {
        const ofDay = normal()
        return Array.from({ length: 8 }, (_, hourOfDay) => {
          const ofHour = normal()
          return [1, 2].map((asset) => {
            // The better the shock, the likelier is yes, and the nearer is the model.
            const yes = normal() + 0.8 * ofDay + 0.8 * ofHour > 0
            const ticker = `${index}/${hourOfDay}/${asset}`
            const closeTime = Date.UTC(2026, 3, 1 + index, 1 + 2 * hourOfDay)
            return settledRow({
              ...{ domain: "crypto", event: ticker, ticker, closeTime, capturedAt: closeTime - 1_000, model: 700_000 },
              result: yes ? "yes" : "no",
            })
          })
        }).flat()
      }).flat()
    // P(yes) is one half, so that the mean of (0.7 − y)² is (0.49 + 0.09) / 2.
    const expected = 0.29
    for (const days of longForm === undefined ? [60] : [60, 10, 20, 40, 120]) {
      let covered = 0
      for (let round = 0; round < samples; round++) {
        const { low, high } = boardIntervals(boardOf(sample(days))).get("crypto")!.model
        covered += Number(low <= expected && expected <= high)
        // The runner asks its workers whether they are still there.
        if (round % 50 === 0) await new Promise(setImmediate)
      }
      const share = covered / samples
      if (longForm !== undefined) process.stdout.write(`${days} days: ${(100 * share).toFixed(1)} % of ${longForm}\n`)
      // Of few days a bootstrap's interval is too narrow.
      assert.isAtLeast(share, days < 40 ? 0.88 : 0.93, `${days} days`)
      assert.isAtMost(share, 0.97, `${days} days`)
    }
  }, 600_000)

  it("put a corrected result in the place of the first", () => {
    const wrong = boardOf(rows)
    const corrected = rows.map((row, at): SettledMarket => (at % 50 === 0 ? { ...row, result: "void" } : row))
    rows.forEach((row, at) => {
      if (corrected[at] !== row) Board.correct(wrong, row, corrected[at]!)
    })
    const { corrected: changed, ...found } = toFigures(wrong)
    const { corrected: none, ...right } = toFigures(boardOf(corrected))
    assert.deepStrictEqual(found, right)
    assert.strictEqual(none, 0)
    const expected = rows.filter(({ result }, at) => at % 50 === 0 && result !== "void").length
    assert.strictEqual(changed, expected)
  })

  it("equal what is computed from the rows by hand, to 1e-12", () => {
    const kept = rows.filter(({ quotes, result }) => quotes !== undefined && result !== "void")
    const brier = (of: ReadonlyArray<SettledMarket>, p: (row: SettledMarket) => number) =>
      of.reduce((sum, row) => sum + (p(row) - (row.result === "yes" ? 1 : 0)) ** 2, 0) / of.length
    const model = (row: SettledMarket) => row.model / 1e6
    const market = ({ quotes }: SettledMarket) => (quotes!.yesBid + quotes!.yesAsk) / 20_000
    // By the weight at the capture, in whole millionths; the price itself where it is 0.
    const pooled = (row: SettledMarket) => {
      if (row.poolWeight === 0) return market(row)
      const clipped = (p: number) => Math.min(0.999, Math.max(0.001, p))
      const logit = (p: number) => Math.log(clipped(p) / (1 - clipped(p)))
      const odds = row.poolWeight * logit(model(row)) + (1 - row.poolWeight) * logit(market(row))
      return Math.round(1e6 / (1 + Math.exp(-odds))) / 1e6
    }
    const result = toFigures(boardOf(rows))
    const groups: ReadonlyArray<
      readonly [{ brier_model?: number; brier_market?: number; brier_pool?: number }, ReadonlyArray<SettledMarket>]
    > = [
      [result.overall, kept],
      [result.contested, kept.filter((row) => market(row) >= 0.05 && market(row) <= 0.95)],
      [result.domains.mlb, kept.filter(({ domain }) => domain === "mlb")],
      [result.by_lead![2]!, kept.filter((row) => isBetween(row.closeTime - row.capturedAt, 1, 6))],
      [
        result.by_version!.find((each) => each.domain === "nfl" && each.model_version === "m-1")!,
        kept.filter(({ domain, modelVersion }) => domain === "nfl" && modelVersion === "m-1"),
      ],
    ]
    for (const [found, of] of groups) {
      assert.isAbove(of.length, 50)
      assert.isAtMost(Math.abs(found.brier_model! / brier(of, model) - 1), 1e-12)
      assert.isAtMost(Math.abs(found.brier_market! / brier(of, market) - 1), 1e-12)
      assert.isAtMost(Math.abs(found.brier_pool! / brier(of, pooled) - 1), 1e-12)
    }
    const { pool, pool_difference, brier_pool, brier_market } = result.overall
    assert.strictEqual(pool!.brier, brier_pool)
    assert.strictEqual(pool_difference!.estimate, brier_pool! - brier_market!)
    assert.isTrue(pool!.brier_interval!.low < brier_pool! && brier_pool! < pool!.brier_interval!.high)
    assert.strictEqual(result.overall.markets_scored, kept.length)
    assert.deepStrictEqual(result.excluded, {
      void: rows.filter(({ result: end }) => end === "void").length,
      no_quote: rows.filter(({ quotes, result: end }) => quotes === undefined && end !== "void").length,
    })
    assert.strictEqual(result.unanchored, kept.filter(({ anchored }) => !anchored).length)
    const both = kept.filter(({ sourceResult }) => sourceResult !== undefined)
    const bases = result.by_settlement!
    assert.strictEqual(bases.compared, both.length)
    assert.strictEqual(bases.disagreed, both.filter((row) => row.sourceResult !== row.result).length)
    const onSource = both.map((row) => ({ ...row, result: row.sourceResult! }))
    assert.isAtMost(Math.abs(bases.model_source.brier_model! / brier(onSource, model) - 1), 1e-12)
  })

  it("count the ends of ranges where they are said to be", () => {
    const hour = 3_600_000
    const lead = (hours: number) => settledRow({ capturedAt: settledRow().closeTime - hours * hour })
    const leads = toFigures(boardOf([25, 24, 23.99, 6, 5.99, 1, 0.99, 0.01].map(lead))).by_lead!
    assert.deepStrictEqual(
      leads.map(({ lead: name, markets_scored }) => [name, markets_scored]),
      [
        ["over_24h", 2],
        ["6_to_24h", 2],
        ["1_to_6h", 2],
        ["under_1h", 2],
      ],
    )
    const priced = (yesBid: number, yesAsk: number) =>
      settledRow({ quotes: { yesBid, yesAsk, noAsk: 10_000 - yesBid } })
    const edge = [priced(400, 600), priced(400, 598), priced(9_400, 9_600), priced(9_402, 9_600)]
    assert.deepStrictEqual(
      edge.map((row) => toFigures(boardOf([row])).contested.markets_scored),
      [1, 0, 1, 0],
    )
  })

  it("say nothing where nothing has settled", () => {
    const { overall, domains, hypothetical } = toFigures(Board.empty())
    assert.deepStrictEqual(overall, { markets_scored: 0, model_beats_market: false })
    assert.deepStrictEqual(domains.weather, { markets_scored: 0 })
    assert.isFalse("roi_after_fees" in hypothetical)
    assert.isTrue(Number.isFinite(hypothetical.pnl_after_fees))
  })
})

describe("the intervals", () => {
  it("know a model that is right from one that is off, by days and not by contracts", () => {
    // Ten contracts of a day come true together: 120 days, not 1,200 contracts.
    const worldOf = (bias: number) => {
      const generator = xoshiro128(5)
      return Array.from({ length: 120 }, (_, index) => {
        const p = 300_000 + 1_000 * generator.integer(400)
        const happened = generator.integer(1_000_000) < p
        return Array.from({ length: 10 }, (_, strike) =>
          settledRow({
            ...{
              domain: "crypto",
              ticker: `E${index}-${strike}`,
              capturedAt: 0,
              closeTime: Date.UTC(2026, 6, index, 9),
            },
            model: p + bias,
            quotes: { yesBid: p / 100 - 50, yesAsk: p / 100 + 50, noAsk: 10_050 - p / 100 },
            result: happened ? "yes" : "no",
          }),
        )
      }).flat()
    }
    const biased = boardIntervals(boardOf(worldOf(300_000))).get("all")!
    assert.isAbove(biased.difference.low, 0)
    const level = boardIntervals(boardOf(worldOf(0))).get("all")!
    assert.deepStrictEqual([level.difference.low, level.difference.high], [0, 0])
    // The same rows as if each had a day of its own promise too much.
    const ofDay = (index: number) => ({ closeTime: Date.UTC(2026, 6, index, 9) })
    const apart = boardIntervals(boardOf(worldOf(300_000).map((row, index) => ({ ...row, ...ofDay(index) })))).get(
      "all",
    )!
    assert.isBelow(apart.model.standardError, 0.6 * biased.model.standardError)
  })

  it("are the same on every run, hold the estimate, and are left out for a lone cluster", () => {
    const board = boardOf(rows)
    assert.deepStrictEqual(boardIntervals(board), boardIntervals(boardOf([...rows].reverse())))
    for (const [scope, { model }] of boardIntervals(board)) {
      const name = scope === "all" || scope === "contested" ? scope : `domain/${scope}`
      const { model: estimate } = pairScores(findPair(board, name))
      assert.isTrue(model.low < estimate && estimate < model.high, scope)
    }
    const lone = boardOf([settledRow(), settledRow({ ticker: "other" })])
    assert.strictEqual(boardIntervals(lone).size, 0)
    assert.isFalse("brier_difference" in toFigures(lone).overall)
  })
})

const isBetween = (millis: number, from: number, to: number): boolean =>
  millis >= from * 3_600_000 && millis < to * 3_600_000
