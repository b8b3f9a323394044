import { assert, describe, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { blockBootstrap, clusterBootstrap, clusterBootstrapSteps } from "../../../core/math/bootstrap.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const values = Array.from({ length: 200 }, (_, at) => Math.sin(at * 12.9898) * 10)
const mean = (drawn: Int32Array): number =>
  values.reduce((sum, value, at) => sum + value * drawn[at]!, 0) / values.length

describe("blockBootstrap", () => {
  it("finds the standard error of a mean", () => {
    const centre = mean(new Int32Array(200).fill(1))
    const exact = Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / 200 / 200)
    const { low, high, standardError } = blockBootstrap(200, mean, 4000, new PCGRandom(1), 0.95)
    assert.approximately(standardError / exact, 1, 0.05)
    assert.approximately((high - low) / (2 * 1.96 * exact), 1, 0.06)
    assert.approximately((high + low) / 2, centre, 0.2 * exact)
  })

  it("draws as many blocks as there are, and the same ones for the same seed", () => {
    const sizes = new Set<number>()
    const drawn = (counts: Int32Array) => {
      sizes.add(counts.reduce((sum, count) => sum + count, 0))
      return counts[0]!
    }
    const run = (seed: number) => blockBootstrap(7, drawn, 500, new PCGRandom(seed), 0.9)
    assert.deepStrictEqual(run(5), run(5))
    assert.notDeepEqual(run(5), run(6))
    assert.deepStrictEqual([...sizes], [7])
  })

  it("cuts off equally at both ends", () => {
    let next = 0
    const { low, high } = blockBootstrap(1, () => next++, 100, new PCGRandom(1), 0.9)
    assert.deepStrictEqual([low, high], [5, 94])
  })

  it("leaves out replicates without a value, and has none when all are", () => {
    let next = 0
    const some = blockBootstrap(1, () => (next++ % 2 === 0 ? Number.NaN : 3), 100, new PCGRandom(1), 0.95)
    assert.deepStrictEqual(some, { low: 3, high: 3, standardError: 0 })
    const none = blockBootstrap(1, () => Number.NaN, 100, new PCGRandom(1), 0.95)
    assert.deepStrictEqual(none, { low: Number.NaN, high: Number.NaN, standardError: Number.NaN })
  })
})

describe("clusterBootstrap", () => {
  /** Clusters of one to six values that have a common part: count and sum of each. */
  const clustersOf = (count: number, seed: number) => {
    const generator = xoshiro128(seed)
    const unit = () => generator.integer(1_000_000) / 1_000_000 - 0.5
    return Float64Array.from(
      Array.from({ length: count }, () => {
        const [size, common] = [1 + generator.integer(6), unit()]
        return [size, Array.from({ length: size }, () => common + 0.2 * unit()).reduce((sum, value) => sum + value, 0)]
      }).flat(),
    )
  }
  const ratio = (drawn: ReadonlyArray<Float64Array>, into: Float64Array) => {
    into[0] = drawn.reduce((sum, each) => sum + each[1]!, 0) / drawn.reduce((sum, each) => sum + each[0]!, 0)
  }
  const entries = (clusters: Float64Array) =>
    Array.from({ length: clusters.length / 2 }, (_, at) => [clusters[2 * at]!, clusters[2 * at + 1]!] as const)

  it("finds the standard error of a ratio of sums over strata, as linearisation does", () => {
    const strata = [clustersOf(150, 1), clustersOf(60, 2)]
    const all = strata.flatMap(entries)
    const rows = all.reduce((sum, [size]) => sum + size, 0)
    const mean = all.reduce((sum, [, value]) => sum + value, 0) / rows
    const variance = strata.reduce((sum, stratum) => {
      const residuals = entries(stratum).map(([size, value]) => value - mean * size)
      const centre = residuals.reduce((total, each) => total + each, 0) / residuals.length
      return sum + residuals.reduce((total, each) => total + (each - centre) ** 2, 0)
    }, 0)
    const [found] = clusterBootstrap(strata, 2, 1, ratio, 4_000, xoshiro128(3), 0.95)
    assert.approximately(found!.standardError / (Math.sqrt(variance) / rows), 1, 0.05)
    assert.approximately((found!.high - found!.low) / (2 * 1.96 * found!.standardError), 1, 0.05)
    assert.isTrue(found!.low < mean && mean < found!.high)
    // Treating rows as independent would give too narrow intervals.
    assert.isAbove(found!.standardError, 1.5 * Math.sqrt(0.087 / rows))
  })

  it("draws as many clusters of a stratum as it has, and leaves out what has no value", () => {
    const sizes = new Set<string>()
    const strata = [Float64Array.of(1, 1, 1), Float64Array.of(1, 1, 1, 1, 1)]
    const counted = (drawn: ReadonlyArray<Float64Array>, into: Float64Array) => {
      sizes.add(drawn.map(([count]) => count).join())
      into[0] = 4
      into[1] = Number.NaN
    }
    const [four, none] = clusterBootstrap(strata, 1, 2, counted, 100, xoshiro128(1), 0.9)
    assert.deepStrictEqual([...sizes], ["3,5"])
    assert.deepStrictEqual(four, { low: 4, high: 4, standardError: 0 })
    assert.isNaN(none!.standardError)
  })

  it("yields after each fifty replicates", () => {
    const pauses = (replicates: number) => {
      const first = ([drawn]: ReadonlyArray<Float64Array>, into: Float64Array) => into.set(drawn!)
      const steps = clusterBootstrapSteps([Float64Array.of(1, 2)], 1, 1, first, replicates, xoshiro128(1), 0.95)
      let count = 0
      while (!steps.next().done) count++
      return count
    }
    assert.deepStrictEqual([1, 49, 50, 120].map(pauses), [0, 0, 1, 2])
  })
})
