import { assert, describe, it } from "@effect/vitest"
import { clusterBootstrap } from "../../../core/math/bootstrap.ts"
import { ratio, type Sampling } from "../../../core/math/clusters.ts"
import { estimate } from "../../../core/math/estimate.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const sampling = (seed = 1, replicates = 2_000): Sampling => ({ replicates, level: 0.95, generator: xoshiro128(seed) })

const generator = xoshiro128(21)
const unit = () => generator.integer(1_000_000) / 1_000_000 - 0.5
/** Rows in 150 clusters of one to six, which share most of their value. */
const rows = Array.from({ length: 150 }, (_, cluster) => {
  const common = unit()
  return Array.from({ length: 1 + generator.integer(6) }, () => ({
    cluster,
    own: common + 0.1 * unit(),
    other: common,
  }))
}).flat()
const column = <Name extends "cluster" | "own" | "other">(name: Name) => rows.map((row) => row[name])
const ones = rows.map(() => 1)

describe("ratio over clusters", () => {
  it("is the ratio of the sums, with the interval of the cluster bootstrap", () => {
    const found = ratio(column("own"), ones, column("cluster"), sampling())
    const mean = rows.reduce((sum, { own }) => sum + own, 0) / rows.length
    assert.approximately(found.value, mean, 1e-15)
    assert.deepStrictEqual([found.rows, found.clusters], [rows.length, 150])
    const sums = Array.from({ length: 150 }, (_, cluster) => {
      const held = rows.filter((row) => row.cluster === cluster)
      return [held.reduce((sum, { own }) => sum + own, 0), held.length]
    })
    const quotient = ([drawn]: ReadonlyArray<Float64Array>, into: Float64Array) => {
      into[0] = drawn![0]! / drawn![1]!
    }
    const strata = [Float64Array.from(sums.flat())]
    const [interval] = clusterBootstrap(strata, 2, 1, quotient, 2_000, xoshiro128(1), 0.95)
    const { low, high, standardError } = found
    assert.deepStrictEqual({ low, high, standardError }, interval)
    assert.isTrue(low < mean && mean < high)
  })

  it("is wider than for independent rows where rows of a cluster agree, and as wide where each is its own", () => {
    const independent = estimate(column("own")).se
    assert.isAbove(ratio(column("own"), ones, column("cluster"), sampling()).standardError, 1.5 * independent)
    const alone = ratio(column("own"), ones, [...rows.keys()], sampling())
    assert.approximately(alone.standardError / independent, 1, 0.06)
  })

  it("weighs rows, and does not depend on the names of clusters", () => {
    const weighed = ratio([1, 2, 6, 3], [1, 1, 2, 2], ["a", "a", "b", "c"], sampling())
    assert.strictEqual(weighed.value, 2)
    const renamed = ratio([1, 2, 6, 3], [1, 1, 2, 2], [7, 7, 9, 8], sampling())
    assert.deepStrictEqual(renamed, weighed)
  })

  it("has no interval from a single cluster", () => {
    const { value, low, high, standardError } = ratio([1, 2], [1, 1], ["a", "a"], sampling())
    assert.deepStrictEqual([value, low, high, standardError], [1.5, Number.NaN, Number.NaN, Number.NaN])
  })
})

describe("ratio of differences over clusters", () => {
  it("is paired: what both share has no part in its interval", () => {
    const differences = rows.map(({ own, other }) => own - other)
    const paired = ratio(differences, ones, column("cluster"), sampling())
    const alone = ratio(column("own"), ones, column("cluster"), sampling())
    assert.isBelow(paired.standardError, alone.standardError / 5)
    const mean = rows.reduce((sum, { own, other }) => sum + own - other, 0) / rows.length
    assert.approximately(paired.value, mean, 1e-15)
  })

  it("covers the truth in about 95 of 100 samples", () => {
    let covered = 0
    const samples = 400
    for (let sample = 0; sample < samples; sample++) {
      const draw = xoshiro128(1_000 + sample)
      const clusters = Array.from({ length: 240 }, (_, row) => row % 60)
      const common = Array.from({ length: 60 }, () => draw.integer(1_000) / 1_000 - 0.4995)
      const own = clusters.map((cluster) => common[cluster]! + draw.integer(1_000) / 1_000 - 0.4995)
      const { low, high } = ratio(
        own,
        own.map(() => 1),
        clusters,
        sampling(sample, 400),
      )
      if (low <= 0 && 0 <= high) covered += 1
    }
    // Three standard deviations of a share of .95 in 400, and 2 % for the percentile method.
    assert.isAtLeast(covered / samples, 0.95 - 0.033 - 0.02)
    assert.isAtMost(covered / samples, 0.95 + 0.033)
  })
})
