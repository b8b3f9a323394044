import { assert, describe, it } from "@effect/vitest"
import { hourlySeason } from "../../../../bench/open/lanes/crypto/hourly.ts"
import {
  type Closes,
  deseasonalize as deseasonalisedBy,
  realizedVolatility,
} from "../../../../core/lanes/crypto/volatility.ts"

const deseasonalised = (tape: Closes) => deseasonalisedBy(tape, hourlySeason)
const lastMinute = Date.UTC(2025, 5, 10, 15, 29) / 60_000
const window = (closes: ArrayLike<number>): Closes => ({ closes: Float64Array.from(closes), lastMinute })
const made = (minutes: number, close: (at: number) => number): Closes =>
  window(Array.from({ length: minutes }, (_, at) => close(at)))
const wave = (at: number): number => 65_000 * Math.exp(0.002 * Math.sin(at * 1.7) + 0.003 * Math.sin(at * 0.013))

/** The formula, word by word: on arrays of returns, with the season looked up minute by minute. */
const plainly = ({ closes }: Closes): ReadonlyArray<number> => {
  const n = closes.length
  const season = (at: number) => hourlySeason.multiplier(Math.floor((lastMinute - (n - 1 - at)) / 60))
  const squares = (lag: number) =>
    Array.from(closes, (close, at) => Math.log(close / closes[at - lag]!) ** 2 / lag / season(at))
  const mean = (values: ReadonlyArray<number>, bars: number, share: number) => {
    const some = values.slice(-bars).filter((value) => !Number.isNaN(value))
    const known = [...closes.slice(-bars)].filter((close) => !Number.isNaN(close)).length
    return known >= share * bars && some.length >= (share * bars) / 2
      ? some.reduce((a, b) => a + b, 0) / some.length
      : Number.NaN
  }
  const found = [
    mean(squares(1), 30, 0.5),
    mean(squares(1), 120, 0.5),
    mean(squares(5), 720, 0.5),
    mean(squares(5), 1440, 0.5),
    mean(squares(5), 10_080, 0.1),
  ]
  for (let at = 1; at < 5; at++) if (Number.isNaN(found[at])) found[at] = found[at - 1]!
  for (let at = 3; at >= 0; at--) found[at] = Math.max(found[at]!, found[at + 1]! / 30)
  return found
}

describe("realizedVolatility", () => {
  it("is the root mean square of the 119 returns of 120 closes", () => {
    const long = made(200, wave)
    const closes = [...long.closes].slice(-120)
    const squares = closes.slice(1).map((close, at) => Math.log(close / closes[at]!) ** 2)
    const stdev = Math.sqrt(squares.reduce((a, b) => a + b, 0) / 119)
    for (const some of [long, window(closes)]) {
      const { stdev1m, sigma1h, annualized, closes: count } = realizedVolatility(some)!
      assert.approximately(stdev1m / stdev, 1, 1e-12)
      assert.approximately(sigma1h / (stdev * Math.sqrt(60)), 1, 1e-12)
      assert.approximately(annualized / (stdev * Math.sqrt(525_600)), 1, 1e-12)
      assert.strictEqual(count, 120)
    }
  })

  it("measures large moves by the logarithm itself", () => {
    const { stdev1m } = realizedVolatility(made(120, (at) => (at % 2 === 0 ? 1 : 4)))!
    assert.approximately(stdev1m, Math.log(4), 1e-15)
  })

  it("does not depend on the unit of the price", () => {
    const one = realizedVolatility(made(120, wave))!.stdev1m
    for (const unit of [1e-9, 3, 1e12]) {
      assert.approximately(realizedVolatility(made(120, (at) => unit * wave(at)))!.stdev1m / one, 1, 1e-12)
    }
  })

  it("leaves out the two returns of a missing minute", () => {
    const gap = made(120, (at) => (at === 60 ? Number.NaN : at < 60 ? 100 : 100 * 1.01 ** (at - 60)))
    const { stdev1m, closes } = realizedVolatility(gap)!
    assert.strictEqual(closes, 119)
    assert.approximately(stdev1m, Math.log(1.01) * Math.sqrt(58 / 117), 1e-14)
  })
})

