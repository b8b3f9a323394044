import { assert, describe, it } from "@effect/vitest"
import { besideMarket, type Day, pricedHighs, type Tick } from "../../../../bench/open/backtest/weatherBeside.ts"
import { lawOf } from "../../../../bench/open/lanes/weather/laws.ts"
import { clip } from "../../../../core/record/scoreboard/calibration.ts"

const event = "KXHIGHNY-25DEC05"
const tick = (timestamp: string, strike: string, bid: number, ask: number): Tick => ({
  timestamp,
  market_ticker: `${event}-${strike}`,
  best_yes_bid: String(bid),
  implied_yes_ask: String(ask),
  implied_no_ask: String(100 - bid),
})

/** 29 to 34 °F. */
const law = lawOf({ first: 29, pmf: [0.1, 0.2, 0.3, 0.2, 0.1, 0.1] }).degrees

const recorded: Day = {
  day: "2025-12-05",
  winner: `${event}-B30.5`,
  actual: 31,
  law,
  ticks: [
    tick("2025-12-04T12:59:00.000000", "T30", 10, 14),
    tick("2025-12-04T12:30:00.000000", "B30.5", 20, 24),
    // The last one at 13:00 on the Pacific coast, 21:00 UTC, counts.
    tick("2025-12-04T13:00:00.000000", "B30.5", 40, 44),
    tick("2025-12-04T13:00:00.001000", "B30.5", 90, 94),
    tick("2025-12-04T12:59:00.000000", "B32.5", 30, 34),
    tick("2025-12-04T12:59:00.000000", "T33", 0, 4),
  ],
}

describe("the temperature signal beside recorded prices", () => {
  const rows = pricedHighs([recorded])

  it("is priced at 21:00 UTC of the day before, on the degrees that each contract pays on", () => {
    assert.deepStrictEqual(
      rows.map(({ model, quotes, result }) => [model, quotes.yesBid, quotes.yesAsk, quotes.noAsk, result]),
      [
        // Below 30; 30 and 31; 32 and 33. Above 33 nobody bids: no two live sides.
        [100_000, 1_000, 1_400, 9_000, "no"],
        [500_000, 4_000, 4_400, 6_000, "yes"],
        [300_000, 3_000, 3_400, 7_000, "no"],
      ],
    )
    for (const { capturedAt, closeTime } of rows)
      assert.deepStrictEqual([capturedAt, closeTime], [Date.UTC(2025, 11, 4, 21), Date.UTC(2025, 11, 6, 5)])
  })

  it("has the scores of each day, and no interval of fewer than ten weeks", () => {
    const text = besideMarket(rows, () => 0)
    const brier = (p: ReadonlyArray<number>) => (p[0]! ** 2 + (1 - p[1]!) ** 2 + p[2]! ** 2) / 3
    const log = (p: ReadonlyArray<number>) => -(Math.log(1 - p[0]!) + Math.log(p[1]!) + Math.log(1 - p[2]!)) / 3
    const [model, market] = [
      [0.1, 0.5, 0.3],
      [0.12, 0.42, 0.32],
    ] as const
    const expected = [brier(model), brier(market), brier(market), log(model), log(market), log(market)]
    const lines = text.split("\n").map((line) => line.trim().split(/\s{2,}/))
    assert.deepStrictEqual(lines[1], ["2025-12-05", "3", ...expected.map((value) => value.toFixed(4))])
    assert.deepStrictEqual(lines[2]!.slice(1), lines[1]!.slice(1))
    assert.include(text, `${(brier(model) - brier(market)).toFixed(4)}, no interval of 1 week`)
    // With all weight the pool is the model.
    const pooled = besideMarket(rows, () => 1)
      .split("\n")[1]!
      .trim()
      .split(/\s{2,}/)
    assert.deepStrictEqual([pooled[4], pooled[7]], [pooled[2], pooled[5]])
    assert.isAbove(Math.min(...model, ...market), clip)
  })

  it("has an interval of ten weeks", () => {
    const weeks = Array.from({ length: 10 }, (_, week) =>
      rows.map((row) => ({
        ...row,
        closeTime: row.closeTime + week * 7 * 86_400_000,
        model: row.model + 1_000 * week,
      })),
    ).flat()
    assert.match(
      besideMarket(weeks, () => 0),
      /Brier, model − market: -?0\.\d{4}, -?0\.\d{4} to -?0\.\d{4}/,
    )
  })

  it("is refused where the winner is not the official high's", () => {
    assert.throws(
      () => pricedHighs([{ ...recorded, actual: 32 }]),
      /KXHIGHNY-25DEC05-B30.5 won, but the high was 32 °F/,
    )
  })
})
