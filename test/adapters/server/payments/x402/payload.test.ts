import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import {
  maxHeaderLength,
  parseReference,
  readPayment,
  toPayload,
  toReference,
} from "../../../../../adapters/server/payments/x402/payload.ts"
import type { Terms } from "../../../../../adapters/server/payments/x402/terms.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"

const terms: Terms = {
  scheme: "exact",
  network: "eip155:84532",
  chainId: 84_532,
  asset: `0x${"Aa".repeat(20)}`,
  payTo: `0x${"Bb".repeat(20)}`,
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
  decimals: 6,
  confirmations: 1,
}
const second = 1_800_000_000
const from = `0x${"Cc".repeat(20)}`
const nonce = `0x${"Dd".repeat(32)}`
const sent = "payload.authorization"
const amounts = [1_000, 1_000_000].map((micros) => MicroUsd(micros))

const given = {
  x402Version: 2,
  accepted: { scheme: "exact", network: terms.network, asset: terms.asset, payTo: terms.payTo, amount: "1000" },
  payload: {
    signature: `0x${"Ee".repeat(65)}`,
    authorization: {
      from,
      to: terms.payTo,
      value: "1000",
      validAfter: "0",
      validBefore: String(second + 300),
      nonce,
    },
  },
}

interface Changes {
  readonly accepted?: Readonly<Record<string, unknown>>
  readonly authorization?: Readonly<Record<string, unknown>>
  readonly signature?: string
}

const headerOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64")

const changed = ({ accepted, authorization, signature }: Changes): string =>
  headerOf({
    ...given,
    accepted: { ...given.accepted, ...accepted },
    payload: {
      signature: signature ?? given.payload.signature,
      authorization: { ...given.payload.authorization, ...authorization },
    },
  })

const reading = (header: string, now = second * 1_000) => readPayment(terms, header, amounts, now)

const refusedBy = (header: string, now?: number) => {
  const { code, hints = [] } = Either.getOrThrow(Either.flip(reading(header, now)))
  return { code, field: hints[0]?.field, suggestion: hints[0]?.suggestion }
}

it("a payment is read with its ids in small letters, and becomes the payload that was sent", () => {
  const payment = Either.getOrThrow(reading(headerOf(given)))
  assert.deepStrictEqual(payment, {
    signature: `0x${"Ee".repeat(65)}`,
    from: `0x${"cc".repeat(20)}`,
    to: `0x${"bb".repeat(20)}`,
    value: 1_000n,
    micros: MicroUsd(1_000),
    validAfter: 0n,
    validBefore: BigInt(second + 300),
    nonce: `0x${"dd".repeat(32)}`,
  })
  const { signature, authorization } = given.payload
  assert.deepStrictEqual(toPayload(payment), {
    signature: signature as `0x${string}`,
    authorization: { ...authorization, from: payment.from, to: payment.to, nonce: payment.nonce },
  })
})

