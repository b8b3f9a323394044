import { assert, describe, it } from "@effect/vitest"
import { draws, memoize } from "../../../../adapters/lanes/mock/draws.ts"
import { hashSeed, normal, normalAt, uniform } from "../../../../adapters/lanes/mock/hash.ts"

const many = 4_000
const repeat = (draw: (at: number) => number) => Array.from({ length: many }, (_, at) => draw(at))
const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviation = (values: ReadonlyArray<number>) => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

/** Whether numbers could be draws from 0 to 1, evenly. */
const isEven = (values: ReadonlyArray<number>) => {
  assert.isTrue(values.every((value) => value >= 0 && value < 1))
  assert.approximately(mean(values), 0.5, 0.025)
  assert.approximately(deviation(values), Math.sqrt(1 / 12), 0.015)
}

/** Whether numbers could be standard normal. */
const isNormal = (values: ReadonlyArray<number>) => {
  assert.approximately(mean(values), 0, 0.08)
  assert.approximately(deviation(values), 1, 0.06)
  assert.approximately(values.filter((value) => Math.abs(value) < 1).length / many, 0.683, 0.035)
}

describe("draws", () => {
  it("are the same by the same name, and others by another", () => {
    const first = (...name: ReadonlyArray<string | number>) => draws(...name).uniform()
    assert.strictEqual(first("a", 1), first("a", 1))
    assert.strictEqual(first("a", 1), first("a/1"))
    assert.notStrictEqual(first("a", 1), first("a", 2))
  })

  it("are even or normal, as asked", () => {
    const { uniform, normal } = draws("spread")
    isEven(repeat(uniform))
    isNormal(repeat(normal))
  })

  it("below a number reach from 0 to one less, and pick every value", () => {
    const { below, pick } = draws("below")
    assert.deepStrictEqual([...new Set(repeat(() => below(4)))].sort(), [0, 1, 2, 3])
    const picked = Array.from({ length: 100 }, () => pick(["a", "b", "c"]))
    assert.deepStrictEqual([...new Set(picked)].sort(), ["a", "b", "c"])
  })
})

describe("hashes", () => {
  it("never change: generated data is the same on every machine", () => {
    assert.deepStrictEqual(["", "a", "weather/KNYC"].map(hashSeed), [2_872_998_923, 444_641_715, 624_990_115])
    assert.strictEqual(uniform("a", 1), 0.36165963381063193)
    assert.approximately(normal("a", 1), -0.7854046419736613, 1e-12)
    assert.approximately(normalAt(1, 2, 3), -0.905505881116874, 1e-12)
  })

  it("are even or normal over their parts", () => {
    isEven(repeat((at) => uniform("x", at)))
    isNormal(repeat((at) => normal("x", at)))
    isNormal(repeat((at) => normalAt(7, 3, at)))
    isNormal(repeat((at) => normalAt(7, at, 3)))
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
