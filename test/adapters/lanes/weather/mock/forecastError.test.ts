import { assert, describe, it } from "@effect/vitest"
import { errorAt, errorOf, spread } from "../../../../../adapters/lanes/weather/mock/forecastError.ts"
import { day, hour } from "../../../../../core/time.ts"

const site = { id: "KNYC", standardOffset: -5 }
/** A midnight in local standard time. */
const midnight = Date.UTC(2026, 6, 9, 5)

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const correlation = (pairs: ReadonlyArray<readonly [number, number]>): number => {
  const [one, other] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))]
  const product = (f: (pair: readonly [number, number]) => number) => mean(pairs.map(f))
  return (
    product(([a, b]) => (a - one) * (b - other)) /
    Math.sqrt(product(([a]) => (a - one) ** 2) * product(([, b]) => (b - other) ** 2))
  )
}

describe("the errors of a day's two extremes", () => {
  const both = (days: number, lead: number) =>
    Array.from({ length: 2_000 }, (_, at) => {
      const start = midnight + at * day
      const issuedAt = start - lead * day
      return [
        errorOf("KNYC", start + 6 * hour, "low", issuedAt),
        errorOf("KNYC", start + days * day + 15 * hour, "high", issuedAt),
      ] as const
    })

  it("are alike on one day, and have nothing to do with the next day's", () => {
    // 0.9² of each common step, over the deviations of both at their leads.
    const expected = (0.9 ** 2 * spread(3.25)) / spread(3.625)
    assert.closeTo(correlation(both(0, 3)), expected, 0.05)
    assert.closeTo(correlation(both(1, 3)), 0, 0.07)
  })
})

describe("the error at an instant", () => {
  /** Each turn's error is its hour since the first midnight. */
  const seen = (at: number): number => errorAt(site, at, (turnAt) => (turnAt - midnight) / hour)

  it("is a straight line between turns, through each of them, over midnight and over a day's end", () => {
    for (let each = 0; each <= 48; each += 0.5) assert.closeTo(seen(midnight + each * hour), each, 1e-9)
  })

  it("is the low's at six and the high's at three in the afternoon, local standard time", () => {
    const turns = (at: number) => errorAt(site, at, (_, turn) => (turn === "low" ? -1 : 1))
    assert.deepStrictEqual(
      [6, 10.5, 15, 22.5, 30].map((at) => turns(midnight + at * hour)),
      [-1, 0, 1, 0, -1],
    )
  })
})
