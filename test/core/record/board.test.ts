import { assert, describe, it } from "@effect/vitest"
import { scored } from "../../../core/lanes/markets/performance.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import * as Board from "../../../core/record/scoreboard/board.ts"
import type { SettledMarket } from "../../../core/record/scoreboard/Settled.ts"
import { intervalsOf, pairOf, scoresOf } from "../../../core/record/scoreboard/scores.ts"
import { settledRow, settledRows } from "../../support/settledRows.ts"

const boardOf = (rows: Iterable<SettledMarket>): Board.Board => {
  const board = Board.empty()
  for (const row of rows) Board.add(board, row)
  return board
}

const rows = settledRows(3_000, 1)

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
    assert.deepStrictEqual(scored(kept), scored(whole))
  })

  it("draw what hangs on one game together, whatever it is on, and other contracts by their event", () => {
    const groups = (domain: SettledMarket["domain"], ...events: ReadonlyArray<string>) =>
      [...boardOf(events.map((event) => settledRow({ domain, event, ticker: `${event}-X` }))).groups.values()].map(
        ({ count }) => count,
      )
    const games = ["KXNFLGAME", "KXNFLSPREAD", "KXNFLTOTAL"].map((series) => `${series}-26SEP17DETBUF`)
    assert.deepStrictEqual(groups("nfl", ...games), [3])
    assert.deepStrictEqual(groups("mlb", "KXMLBGAME-26SEP041915DETCLEG1", "KXMLBGAME-26SEP041915DETCLEG2"), [1, 1])
    assert.deepStrictEqual(groups("weather", "KXHIGHNY-26JUL12", "KXHIGHMIA-26JUL12"), [1, 1])
  })

  it("put a corrected result in the place of the first", () => {
    const wrong = boardOf(rows)
    const corrected = rows.map((row, at): SettledMarket => (at % 50 === 0 ? { ...row, result: "void" } : row))
    rows.forEach((row, at) => {
      if (corrected[at] !== row) Board.correct(wrong, row, corrected[at]!)
    })
    const { corrected: changed, ...found } = scored(wrong)
    const { corrected: none, ...right } = scored(boardOf(corrected))
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
    const result = scored(boardOf(rows))
    const groups: ReadonlyArray<
      readonly [{ brier_model?: number; brier_market?: number }, ReadonlyArray<SettledMarket>]
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
    }
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
    const leads = scored(boardOf([25, 24, 23.99, 6, 5.99, 1, 0.99, 0.01].map(lead))).by_lead!
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
      edge.map((row) => scored(boardOf([row])).contested.markets_scored),
      [1, 0, 1, 0],
    )
  })

  it("say nothing where nothing has settled", () => {
    const { overall, domains, hypothetical } = scored(Board.empty())
    assert.deepStrictEqual(overall, { markets_scored: 0, model_beats_market: false })
    assert.deepStrictEqual(domains.weather, { markets_scored: 0 })
    assert.isFalse("roi_after_fees" in hypothetical)
    assert.isTrue(Number.isFinite(hypothetical.pnl_after_fees))
  })
})

describe("the intervals", () => {
  it("know a model that is right from one that is off, by events and not by contracts", () => {
    // Ten contracts to an event come true together: 120 events, not 1,200 contracts.
    const worldOf = (bias: number) => {
      const generator = xoshiro128(5)
      return Array.from({ length: 120 }, (_, event) => {
        const p = 300_000 + 1_000 * generator.integer(400)
        const happened = generator.integer(1_000_000) < p
        return Array.from({ length: 10 }, (_, strike) =>
          settledRow({
            event: `E${event}`,
            ticker: `E${event}-${strike}`,
            model: p + bias,
            quotes: { yesBid: p / 100 - 50, yesAsk: p / 100 + 50, noAsk: 10_050 - p / 100 },
            result: happened ? "yes" : "no",
          }),
        )
      }).flat()
    }
    const biased = intervalsOf(boardOf(worldOf(300_000))).get("all")!
    assert.isAbove(biased.difference.low, 0)
    const level = intervalsOf(boardOf(worldOf(0))).get("all")!
    assert.deepStrictEqual([level.difference.low, level.difference.high], [0, 0])
    // The same rows as if each were an event of its own promise too much.
    const apart = intervalsOf(boardOf(worldOf(300_000).map((row) => ({ ...row, event: row.ticker })))).get("all")!
    assert.isBelow(apart.model.standardError, 0.6 * biased.model.standardError)
  })

  it("are the same on every run, hold the estimate, and are left out for a lone event", () => {
    const board = boardOf(rows)
    assert.deepStrictEqual(intervalsOf(board), intervalsOf(boardOf([...rows].reverse())))
    for (const [scope, { model }] of intervalsOf(board)) {
      const name = scope === "all" || scope === "contested" ? scope : `domain/${scope}`
      const { model: estimate } = scoresOf(pairOf(board, name))
      assert.isTrue(model.low < estimate && estimate < model.high, scope)
    }
    const lone = boardOf([settledRow(), settledRow({ ticker: "other" })])
    assert.strictEqual(intervalsOf(lone).size, 0)
    assert.isFalse("brier_difference" in scored(lone).overall)
  })
})

const isBetween = (millis: number, from: number, to: number): boolean =>
  millis >= from * 3_600_000 && millis < to * 3_600_000
