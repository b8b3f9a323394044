// Proof: random sequences of two processes.
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { everyRun } from "../../../support/property.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { storeFile } from "../../../support/store.ts"

import { accountOf, at, charge, keyOf, open, type Process, seeded } from "../../../support/tail.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 60)

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
