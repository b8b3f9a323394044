import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as keyring from "../../../../../adapters/store/account/sqlite/Keyring.ts"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { inTransaction } from "../../../../../adapters/store/engine/storage.ts"
import { Keyring } from "../../../../../core/account/Keyring.ts"

const now = 1_783_000_000_000

/** A test over a store with one key, whose hash is `hash 1`. */
const over = <A, E>(work: Effect.Effect<A, E, Keyring | SqlClient.SqlClient | Sqlite>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    yield* run(`
      INSERT INTO accounts (id, name, created_at) VALUES ('acct_1', 'one', 0);
      INSERT INTO agents (id, account_id, name, status, created_at) VALUES ('agt_1', 'acct_1', 'night', 'active', 0)`)
    yield* insert(1)
    return yield* work
  }).pipe(Effect.provide(Layer.provideMerge(keyring.layer, sqlite.layer(":memory:"))))

/** Runs statements in a transaction, as verbs do. */
const run = (text: string) =>
  Effect.flatMap(Effect.zip(SqlClient.SqlClient, Sqlite), ([sql, { db }]) =>
    inTransaction(
      sql,
      Effect.sync(() => db.exec(text)),
    ),
  )

/** Adds a key with further columns. */
const insert = (n: number, columns = "", values = "") =>
  run(`
    INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at${columns})
    VALUES ('key_${n}', 'acct_1', 'hash ${n}', '', 'live', 'pro', 600, 0${values})`)

const find = (n: number) => Effect.flatMap(Keyring, (keys) => keys.find(`hash ${n}`))
const isFound = (n: number) => Effect.map(find(n), (caller) => caller !== undefined)

const revoke = run("UPDATE api_keys SET revoked_at = 1 WHERE id = 'key_1'")

describe("a key that is looked up by its hash", () => {
  it.effect("names the caller", () =>
    over(
      Effect.gen(function* () {
        const caller = { accountId: "acct_1", keyId: "key_1", livemode: true, perMinute: 600 }
        assert.deepStrictEqual(yield* find(1), caller)
        yield* insert(2, ", scopes, agent_id", ", 'weather,crypto', 'agt_1'")
        assert.deepStrictEqual(yield* find(2), {
          ...caller,
          keyId: "key_2",
          scopes: ["weather", "crypto"],
          agent: { id: "agt_1", paused: false },
        })
        yield* run("UPDATE api_keys SET environment = 'test', per_minute = 60 WHERE id = 'key_2'")
        assert.deepInclude(yield* find(2), { livemode: false, perMinute: 60 })
      }),
    ),
  )

  it.effect("is found at once when it is new, though it was asked for before", () =>
    over(
      Effect.gen(function* () {
        assert.isUndefined(yield* find(2))
        yield* insert(2)
        assert.isTrue(yield* isFound(2))
      }),
    ),
  )

  it.effect("is gone with the transaction that revokes it", () =>
    over(
      Effect.gen(function* () {
        assert.isTrue(yield* isFound(1))
        yield* revoke
        assert.isFalse(yield* isFound(1))
      }),
    ),
  )

  it.effect("says at once that its agent pauses, and that its account is suspended", () =>
    over(
      Effect.gen(function* () {
        yield* insert(2, ", agent_id", ", 'agt_1'")
        assert.strictEqual((yield* find(2))?.agent?.paused, false)
        yield* run("UPDATE agents SET status = 'paused'")
        assert.strictEqual((yield* find(2))?.agent?.paused, true)
        yield* run("UPDATE accounts SET suspended_at = 1")
        assert.isTrue((yield* find(2))?.suspended)
        yield* run("UPDATE agents SET status = 'revoked'")
        assert.isUndefined(yield* find(2))
      }),
    ),
  )

  it.effect("ends at the earlier of its two ends, to the millisecond", () =>
    over(
      Effect.gen(function* () {
        yield* insert(2, ", expires_at", `, ${now + 10}`)
        yield* insert(3, ", overlap_ends_at", `, ${now + 10}`)
        yield* insert(4, ", expires_at, overlap_ends_at", `, ${now + 99}, ${now + 10}`)
        yield* insert(5, ", expires_at, overlap_ends_at", `, ${now + 10}, ${now + 99}`)
        const all = Effect.forEach([1, 2, 3, 4, 5], isFound)
        assert.deepStrictEqual(yield* all, [true, true, true, true, true])
        yield* TestClock.adjust(9)
        assert.deepStrictEqual(yield* all, [true, true, true, true, true])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(yield* all, [true, false, false, false, false])
      }),
    ),
  )
})
