import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as auditTrail from "../../../../adapters/store/audit/AuditTrail.ts"
import { posted } from "../../../../adapters/store/trail/months.ts"
import { AuditTrail } from "../../../../core/account/AuditTrail.ts"
import { storeFile } from "../../../support/store.ts"

import { accountOf, charge, open, seeded } from "../../../support/tail.ts"

describe("the tail of the ledger", () => {
  it.scopedLive("has the charges of a month that another process drops, and of one that begins anew", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const [server, other] = [yield* open(file, 1_000_000), yield* open(file, 1_000_000)]
      yield* seeded(server, 0, 1_000)
      const august = Date.UTC(2026, 7, 15)
      for (const n of [1, 2, 3]) yield* charge(server, 0, String(n), august + n)
      yield* charge(server, 0, "4", Date.UTC(2026, 10, 1))
      const trail = Context.get(yield* Effect.provide(Layer.build(auditTrail.layer), other.context), AuditTrail)
      yield* trail.drop("2026-08", true)
      for (const process of [server, other]) {
        assert.strictEqual(yield* process.ledger.balance(accountOf(0)), 960)
        assert.strictEqual((yield* process.accounts.journal(accountOf(0), 100)).length, 5)
      }
      // A clock that went back, or a call that took months.
      for (const n of [5, 6]) yield* charge(server, 0, String(n), august + n)
      for (const process of [server, other]) {
        assert.strictEqual(yield* process.ledger.balance(accountOf(0)), 940)
        yield* (yield* process.folded).all
        assert.strictEqual((yield* process.accounts.journal(accountOf(0), 100)).length, 7)
        assert.strictEqual((yield* process.calls.page(accountOf(0), {}, 100)).rows.length, 3)
      }
    }),
  )

  it.scopedLive("of a month that was folded by pages alone stays folded, wherever a drop of it is cut off", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const server = yield* open(file, 1_000_000)
      yield* seeded(server, 0, 1_000)
      for (const n of [1, 2, 3]) yield* charge(server, 0, String(n), Date.UTC(2026, 7, 15) + n)
      assert.strictEqual((yield* server.calls.page(accountOf(0), {}, 100)).rows.length, 3)
      for (const text of posted("2026-08")) yield* server.sql.unsafe(text, [3])
      yield* server.sql`UPDATE audit_months SET dropping = 1 WHERE month = '2026-08'`
      yield* server.sql`DROP TRIGGER audit_2026_08_no_delete`
      yield* server.sql`DELETE FROM audit_2026_08 WHERE seq = 1`
      const next = yield* open(file, 1_000_000)
      assert.strictEqual(yield* next.ledger.balance(accountOf(0)), 970)
      const trail = Context.get(yield* Effect.provide(Layer.build(auditTrail.layer), next.context), AuditTrail)
      yield* trail.keep(2)
      for (const process of [next, yield* open(file, 1_000_000)]) {
        assert.strictEqual(yield* process.ledger.balance(accountOf(0)), 970)
        assert.strictEqual((yield* process.accounts.journal(accountOf(0), 100)).length, 4)
      }
    }),
  )

  it.scopedLive("has each charge once while its month becomes rows of the journal, and after its drop", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const server = yield* open(file, 1_000_000)
      yield* seeded(server, 0, 1_000)
      for (const n of [1, 2, 3, 4, 5]) yield* charge(server, 0, String(n), Date.UTC(2026, 7, 15) + n)
      const all = yield* server.accounts.journal(accountOf(0), 100)
      assert.lengthOf(all, 6)
      const sums = server.sql`SELECT count(*) AS n, sum(micros) AS micros FROM postings WHERE kind = 'charge'`
      for (const upTo of [2, 3, 5]) {
        for (const text of posted("2026-08")) yield* server.sql.unsafe(text, [upTo])
        assert.deepStrictEqual(yield* sums, [{ n: 5, micros: 50 }])
        assert.deepStrictEqual(yield* server.accounts.journal(accountOf(0), 100), all)
      }
      yield* charge(server, 0, "6", Date.UTC(2026, 7, 15) + 6)
      const trail = Context.get(yield* Effect.provide(Layer.build(auditTrail.layer), server.context), AuditTrail)
      yield* trail.drop("2026-08", true)
      assert.deepStrictEqual(yield* sums, [{ n: 6, micros: 60 }])
      assert.deepStrictEqual((yield* server.accounts.journal(accountOf(0), 100)).slice(1), all)
    }),
  )
})
