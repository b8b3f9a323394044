import { assert, describe, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { blockBootstrap } from "../../../core/math/bootstrap.ts"

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
