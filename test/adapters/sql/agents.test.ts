import type * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import type { Sqlite } from "../../../adapters/sql/client.sqlite.ts"
import { Accounts, type KeyRequest, type NewKey } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import type { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { Secrets } from "../../../core/account/Secrets.ts"
import type { Failure } from "../../../core/endpoint/Failure.ts"
import { spend, spender, spent } from "../../support/spender.ts"
import { accountsOver } from "../../support/store.ts"

type Everything = Accounts | Agents | Keyring | Ledger | Secrets | SqlClient.SqlClient | Sqlite

const inMemory = <A, E>(effect: Effect.Effect<A, E, Everything>): Effect.Effect<A, unknown> =>
  Effect.provide(effect, accountsOver(":memory:"))

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse("2026-11-21T12:00:00Z")

/** What the pipeline knows of a key now; the half second for which a key is believed has passed. */
const callerOf = ({ plaintext }: NewKey) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(501)
    const hash = yield* (yield* Secrets).sha256(Redacted.value(plaintext))
    return yield* (yield* Keyring).find(hash)
  })

const refusal = <A>(effect: Effect.Effect<A, Failure>) =>
  Effect.map(Effect.flip(effect), ({ code, hints = [] }) => [code, ...hints.map(({ field }) => field)])

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
        assert.deepStrictEqual(yield* accounts.keys("one"), [made.key])
        assert.deepStrictEqual(yield* callerOf(made), {
          accountId: id,
          keyId: made.key.id,
          livemode: true,
          perMinute: 6_000,
          scopes: ["weather", "crypto"],
          agent: { id: agent.id, paused: false },
        })
        yield* TestClock.setTime(start + hour - 1)
        const hash = yield* (yield* Secrets).sha256(Redacted.value(made.plaintext))
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
          assert.deepStrictEqual(yield* accounts.keys("one"), [])
        }),
      ),
    )
  }

  it.effect("says when it was used last, to the minute", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        const used = Effect.map((yield* Accounts).keys(who.accountId), ([key]) => key!.lastUsedAt)
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
        assert.deepStrictEqual(after.previous, { ...before.key, expiresAt: now + 2 * hour })
        assert.deepStrictEqual(yield* accounts.keys("one"), [after.previous, after.key])
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
          assert.strictEqual(after.previous.expiresAt, now + left)
          // The new key lives as long as the old one was made for.
          assert.strictEqual(after.key.expiresAt, expires === undefined ? undefined : now + expires)
          assert.deepStrictEqual((yield* accounts.keys("one"))[0], after.previous)
          yield* TestClock.setTime(now + left)
          assert.isUndefined(yield* callerOf(before))
          assert.deepStrictEqual(yield* refusal(accounts.rotateKey(before.key.id)), ["not_found", "key"])
        }),
      ),
    )
  }

  it.effect("of what is not active, or for too long, changes nothing", () =>
    inMemory(
      Effect.gen(function* () {
        const { accounts, before, after } = yield* rotated({ agent: "bot" }, hour)
        const listed = yield* accounts.keys("one")
        for (const overlap of [-1, 30 * day + 1, Number.NaN]) {
          assert.deepStrictEqual(yield* refusal(accounts.rotateKey(after.key.id, overlap)), [
            "invalid_parameter",
            "overlap",
          ])
        }
        assert.deepStrictEqual(yield* refusal(accounts.rotateKey("key_0")), ["not_found", "key"])
        assert.deepStrictEqual(yield* accounts.keys("one"), listed)
        yield* accounts.revokeKey(before.key.id)
        assert.deepStrictEqual(yield* refusal(accounts.rotateKey(before.key.id)), ["not_found", "key"])
        yield* (yield* Agents).revoke("bot")
        assert.deepStrictEqual(yield* refusal(accounts.rotateKey(after.key.id)), ["invalid_parameter", "agent"])
        assert.lengthOf(yield* accounts.keys("one"), 2)
      }),
    ),
  )
})

