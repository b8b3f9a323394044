import { assert, describe, it } from "@effect/vitest"
import {
  isLive,
  lastBeforeClose,
  listFaults,
  type SettledMarket,
  toMarketProbability,
} from "../../../../core/record/scoreboard/Settled.ts"
import { settledRow } from "../../../support/settledRows.ts"

describe("quotes", () => {
  for (const [what, yesBid, yesAsk, live] of [
    ["two sides", 3_000, 3_200, true],
    ["one price", 3_000, 3_000, true],
    ["a tenth of a cent at the ends", 10, 9_990, true],
    ["a bid of nothing", 0, 200, false],
    ["an ask of a dollar", 9_800, 10_000, false],
    ["crossed", 3_200, 3_000, false],
    ["not a number", Number.NaN, 3_000, false],
  ] as const) {
    it(`${what}: ${live ? "a quote" : "none"}`, () => {
      assert.strictEqual(isLive({ yesBid, yesAsk, noAsk: 10_000 - yesBid }), live)
    })
  }

  it("need a no side too", () => {
    for (const noAsk of [0, 10_000, Number.NaN]) assert.isFalse(isLive({ yesBid: 3_000, yesAsk: 3_100, noAsk }))
  })

  it("have a middle in whole millionths", () => {
    assert.strictEqual(toMarketProbability({ yesBid: 2_999, yesAsk: 3_200, noAsk: 7_001 }), 309_950)
  })
})

describe("the row of a market", () => {
  const at = (...times: ReadonlyArray<number>) => times.map((time, index) => ({ at: time, index }))

  it("is the last capture before its close", () => {
    assert.strictEqual(lastBeforeClose(at(1, 5, 3), 10)?.index, 1)
    assert.strictEqual(lastBeforeClose(at(1, 5, 3), 5)?.index, 2)
    assert.strictEqual(lastBeforeClose(at(1, 5, 5), 6)?.index, 2)
    assert.strictEqual(lastBeforeClose(at(5, 6), 5), undefined)
    assert.strictEqual(lastBeforeClose([], 5), undefined)
  })

  const { closeTime } = settledRow()
  const bad: ReadonlyArray<readonly [field: string, changes: Partial<SettledMarket>]> = [
    ["capturedAt", { capturedAt: closeTime }],
    ["settledAt", { settledAt: closeTime - 1 }],
    ["times", { capturedAt: 1.5 }],
    ["times", { closeTime: Number.NaN }],
    ["model", { model: 0.42 }],
    ["model", { model: 1_000_001 }],
    ["model", { model: -1 }],
    ["quotes", { quotes: { yesBid: 0, yesAsk: 3_000, noAsk: 10_000 } }],
    ["quotes", { quotes: { yesBid: 0.3, yesAsk: 0.31, noAsk: 0.7 } }],
    ["feeRate", { feeRate: 0.07 }],
    ["feeRate", { feeRate: -1 }],
    ["feeRate", { feeRate: 10_001 }],
    ["ticker", { ticker: "" }],
    ["captureId", { captureId: "" }],
  ]
  for (const [field, changes] of bad) {
    it(`is refused for ${field} of ${JSON.stringify(changes)}`, () => {
      assert.match(listFaults(settledRow(changes)).join(), new RegExp(`\\b${field}\\b`))
    })
  }

  it("is good as it is, without quotes, and voided", () => {
    const { quotes: _, ...unquoted } = settledRow()
    for (const row of [settledRow(), unquoted, settledRow({ result: "void" })])
      assert.deepStrictEqual(listFaults(row), [])
  })

  it("is good at the ends of its ranges", () => {
    const ends: ReadonlyArray<Partial<SettledMarket>> = [
      { capturedAt: closeTime - 1 },
      { settledAt: closeTime },
      { model: 0 },
      { model: 1_000_000 },
      { feeRate: 0 },
      { feeRate: 10_000 },
    ]
    for (const changes of ends) assert.deepStrictEqual(listFaults(settledRow(changes)), [], JSON.stringify(changes))
  })
})
