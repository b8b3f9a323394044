import { assert, describe, it } from "@effect/vitest"
import {
  isDefinite,
  isOutage,
  notSent,
  refused,
  unconfirmed,
  unreachable,
} from "../../../../../adapters/server/payments/x402/refusals.ts"

describe("a facilitator's reason", () => {
  it.each([
    ["authorization_nonce_already_used", "payment_replayed", "payload.authorization.nonce"],
    ["Replay", "payment_replayed", "payload.authorization.nonce"],
    ["invalid_exact_evm_payload_authorization_valid_before", "payment_expired", "payload.authorization.validBefore"],
    ["validAfter", "payment_expired", "payload.authorization.validBefore"],
    ["insufficient_funds", "payment_invalid", "payload.authorization.from"],
    ["insufficient token balance", "payment_invalid", "payload.authorization.from"],
    ["invalid_exact_evm_payload_signature", "payment_invalid", "payload.signature"],
    ["invalid_exact_evm_payload_authorization_value", "payment_underpaid", "payload.authorization.value"],
    ["amount mismatch", "payment_underpaid", "payload.authorization.value"],
    ["invalid_exact_evm_payload_recipient_mismatch", "payment_invalid", "payload.authorization.to"],
    ["wrong payTo", "payment_invalid", "payload.authorization.to"],
  ])("%s: %s, to be corrected in %s", (reason, code, field) => {
    const { code: found, hints = [] } = refused(reason)
    assert.deepStrictEqual([found, hints.map((hint) => hint.field)], [code, [field]])
    assert.isTrue(isDefinite(reason))
    assert.isFalse(isOutage(reason))
  })

  it("that nobody knows says only that the transfer is refused", () => {
    const { code, hints } = refused("blacklisted")
    assert.strictEqual(code, "payment_invalid")
    assert.deepStrictEqual(hints, [
      {
        field: "payload.authorization",
        action: "change",
        suggestion: "The token refuses this transfer: sign a new one, or fund the payer.",
      },
    ])
    assert.isFalse(isDefinite("blacklisted"))
    assert.isFalse(isOutage("blacklisted"))
  })

  it.each([
    "unexpected_settle_error",
    "Internal error",
    "unsupported_scheme",
    "invalid_network",
    "timeout",
    "unavailable",
  ])("%s is the facilitator's failure, even beside a word about the payment", (reason) => {
    assert.isTrue(isOutage(reason))
    assert.isFalse(isDefinite(reason))
    assert.isFalse(isDefinite(`${reason}: signature`))
  })
})

describe("failures of the network", () => {
  it("say that nothing was taken, and when to try again", () => {
    const { code, message, retryAfterMs } = unreachable("The node")
    assert.strictEqual(code, "upstream_unavailable")
    assert.strictEqual(message, "The node does not answer at the moment. Nothing was taken.")
    assert.strictEqual(retryAfterMs, 5_000)
  })

  it("a payment that was not sent waits for gas where that is the reason", () => {
    assert.strictEqual(notSent().retryAfterMs, 5_000)
    assert.strictEqual(notSent(90_000).retryAfterMs, 90_000)
    assert.strictEqual(notSent().hints?.[0]?.field, "payload.authorization.nonce")
  })

  it("a payment that may have arrived is waited for and not made again", () => {
    const { code, hints, retryAfterMs } = unconfirmed()
    assert.deepStrictEqual([code, hints?.[0]?.action, retryAfterMs], ["payment_unconfirmed", "wait", 10_000])
  })
})
