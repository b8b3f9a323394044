import { assert, describe, it } from "@effect/vitest"
import { memoize } from "../../../../adapters/lanes/mock/draws.ts"
import { hashSeed, normal, normalAt, uniform } from "../../../../adapters/lanes/mock/hash.ts"

describe("hashes", () => {
  it("never change: generated data is the same on every machine", () => {
    assert.deepStrictEqual(["", "a", "weather/KNYC"].map(hashSeed), [2_872_998_923, 444_641_715, 624_990_115])
    assert.strictEqual(uniform("a", 1), 0.36165963381063193)
    assert.approximately(normal("a", 1), -0.7854046419736613, 1e-12)
    assert.approximately(normalAt(1, 2, 3), -0.905505881116874, 1e-12)
  })
})

describe("a remembered function", () => {
  const counting = () => {
    const made: Array<string> = []
    const make = (text: string, number: number | undefined) => {
      made.push(`${text}${number}`)
      return { text, number }
    }
    return { made, known: memoize(make) }
  }

  it("makes the value of each arguments once", () => {
    const { made, known } = counting()
    assert.strictEqual(known("a", 1), known("a", 1))
    known("a", undefined)
    known("b", 1)
    known("a", undefined)
    assert.deepStrictEqual(made, ["a1", "aundefined", "b1"])
  })

  it("remembers undefined too", () => {
    let made = 0
    const nothing = memoize((_: number) => void made++)
    nothing(1)
    nothing(1)
    assert.strictEqual(made, 1)
  })
})
