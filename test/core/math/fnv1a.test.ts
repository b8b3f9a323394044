import { assert, describe, it } from "@effect/vitest"
import { fnv1a } from "../../../core/math/fnv1a.ts"

describe("the hash FNV-1a", () => {
  it("has the published values of texts in ASCII", () => {
    for (const [text, expected] of [
      ["", 0x811c9dc5],
      ["a", 0xe40c292c],
      ["b", 0xe70c2de5],
      ["foobar", 0xbf9cf968],
    ] as const) {
      assert.strictEqual(fnv1a(text), expected, text)
    }
  })

  it("takes a character beyond a byte as one unit", () => {
    // (0x811c9dc5 XOR 0x20ac) · 0x01000193 modulo 2^32
    assert.strictEqual(fnv1a("€"), Number((BigInt(0x811c9dc5 ^ 0x20ac) * 0x01000193n) & 0xffffffffn))
  })
})
