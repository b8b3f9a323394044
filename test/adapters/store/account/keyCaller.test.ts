import { assert, describe, it } from "@effect/vitest"
import { type KeyRow, toKey } from "../../../../adapters/store/account/keyCaller.ts"

const row = (changes: Partial<KeyRow> = {}): KeyRow => ({
  ...{ id: "key", account_id: "acct", environment: "live", per_minute: 60, account_per_minute: 60, scopes: null },
  ...{ ends_at: null, agent_id: null, status: null, suspended_at: null },
  ...changes,
})

describe("a key as it was read", () => {
  it("has what its row says", () => {
    const plain = { accountId: "acct", keyId: "key", livemode: true, perMinute: 60 }
    assert.deepStrictEqual(toKey(row(), 0)?.caller, plain)
    const other = { environment: "test", scopes: "a,b", suspended_at: 9, agent_id: "ag", status: "paused" }
    assert.deepStrictEqual(toKey(row(other), 0)?.caller, {
      ...{ ...plain, livemode: false },
      ...{ suspended: true, scopes: ["a", "b"], agent: { id: "ag", paused: true } },
    })
    const active = toKey(row({ agent_id: "ag", status: "active" }), 0)?.caller.agent
    assert.deepStrictEqual(active, { id: "ag", paused: false })
  })

  it("counts until its end, and is none from then on", () => {
    assert.deepStrictEqual(
      [toKey(row({ ends_at: 100 }), 99)?.endsAt, toKey(row({ ends_at: 100 }), 100)],
      [100, undefined],
    )
    assert.strictEqual(toKey(row(), 100)?.endsAt, Number.POSITIVE_INFINITY)
    assert.isUndefined(toKey(undefined, 0))
  })
})
