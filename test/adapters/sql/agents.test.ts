import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { endOf } from "../../../core/account/AccountStore.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import type { AgentFilter } from "../../../core/account/AgentStore.ts"
import { Agents } from "../../../core/account/Agents.ts"
import type { KeyRequest } from "../../../core/account/KeyRequest.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Failure } from "../../../core/Failure.ts"
import { callerOf } from "../../support/accounts.ts"
import { anyAccounts } from "../../support/anyStore.ts"
import { isPostgres } from "../../support/postgres.ts"
import { settlementOf } from "../../support/settlement.ts"
import { spend, spender, spent } from "../../support/spender.ts"
import { accountsOver, storeFile } from "../../support/store.ts"

type Everything = Accounts | Agents | Keyring | Ledger | PlatformCrypto | SqlClient.SqlClient

const inMemory = <A, E>(effect: Effect.Effect<A, E, Everything>): Effect.Effect<A, unknown> =>
  Effect.provide(effect, anyAccounts)

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse("2026-11-21T12:00:00Z")

const refusal = <A>(effect: Effect.Effect<A, Failure>) =>
  Effect.map(Effect.flip(effect), ({ code, hints = [] }) => [code, ...hints.map(({ field }) => field)])

/** On PostgreSQL a row is read when every older transaction of the server has ended, those of other tests too. */
const complete = isPostgres
  ? Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.repeat(
        Effect.zipRight(
          Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10))),
          sql`SELECT 1 FROM audit WHERE tx >= pg_snapshot_xmin(pg_current_snapshot())`,
        ),
        { until: (rows) => rows.length === 0 },
      ),
    )
  : Effect.void

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
        assert.deepStrictEqual(after.previous, { ...before.key, overlapEndsAt: now + 2 * hour })
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
          assert.strictEqual(endOf(after.previous), now + left)
          // The new key has the lifetime of the old one.
          assert.strictEqual(after.key.expiresAt, expires === undefined ? undefined : now + expires)
          assert.deepStrictEqual((yield* accounts.keys("one"))[0], after.previous)
          yield* TestClock.setTime(now + left)
          assert.isUndefined(yield* callerOf(before))
          assert.deepStrictEqual(yield* refusal(accounts.rotateKey(before.key.id)), ["not_found", "key"])
        }),
      ),
    )
  }

  // The lifetime of every key in a chain of rotations.
  const stores = [
    ["in memory", Effect.succeed(":memory:")],
    ["in a file", storeFile],
  ] as const
  const lives: ReadonlyArray<readonly [string, number | undefined]> = [
    ["no end", undefined],
    ["30 days", 30 * day],
    ["less than the overlap", hour / 2],
  ]
  for (const [where, filename] of stores) {
    for (const [life, lasts] of lives) {
      it.scoped(`a second one, of either key, makes a key of the same life: ${life}, ${where}`, () =>
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
            assert.strictEqual(endOf(key), lasts === undefined ? undefined : key.createdAt + lasts, key.id)
          }
          // A later rotation does not lengthen the overlap of the first one.
          const ends = new Map((yield* accounts.keys("one")).map((key) => [key.id, endOf(key)]))
          assert.strictEqual(ends.get(first.key.id), start + Math.min(hour, lasts ?? hour))
          assert.strictEqual(ends.get(second.key.id), start + Math.min(2 * hour + 60_000, lasts ?? day))
          yield* TestClock.setTime(start + day)
          const isKnown = lasts === undefined || lasts > day
          for (const key of made.slice(1)) assert.strictEqual((yield* callerOf(key)) !== undefined, isKnown)
          for (const key of [first, second]) assert.isUndefined(yield* callerOf(key))
        }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(filename, (name) => accountsOver(name))))),
      )
    }
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

  it.effect("leaves a cap unchanged that a change does not name", () =>
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
            for (let after: string | undefined; ; after = ids.at(-1)!) {
              const rows = yield* agents.audit("one", limit, after)
              for (const row of rows) assert.strictEqual(row.agentId, one.agentId)
              ids.push(...rows.map(({ requestId }) => requestId))
              if (rows.length < limit) return ids
            }
          })
        yield* complete
        const all = yield* read(1_000)
        assert.strictEqual(new Set(all).size, 13)
        assert.deepStrictEqual([...all].sort(), all)
        for (const limit of [1, 2, 5, 12, 13]) assert.deepStrictEqual(yield* read(limit), all)
      }),
    ),
  )

  it.effect("reads on from a call that ended, and never misses one that began before it and ended after it", () =>
    inMemory(
      Effect.gen(function* () {
        const [agents, ledger] = [yield* Agents, yield* Ledger]
        const [who, other] = [yield* spender("bot", {}), yield* spender("other", {})]
        // In the order of their ends; the ids are in the order of their beginnings.
        yield* spend(who, 1, { requestId: "req_5" })
        yield* spend(other, 1, { requestId: "req_6" })
        const read = Effect.map(Effect.zipRight(complete, agents.audit("bot", 10)), (rows) =>
          rows.map(({ requestId }) => requestId),
        )
        assert.deepStrictEqual(yield* read, ["req_5"])
        yield* spend(who, 2, { requestId: "req_1" })
        // A call that failed is on the trail too, a moment after its answer.
        yield* ledger.appendAudit(settlementOf({ ...who, requestId: "req_3", micros: 0, at: 0 }).audit)
        yield* spend(who, 3, { requestId: "req_7" })
        const trail = ["req_5", "req_1", "req_3", "req_7"]
        assert.deepStrictEqual(yield* read, trail)
        for (const [at, since] of trail.entries()) {
          const rows = yield* agents.audit("bot", 10, since)
          assert.deepStrictEqual(
            rows.map(({ requestId }) => requestId),
            trail.slice(at + 1),
            since,
          )
        }
        // An unknown request id and another agent's are both rejected as `since`.
        for (const since of ["req_6", "req_2", ""]) {
          assert.deepStrictEqual(yield* refusal(agents.audit("bot", 10, since)), ["invalid_parameter", "since"])
        }
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
        // The same of all agents of the account at once, those without a call too, and of no other account.
        const { create, get, page } = yield* Agents
        yield* spender("elsewhere", {})
        const { id: idle } = yield* create(who.accountId, "idle", {})
        const all = yield* Effect.forEach([idle, who.agentId], get)
        assert.deepStrictEqual(yield* page(who.accountId, { limit: 2 }), all)
        assert.deepStrictEqual(yield* page(who.accountId, { limit: 1 }), all.slice(0, 1))
      }),
    ),
  )

  it.effect("is on a page of its account's agents: newest first, the revoked apart, found by id and name", () =>
    inMemory(
      Effect.gen(function* () {
        const [accounts, { create, findIn, page, revoke }] = [yield* Accounts, yield* Agents]
        const { id: one } = yield* accounts.create("one")
        yield* accounts.create("two")
        const made = new Map<string, string>()
        const make = (name: string, account = "one") =>
          Effect.gen(function* () {
            yield* TestClock.adjust("1 second")
            const { id } = yield* create(account, name, {})
            made.set(id, name)
            return id
          })
        const first = yield* make("Night Bot")
        yield* revoke(yield* make("gone"))
        const third = yield* make("day_bot 1")
        yield* make("day-bot 2")
        const foreign = yield* make("foreign", "two")
        const named = (filter: Partial<AgentFilter> = {}) =>
          Effect.map(page(one, { limit: 10, ...filter }), (all) => all.map(({ agent }) => made.get(agent.id)))
        assert.deepStrictEqual(yield* named(), ["day-bot 2", "day_bot 1", "gone", "Night Bot"])
        assert.deepStrictEqual(yield* named({ open: true }), ["day-bot 2", "day_bot 1", "Night Bot"])
        assert.deepStrictEqual(yield* named({ open: false }), ["gone"])
        assert.deepStrictEqual(yield* named({ limit: 2 }), ["day-bot 2", "day_bot 1"])
        assert.deepStrictEqual(yield* named({ before: third, limit: 1 }), ["gone"])
        for (const [text, found] of [
          ["night", ["Night Bot"]],
          ["NIGHT", ["Night Bot"]],
          ["y_b", ["day_bot 1"]],
          ["%", []],
          ["\\", []],
          [first, ["Night Bot"]],
          ["foreign", []],
        ] as const) {
          assert.deepStrictEqual(yield* named({ text }), [...found], text)
        }
        assert.strictEqual((yield* findIn(one, "Night Bot"))?.id, first)
        assert.strictEqual((yield* findIn(one, first))?.name, "Night Bot")
        for (const other of ["foreign", foreign, "night bot", ""]) assert.isUndefined(yield* findIn(one, other))
      }),
    ),
  )
})
