import { chmodSync } from "node:fs"
import * as Reactivity from "@effect/experimental/Reactivity"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as auditTrail from "../../../../adapters/store/audit/AuditTrail.ts"
import { createMonthSql, posted } from "../../../../adapters/store/audit/months.ts"
import { make, Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import { open as openDatabase } from "../../../../adapters/store/engine/sqlite/driver.ts"
import { migrateTo } from "../../../../adapters/store/migrations/mod.ts"
import { AuditTrail } from "../../../../core/account/AuditTrail.ts"
import { storeFile } from "../../../support/store.ts"

import { accountOf, at, charge, keyOf, open, seeded } from "../../../support/tail.ts"

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

  it.scopedLive("of a store of before is posted when that is upgraded", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Effect.provide(make(openDatabase, file), Reactivity.layer)
          yield* Effect.provide(migrateTo(39), context)
          const { db } = Context.get(context, Sqlite)
          const [account, key, ledgerOf] = [accountOf(0), keyOf(0), `wallet:${accountOf(0)}`]
          for (const statement of createMonthSql("2026-11")) db.exec(statement)
          // Three of five rows are folded, by a page of their account.
          db.exec(`
            ALTER TABLE audit_folds RENAME COLUMN part TO slice;
            INSERT INTO accounts (id, name, created_at) VALUES ('${account}', 'one', 0);
            INSERT INTO wallets (account_id, balance_micros) VALUES ('${account}', 970);
            INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
              VALUES ('${key}', '${account}', 'hash', '', 'live', 'pro', 600, 0);
            INSERT INTO audit_months (month) VALUES ('2026-11');
            INSERT INTO audit_accounts VALUES (1, '${account}');
            INSERT INTO audit_callers VALUES (1, '${key}', '${account}', NULL);
            INSERT INTO audit_ends VALUES (1, 'weather_settlement', 200, NULL);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
            INSERT INTO audit_2026_11 SELECT i, ${at} + i, 'req_' || i, 1, 1, NULL, 1, x'00', 10, 1, NULL FROM n;
            INSERT INTO audit_2026_11_accounts SELECT 1, at, seq FROM audit_2026_11 WHERE seq <= 3;
            INSERT INTO audit_folds (month, account, seq) VALUES ('2026-11', 1, 3);
            INSERT INTO journal (id, at, kind, account_id, debit, credit, micros)
              VALUES ('txn_1', 0, 'credit', '${account}', 'cash', '${ledgerOf}', 1000);
            INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
              SELECT request_id, at, 'charge', '${account}', '${ledgerOf}', 'revenue', 10, '${key}', 'weather_settlement'
              FROM audit_2026_11 WHERE seq <= 3`)
        }),
      )
      chmodSync(file, 0o600)
      const server = yield* open(file, 1_000_000)
      assert.strictEqual(yield* server.ledger.balance(accountOf(0)), 950)
      const rows = server.sql`SELECT count(*) AS n, sum(micros) AS micros FROM postings WHERE kind = 'charge'`
      assert.deepStrictEqual(yield* rows, [{ n: 5, micros: 50 }])
      yield* charge(server, 0, "6", at + 6)
      yield* (yield* server.folded).all
      assert.deepStrictEqual(yield* rows, [{ n: 6, micros: 60 }])
      assert.strictEqual(yield* server.ledger.balance(accountOf(0)), 940)
      assert.lengthOf(yield* server.accounts.journal(accountOf(0), 100), 7)
    }),
  )
})
