import { assert, describe, it } from "@effect/vitest"
import { type Event, findUse, toTopic } from "../../../../../adapters/server/payments/x402/evidence.ts"
import type { Hex } from "../../../../../adapters/server/payments/x402/payload.ts"

const hex = (digit: string, digits: number): Hex => `0x${digit.repeat(digits)}`
const selectors = { used: hex("1", 64), cancelled: hex("2", 64), transfer: hex("3", 64) }
const [asset, from, to] = [hex("a", 40), hex("b", 40), hex("c", 40)]
const nonce = hex("d", 64)
const transactionHash = hex("e", 64)

const event = (logIndex: number, topics: ReadonlyArray<Hex>, data: Hex = "0x"): Event => ({
  address: asset,
  topics,
  data,
  logIndex,
  transactionHash,
})
const used = event(4, [selectors.used, toTopic(from), nonce])
const transfer = event(5, [selectors.transfer, toTopic(from), toTopic(to)], "0x3e8")

const use = (...events: ReadonlyArray<Event>) => findUse(events, selectors, asset, { from, nonce })

it("an address fills a topic from the right, in small letters", () => {
  assert.strictEqual(toTopic(`0x${"AB".repeat(20)}`), `0x${"0".repeat(24)}${"ab".repeat(20)}`)
})

describe("the use of an authorization", () => {
  const expected = { _tag: "Transfer", to, value: 1_000n, transactionHash, logIndex: 4 } as const

  it("is the transfer right after it, in the order of the block", () => {
    assert.deepStrictEqual(use(used, transfer), expected)
    assert.deepStrictEqual(use(transfer, used), expected)
  })

  it("is found whatever the case of the addresses, past events of other contracts", () => {
    const capitals = {
      ...used,
      address: `0x${"A".repeat(40)}`,
      topics: [selectors.used, `0x${toTopic(from).slice(2).toUpperCase()}`, `0x${"D".repeat(64)}`],
    } as const
    const foreign = { ...event(5, transfer.topics, "0x1"), address: hex("f", 40) }
    assert.deepStrictEqual(use(capitals, foreign, { ...transfer, logIndex: 6 }), expected)
  })

  it("is one of several in a transaction: the payer's own, with its nonce", () => {
    const others = [
      event(0, [selectors.used, toTopic(to), nonce]),
      event(1, [selectors.transfer, toTopic(to), toTopic(from)], "0x1"),
      event(2, [selectors.used, toTopic(from), hex("9", 64)]),
      event(3, [selectors.transfer, toTopic(from), toTopic(to)], "0x2"),
    ]
    assert.deepStrictEqual(use(...others, used, transfer), expected)
    assert.isUndefined(use(...others))
  })

  it("is a cancellation, which pays nothing", () => {
    const cancelled = event(7, [selectors.cancelled, toTopic(from), nonce])
    assert.deepStrictEqual(use(cancelled), { _tag: "Cancelled", transactionHash, logIndex: 7 })
  })

  it("is not shown without a transfer of the payer as the token's next event", () => {
    assert.isUndefined(use())
    assert.isUndefined(use(used))
    assert.isUndefined(use(transfer))
    assert.isUndefined(use({ ...transfer, logIndex: 3 }, used))
    assert.isUndefined(use(used, event(5, [selectors.transfer, toTopic(to), toTopic(to)], "0x3e8")))
    assert.isUndefined(use(used, event(5, [selectors.transfer, toTopic(from)], "0x3e8")))
    assert.isUndefined(use(used, event(5, [selectors.used, toTopic(from), toTopic(to)], "0x3e8")))
  })
})