describe("an agent", () => {
  it.effect("is found by id, and by a name that only one has", () =>
    inMemory(
      Effect.gen(function* () {
        const [accounts, agents] = [yield* Accounts, yield* Agents]
        for (const name of ["one", "two"]) yield* accounts.create(name)
        const bot = yield* agents.create("one", "bot", { monthlyCap: MicroUsd(5), budgetCap: MicroUsd(0) })
        assert.match(bot.id, /^agt_[0-9A-HJKMNP-TV-Z]{26}$/)
        for (const name of [bot.id, "bot"]) assert.deepStrictEqual((yield* agents.get(name)).agent, bot)
        assert.deepStrictEqual(yield* refusal(agents.create("one", "bot", {})), ["invalid_parameter", "name"])
        const other = yield* agents.create("two", "bot", {})
        assert.deepStrictEqual(yield* refusal(agents.get("bot")), ["not_found", "agent"])
        assert.deepStrictEqual([yield* agents.list("one"), yield* agents.list("two")], [[bot], [other]])
        // Within its account the name is enough.
        const { key } = yield* accounts.issueKey({ account: "two", environment: "live", tier: "pro", agent: "bot" })
        assert.strictEqual(key.agentId, other.id)
        for (const name of ["", "agt_1", " a", "a\n", "x".repeat(65)]) {
          assert.deepStrictEqual(yield* refusal(agents.create("one", name, {})), ["invalid_parameter", "name"])
        }
      }),
    ),
  )

  it.effect("is paused, goes on, and is revoked for good", () =>
    inMemory(
      Effect.gen(function* () {
        const [accounts, agents] = [yield* Accounts, yield* Agents]
        yield* accounts.create("one")
        yield* agents.create("one", "bot", {})
        const key = yield* accounts.issueKey({ account: "one", environment: "live", tier: "pro", agent: "bot" })
        for (const [turn, status, paused] of [
          ["pause", "paused", true],
          ["pause", "paused", true],
          ["resume", "active", false],
          ["revoke", "revoked", undefined],
          ["revoke", "revoked", undefined],
        ] as const) {
          assert.strictEqual((yield* agents[turn]("bot")).status, status)
          assert.strictEqual((yield* agents.get("bot")).agent.status, status)
          assert.strictEqual((yield* callerOf(key))?.agent?.paused, paused)
        }
        for (const turn of ["pause", "resume"] as const) {
          assert.deepStrictEqual(yield* refusal(agents[turn]("bot")), ["invalid_parameter", "agent"])
        }
        assert.isUndefined(yield* callerOf(key))
      }),
    ),
  )

  it.effect("keeps the cap that a change does not name", () =>
    inMemory(
      Effect.gen(function* () {
        const agents = yield* Agents
        const { agentId } = yield* spender("bot", { monthlyCap: 5 })
        const caps = Effect.map(
          agents.get(agentId),
          ({ agent }): ReadonlyArray<number | undefined> => [agent.monthlyCap, agent.budgetCap],
        )
        const seven = MicroUsd(7)
        for (const [change, expected] of [
          [{}, [5, undefined]],
          [{ budgetCap: seven }, [5, 7]],
          [{ monthlyCap: seven }, [7, 7]],
          [{ budgetCap: null }, [7, undefined]],
          [{ monthlyCap: null, budgetCap: seven }, [undefined, 7]],
        ] as const) {
          yield* agents.setCaps(agentId, change)
          assert.deepStrictEqual(yield* caps, [...expected])
        }
        assert.deepStrictEqual(yield* refusal(agents.setCaps("nobody", {})), ["not_found", "agent"])
      }),
    ),
  )

  it.effect("reads its audit trail in pages, each row once, and no other's", () =>
    inMemory(
      Effect.gen(function* () {
        const agents = yield* Agents
        const [one, two] = [yield* spender("one", {}), yield* spender("two", {})]
        for (let n = 0; n < 25; n++) yield* spend(n % 2 === 0 ? one : two, n)
        const read = (limit: number) =>
          Effect.gen(function* () {
            const ids: Array<string> = []
            for (let after = ""; ; after = ids.at(-1)!) {
              const rows = yield* agents.audit("one", after, limit)
              for (const row of rows) assert.strictEqual(row.agentId, one.agentId)
              ids.push(...rows.map(({ requestId }) => requestId))
              if (rows.length < limit) return ids
            }
          })
        const all = yield* read(1_000)
        assert.strictEqual(new Set(all).size, 13)
        assert.deepStrictEqual([...all].sort(), all)
        for (const limit of [1, 2, 5, 12, 13]) assert.deepStrictEqual(yield* read(limit), all)
      }),
    ),
  )

  it.effect("shows what it spent this month and in all, live and test apart", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {})
        yield* TestClock.setTime(Date.parse("2026-11-30T23:59:59Z"))
        const at = yield* Clock.currentTimeMillis
        yield* spend(who, 10, { at })
        yield* spend(who, 3, { at, livemode: false })
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* spent(who.agentId), [0, 10])
        yield* spend(who, 5, { at: at + 1_000 })
        assert.deepStrictEqual(yield* spent(who.agentId), [5, 15])
        assert.deepStrictEqual(yield* spent(who.agentId, false), [0, 3])
      }),
    ),
  )
})
