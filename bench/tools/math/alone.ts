import { clusterBootstrap } from "../../../core/math/bootstrap.ts"
import { multiplicative, shin } from "../../../core/math/devig.ts"
import { discretise, located } from "../../../core/math/discretise.ts"
import { pit } from "../../../core/math/pit.ts"
import { reliability } from "../../../core/math/reliability.ts"
import { brier, crpsDiscrete, crpsNormal, crpsStudentT, logScore } from "../../../core/math/score.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { studentT8 } from "../../../core/math/studentT8.ts"
import { wilson } from "../../../core/math/wilson.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"

const generator = xoshiro128(1)
const shares = Array.from({ length: 1000 }, () => generator.integer(1001) / 1000)
const happened = shares.map((p) => generator.integer(1000) < 1000 * p)
const law = discretise(located(studentT8, 84.2, 2), 84.2, 64, 104)
const crpsT = crpsStudentT(studentT.make(4.5))
const runners = [0.3, 0.25, 0.2, 0.15, 0.1, 0.08, 0.05, 0.03, 0.02, 0.01]
const table = reliability(10)
const clusters = Float64Array.from({ length: 300 }, () => generator.integer(100))
const difference = ([sums]: ReadonlyArray<Float64Array>, into: Float64Array): void => {
  into[0] = (sums![1]! - sums![2]!) / sums![0]!
}

let turn = 0
const next = (): number => turn++ % 1000
/** A number of −3 … 3. */
const z = (): number => next() / 166 - 3

/** Functions without a peer in the packages beside which the others are measured: one call each. */
export const alone: Readonly<Record<string, () => number>> = {
  "Brier score": () => brier(shares[next()]!, true),
  "log score": () => logScore(shares[next()]!, false, 0.001),
  "CRPS, normal": () => crpsNormal(z()),
  "CRPS, t of ν = 4.5": () => crpsT(z()),
  "CRPS, 41 whole numbers": () => crpsDiscrete(law, 64 + (next() % 41)),
  "transform, 41 whole numbers": () => pit(law, 64 + (next() % 41)).low,
  "forecast into a reliability table": () => {
    const at = next()
    table.add(shares[at]!, happened[at]!)
    return at
  },
  "Wilson interval": () => wilson(next(), 1000, 1.96).low,
  "margin of 2 in proportion": () => multiplicative([0.4 + next() / 10_000, 0.6])[0]!,
  "margin of 2 by Shin": () => shin([0.4 + next() / 10_000, 0.6]).insiders,
  "margin of 10 by Shin": () => shin(runners).insiders,
  "1000 rounds over 100 clusters": () => clusterBootstrap([clusters], 3, 1, difference, 1000, generator, 0.95)[0]!.low,
}
