import { assert, describe, it } from "@effect/vitest"
import { minErrors } from "../../../../../core/lanes/weather/signal/calibration.ts"
import type { Outlook } from "../../../../../core/lanes/weather/signal/outlook.ts"
import { scoreConfidence } from "../../../../../core/lanes/weather/signal/signal.ts"

const hour = 3_600_000

const score = (stage: "prior" | "partial" | "calibrated", n: number, leadDays: number, gridAge: number) =>
  scoreConfidence({ stage, leadDays, calibration: { stage, state: { n } } } as unknown as Outlook, gridAge, undefined)

describe("the confidence in a weather signal", () => {
  it("is 0.9 with a fresh grid and a calibrated spread on the day itself", () => {
    assert.deepStrictEqual(score("calibrated", 90, 0, 0), {
      score: 0.9,
      label: "reasoned",
      factors: [
        "base 0.90 of a score judged by hand: not a probability, not calibrated",
        "forecast grid 0 min old: ×1.00",
        "lead 0 days: ×1.00",
        "spread calibrated on 90 forecast errors: ×1.00",
      ],
    })
  })

  it("falls with the grid's age to a half at twelve hours, and not further", () => {
    const factor = (age: number) => score("calibrated", 90, 0, age).factors[1]
    assert.strictEqual(factor(6 * hour), "forecast grid 360 min old: ×0.75")
    assert.strictEqual(factor(12 * hour), "forecast grid 720 min old: ×0.50")
    assert.strictEqual(factor(24 * hour), "forecast grid 1440 min old: ×0.50")
    assert.strictEqual(factor(-hour), "forecast grid 0 min old: ×1.00")
  })

  it("falls with the lead to six tenths at seven days, and not further", () => {
    const factor = (lead: number) => score("calibrated", 90, lead, 0).factors[2]
    assert.strictEqual(factor(1), "lead 1 day: ×0.94")
    assert.strictEqual(factor(7), "lead 7 days: ×0.60")
    assert.strictEqual(factor(14), "lead 14 days: ×0.60")
  })

  it("is less with a spread that is not calibrated", () => {
    const partial = score("partial", 1, 0, 0)
    assert.strictEqual(partial.score, 0.81)
    assert.strictEqual(partial.factors[3], "spread partially calibrated on 1 forecast error: ×0.90")
    const prior = score("prior", 3, 0, 0)
    assert.strictEqual(prior.score, 0.72)
    assert.strictEqual(prior.factors[3], `prior spread, 3 of ${minErrors} own forecast errors: ×0.80`)
  })

  it("is 0.99 with the final report, whatever else", () => {
    const outlook = { stage: "final", leadDays: 9 } as unknown as Outlook
    assert.deepStrictEqual(scoreConfidence(outlook, 24 * hour, "p1"), {
      score: 0.99,
      label: "reasoned",
      factors: ["final report p1: 0.99"],
    })
  })
})
