import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { readCandles } from "../../../../bench/open/lanes/crypto/files.ts"
import { blendT1, hourlyProfile } from "../../../../bench/open/lanes/crypto/hourly.ts"
import { blendT2, type Distribution, lognormal120 } from "../../../../core/lanes/crypto/distribution.ts"
import { chooseStrikes } from "../../../../core/lanes/crypto/strikes.ts"
import type { Closes } from "../../../../core/lanes/crypto/volatility.ts"
import * as normal from "../../../../core/math/normal.ts"
import * as studentT from "../../../../core/math/studentT.ts"
import { describeRealData } from "../../../support/realData.ts"

interface Vectors {
  readonly series: string
  readonly profile48: ReadonlyArray<number>
  readonly cases: ReadonlyArray<{
    readonly bar_index: number
    readonly ts_ms: number
    readonly horizon: number
    readonly spot: number
    readonly sigma_base: number
    readonly t_scale: number
    readonly nu: number
    readonly strikes: ReadonlyArray<number>
    readonly p_above: ReadonlyArray<number>
    readonly p_above_base: ReadonlyArray<number>
  }>
}

const vectors: Vectors = JSON.parse(
  readFileSync(new URL("../../../fixtures/crypto-vectors.json", import.meta.url), "utf8"),
)
const models = [lognormal120, blendT1, blendT2] as const
const lastMinute = Date.UTC(2025, 5, 10, 15, 29) / 60_000
const now = (lastMinute + 1) * 60_000
const made = (minutes: number, close: (at: number) => number): Closes => ({
  closes: Float64Array.from({ length: minutes }, (_, at) => close(at)),
  lastMinute,
})
const wave = (at: number): number => 65_000 * Math.exp(0.001 * Math.sin(at * 1.7) + 0.01 * Math.sin(at * 0.013))
const week = made(10_085, wave)

const sound = ({ spot, nu, scale, sigmaLn, pAbove }: Distribution): void => {
  for (const value of [spot, scale, sigmaLn]) assert.isTrue(Number.isFinite(value) && value >= 0)
  assert.isAbove(nu, 0)
  for (const strike of [0, spot / 2, spot, spot * 1.0001, spot * 3, Number.POSITIVE_INFINITY]) {
    const p = pAbove(strike)
    assert.isTrue(p >= 0 && p <= 1)
  }
}

