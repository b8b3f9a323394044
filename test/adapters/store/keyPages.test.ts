import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { KeyFilter } from "../../../core/account/AccountStore.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { anyAccounts } from "../../support/anyStore.ts"

describe("pages of keys", () => {
  it.effect("list what may be used apart from what has ended, newest first, found by what people know of them", () =>
    Effect.provide(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* TestClock.setTime(1_783_000_000_000)
        const { id } = yield* accounts.create("one")
        yield* accounts.create("two")
        assert.deepStrictEqual(yield* accounts.keySummary(id), { open: { count: 0, isMore: false }, isUsed: false })
        const agent = yield* (yield* Agents).create("one", "Night Bot", {})
        const made = new Map<string, string>()
        const make = (name: string, more: object = {}, account = "one") =>
          Effect.gen(function* () {
            yield* TestClock.adjust("1 second")
            const { key } = yield* accounts.issueKey({ account, environment: "live", name, ...more })
            made.set(key.id, name)
            return key
          })
        const first = yield* make("first", { agent: agent.id })
        const revoked = yield* make("Revoked one")
        yield* make("short", { expiresAt: 1_783_000_000_000 + 60_000 })
        const rotated = yield* make("rotated 50_5", { environment: "test" })
        const foreign = yield* make("foreign", {}, "two")
        yield* accounts.revokeKey(revoked.id)
        const { key: next } = yield* accounts.rotateKey(rotated.id, 30_000)
        made.set(next.id, "next")
        const page = (filter: Partial<KeyFilter> = {}) =>
          Effect.map(accounts.keyPage(id, { limit: 10, ...filter }), (keys) => keys.map((key) => made.get(key.id)))
        assert.deepStrictEqual(yield* page(), ["next", "rotated 50_5", "short", "Revoked one", "first"])
        assert.deepStrictEqual(yield* page({ open: true }), ["next", "rotated 50_5", "short", "first"])
        assert.deepStrictEqual(yield* page({ open: false }), ["Revoked one"])
        assert.strictEqual((yield* accounts.keySummary(id)).open.count, 4)
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(yield* page({ open: true }), ["next", "first"])
        assert.deepStrictEqual(yield* page({ open: false }), ["rotated 50_5", "short", "Revoked one"])
        assert.deepStrictEqual(yield* page({ limit: 2 }), ["next", "rotated 50_5"])
        assert.deepStrictEqual(yield* page({ cursor: rotated.id, limit: 2 }), ["short", "Revoked one"])
        assert.deepStrictEqual(yield* page({ agentId: agent.id }), ["first"])
        for (const [text, found] of [
          ["night", ["first"]],
          ["REVOKED", ["Revoked one"]],
          ["revoked", ["Revoked one"]],
          ["50_5", ["next", "rotated 50_5"]],
          ["r_tated", []],
          ["%", []],
          ["test", ["next", "rotated 50_5"]],
          [first.id, ["first"]],
          [first.lastFour, ["first"]],
          [`first (svk_live_…${first.lastFour})`, ["first"]],
          [`svk_test_…${next.lastFour}`, ["next"]],
          ["svk_live_…", []],
          ["\\", []],
          ["foreign", []],
        ] as const) {
          assert.deepStrictEqual(yield* page({ text }), [...found], text)
        }
        const named = yield* accounts.keysNamed(id, [foreign.id, first.id, "key_none"])
        assert.deepStrictEqual(
          named.map((key) => key.id),
          [first.id],
        )
        assert.deepStrictEqual(yield* accounts.keysNamed(id, []), [])
        // Those of the playground are apart, and are not counted; a key that only has their name is none of them.
        const at = 1_783_000_000_000 + 10 * 60_000
        yield* TestClock.setTime(at)
        yield* make("playground", { agent: agent.id, expiresAt: at + 30 * 60_000 })
        yield* make("playground", { expiresAt: at + 86_400_000 })
        made.set((yield* make("playground")).id, "mine")
        assert.strictEqual((yield* page({ playground: true, open: true })).length, 1)
        assert.deepStrictEqual(yield* page({ playground: false, open: true }), ["mine", "playground", "next", "first"])
        assert.strictEqual((yield* accounts.keySummary(id)).open.count, 4)
      }),
      anyAccounts,
    ),
  )
})
