import { assert, it } from "@effect/vitest"
import { expectedGain, poolContract } from "../../../core/contracts/pooled.ts"
import { clusterBootstrapSteps } from "../../../core/math/bootstrap.ts"
import { clusterSums } from "../../../core/math/clusters.ts"
import { logistic, logit } from "../../../core/math/logistic.ts"
import { quantile } from "../../../core/math/normal.ts"
import { runToEnd } from "../../../core/math/runToEnd.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import { anchorWeightSteps } from "../../../core/record/scoreboard/anchorWeight.ts"
import { toMarketProbability } from "../../../core/record/scoreboard/Settled.ts"
import { settledRow } from "../../support/settledRows.ts"

const day = 86_400_000
const first = Date.UTC(2026, 0, 5)

/** Days of contracts whose true log-odds are the market's and a share of what the model says beyond them. */
const worldOf = (seed: number, weight: number, days: number) => {
  const generator = xoshiro128(seed)
  const uniform = () => (generator.integer(1_000_000) + 0.5) / 1_000_000
  return Array.from({ length: days * 40 }, (_, at) => {
    const mid = 1_500 + 100 * generator.integer(70)
    const base = logit(mid / 10_000)
    const model = Math.round(1e6 * logistic(base + 1.1 * quantile(uniform())))
    const truth = logistic(base + weight * (logit(model / 1e6) - base))
    const capturedAt = first + Math.floor(at / 40) * day + 15 * 3_600_000
    return settledRow({
      domain: "crypto",
      event: `E${at}`,
      ticker: `T${at}`,
      model,
      quotes: { yesBid: mid - 50, yesAsk: mid + 50, noAsk: 10_050 - mid },
      capturedAt,
      closeTime: capturedAt + 3_600_000,
      settledAt: capturedAt + 7_200_000,
      result: uniform() < truth ? "yes" : "no",
    })
  })
}

it("a weight of 0.3 is found, and what is bought by its expected gain gains that", () => {
  const split = first + 150 * day
  const rows = worldOf(1, 0.3, 300)
  const { weight } = runToEnd(anchorWeightSteps(rows.filter(({ settledAt }) => settledAt < split)))
  assert.approximately(weight, 0.3, 0.1)
  const trades = rows.flatMap((row) => {
    if (row.capturedAt < split) return []
    const contract = { bidAsk: row.quotes!, feeRate: 700 }
    const { expected_gain: expected } = poolContract(contract, row.model, weight)
    const edge = row.model - toMarketProbability(row.quotes!)
    const realised = expectedGain(contract, edge, row.result === "yes" ? 1e6 : 0)!
    return expected! > 0 ? [{ cluster: `${row.capturedAt}`, expected: expected!, realised }] : []
  })
  assert.isAbove(trades.length, 1_000)
  const [interval] = runToEnd(
    clusterBootstrapSteps(
      [
        clusterSums(
          trades.map(({ cluster }) => cluster),
          [trades.map(({ realised }) => realised), trades.map(() => 1)],
        ),
      ],
      2,
      1,
      ([sums], into) => {
        into[0] = sums![0]! / sums![1]!
      },
      2_000,
      xoshiro128(7),
      0.95,
    ),
  )
  const expected = trades.reduce((sum, trade) => sum + trade.expected, 0) / trades.length
  assert.isAbove(expected, 0.02)
  assert.isTrue(interval!.low < expected && expected < interval!.high, `${expected}: ${JSON.stringify(interval)}`)
  assert.isAbove(interval!.low, 0)
})

it("a weight of 0 is in use where the model adds nothing, and nothing is worth buying, however far off the model is", () => {
  const rows = worldOf(2, 0, 150)
  const { weight } = runToEnd(anchorWeightSteps(rows))
  assert.strictEqual(weight, 0)
  for (const row of rows) {
    const pooled = poolContract({ bidAsk: row.quotes!, feeRate: 700 }, row.model, weight)
    assert.isBelow(pooled.expected_gain!, 0)
    assert.strictEqual(pooled.pooled_prob, toMarketProbability(row.quotes!) / 1e6)
  }
})