describe("deseasonalised", () => {
  it("is the formula, on a full week and on what is left of one", () => {
    for (const minutes of [10_085, 20_000, 9_000, 3_000, 1_007, 800, 121, 100, 60]) {
      const found = deseasonalised(made(minutes, wave))!
      for (const [at, value] of plainly(made(minutes, wave)).entries()) {
        assert.approximately(found[at]! / value, 1, 1e-11, `${minutes} minutes, window ${at}`)
      }
    }
  })

  it("is the formula, without bridging gaps", () => {
    const holes = made(10_085, (at) => (at % 7 === 3 || (at > 4_000 && at < 6_000) ? Number.NaN : wave(at)))
    const found = deseasonalised(holes)!
    for (const [at, value] of plainly(holes).entries()) assert.approximately(found[at]! / value, 1, 1e-11)
  })

  it("counts a window by its bars: two minutes of three are enough", () => {
    const thin = made(10_085, (at) => (at % 3 === 0 ? Number.NaN : wave(at)))
    const found = deseasonalised(thin)!
    for (const [at, value] of plainly(thin).entries()) assert.approximately(found[at]! / value, 1, 1e-11)
  })

  it("takes the next longer window where the last half hour has too few candles", () => {
    const thin = made(10_085, (at) => (at > 10_060 && at < 10_084 ? Number.NaN : wave(at)))
    const [half, two] = deseasonalised(thin)!
    assert.strictEqual(half, two)
  })

  it("gives a tape that was flat for half an hour a thirtieth of the next window", () => {
    const still = made(10_085, (at) => wave(Math.min(at, 10_040)))
    const [half, two] = deseasonalised(still)!
    assert.approximately(half!, two! / 30, 1e-20)
    const day = deseasonalised(made(10_085, (at) => wave(Math.min(at, 8_500))))!
    for (let at = 0; at < 4; at++) assert.approximately(day[at]! / day[at + 1]!, 1 / 30, 1e-12)
    assert.isAbove(day[0]!, 0)
  })

  it("is 0 throughout when nothing ever moved", () => {
    assert.deepStrictEqual(deseasonalised(made(10_085, () => 65_000)), [0, 0, 0, 0, 0])
  })

  it("does not let five-minute returns of 0 hide one-minute ones", () => {
    const found = deseasonalised(made(10_085, (at) => (at % 5 === 0 ? 65_010 : 65_000)))!
    for (const variance of found) assert.isAbove(variance, 0)
  })

  it("reads five-minute bars as minutes", () => {
    const closes = made(10_085, wave).closes.filter((_, at) => at % 5 === 4)
    const [half, two, twelve] = deseasonalised({ closes, lastMinute, minutesPerBar: 5 })!
    const bars = [...closes].slice(-7)
    const squares = bars
      .slice(1)
      .map(
        (close, at) =>
          Math.log(close / bars[at]!) ** 2 / 5 / hourlySeason.multiplier(Math.floor((lastMinute - (5 - at) * 5) / 60)),
      )
    assert.approximately(half! / (squares.reduce((a, b) => a + b, 0) / 6), 1, 1e-12)
    assert.isAbove(two!, 0)
    assert.isAbove(twelve!, 0)
  })
})

describe("windows that cannot carry a volatility", () => {
  const { NaN: gap, POSITIVE_INFINITY: infinite } = Number
  const rows: ReadonlyArray<readonly [string, Closes]> = [
    ["no candle", window([])],
    ["59 closes", made(59, wave)],
    ["59 closes in 120 minutes", made(120, (at) => (at < 61 ? gap : wave(at)))],
    ["all gaps", made(10_085, () => gap)],
    ["no last close", made(200, (at) => (at === 199 ? gap : wave(at)))],
    ["no two closes beside each other", made(200, (at) => (at % 2 === 0 ? gap : wave(at)))],
    ["a price of 0", made(200, (at) => (at === 150 ? 0 : wave(at)))],
    ["a price of 0 long ago", made(9_000, (at) => (at === 5 ? 0 : wave(at)))],
    ["a negative price", made(200, (at) => (at === 199 ? -65_000 : wave(at)))],
    ["an infinite price", made(200, (at) => (at === 150 ? infinite : wave(at)))],
    ["no time", { closes: made(200, wave).closes, lastMinute: gap }],
  ]

  it("are refused, not answered with a NaN", () => {
    for (const [name, bad] of rows) {
      assert.isUndefined(realizedVolatility(bad), name)
      assert.isUndefined(deseasonalised(bad), name)
    }
  })

  it("begin at 60 closes", () => {
    assert.strictEqual(realizedVolatility(made(60, wave))!.closes, 60)
    for (const variance of deseasonalised(made(60, wave))!) assert.isAbove(variance, 0)
  })
})
