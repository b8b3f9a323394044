import { assert, describe, it } from "@effect/vitest"
import { hintPrice, makeHints } from "../../../../adapters/store/money/Ledger.ts"
import type { Caller } from "../../../../core/account/Keyring.ts"
import { MicroUsd, zero } from "../../../../core/account/Money.ts"

const now = 1_783_000_000_000
const payer: Caller = { accountId: "acct_1", keyId: "key_1", livemode: true, perMinute: 600 }
const byAgent = (id: string, livemode = true): Caller => ({ ...payer, livemode, agent: { id, paused: false } })

describe("the hint that a payer has ample money", () => {
  it("is asked for by a thousand times the price", () => {
    assert.deepStrictEqual(hintPrice(MicroUsd(250), zero), { list: MicroUsd(250_000), micros: zero })
    assert.deepStrictEqual(hintPrice(MicroUsd(250), MicroUsd(3)), { list: MicroUsd(250_000), micros: MicroUsd(3_000) })
  })

  it("holds for less than half a minute", () => {
    const hints = makeHints()
    assert.isFalse(hints.has(payer, now))
    hints.set(payer, now)
    assert.isTrue(hints.has(payer, now))
    assert.isTrue(hints.has(payer, now + 29_999))
    assert.isFalse(hints.has(payer, now + 30_000))
  })

  it("does not hold before it was given: a clock that stepped back does not extend it", () => {
    const hints = makeHints()
    hints.set(payer, now)
    assert.isFalse(hints.has(payer, now - 1))
    hints.set(payer, now - 10_000)
    assert.isTrue(hints.has(payer, now - 1))
    assert.isFalse(hints.has(payer, now + 20_000))
  })

  it("is the account's, whichever key calls; an agent has one of its own for live and for test keys", () => {
    const hints = makeHints()
    hints.set(payer, now)
    assert.isTrue(hints.has({ ...payer, keyId: "key_2", livemode: false }, now))
    assert.isFalse(hints.has({ ...payer, accountId: "acct_2" }, now))
    assert.isFalse(hints.has(byAgent("agent_1"), now))
    hints.set(byAgent("agent_1"), now)
    assert.isTrue(hints.has(byAgent("agent_1"), now))
    assert.isFalse(hints.has(byAgent("agent_1", false), now))
    assert.isFalse(hints.has(byAgent("agent_2"), now))
  })
})
