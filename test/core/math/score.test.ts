import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import * as fc from "effect/FastCheck"
import { certain } from "../../../core/math/discrete.ts"
import { type Discrete, discretise, located } from "../../../core/math/discretise.ts"
import * as normal from "../../../core/math/normal.ts"
import { reliability } from "../../../core/math/reliability.ts"
import * as score from "../../../core/math/score.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { studentT8 } from "../../../core/math/studentT8.ts"
import { describeRealData } from "../../support/realData.ts"
import { reference, relative } from "./reference.ts"

/** A law over 40 to 100. */
const laws = fc
  .record({ mean: fc.double({ min: 45, max: 95, noNaN: true }), scale: fc.double({ min: 0.2, max: 8, noNaN: true }) })
  .map(({ mean, scale }) => discretise(located(studentT8, mean, scale), mean, 40, 100))

describe("score", () => {
  it("scores a probability", () => {
    assert.strictEqual(score.brier(0.75, true), 0.0625)
    assert.strictEqual(score.brier(0.75, false), 0.5625)
    assert.approximately(score.logScore(0.8, true, 1e-4), -Math.log(0.8), 1e-16)
    assert.approximately(score.logScore(0.8, false, 1e-4), -Math.log(0.2), 1e-15)
    for (const [p, happened] of [
      [0, true],
      [1, false],
    ] as const) {
      assert.approximately(score.logScore(p, happened, 1e-4), -Math.log(1e-4), 1e-14)
    }
    assert.approximately(score.logScore(1, true, 1e-4), -Math.log(1 - 1e-4), 1e-16)
  })

  it("has the integrals of its definition as ranked probability scores", () => {
    for (const { z, crps } of reference.crps_normal) {
      assert.isAtMost(relative(score.crpsNormal(z), crps), 1e-14, `z = ${z}`)
      assert.isAtMost(relative(score.crpsStudentT(studentT.make(Number.POSITIVE_INFINITY))(z), crps), 1e-14)
    }
    for (const { nu, z, crps } of reference.crps_student_t) {
      assert.isAtMost(relative(score.crpsStudentT(studentT.make(nu))(z), crps), 1e-14, `ν = ${nu}, z = ${z}`)
    }
  })

  it("has no ranked probability score where the mean does not exist", () => {
    assert.isNaN(score.crpsStudentT(studentT.make(1))(0))
    assert.isNaN(score.crpsStudentT(studentT.make(Number.NaN))(0))
    assert.isNaN(score.crpsNormal(Number.NaN))
  })

  it("keeps the digits of a probability near 0 of what did not happen", () => {
    assert.strictEqual(score.logScore(1e-18, false, 0), 1e-18)
    assert.strictEqual(score.logScore(0, true, 0), Number.POSITIVE_INFINITY)
    assert.strictEqual(score.logScore(1, true, 0) + score.logScore(0, false, 0), 0)
  })

  it("scores a law over whole numbers by the area between it and the outcome, wherever that lies", () => {
    const thirds = { first: 1, pmf: Float64Array.of(0.25, 0.25, 0.5), ge: Float64Array.of(1, 0.75, 0.5) }
    const cases = [
      [1, 0.75 ** 2 + 0.5 ** 2],
      [2, 0.25 ** 2 + 0.5 ** 2],
      [2.5, 0.25 ** 2 + 0.5 ** 2],
      [3, 0.25 ** 2 + 0.5 ** 2],
      [2.25, 0.25 ** 2 + 0.25 * 0.25 + 0.75 * 0.25],
      [-1, 2 + 0.75 ** 2 + 0.5 ** 2],
      [4.5, 1.5 + 0.25 ** 2 + 0.5 ** 2],
    ] as const
    for (const [outcome, expected] of cases) {
      assert.approximately(score.crpsDiscrete(thirds, outcome), expected, 1e-15, `outcome ${outcome}`)
    }
    assert.strictEqual(score.crpsDiscrete(certain(7), 7), 0)
    assert.strictEqual(score.crpsDiscrete(certain(7), 9.5), 2.5)
  })

  it("has the score of a continuous law as that of a fine grid", () => {
    // Hundredths of a standard deviation as whole numbers: rounding adds its variance, a twelfth of a step squared.
    const grid = discretise(located(normal, 0, 100), 0, -1_200, 1_200)
    for (const z of [0, 0.5, -2, 3.3]) {
      assert.approximately(score.crpsDiscrete(grid, z * 100) / 100, score.crpsNormal(z), 2e-5)
    }
  })

  it("rewards the honest law: no other has a lower mean score under it", () => {
    fc.assert(
      fc.property(laws, laws, (honest, other) => {
        const mean = (of: (outcome: number) => number) =>
          honest.pmf.reduce((sum, p, at) => (p === 0 ? sum : sum + p * of(honest.first + at)), 0)
        const least = (of: (law: Discrete, outcome: number) => number) => [
          mean((outcome) => of(honest, outcome)),
          mean((outcome) => of(other, outcome)),
        ]
        for (const of of [score.crpsDiscrete, (law: Discrete, k: number) => score.logScoreDiscrete(law, k, 1e-300)]) {
          const [own, others] = least(of)
          assert.isAtMost(own!, others! + 1e-12)
        }
      }),
    )
  })

  it("takes the probability of the number itself as a logarithmic score, the ends' beyond them", () => {
    const law = { first: 1, pmf: Float64Array.of(0.25, 0, 0.75), ge: Float64Array.of(1, 0.75, 0.75) }
    const found = [0, 1, 2, 3, 9].map((outcome) => score.logScoreDiscrete(law, outcome, 0.001))
    assert.deepStrictEqual(
      found,
      [0.25, 0.25, 0.001, 0.75, 0.75].map((p) => -Math.log(p)),
    )
    assert.strictEqual(score.logScoreDiscrete(law, 2, 0), Number.POSITIVE_INFINITY)
  })

  it("measures the distance from uniform at both sides of a step", () => {
    assert.strictEqual(score.uniformDistance([0.75, 0.25]), 0.25)
    assert.strictEqual(score.uniformDistance([0.5]), 0.5)
    assert.strictEqual(score.uniformDistance([0, 0]), 1)
    assert.approximately(score.uniformDistance(Array.from({ length: 1000 }, (_, k) => (k + 0.5) / 1000)), 0.0005, 1e-15)
    assert.isNaN(score.uniformDistance([]))
  })

  it("counts what lies within", () => {
    assert.strictEqual(score.shareWithin([0.05, 0.5, 0.95, 0.96], 0.05, 0.95), 0.75)
    assert.isNaN(score.shareWithin([], 0, 1))
  })
})

