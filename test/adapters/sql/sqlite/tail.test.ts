import { chmodSync } from "node:fs"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as hasher from "../../../../adapters/node/hasher.ts"
import * as accountStore from "../../../../adapters/sql/account/AccountStore.ts"
import * as auditTrail from "../../../../adapters/sql/audit/AuditTrail.ts"
import * as calls from "../../../../adapters/sql/audit/Calls.ts"
import { monthOf, posted } from "../../../../adapters/sql/audit/months.ts"
import { make, Sqlite } from "../../../../adapters/sql/engine/sqlite/client.ts"
import { open as openDatabase } from "../../../../adapters/sql/engine/sqlite/driver.ts"
import * as sqlite from "../../../../adapters/sql/engine/sqlite/open.ts"
import { migrateTo } from "../../../../adapters/sql/migrations/mod.ts"
import { FoldRows, folded } from "../../../../adapters/sql/money/sqlite/folded.ts"
import * as ledger from "../../../../adapters/sql/money/sqlite/Ledger.ts"
import { AccountStore } from "../../../../core/account/AccountStore.ts"
import { AuditTrail } from "../../../../core/account/AuditTrail.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { everyRun } from "../../../support/property.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { storeFile } from "../../../support/store.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 60)

/** A process of its own over a store: its connection, its tail. */
const open = (file: string, rows: number) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.mergeAll(accountStore.layer, calls.layer, Layer.provide(ledger.layer, hasher.layer)).pipe(
          Layer.provideMerge(sqlite.layer(file)),
          Layer.provide(Layer.succeed(FoldRows, rows)),
        ),
      ),
    ),
    (context) => ({
      context,
      ledger: Context.get(context, Ledger),
      accounts: Context.get(context, AccountStore),
      calls: Context.get(context, Calls),
      sql: Context.get(context, SqlClient.SqlClient),
      folded: Effect.provide(folded, context),
    }),
  )

type Process = Effect.Effect.Success<ReturnType<typeof open>>

const at = Date.UTC(2026, 10, 30, 23, 59)
const accountOf = (n: number) => `acct_0000000000000000000000000${n}`
const keyOf = (n: number) => `key_0000000000000000000000000${n}`

type Operation =
  | {
      readonly _tag: "Charge"
      readonly process: number
      readonly account: number
      readonly micros: number
      readonly month: number
    }
  | { readonly _tag: "Refused" | "Read" | "FoldOne"; readonly process: number; readonly account: number }
  | { readonly _tag: "Credit" | "Reverse"; readonly process: number; readonly account: number; readonly micros: number }
  | { readonly _tag: "FoldAll" | "Reopen"; readonly process: number }

const base = { process: fc.nat(1), account: fc.nat(2) }
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ _tag: fc.constant("Charge" as const), ...base, micros: fc.nat(300), month: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Refused" as const), ...base }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constantFrom("Read" as const, "FoldOne" as const), ...base }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constantFrom("Credit" as const, "Reverse" as const),
      ...base,
      micros: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constantFrom("FoldAll" as const, "Reopen" as const), process: base.process }),
  },
)

