import { assert, describe, it } from "@effect/vitest"
import type { Call } from "../../../core/gateway/Call.ts"
import { isKey, replyQuotaFailure } from "../../../core/gateway/idempotency.ts"

const day = 86_400_000
const call = (idempotencyField?: string): Call => ({
  requestId: "req_1",
  startedAt: 0,
  since: 0,
  context: { authorization: undefined, ...(idempotencyField === undefined ? {} : { idempotencyField }) },
})

describe("an idempotency key", () => {
  it("is a UUID of version 4 in small or capital letters", () => {
    for (const variant of ["8", "9", "a", "b", "A", "B"]) {
      assert.isTrue(isKey(`0c3f5f0e-1b2a-4c3d-${variant}e5f-001122334455`), variant)
    }
    assert.isTrue(isKey("0C3F5F0E-1B2A-4C3D-8E5F-001122334455"))
    for (const bad of [
      "",
      "0c3f5f0e-1b2a-1c3d-8e5f-001122334455",
      "0c3f5f0e-1b2a-4c3d-7e5f-001122334455",
      "0c3f5f0e-1b2a-4c3d-ce5f-001122334455",
      "0c3f5f0e1b2a4c3d8e5f001122334455",
      "0c3f5f0e-1b2a-4c3d-8e5f-0011223344556",
      " 0c3f5f0e-1b2a-4c3d-8e5f-001122334455",
      "0c3f5f0g-1b2a-4c3d-8e5f-001122334455",
    ]) {
      assert.isFalse(isKey(bad), bad)
    }
  })
})

describe("an answer that cannot be stored", () => {
  it("may be asked for on the next day of UTC", () => {
    assert.strictEqual(replyQuotaFailure(call(), 5 * day).retryAfterMs, day)
    assert.strictEqual(replyQuotaFailure(call(), 6 * day - 1).retryAfterMs, 1)
  })

  it("names the key as the transport does", () => {
    const { code, detail, hints } = replyQuotaFailure(call(), 0)
    assert.strictEqual(code, "rate_limit_exceeded")
    assert.strictEqual(
      detail,
      "The answers stored for this API key's Idempotency-Key have reached the daily size limit. Nothing was charged.",
    )
    assert.deepStrictEqual(hints, [
      {
        field: "Idempotency-Key",
        action: "remove",
        suggestion: "Call without Idempotency-Key, or wait for the next UTC day.",
      },
    ])
    assert.strictEqual(replyQuotaFailure(call("idempotency_key"), 0).hints?.[0]?.field, "idempotency_key")
  })
})
