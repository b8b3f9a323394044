import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import * as score from "../../../core/math/score.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { describeRealData } from "../../support/realData.ts"
import { reference, relative } from "./reference.ts"

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

  it("puts 1 into the last bin, and empty bins into no error", () => {
    const table = score.reliability(20)
    assert.isNaN(table.error())
    table.add(1, true)
    table.add(0.9999, false)
    table.add(0, false)
    table.add(0.05, false)
    const bins = table.bins()
    assert.deepStrictEqual(
      bins.map(({ count }) => count),
      [1, 1, ...Array.from({ length: 17 }, () => 0), 2],
    )
    assert.strictEqual(bins[19]!.frequency, 0.5)
    assert.isNaN(bins[5]!.meanProbability)
    assert.approximately(table.error(), (0.05 + 0.9999) / 4, 1e-15)
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
      const table = score.reliability(10)
      for (const { p, happened } of some) table.add(p, happened)
      assert.approximately(table.error(), ece, 1e-12)
    }
    const table = score.reliability(10)
    for (const { p, happened } of all) table.add(p, happened)
    const [first, , , , , , , , , last] = table.bins()
    assert.deepStrictEqual([first!.count, last!.count], [766, 38])
    assert.approximately(first!.meanProbability, 0.02565274151436031, 1e-12)
    assert.approximately(last!.frequency, 0.9473684210526315, 1e-12)
  })
})
