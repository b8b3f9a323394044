import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findKeys, keyPage, keySummary } from "../../../../adapters/store/account/AccountStore.ts"
import type { KeyFilter } from "../../../../core/account/AccountStore.ts"
import { maxCounted } from "../../../../core/BoundedCount.ts"
import { anyStore } from "../../../support/anyStore.ts"

const now = 1_783_000_000_000
const halfHour = 30 * 60_000

const key = {
  account_id: "acct_1",
  last_four: "rWca",
  name: null,
  environment: "live",
  tier: "pro",
  per_minute: 600,
  created_at: now,
  revoked_at: null,
  agent_id: null,
  scopes: null,
  expires_at: null,
  last_used_at: null,
  overlap_ends_at: null,
}

const insert = (...rows: ReadonlyArray<Partial<Record<keyof typeof key, string | number>> & { readonly id: string }>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      rows,
      (row) => sql`INSERT INTO api_keys ${sql.insert({ ...key, hash: `hash of ${row.id}`, ...row })}`,
    ),
  )

/** A test over a store with two accounts. */
const over = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const id of ["acct_1", "acct_2"])
      yield* sql`INSERT INTO accounts ${sql.insert({ id, name: id, created_at: 0 })}`
    return yield* work
  }).pipe(Effect.provide(anyStore))

const found = (filter: Partial<KeyFilter> = {}) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(keyPage(sql, "acct_1", { at: now, limit: 100, ...filter }), (keys) => keys.map(({ id }) => id)),
  )

const summaryAt = (at: number) => Effect.flatMap(SqlClient.SqlClient, (sql) => keySummary(sql, "acct_1", at))

