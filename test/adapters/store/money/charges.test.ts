// Proof: random sequences.
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { chargesIn } from "../../../../adapters/store/money/charge.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { accountOf, charge, keyOf, type Opened, open, requestOf, seeded } from "../../../support/opened.ts"
import { everyRun } from "../../../support/property.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { storeFile } from "../../../support/store.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 60)
const at = Date.UTC(2026, 10, 30, 23, 59)

type Operation =
  | { readonly _tag: "Charge"; readonly account: number; readonly micros: number; readonly month: number }
  | { readonly _tag: "Refused" | "Read" | "Flush"; readonly account: number }
  | { readonly _tag: "Credit" | "Reverse"; readonly account: number; readonly micros: number }
  | { readonly _tag: "FoldAll" | "Slice" | "Reopen" }

const account = fc.nat(2)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ _tag: fc.constant("Charge" as const), account, micros: fc.nat(300), month: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Refused" as const), account }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constantFrom("Read" as const, "Flush" as const), account }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: fc.constantFrom("Credit" as const, "Reverse" as const),
      account,
      micros: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constantFrom("FoldAll" as const, "Slice" as const, "Reopen" as const) }),
  },
)

/** A program over a store, which is reopened at random, against a few numbers. */
const agrees = (operations: ReadonlyArray<Operation>, run: number) =>
  Effect.gen(function* () {
    const file = yield* storeFile
    const rows = [7, 1_000_000, Number.POSITIVE_INFINITY][run % 3]
    let program: Opened = yield* open(file, rows)
    const books = Arr.makeBy(3, () => ({
      balance: 1_000,
      postings: 1,
      rows: 0,
      spent: [0, 0],
      credit: "",
      left: 1_000,
    }))
    for (const n of [0, 1, 2]) books[n]!.credit = yield* seeded(program, n, 1_000)
    const exact = (n: number) =>
      Effect.gen(function* () {
        const { balance, postings, rows, spent } = books[n]!
        assert.strictEqual(yield* program.ledger.balance(accountOf(n)), balance)
        assert.strictEqual((yield* program.accounts.journal(accountOf(n), 100)).length, postings)
        assert.strictEqual((yield* program.calls.page(accountOf(n), {}, 100)).rows.length, rows)
        for (const month of [0, 1]) {
          assert.strictEqual(yield* program.ledger.accountSpent(accountOf(n), `2026-${11 + month}`), spent[month])
        }
      })
    for (const [turn, each] of operations.entries()) {
      switch (each._tag) {
        case "Charge": {
          const { account, micros, month } = each
          const own = books[account]!
          const verdict = yield* charge(program, account, turn, at + month * 600_000, micros)
          assert.strictEqual(verdict._tag, own.balance >= micros ? "Accepted" : "Insufficient")
          if (verdict._tag !== "Accepted") break
          own.balance -= micros
          own.rows++
          own.spent[month]! += micros
          if (micros > 0) own.postings++
          break
        }
        case "Refused": {
          const [accountId, keyId] = [accountOf(each.account), keyOf(each.account)]
          const { audit } = settlementOf({ accountId, keyId, requestId: requestOf(turn), micros: 0, at })
          yield* program.ledger.appendAudit({ ...audit, status: 402, code: "insufficient_funds" })
          // It is written with the next batch, or at once.
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
          books[each.account]!.rows = (yield* program.calls.page(accountId, {}, 100)).rows.length
          break
        }
        case "Credit": {
          const own = books[each.account]!
          own.balance += each.micros
          own.postings++
          const balance = yield* program.accounts.credit({
            ...{
              id: `txn_9${requestOf(turn).slice(5)}`,
              accountId: accountOf(each.account),
              micros: MicroUsd(each.micros),
              at,
            },
          })
          assert.strictEqual(balance, own.balance)
          break
        }
        case "Reverse": {
          const own = books[each.account]!
          const taken = Math.min(each.micros, own.left, own.balance)
          const reversed = yield* program.accounts.reverse({
            ...{ id: `txn_8${requestOf(turn).slice(5)}`, accountId: accountOf(each.account), credit: own.credit, at },
            micros: MicroUsd(each.micros),
          })
          assert.deepStrictEqual([reversed?.taken, reversed?.balance], [taken, own.balance - taken])
          own.balance -= taken
          own.left -= taken
          if (taken > 0) own.postings++
          break
        }
        case "Read":
          yield* exact(each.account)
          break
        case "Flush":
          yield* program.folds.flush(accountOf(each.account))
          break
        case "FoldAll":
          yield* program.folds.all
          break
        case "Slice":
          chargesIn(program.db).folding()()
          break
        case "Reopen":
          yield* program.close
          program = yield* open(file, rows)
      }
    }
    for (const n of [0, 1, 2]) yield* exact(n)
    yield* program.folds.all
    // The tables alone say the same.
    const { sql } = program
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

describe("charges that are not folded", () => {
  it("are exact for every reader, whatever is folded and opened when", { timeout: 60_000 + runs * 2_000 }, () =>
    Effect.runPromise(everyRun(fc.array(operation, { maxLength: 40 }), runs, agrees)),
  )
})
