import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import type { Discrete } from "../../../../core/math/discretise.ts"

type Degrees = Readonly<Record<string, number>>
type Laws = ReadonlyArray<readonly [mean: number, sigma: number]>

/** test/fixtures/weather/temperature-model.json: the model worked out by an independent program. */
interface Model {
  readonly laws: ReadonlyArray<{ readonly mean: number; readonly sigma: number; readonly pmf: Degrees }>
  readonly skewed: ReadonlyArray<{
    readonly mean: number
    readonly sigma: number
    readonly skew: number
    readonly pmf: Degrees
  }>
  readonly sameDay: ReadonlyArray<{
    readonly variable: "high" | "low"
    readonly hour: number
    readonly factor: number
    readonly projected: number
    readonly read: number
    readonly temp: number
    readonly trend: number
    readonly now: number
    readonly weights: ReadonlyArray<number>
    readonly pmf: Degrees
  }>
  readonly low: ReadonlyArray<{ readonly laws: Laws; readonly pmf: Degrees }>
  readonly recalibration: {
    readonly errors: ReadonlyArray<number>
    readonly sigmas: ReadonlyArray<number>
    readonly cases: ReadonlyArray<{
      readonly inherited: number
      readonly parameters: ReadonlyArray<readonly [bias: number, scale: number]>
    }>
  }
}

export const model: Model = JSON.parse(
  readFileSync(new URL("../../../fixtures/weather/temperature-model.json", import.meta.url), "utf8"),
)

/** Holds the degrees that are not at the ends of a window against the independent ones. */
export const agrees = ({ first, pmf }: Discrete, expected: Degrees, within = 1e-9): void => {
  let compared = 0
  for (const [degree, p] of Object.entries(expected)) {
    const at = Number(degree) - first
    if (at <= 0 || at >= pmf.length - 1) continue
    assert.approximately(pmf[at]!, p, within, degree)
    compared += p
  }
  assert.isAbove(compared, 0.99)
}

/** What holds of every distribution that is served. */
export const isDistribution = ({ pmf, ge }: Pick<Discrete, "ge" | "pmf">, name = ""): void => {
  assert.strictEqual(ge[0], 1, name)
  let tail = 0
  for (let at = pmf.length - 1; at >= 0; at--) {
    tail += pmf[at]!
    assert.isTrue(pmf[at]! >= 0 && pmf[at]! <= 1, name)
    assert.approximately(ge[at]!, tail, 1e-12, name)
    if (at > 0) assert.isAtMost(ge[at]!, ge[at - 1]!, name)
  }
  assert.approximately(tail, 1, 1e-9, name)
}
