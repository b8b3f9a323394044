import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inserted, rowsOf, using } from "../../../../support/sqlite.ts"

describe("stores in memory", () => {
  it.effect("have the same tables, and share neither rows nor secrets, whichever was first", () => {
    const store = using(
      ":memory:",
      Effect.gen(function* () {
        yield* inserted("accounts", { id: "acct_1", name: "one", created_at: 1 })
        const [tables, accounts, secrets] = yield* Effect.all([
          rowsOf("SELECT type, name, sql FROM sqlite_master ORDER BY name"),
          rowsOf("SELECT id FROM accounts"),
          rowsOf("SELECT secret FROM installation_secrets"),
        ])
        return { tables, accounts, secret: `${secrets[0]!["secret"]}` }
      }),
    )
    return Effect.gen(function* () {
      const stores = yield* Effect.all([store, store, store])
      const [first, ...others] = stores
      for (const other of others) {
        assert.deepStrictEqual([other.tables, other.accounts], [first.tables, [{ id: "acct_1" }]])
        assert.strictEqual(other.secret.length, first.secret.length)
      }
      assert.strictEqual(new Set(stores.map(({ secret }) => secret)).size, stores.length)
    })
  })
})
