import { assert, describe, it } from "@effect/vitest"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { explainLedger, toWallet } from "../../../../core/lanes/account/accountAnswer.ts"

const caller = { accountId: "a", keyId: "k", livemode: true, perMinute: 60 }
const status = { balance: MicroUsd(5) } as Parameters<typeof toWallet>[1]

describe("an answer from the account's ledger", () => {
  it("cites the ledger in its first step, and is certain", () => {
    assert.deepStrictEqual(explainLedger("Read the wallet.", "Compared it."), {
      explained: {
        reasoning: ["Read the wallet.", "Compared it."],
        citations: [{ step: 1, source: "account ledger", locator: "/v1/key" }],
      },
      confidence: { score: 1, label: "settlement", factors: ["read from the account ledger"] },
    })
  })

  it("shows the wallet to an account's key and hides it from an agent's", () => {
    assert.deepStrictEqual(toWallet(caller, status), { balance_micros: 5 } as ReturnType<typeof toWallet>)
    assert.deepStrictEqual(toWallet({ ...caller, agent: { id: "g", paused: false } }, status), {})
  })
})
