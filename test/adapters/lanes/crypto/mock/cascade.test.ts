import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../../../adapters/lanes/crypto/mock/cascade.ts"

/** 1 July 2026, minutes since the epoch. */
const start = Date.UTC(2026, 6, 1) / 60_000

describe("a price path", () => {
  it("is the same at a minute, wherever its window begins and ends", () => {
    const whole = make("a").logs(start, start + 1_000)
    assert.lengthOf(whole, 1_000)
    for (const [from, to] of [
      [0, 1],
      [999, 1_000],
      [301, 777],
    ] as const) {
      assert.deepStrictEqual([...make("a").logs(start + from, start + to)], [...whole.subarray(from, to)])
    }
    assert.lengthOf(make("a").logs(start, start), 0)
  })

  it("is another one by another name", () => {
    assert.notDeepEqual([...make("a").logs(start, start + 10)], [...make("b").logs(start, start + 10)])
  })

  it("moves in a minute as a year of 55 % does, and stays near its base", () => {
    const logs = make("a").logs(start, start + 40_000)
    const moves = Array.from(logs.subarray(1), (log, at) => log - logs[at]!)
    const deviation = Math.sqrt(moves.reduce((sum, move) => sum + move ** 2, 0) / moves.length)
    const usual = 0.55 / Math.sqrt(525_600)
    assert.isAbove(deviation, usual / 3)
    assert.isBelow(deviation, usual * 3)
    assert.isBelow(Math.max(...logs.map(Math.abs)), 1.5)
  })
})
