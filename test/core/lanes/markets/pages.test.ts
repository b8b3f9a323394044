import { assert, describe, it } from "@effect/vitest"
import { decodePosition, encodePosition } from "../../../../core/lanes/markets/ports.ts"

describe("a place in the order of settled rows", () => {
  it("is not read from what is none", () => {
    for (const key of [
      "",
      "null",
      "5",
      "{}",
      "[]",
      '["5","A","v"]',
      '[1.5,"A","v"]',
      '[1,"A"]',
      '[1,"A",2]',
      "[1e400]",
    ]) {
      assert.strictEqual(decodePosition(key), undefined, key)
    }
    const position = { closeTime: 5, ticker: 'A"]', venue: "v" }
    assert.deepStrictEqual(decodePosition(encodePosition(position)), position)
  })
})
