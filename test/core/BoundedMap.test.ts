import { assert, describe, it } from "@effect/vitest"
import { BoundedMap } from "../../core/BoundedMap.ts"
import { getOrMake } from "../../core/getOrMake.ts"

describe("a bounded map", () => {
  const filled = (size: number, keys: number): BoundedMap<number, string> => {
    const map = new BoundedMap<number, string>(size)
    for (let key = 1; key <= keys; key++) map.set(key, `${key}`)
    return map
  }

  it("holds as many entries as it may, and never less than half of them once it was full", () => {
    const keys = Array.from({ length: 30 }, (_, at) => at + 1)
    for (let set = 1; set <= 30; set++) {
      // Each look is at a map of its own, since it moves what it finds.
      const held = keys.filter((key) => filled(10, set).get(key) !== undefined)
      assert.isAtMost(held.length, 10)
      assert.isAtLeast(held.length, Math.min(set, 5))
      assert.deepStrictEqual(held, keys.slice(set - held.length, set), "those that were set last")
    }
  })

  it("keeps what is read while others come", () => {
    const map = filled(10, 3)
    for (let key = 100; key < 200; key++) {
      map.set(key, "other")
      assert.strictEqual(map.get(2), "2")
    }
    assert.deepStrictEqual([map.get(1), map.get(3)], [undefined, undefined])
  })

  it("keeps what is set again, with its last value", () => {
    const map = filled(10, 3)
    for (let key = 100; key < 200; key++) {
      map.set(key, "other")
      map.set(2, `at ${key}`)
    }
    assert.strictEqual(map.get(2), "at 199")
    map.clear()
    assert.deepStrictEqual([map.get(2), map.get(199)], [undefined, undefined])
  })

  it("makes what it does not hold", () => {
    const map = new BoundedMap<number, string>(2)
    const made: Array<number> = []
    const get = (key: number) => getOrMake(map, key, (missing) => `${made.push(missing)}`)
    for (const key of [1, 1, 2, 3, 3, 1]) get(key)
    assert.deepStrictEqual(made, [1, 2, 3, 1])
  })
})
