import { assert, describe, it } from "@effect/vitest"
import { scoreLine } from "../../../../../core/lanes/football/data/scoreFinals.ts"

const line = { home_margin: 3, total: 44, win_prob_home: 0.6 }
const market = { spread: 2.5, total: 45, homeMoneyline: -150, awayMoneyline: 130 }

describe("the scores of a line against the final", () => {
  it("are absolute errors, the winner and the Brier score, of model and market", () => {
    const { brier_model_wp, brier_market_devig, ...scores } = scoreLine(line, market, { home: 17, away: 20 })
    assert.deepStrictEqual(scores, {
      mae_model: 6,
      total_mae_model: 7,
      su_accuracy_model: 0,
      mae_market: 5.5,
      total_mae_market: 8,
      su_accuracy_market: 0,
    })
    assert.approximately(brier_model_wp!, 0.36, 1e-12)
    // -150 is .6 and +130 is 100/230; the margin goes in proportion.
    assert.approximately(brier_market_devig!, (0.6 / (0.6 + 100 / 230)) ** 2, 1e-12)
  })

  it("are the model's alone where the market had no spread", () => {
    const { spread: _, ...rest } = market
    assert.hasAllKeys(scoreLine(line, rest, { home: 20, away: 17 }), [
      "mae_model",
      "total_mae_model",
      "su_accuracy_model",
      "brier_model_wp",
    ])
  })

  it("leave out a total and moneylines that the market did not have", () => {
    const found = scoreLine(line, { spread: -1 }, { home: 20, away: 17 })
    assert.strictEqual(found["mae_market"], 4)
    assert.strictEqual(found["su_accuracy_market"], 0)
    assert.doesNotHaveAnyKeys(found, ["total_mae_market", "brier_market_devig"])
  })

  it("have no winner after a tie", () => {
    const found = scoreLine(line, market, { home: 20, away: 20 })
    assert.strictEqual(found["mae_model"], 3)
    assert.doesNotHaveAnyKeys(found, [
      "su_accuracy_model",
      "brier_model_wp",
      "su_accuracy_market",
      "brier_market_devig",
    ])
  })
})
