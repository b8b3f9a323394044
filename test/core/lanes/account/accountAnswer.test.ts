import { assert, describe, it } from "@effect/vitest"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { accountAnswer, walletOf } from "../../../../core/lanes/account/accountAnswer.ts"

const caller = { accountId: "a", keyId: "k", livemode: true, perMinute: 60 }
const status = { balance: MicroUsd(5) } as Parameters<typeof walletOf>[1]

describe("an answer from the account's ledger", () => {
  it("has its results and steps, and is live and certain", () => {
    assert.deepStrictEqual(accountAnswer({ a: 1 }, ["Read the wallet."]), {
      results: { a: 1 },
      reasoning: ["Read the wallet."],
      citations: [{ step: 1, source: "account ledger", locator: "/v1/key" }],
      confidence: { score: 1, label: "settlement", factors: ["read from the account ledger"] },
      links: [],
      freshness: "live",
    })
  })

  it("shows the wallet to an account's key and hides it from an agent's", () => {
    assert.deepStrictEqual(walletOf(caller, status), { balance_micros: 5 } as ReturnType<typeof walletOf>)
    assert.deepStrictEqual(walletOf({ ...caller, agent: { id: "g", paused: false } }, status), {})
  })
})