// The references were computed from the same file in exact rationals (Brier) and in double precision (the others).
describeRealData("scores of 1,188 settled markets", (root) => {
  const rows = () =>
    parse<Record<string, string>>(readFileSync(join(root, "markets", "kxhigh_settled_quotes_12h_before_close.csv")), {
      columns: true,
    }).map((row) => ({
      // Quotes lie on a grid of half a tenth of a cent.
      p: Math.round(Number(row["mid"]) * 2000) / 2000,
      happened: row["result"] === "yes",
    }))
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

  it("equal their references", () => {
    const all = rows()
    const contested = all.filter(({ p }) => p >= 0.05 && p <= 0.95)
    assert.deepStrictEqual([all.length, contested.length], [1188, 504])
    for (const [some, brier, log, ece] of [
      [all, 351221 / 5280000, 0.21234526059754558, 0.029448653198653186],
      [contested, 1574161 / 10080000, 0.4737693670508387, 0.044384920634920645],
    ] as const) {
      assert.approximately(mean(some.map(({ p, happened }) => score.brier(p, happened))), brier, 1e-12)
      assert.approximately(mean(some.map(({ p, happened }) => score.logScore(p, happened, 0.001))), log, 1e-12)
      const table = reliability(10)
      for (const { p, happened } of some) table.add(p, happened)
      assert.approximately(table.error(), ece, 1e-12)
    }
    const table = reliability(10)
    for (const { p, happened } of all) table.add(p, happened)
    const [first, , , , , , , , , last] = table.bins()
    assert.deepStrictEqual([first!.count, last!.count], [766, 38])
    assert.approximately(first!.meanProbability, 0.02565274151436031, 1e-12)
    assert.approximately(last!.frequency, 0.9473684210526315, 1e-12)
  })
})
