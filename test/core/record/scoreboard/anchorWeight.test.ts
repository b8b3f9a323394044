import { assert, describe, it } from "@effect/vitest"
import { logistic, logit } from "../../../../core/math/logistic.ts"
import { xoshiro128 } from "../../../../core/math/xoshiro128.ts"
import {
  type AnchorWeight,
  anchorWeightSteps,
  type WeighedRow,
} from "../../../../core/record/scoreboard/anchorWeight.ts"
import { settledRow } from "../../../support/settledRows.ts"

const day = 86_400_000
const first = Date.UTC(2026, 5, 1)

const weigh = (rows: ReadonlyArray<WeighedRow>): AnchorWeight => {
  const steps = anchorWeightSteps(rows)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/**
 * Sixty days of ten events with two contracts each, settled by the next morning. The truth is the sum of what everyone
 * knows and of a secret, of which market and model see the shares that they are given.
 */
const worldOf = (
  seed: number,
  sees: { readonly market: number; readonly model: number },
): ReadonlyArray<WeighedRow> => {
  const generator = xoshiro128(seed)
  const uniform = () => (generator.integer(1_000_000) + 0.5) / 1_000_000
  const rows: Array<WeighedRow> = []
  for (let at = 0; at < 60; at++) {
    for (let contract = 0; contract < 20; contract++) {
      const [known, secret] = [2.4 * (uniform() - 0.5), 3 * (uniform() - 0.5)]
      const mid = Math.round(logistic(known + sees.market * secret) * 1000) * 10
      rows.push(
        settledRow({
          domain: "mlb",
          event: `E${at}-${Math.floor(contract / 2)}`,
          model: Math.round(logistic(known + sees.model * secret) * 1_000_000),
          quotes: { yesBid: mid - 50, yesAsk: mid + 50, noAsk: 10_050 - mid },
          capturedAt: first + at * day + 15 * 3_600_000,
          closeTime: first + (at + 1) * day + 4 * 3_600_000,
          settledAt: first + (at + 1) * day + 6 * 3_600_000,
          result: uniform() < logistic(known + secret) ? "yes" : "no",
        }),
      )
    }
  }
  return rows
}

describe("the weight of a model beside the market", () => {
  const knowing = worldOf(1, { market: 0, model: 1 })

  it("stays 0 where the model adds nothing", () => {
    // The market knows all; what the model adds to it is wrong.
    for (const seed of [1, 2, 3, 4, 5]) {
      const found = weigh(worldOf(seed, { market: 1, model: -0.5 }))
      assert.strictEqual(found.weight, 0)
      assert.isBelow(found.fitted!, 0.1)
      assert.isAtMost(found.improvement!.low, 0)
    }
  })

  it("leaves 0 where it does, and is about what it should be", () => {
    const { weight, fitted, improvement, rows } = weigh(knowing)
    assert.isAbove(weight, 0.7)
    assert.strictEqual(weight, fitted)
    assert.isAbove(improvement!.low, 0)
    assert.isTrue(improvement!.low < improvement!.value && improvement!.value < improvement!.high)
    // Five days have the first hundred rows, and the last of them settles in the sixth: the rest is scored.
    assert.strictEqual(rows, (60 - 6) * 20)
    // The market falls short of the secret by as much as the model exaggerates it.
    const shared = weigh(worldOf(3, { market: 0.2, model: 1.8 }))
    assert.approximately(shared.weight, 0.5, 0.15)
  })

  it("is of the highest likelihood between 0 and 1, whatever market and model see", () => {
    const shares = [-1, 0, 0.4, 1, 1.6, 3]
    for (const market of shares) {
      for (const model of shares) {
        const rows = worldOf(11, { market, model }).slice(0, 400)
        const { fitted } = weigh(rows)
        const clipped = (p: number): number => Math.min(0.999, Math.max(0.001, p))
        const score = (weight: number): number =>
          rows.reduce((sum, { model: own, quotes, result }) => {
            const mid = clipped((quotes!.yesBid + quotes!.yesAsk) / 20_000)
            const p = logistic((1 - weight) * logit(mid) + weight * logit(clipped(own / 1_000_000)))
            return sum - Math.log(result === "yes" ? p : 1 - p)
          }, 0)
        for (let at = 0; at <= 100; at++) assert.isAtMost(score(fitted!), score(at / 100) + 1e-9, `${market} ${model}`)
      }
    }
  })

  it("is of rows that were settled before the day on which they are used", () => {
    // Nothing settles before the last capture: nothing can be judged, whatever is fitted at the end.
    const found = weigh(knowing.map((row) => ({ ...row, settledAt: first + 90 * day })))
    assert.deepStrictEqual([found.rows, found.weight, found.improvement], [0, 0, undefined])
    assert.isAbove(found.fitted!, 0.7)
    // Results that are learned after the last capture change their own rows' scores alone, so that changes add up.
    const late = knowing.map((row, at) => (at < 600 ? row : { ...row, settledAt: first + 90 * day }))
    const gain = (isFlipped: (at: number) => boolean): number => {
      const rows = late.map((row, at) =>
        at < 600 || !isFlipped(at)
          ? row
          : { ...row, result: row.result === "yes" ? ("no" as const) : ("yes" as const) },
      )
      const { improvement, rows: count } = weigh(rows)
      return improvement!.value * count
    }
    const [none, even, odd, all] = [() => false, (at: number) => at % 2 === 0, (at: number) => at % 2 === 1, () => true]
    assert.isAbove(Math.abs(gain(even) - gain(none)), 1)
    assert.approximately(gain(all) - gain(even), gain(odd) - gain(none), 1e-9)
  })

  it("is of what is scored: voids, rows without quotes and too few rows say nothing", () => {
    const voids = knowing.map((row) => ({ ...row, result: "void" as const }))
    const bare = knowing.map(({ quotes: _, ...row }) => row)
    for (const rows of [[], voids, bare, knowing.slice(0, 99)]) {
      assert.deepStrictEqual(weigh(rows), { weight: 0, rows: 0 })
    }
  })

  it("bears a model that is certain and wrong", () => {
    const found = weigh(knowing.map((row) => ({ ...row, model: row.result === "yes" ? 0 : 1_000_000 })))
    assert.deepStrictEqual([found.weight, found.fitted, found.improvement?.value], [0, 0, 0])
  })
})
