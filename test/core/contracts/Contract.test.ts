import { assert, describe, it } from "@effect/vitest"
import { millionths, modelEdge, type Priced, qualityFlags } from "../../../core/contracts/Contract.ts"

/** A book with its middle at 32 cents. */
const bidAsk = { yesBid: 3_000, yesAsk: 3_400, noAsk: 7_000 }
const market = 320_000

const flagsOf = (model: number, quotes = bidAsk) =>
  qualityFlags({ model, bidAsk: quotes, flags: ["stale"] } as unknown as Priced)

describe("the edge of a priced contract", () => {
  it("is the model's probability less the middle of the book", () => {
    assert.strictEqual(modelEdge({ bidAsk, model: 500_000 }), 180_000)
    assert.strictEqual(modelEdge({ bidAsk, model: 0 }), -market)
  })

  it("is none where a side of the book is not live", () => {
    assert.isUndefined(modelEdge({ bidAsk: { ...bidAsk, yesBid: 0 }, model: 500_000 }))
  })

  it("is implausible from 30 cents on, to either side", () => {
    for (const sign of [-1, 1]) {
      assert.deepStrictEqual(flagsOf(market + sign * 299_999), ["stale"])
      assert.deepStrictEqual(flagsOf(market + sign * 300_000), ["stale", "divergence_implausible"])
    }
    assert.deepStrictEqual(flagsOf(1_000_000, { ...bidAsk, yesBid: 0 }), ["stale"])
  })
})

describe("a probability in millionths", () => {
  it("is the nearest whole one", () => {
    assert.strictEqual(millionths(0.1234564), 123_456)
    assert.strictEqual(millionths(0.1234566), 123_457)
  })

  it("is within its range after the rounding of sums, and none beyond", () => {
    assert.strictEqual(millionths(-1e-9), 0)
    assert.strictEqual(millionths(1 + 5e-10), 1_000_000)
    for (const wrong of [-2e-9, 1 + 2e-9, Number.NaN]) assert.isUndefined(millionths(wrong))
  })
})
