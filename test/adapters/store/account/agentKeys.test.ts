import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { keyEndsAt } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import type { KeyRequest } from "../../../../core/account/KeyRequest.ts"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import { callerOf } from "../../../support/accounts.ts"
import { day, hour, inMemory, refusal, start } from "../../../support/agents.ts"
import { anyAccounts } from "../../../support/anyStore.ts"
import { spend, spender } from "../../../support/spender.ts"

describe("a key", () => {
  const base = { account: "one", environment: "live", tier: "pro" } as const

  it.effect("carries its agent, scopes and end to the pipeline", () =>
    inMemory(
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const accounts = yield* Accounts
        const { id } = yield* accounts.create("one")
        const agent = yield* (yield* Agents).create(id, "bot", {})
        const made = yield* accounts.issueKey({
          ...base,
          agent: "bot",
          scopes: ["weather", "crypto", "weather"],
          expiresAt: start + hour,
        })
        assert.deepInclude(made.key, { agentId: agent.id, scopes: ["weather", "crypto"], expiresAt: start + hour })
        assert.deepStrictEqual(yield* accounts.keys("one", { limit: 10 }), [made.key])
        assert.deepStrictEqual(yield* callerOf(made), {
          accountId: id,
          keyId: made.key.id,
          livemode: true,
          perMinute: 6_000,
          scopes: ["weather", "crypto"],
          agent: { id: agent.id, paused: false },
        })
        yield* TestClock.setTime(start + hour - 1)
        const hash = yield* (yield* PlatformCrypto).sha256(Redacted.value(made.plaintext))
        assert.isDefined(yield* (yield* Keyring).find(hash))
        yield* TestClock.setTime(start + hour)
        assert.isUndefined(yield* (yield* Keyring).find(hash))
      }),
    ),
  )

  const refused: ReadonlyArray<readonly [string, Partial<KeyRequest>, ReadonlyArray<string>]> = [
    ["an agent that nobody knows", { agent: "nobody" }, ["invalid_parameter", "agent"]],
    ["another account's agent", { agent: "theirs" }, ["invalid_parameter", "agent"]],
    ["a revoked agent", { agent: "gone" }, ["invalid_parameter", "agent"]],
    ["no scope", { scopes: [] }, ["invalid_parameter", "scopes"]],
    ["an end that is past", { expiresAt: start - 1 }, ["invalid_parameter", "expires_at"]],
    ["an end that is now", { expiresAt: start }, ["invalid_parameter", "expires_at"]],
    ["an end that is no time", { expiresAt: Number.NaN }, ["invalid_parameter", "expires_at"]],
    ["an account that does not exist", { account: "nobody" }, ["not_found", "account"]],
  ]
  for (const [name, change, expected] of refused) {
    it.effect(`is not made for ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          yield* TestClock.setTime(start)
          const [accounts, agents] = [yield* Accounts, yield* Agents]
          yield* accounts.create("one")
          yield* accounts.create("two")
          yield* agents.create("two", "theirs", {})
          yield* agents.create("one", "gone", {})
          yield* agents.revoke("gone")
          assert.deepStrictEqual(yield* refusal(accounts.issueKey({ ...base, ...change })), expected)
          assert.deepStrictEqual(yield* accounts.keys("one", { limit: 10 }), [])
        }),
      ),
    )
  }

  it.effect("says when it was used last, to the minute", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const used = Effect.map((yield* Accounts).keys(who.accountId, { limit: 10 }), ([key]) => key!.lastUsedAt)
        assert.isUndefined(yield* used)
        for (const [at, seen] of [
          [start, start],
          [start + 59_999, start],
          [start + 60_001, start + 60_001],
        ] as const) {
          yield* spend(who, 1, { at })
          assert.strictEqual(yield* used, seen)
        }
      }),
    ),
  )
})

describe("a rotation", () => {
  const rotated = (change: Partial<KeyRequest>, overlap?: number) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const accounts = yield* Accounts
      yield* accounts.create("one")
      yield* (yield* Agents).create("one", "bot", {})
      const before = yield* accounts.issueKey({ account: "one", environment: "live", tier: "pro", ...change })
      yield* TestClock.adjust(hour)
      const after = yield* accounts.rotateKey(before.key.id, overlap)
      return { accounts, before, after, now: start + hour }
    })

  it.effect("makes a key that may do the same, and the old one goes on for the overlap", () =>
    inMemory(
      Effect.gen(function* () {
        const change = { agent: "bot", scopes: ["weather"], tier: "enterprise", rpm: 777, environment: "test" } as const
        const { accounts, before, after, now } = yield* rotated(change, 2 * hour)
        const { id, lastFour, createdAt, ...same } = before.key
        assert.deepStrictEqual(after.key, { ...same, id: after.key.id, lastFour: after.key.lastFour, createdAt: now })
        assert.notStrictEqual(Redacted.value(after.plaintext), Redacted.value(before.plaintext))
        assert.deepStrictEqual(after.previous, { ...before.key, overlapEndsAt: now + 2 * hour })
        assert.deepStrictEqual(yield* accounts.keys("one", { limit: 10 }), [after.key, after.previous])
        for (const each of [before, after]) assert.strictEqual((yield* callerOf(each))?.keyId, each.key.id)
        yield* TestClock.setTime(now + 2 * hour)
        assert.isUndefined(yield* callerOf(before))
        assert.isDefined(yield* callerOf(after))
      }),
    ),
  )

  const ends: ReadonlyArray<readonly [string, expires: number | undefined, overlap: number | undefined, number]> = [
    ["a day when nothing is said", undefined, undefined, day],
    ["the overlap", undefined, 30 * day, 30 * day],
    ["at once", undefined, 0, 0],
    ["its own end, if that is earlier", 3 * hour, day, 2 * hour],
    ["the overlap, if its own end is later", 10 * day, day, day],
  ]
  for (const [name, expires, overlap, left] of ends) {
    it.effect(`ends the old key after ${name}`, () =>
      inMemory(
        Effect.gen(function* () {
          const change = expires === undefined ? {} : { expiresAt: start + expires }
          const { after, before, accounts, now } = yield* rotated(change, overlap)
          assert.strictEqual(keyEndsAt(after.previous), now + left)
          // The new key has the lifetime of the old one.
          assert.strictEqual(after.key.expiresAt, expires === undefined ? undefined : now + expires)
          assert.deepStrictEqual((yield* accounts.keys("one", { limit: 10 })).at(-1), after.previous)
          yield* TestClock.setTime(now + left)
          assert.isUndefined(yield* callerOf(before))
          assert.deepStrictEqual(yield* refusal(accounts.rotateKey(before.key.id)), ["not_found", "key"])
        }),
      ),
    )
  }

  // The lifetime of every key in a chain of rotations.
  const lives: ReadonlyArray<readonly [string, number | undefined]> = [
    ["no end", undefined],
    ["30 days", 30 * day],
    ["less than the overlap", hour / 2],
  ]
  for (const [life, lasts] of lives) {
    it.scoped(`a second one, of either key, makes a key of the same life: ${life}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const accounts = yield* Accounts
        yield* accounts.create("one")
        const first = yield* accounts.issueKey({
          account: "one",
          environment: "live",
          tier: "pro",
          ...(lasts === undefined ? {} : { expiresAt: start + lasts }),
        })
        const second = yield* accounts.rotateKey(first.key.id, hour)
        const made = [second]
        for (const id of [second.key.id, first.key.id, second.key.id]) {
          yield* TestClock.adjust(60_000)
          made.push(yield* accounts.rotateKey(id, 2 * hour))
        }
        for (const { key } of made) {
          assert.strictEqual(keyEndsAt(key), lasts === undefined ? undefined : key.createdAt + lasts, key.id)
        }
        // A later rotation does not lengthen the overlap of the first one.
        const ends = new Map((yield* accounts.keys("one", { limit: 10 })).map((key) => [key.id, keyEndsAt(key)]))
        assert.strictEqual(ends.get(first.key.id), start + Math.min(hour, lasts ?? hour))
        assert.strictEqual(ends.get(second.key.id), start + Math.min(2 * hour + 60_000, lasts ?? day))
        yield* TestClock.setTime(start + day)
        const isKnown = lasts === undefined || lasts > day
        for (const key of made.slice(1)) assert.strictEqual((yield* callerOf(key)) !== undefined, isKnown)
        for (const key of [first, second]) assert.isUndefined(yield* callerOf(key))
      }).pipe(Effect.provide(anyAccounts)),
    )
  }

  it.effect("of what is not active, or for too long, changes nothing", () =>
    inMemory(
      Effect.gen(function* () {
        const { accounts, before, after } = yield* rotated({ agent: "bot" }, hour)
        const listed = yield* accounts.keys("one", { limit: 10 })
        for (const overlap of [-1, 30 * day + 1, Number.NaN]) {
          assert.deepStrictEqual(yield* refusal(accounts.rotateKey(after.key.id, overlap)), [
            "invalid_parameter",
            "overlap",
          ])
        }
        assert.deepStrictEqual(yield* refusal(accounts.rotateKey("key_0")), ["not_found", "key"])
        assert.deepStrictEqual(yield* accounts.keys("one", { limit: 10 }), listed)
        yield* accounts.revokeKey(before.key.id)
        assert.deepStrictEqual(yield* refusal(accounts.rotateKey(before.key.id)), ["not_found", "key"])
        yield* (yield* Agents).revoke("bot")
        assert.deepStrictEqual(yield* refusal(accounts.rotateKey(after.key.id)), ["invalid_parameter", "agent"])
        assert.lengthOf(yield* accounts.keys("one", { limit: 10 }), 2)
      }),
    ),
  )
})
