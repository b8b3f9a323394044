import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../../adapters/store/money/keyUse.ts"

const now = 1_783_000_000_000

describe("the last use of a key", () => {
  it("is stored at first and then once a minute, counted from the use that was stored", () => {
    const isDue = make()
    assert.isTrue(isDue("key_1", now))
    assert.isFalse(isDue("key_1", now))
    assert.isFalse(isDue("key_1", now + 59_999))
    assert.isTrue(isDue("key_1", now + 60_000))
    assert.isFalse(isDue("key_1", now + 119_999))
    assert.isTrue(isDue("key_1", now + 120_000))
  })

  it("is stored for each key and each process apart", () => {
    const isDue = make()
    assert.isTrue(isDue("key_1", now))
    assert.isTrue(isDue("key_2", now + 1))
    assert.isFalse(isDue("key_1", now + 2))
    assert.isTrue(make()("key_1", now + 2))
  })

  it("is not stored anew after a clock that stepped back", () => {
    const isDue = make()
    assert.isTrue(isDue("key_1", now))
    assert.isFalse(isDue("key_1", now - 3_600_000))
    assert.isTrue(isDue("key_1", now + 60_000))
  })
})
