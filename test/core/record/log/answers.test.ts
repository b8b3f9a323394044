import { assert, describe, it } from "@effect/vitest"
import type { Caller } from "../../../../core/account/Keyring.ts"
import { mayRead } from "../../../../core/record/log/answers.ts"

const caller: Caller = { accountId: "a", keyId: "k", livemode: true, perMinute: 60 }
const agent = { id: "g", paused: false }

describe("who may read a sealed leaf", () => {
  it("is the account that bought it, with a live key", () => {
    assert.isTrue(mayRead(caller, { accountId: "a" }, "weather"))
    assert.isTrue(mayRead(caller, { accountId: "a", agentId: "g" }, "weather"))
    assert.isFalse(mayRead(caller, { accountId: "b" }, "weather"))
    assert.isFalse(mayRead(caller, undefined, "weather"))
    assert.isFalse(mayRead({ ...caller, livemode: false }, { accountId: "a" }, "weather"))
  })

  it("is of an account's agents the one that bought it", () => {
    assert.isTrue(mayRead({ ...caller, agent }, { accountId: "a", agentId: "g" }, "weather"))
    assert.isFalse(mayRead({ ...caller, agent }, { accountId: "a", agentId: "h" }, "weather"))
    assert.isFalse(mayRead({ ...caller, agent }, { accountId: "a" }, "weather"))
  })

  it("has the leaf's lane in its scopes, where it has scopes", () => {
    const scoped = (...scopes: ReadonlyArray<string>) => mayRead({ ...caller, scopes }, { accountId: "a" }, "weather")
    assert.isTrue(scoped("crypto", "weather"))
    assert.isFalse(scoped("crypto"))
    assert.isFalse(scoped())
  })
})