describe("a header that is no payment", () => {
  it("is too long by one character, or no JSON in base64", () => {
    const filled = "A".repeat(maxHeaderLength)
    assert.strictEqual(refusedBy(filled).suggestion, "Send a JSON object in base64.")
    assert.strictEqual(refusedBy(`${filled}A`).suggestion, "Send at most 8192 characters.")
    assert.strictEqual(refusedBy("{}").suggestion, "Send a JSON object in base64.")
    assert.strictEqual(refusedBy("{}").field, "PAYMENT-SIGNATURE")
  })

  it.each([
    ["no object", headerOf([]), "payment_invalid", "PAYMENT-SIGNATURE"],
    ["another version", headerOf({ ...given, x402Version: 1 }), "payment_invalid", "x402Version"],
    ["another scheme", changed({ accepted: { scheme: "upto" } }), "payment_invalid", "accepted.scheme"],
    ["another network", changed({ accepted: { network: "eip155:1" } }), "payment_wrong_network", "accepted.network"],
    ["another token", changed({ accepted: { asset: terms.payTo } }), "payment_invalid", "accepted.asset"],
    ["another recipient", changed({ accepted: { payTo: terms.asset } }), "payment_invalid", "accepted.payTo"],
    ["paid to another", changed({ authorization: { to: terms.asset } }), "payment_invalid", `${sent}.to`],
    ["a short signature", changed({ signature: `0x${"e".repeat(128)}` }), "payment_invalid", "payload.signature"],
    ["a short nonce", changed({ authorization: { nonce: nonce.slice(0, -1) } }), "payment_invalid", `${sent}.nonce`],
    ["a long address", changed({ authorization: { from: `${from}0` } }), "payment_invalid", `${sent}.from`],
    ["a leading zero", changed({ authorization: { value: "01000" } }), "payment_invalid", `${sent}.value`],
    ["too little", changed({ authorization: { value: "999" } }), "payment_underpaid", `${sent}.value`],
    [
      "unlike what it accepts",
      changed({ authorization: { value: "1000000" } }),
      "payment_underpaid",
      "accepted.amount",
    ],
  ])("%s", (_, header, code, field) => {
    const found = refusedBy(header)
    assert.deepStrictEqual([found.code, found.field], [code, field])
  })

  it("with another kind of authorization is told which one counts", () => {
    const header = headerOf({ ...given, payload: { signature: given.payload.signature, authorization: "permit2" } })
    assert.deepStrictEqual(refusedBy(header), {
      code: "payment_invalid",
      field: sent,
      suggestion: "Sign a transfer by EIP-3009 (transferWithAuthorization). Permit2 is not accepted.",
    })
  })

  it("of another amount is told the amounts in units of the token", () => {
    assert.strictEqual(
      refusedBy(changed({ authorization: { value: "1001" } })).suggestion,
      "Pay exactly one of 1000, 1000000 units of the token.",
    )
  })
})

describe("the validity of a payment", () => {
  const until = (seconds: number) => changed({ authorization: { validBefore: String(second + seconds) } })
  const since = (seconds: number) => changed({ authorization: { validAfter: String(second + seconds) } })

  it("begins by now", () => {
    assert.isTrue(Either.isRight(reading(since(0))))
    assert.strictEqual(refusedBy(since(1)).field, "payload.authorization.validAfter")
    assert.isTrue(Either.isRight(reading(since(0), second * 1_000 + 999)))
    assert.strictEqual(refusedBy(since(1), second * 1_000 + 999).code, "payment_expired")
  })

  it("ends between ten seconds and an hour from now", () => {
    for (const seconds of [10, 3_600]) assert.isTrue(Either.isRight(reading(until(seconds))), `${seconds} s`)
    for (const seconds of [9, 3_601]) {
      const { code, field, suggestion } = refusedBy(until(seconds))
      assert.deepStrictEqual([code, field], ["payment_expired", "payload.authorization.validBefore"])
      assert.strictEqual(suggestion, "Sign a payment whose validity ends in 10 to 3600 s, best in 300 s.")
    }
  })
})

it("a reference names network, token, payer and nonce, and only the same terms find them again", () => {
  const payment = Either.getOrThrow(reading(headerOf(given)))
  const text = toReference(terms, payment)
  assert.strictEqual(text, `x402:eip155:84532:0x${"aa".repeat(20)}:0x${"cc".repeat(20)}:0x${"dd".repeat(32)}`)
  assert.deepStrictEqual(parseReference(terms, text), { from: payment.from, nonce: payment.nonce })
  assert.isUndefined(parseReference({ ...terms, network: "eip155:1" }, text))
  assert.isUndefined(parseReference({ ...terms, asset: terms.payTo }, text))
  assert.isUndefined(parseReference(terms, text.slice(0, -1)))
  assert.isUndefined(parseReference(terms, "pi_1"))
})