const seeded = ({ accounts, sql }: Process, n: number, credit: number) =>
  Effect.gen(function* () {
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${accountOf(n)}, ${`account ${n}`}, 0)`
    yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES (${accountOf(n)}, 0)`
    yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
      VALUES (${keyOf(n)}, ${accountOf(n)}, ${`hash ${n}`}, '', 'live', 'pro', 600, 0)`
    const id = `txn_${String(n).padStart(26, "0")}`
    yield* accounts.credit({ id, accountId: accountOf(n), micros: MicroUsd(credit), at: 0 })
    return id
  })

const charge = ({ ledger }: Process, n: number, id: string, when: number) =>
  ledger.settle(
    settlementOf({
      accountId: accountOf(n),
      keyId: keyOf(n),
      requestId: `req_${id.padStart(26, "0")}`,
      micros: 10,
      at: when,
    }),
  )

/** Two processes over one store, against a few numbers. */
const agrees = (operations: ReadonlyArray<Operation>) =>
  Effect.gen(function* () {
    const file = yield* storeFile
    const opened: Array<Process> = [yield* open(file, 7), yield* open(file, 1_000_000)]
    const [first] = opened
    const books = Arr.makeBy(3, () => ({ balance: 1_000, postings: 1, rows: 0, spent: [0, 0], credit: "", left: 0 }))
    for (const n of [0, 1, 2]) Object.assign(books[n]!, { credit: yield* seeded(first!, n, 1_000), left: 1_000 })
    const exact = (process: Process, n: number) =>
      Effect.gen(function* () {
        const { balance, postings, rows, spent } = books[n]!
        assert.strictEqual(yield* process.ledger.balance(accountOf(n)), balance)
        assert.strictEqual((yield* process.accounts.journal(accountOf(n), 100)).length, postings)
        assert.strictEqual((yield* process.calls.page(accountOf(n), {}, 100)).rows.length, rows)
        for (const month of [0, 1]) {
          const name = `2026-${11 + month}`
          assert.strictEqual(yield* process.ledger.accountSpent(accountOf(n), name), spent[month])
        }
      })
    for (const [turn, each] of operations.entries()) {
      const process = opened[each.process]!
      const id = String(turn + 10).padStart(26, "0")
      switch (each._tag) {
        case "Charge": {
          const { account, micros, month } = each
          const own = books[account]!
          const verdict = yield* process.ledger.settle(
            settlementOf({
              ...{ accountId: accountOf(account), keyId: keyOf(account), requestId: `req_${id}`, micros },
              at: at + month * 600_000,
            }),
          )
          assert.strictEqual(verdict._tag, own.balance >= micros ? "Settled" : "Insufficient")
          if (verdict._tag !== "Settled") break
          own.balance -= micros
          own.rows++
          own.spent[month]! += micros
          if (micros > 0) own.postings++
          break
        }
        case "Refused": {
          const { audit } = settlementOf({
            ...{
              accountId: accountOf(each.account),
              keyId: keyOf(each.account),
              requestId: `req_${id}`,
              micros: 0,
              at,
            },
          })
          yield* process.ledger.appendAudit({ ...audit, status: 402, code: "insufficient_funds" })
          // It is written with the next batch, or at once.
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
          const written = yield* process.calls.page(accountOf(each.account), {}, 100)
          books[each.account]!.rows = written.rows.length
          break
        }
        case "Credit": {
          const own = books[each.account]!
          own.balance += each.micros
          own.postings++
          const balance = yield* process.accounts.credit({
            ...{ id: `txn_${id}`, accountId: accountOf(each.account), micros: MicroUsd(each.micros), at },
          })
          assert.strictEqual(balance, own.balance)
          break
        }
        case "Reverse": {
          const own = books[each.account]!
          const taken = Math.min(each.micros, own.left, own.balance)
          const reversed = yield* process.accounts.reverse({
            ...{
              id: `txn_${id}`,
              accountId: accountOf(each.account),
              credit: own.credit,
              micros: MicroUsd(each.micros),
              at,
            },
          })
          assert.deepStrictEqual([reversed?.taken, reversed?.balance], [taken, own.balance - taken])
          own.balance -= taken
          own.left -= taken
          if (taken > 0) own.postings++
          break
        }
        case "Read":
          yield* exact(process, each.account)
          break
        case "FoldOne":
          yield* (yield* process.folded).account(accountOf(each.account))
          break
        case "FoldAll":
          yield* (yield* process.folded).all
          break
        case "Reopen":
          opened[each.process] = yield* open(file, each.process === 0 ? 7 : 1_000_000)
      }
    }
    for (const process of opened) for (const n of [0, 1, 2]) yield* exact(process, n)
    const { sql } = opened[0]!
    yield* (yield* opened[0]!.folded).all
    // The tables alone say the same.
    for (const n of [0, 1, 2]) {
      const { balance, spent } = books[n]!
      assert.deepStrictEqual(yield* sql`SELECT balance_micros FROM wallets WHERE account_id = ${accountOf(n)}`, [
        { balance_micros: balance },
      ])
      assert.deepStrictEqual(
        yield* sql`
          SELECT coalesce(sum(CASE kind WHEN 'credit' THEN micros ELSE -micros END), 0) AS balance FROM postings
          WHERE account_id = ${accountOf(n)}`,
        [{ balance }],
      )
      assert.deepStrictEqual(
        yield* sql`SELECT coalesce(sum(micros), 0) AS spent FROM key_spend WHERE key_id = ${keyOf(n)}`,
        [{ spent: spent[0]! + spent[1]! }],
      )
    }
  }).pipe(Effect.scoped)

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
          for (const statement of monthOf("2026-11")) db.exec(statement)
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

  it.scopedLive("of some thousand rows is folded while the ledger charges, and read by a start", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const rows = 3_000
      const server = yield* open(file, 500)
      for (const n of [0, 1, 2]) yield* seeded(server, n, 1_000_000)
      for (let from = 0; from < rows; from += 100) {
        yield* Effect.forEach(
          Arr.makeBy(100, (n) => from + n),
          (n) => charge(server, n % 3, String(n + 1), at),
          {
            concurrency: "unbounded",
          },
        )
      }
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 300)))
      const [{ charges }] = (yield* server.sql<{ charges: number }>`
        SELECT count(*) AS charges FROM postings WHERE kind = 'charge'`) as [{ charges: number }]
      assert.isAbove(charges, rows - 1_500)
      assert.isBelow(charges, rows + 1)
      const later = yield* open(file, 1_000_000)
      for (const process of [server, later]) {
        for (const n of [0, 1, 2]) {
          assert.strictEqual(yield* process.ledger.balance(accountOf(n)), 1_000_000 - (rows / 3) * 10)
        }
      }
    }),
  )

  it("is exact for every reader of two processes, whatever is folded when", { timeout: 60_000 + runs * 2_000 }, () =>
    Effect.runPromise(everyRun(fc.array(operation, { maxLength: 30 }), runs, agrees)),
  )
})