describe("price models", () => {
  it("name their versions", () => {
    assert.deepStrictEqual(
      models.map(({ version }) => version),
      ["lognormal-120", "blend-t-1", "blend-t-2"],
    )
    assert.deepStrictEqual(vectors.profile48, hourlyProfile)
  })

  it("turn the scale of a check vector into its probabilities", () => {
    for (const { spot, sigma_base, t_scale, nu, strikes, p_above, p_above_base } of vectors.cases) {
      const t = studentT.make(nu)
      strikes.forEach((strike, at) => {
        const distance = Math.log(spot / strike)
        assert.approximately(t.cdf(distance / t_scale), p_above[at]!, 1e-12)
        assert.approximately(normal.cdf(distance / sigma_base), p_above_base[at]!, 1e-12)
      })
    }
  })

  it("answer between the knots with constants between theirs", () => {
    const at = (minutes: number) => blendT1.at(week, minutes, now)!
    assert.deepStrictEqual(
      [5, 15, 60, 240, 1440].map((minutes) => Math.round(at(minutes).nu * 1e9) / 1e9),
      [5.6, 4.75, 4.15, 3.8, 4.5],
    )
    assert.approximately(at(90).nu, 4.041135595487964, 1e-12)
    let before = at(5)
    for (const minutes of [6, 14.99, 15, 15.01, 40, 60, 100, 239, 240, 241, 700, 1439, 1440]) {
      const next = at(minutes)
      assert.isAbove(next.scale, before.scale)
      before = next
    }
  })

  it("publish the half-width of the central 68.27 %", () => {
    for (const model of models) {
      const { spot, sigmaLn, pAbove } = model.at(week, 60, now)!
      assert.approximately(pAbove(spot * Math.exp(-sigmaLn)), normal.cdf(1), 1e-12)
      assert.approximately(pAbove(spot * Math.exp(sigmaLn)), normal.sf(1), 1e-12)
    }
    const plain = lognormal120.at(week, 60, now)!
    assert.approximately(plain.sigmaLn / plain.scale, 1, 1e-14)
  })

  it("give probabilities that never rise with the strike", () => {
    const strike = fc.double({ min: 0, max: 4, noNaN: true }).map((ratio) => ratio * 65_000)
    for (const model of models) {
      const { pAbove } = model.at(week, 240, now)!
      fc.assert(
        fc.property(strike, strike, (a, b) => {
          const [low, high] = a < b ? [a, b] : [b, a]
          assert.isAtLeast(pAbove(low) * (1 + 1e-12), pAbove(high))
          assert.isAtMost(pAbove(low), 1)
          assert.isAtLeast(pAbove(high), 0)
        }),
      )
      const { spot, sigmaLn } = model.at(week, 240, now)!
      const grid = chooseStrikes(spot, sigmaLn).map(pAbove)
      for (const [at, p] of grid.slice(1).entries()) assert.isBelow(p, grid[at]!)
    }
  })

  it("do not depend on the unit of the price", () => {
    fc.assert(
      fc.property(fc.double({ min: -6, max: 6, noNaN: true }), (exponent) => {
        const unit = 10 ** exponent
        const scaled = made(10_085, (at) => unit * wave(at))
        for (const model of models) {
          const [one, other] = [model.at(week, 60, now)!, model.at(scaled, 60, now)!]
          assert.approximately(other.scale / one.scale, 1, 1e-10)
          for (const ratio of [0.98, 0.999, 1, 1.004]) {
            assert.approximately(other.pAbove(other.spot * ratio), one.pAbove(one.spot * ratio), 1e-10)
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it("see nothing but the window: an hour more of history before it changes nothing", () => {
    const longer: Closes = {
      closes: Float64Array.of(...Array.from({ length: 60 }, () => 1), ...week.closes),
      lastMinute,
    }
    for (const model of models) {
      assert.strictEqual(model.at(longer, 60, now)!.scale, model.at(week, 60, now)!.scale)
    }
  })

  it("expect more of a busy hour", () => {
    const quiet = blendT1.at(week, 60, Date.UTC(2025, 5, 11, 4))!
    const busy = blendT1.at(week, 60, Date.UTC(2025, 5, 11, 14))!
    assert.approximately(busy.scale / quiet.scale, Math.sqrt(2.517 / 0.641), 1e-12)
  })

  it("have a step for a distribution when the tape never moved", () => {
    for (const model of models) {
      const still = model.at(
        made(10_085, () => 65_000),
        60,
        now,
      )!
      sound(still)
      assert.deepStrictEqual([still.scale, still.sigmaLn], [0, 0])
      assert.deepStrictEqual([-1, 0, 64_999.99, 65_000, 65_000.01].map(still.pAbove), [1, 1, 1, 0, 0])
      assert.isNaN(still.pAbove(Number.NaN))
    }
  })

  it("have a spread when only the last two hours were flat", () => {
    const still = made(10_085, (at) => wave(Math.min(at, 9_900)))
    assert.strictEqual(lognormal120.at(still, 60, now)!.scale, 0)
    assert.isAbove(blendT1.at(still, 60, now)!.scale, 1e-5)
  })

  it("answer or refuse on bad windows, never with a NaN", () => {
    const { NaN: gap } = Number
    const windows: ReadonlyArray<readonly [Closes, answered: boolean]> = [
      [made(0, wave), false],
      [made(59, wave), false],
      [made(60, wave), true],
      [made(121, wave), true],
      [made(1_500, (at) => (at % 3 === 0 ? gap : wave(at))), true],
      [made(10_085, (at) => (at < 9_965 ? gap : wave(at))), true],
      [made(10_085, () => gap), false],
      [made(10_085, (at) => (at === 10_084 ? gap : wave(at))), false],
      [made(1_500, (at) => (at === 700 ? 0 : wave(at))), false],
      [made(1_500, (at) => (at === 700 ? -1 : wave(at))), false],
      [made(1_500, () => 5e-324), true],
      [made(1_500, (at) => (at % 2 === 0 ? 1e-300 : 1e300)), true],
    ]
    for (const [at, [window, answered]] of windows.entries()) {
      for (const model of models) {
        const found = model.at(window, 60, now)
        assert.strictEqual(found !== undefined, answered, `row ${at}, ${model.version}`)
        if (found !== undefined) sound(found)
      }
    }
  })

  it("answer or refuse on windows of any prices and gaps, never with a NaN", () => {
    const price = fc.oneof(
      { weight: 8, arbitrary: fc.double({ min: 1e-9, max: 1e9, noNaN: true }) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    )
    fc.assert(
      fc.property(fc.array(price, { minLength: 55, maxLength: 150 }), (closes) => {
        const window = { closes: Float64Array.from(closes), lastMinute }
        for (const model of models) {
          const found = model.at(window, 60, now)
          if (found !== undefined) sound(found)
        }
      }),
    )
  })

  it("refuse horizons that are not served", () => {
    for (const minutes of [4.99, 0, -60, 1440.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const model of models) assert.isUndefined(model.at(week, minutes, now))
    }
    assert.isUndefined(blendT1.at(week, 60, Number.NaN))
  })
})

describeRealData("check vectors on BTC, June 2025", (root) => {
  it("are met: sigma to 1e-10 of itself, p_above to 1e-9", () => {
    const tape = readCandles(join(root, "crypto", vectors.series))
    const first = tape.lastMinute - (tape.closes.length - 1)
    for (const { bar_index, ts_ms, horizon, spot, sigma_base, t_scale, nu, ...row } of vectors.cases) {
      const window: Closes = { closes: tape.closes.subarray(0, bar_index + 1), lastMinute: first + bar_index }
      assert.strictEqual(window.lastMinute * 60_000, ts_ms)
      const [plain, served] = models.map((model) => model.at(window, horizon, ts_ms + 60_000)!)
      assert.strictEqual(served!.spot, spot)
      assert.approximately(plain!.scale / sigma_base, 1, 1e-10)
      assert.approximately(served!.scale / t_scale, 1, 1e-10)
      assert.approximately(served!.nu, nu, 1e-12)
      row.strikes.forEach((strike, at) => {
        assert.approximately(plain!.pAbove(strike), row.p_above_base[at]!, 1e-9)
        assert.approximately(served!.pAbove(strike), row.p_above[at]!, 1e-9)
      })
    }
  })
})
