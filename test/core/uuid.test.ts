import { assert, describe, it } from "@effect/vitest"
import { formatUuid } from "../../core/uuid.ts"

describe("a UUID from bytes", () => {
  it("has the bytes in order, but for the bits of version and variant", () => {
    assert.strictEqual(
      formatUuid(Uint8Array.from({ length: 16 }, (_, at) => at * 17)),
      "00112233-4455-4677-8899-aabbccddeeff",
    )
    assert.strictEqual(formatUuid(new Uint8Array(16)), "00000000-0000-4000-8000-000000000000")
    assert.strictEqual(formatUuid(new Uint8Array(16).fill(255)), "ffffffff-ffff-4fff-bfff-ffffffffffff")
  })

  it("leaves the bytes as they were", () => {
    const bytes = new Uint8Array(16).fill(255)
    formatUuid(bytes)
    assert.deepStrictEqual(bytes, new Uint8Array(16).fill(255))
  })
})