describe("keys that may be used", () => {
  it.effect("are those that are not revoked, up to the earlier of their two ends", () =>
    over(
      Effect.gen(function* () {
        yield* insert(
          { id: "key_1" },
          { id: "key_2", revoked_at: now + 1_000 },
          { id: "key_3", expires_at: now },
          { id: "key_4", expires_at: now + 1 },
          { id: "key_5", overlap_ends_at: now },
          { id: "key_6", overlap_ends_at: now + 1 },
          { id: "key_7", expires_at: now + 1, overlap_ends_at: now },
          { id: "key_8", account_id: "acct_2" },
        )
        assert.deepStrictEqual(yield* found({ open: true }), ["key_6", "key_4", "key_1"])
        assert.deepStrictEqual(yield* found({ open: false }), ["key_7", "key_5", "key_3", "key_2"])
        assert.strictEqual((yield* found()).length, 7)
        assert.deepStrictEqual(yield* summaryAt(now), { open: { count: 3, isMore: false }, isUsed: false })
        assert.strictEqual((yield* summaryAt(now + 1)).open.count, 1)
      }),
    ),
  )

  it.effect("are counted up to a bound", () =>
    over(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${maxCounted})
          INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
          SELECT 'key_' || n, 'acct_1', 'hash ' || n, '', 'live', 'pro', 600, 0 FROM n`
        assert.deepStrictEqual((yield* summaryAt(now)).open, { count: maxCounted, isMore: false })
        yield* insert({ id: "one more" })
        assert.deepStrictEqual((yield* summaryAt(now)).open, { count: maxCounted, isMore: true })
      }),
    ),
  )

  it.effect("have been used when one of them was, revoked or not", () =>
    over(
      Effect.gen(function* () {
        yield* insert({ id: "key_1", account_id: "acct_2", last_used_at: now })
        assert.isFalse((yield* summaryAt(now)).isUsed)
        yield* insert({ id: "key_2", last_used_at: now, revoked_at: now })
        assert.deepStrictEqual(yield* summaryAt(now), { open: { count: 0, isMore: false }, isUsed: true })
      }),
    ),
  )
})

describe("internal keys", () => {
  it.effect("of the playground have its name and end within half an hour; they are listed apart and not counted", () =>
    over(
      Effect.gen(function* () {
        const name = "playground"
        yield* insert(
          { id: "key_1", name, expires_at: now + halfHour },
          { id: "key_2", name, expires_at: now + halfHour + 1 },
          { id: "key_3", name },
          { id: "key_4", name: "mine", expires_at: now + halfHour },
          { id: "key_5" },
        )
        assert.deepStrictEqual(yield* found({ internal: true }), ["key_1"])
        assert.deepStrictEqual(yield* found({ internal: false }), ["key_5", "key_4", "key_3", "key_2"])
        assert.strictEqual((yield* summaryAt(now)).open.count, 4)
      }),
    ),
  )

  it.effect("of alerts are listed with them until the alert is deleted", () =>
    over(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insert({ id: "key_1", name: "alert" }, { id: "key_2", name: "alert" }, { id: "key_3", name: "alert" })
        const alert = (id: string, key: string, status: string) => sql`
          INSERT INTO alerts ${sql.insert({ id, account_id: "acct_1", key_id: key, key_hash: "", call: "{}", status, created_at: now })}`
        yield* alert("alt_1", "key_1", "paused")
        yield* alert("alt_2", "key_2", "deleted")
        assert.deepStrictEqual(yield* found({ internal: true }), ["key_1"])
        assert.deepStrictEqual(yield* found({ internal: false }), ["key_3", "key_2"])
      }),
    ),
  )
})

describe("keys by their names", () => {
  it.effect("are the account's alone, in the order of their ids", () =>
    over(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insert({ id: "key_2" }, { id: "key_1" }, { id: "key_3", account_id: "acct_2" })
        const named = (...ids: ReadonlyArray<string>) =>
          Effect.map(findKeys(sql, "acct_1", ids), (keys) => keys.map(({ id }) => id))
        assert.deepStrictEqual(yield* named(), [])
        assert.deepStrictEqual(yield* named("key_2", "key_3", "key_1", "key_4", "key_1"), ["key_1", "key_2"])
      }),
    ),
  )
})

describe("a page of keys", () => {
  it.effect("has those before an id, as many as fit, and those of an agent", () =>
    over(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO agents ${sql.insert({ id: "agt_1", account_id: "acct_1", name: "Night", status: "active", created_at: 0 })}`
        yield* insert({ id: "key_1" }, { id: "key_2", agent_id: "agt_1" }, { id: "key_3" })
        assert.deepStrictEqual(yield* found({ limit: 2 }), ["key_3", "key_2"])
        assert.deepStrictEqual(yield* found({ cursor: "key_3" }), ["key_2", "key_1"])
        assert.deepStrictEqual(yield* found({ agentId: "agt_1" }), ["key_2"])
        assert.deepStrictEqual(yield* found({ text: "NIGHT" }), ["key_2"])
        assert.deepStrictEqual(yield* found({ text: "ight" }), ["key_2"])
      }),
    ),
  )

  it.effect("finds a key by its id, its name, its kind and the characters that pages show of it", () =>
    over(
      Effect.gen(function* () {
        yield* insert(
          { id: "key_1" },
          { id: "key_2", last_four: "0000", name: "Rotated 50_5" },
          { id: "key_3", last_four: "1111", environment: "test" },
          { id: "key_4", account_id: "acct_2", name: "foreign" },
        )
        for (const [text, ids] of [
          ["key_3", ["key_3"]],
          ["ROTATED", ["key_2"]],
          ["50_5", ["key_2"]],
          ["r_tated", []],
          ["%", []],
          ["\\", []],
          ["foreign", []],
          ["test", ["key_3"]],
          ["svk_test_…1111", ["key_3"]],
          ["rWca", ["key_1"]],
          ["svk_live_…", []],
          ["svk_live_…rWca", ["key_1"]],
          ["mine (svk_live_…rWca)", ["key_1"]],
          ["…r", ["key_1"]],
          ["…rWca0", []],
          ["…rWca) ", []],
        ] as const) {
          assert.deepStrictEqual(yield* found({ text }), [...ids], text)
        }
      }),
    ),
  )
})
