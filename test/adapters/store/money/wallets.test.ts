// Proof: takes five seconds or more.
import * as SqlClient from "@effect/sql/SqlClient"
import type { Statement } from "@effect/sql/Statement"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/TestClock"
import { readPage, sumTakenBack } from "../../../../adapters/store/money/journal.ts"
import { AccountStore } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import * as Ulid from "../../../../core/account/Ulid.ts"
import { day } from "../../../../core/time.ts"
import { balanceOf, charge, charges, funded, inMemory, ledgers, suggestionsOf, sum } from "../../../support/accounts.ts"
import { anyAccountsOnDisk } from "../../../support/anyStore.ts"
import { events } from "../../../support/spender.ts"

/** The ids of an account's credits, newest first. */
const creditsOf = (account: string) =>
  Effect.flatMap(Accounts, (accounts) =>
    Effect.map(accounts.journal(account, 10), (postings) =>
      postings.flatMap(({ kind, id }) => (kind === "credit" ? [id] : [])),
    ),
  )

describe("a wallet", () => {
  it.effect("lists every posting, newest first; its balance is their sum", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const owner = yield* funded("one", 0)
        yield* TestClock.setTime(500)
        const { balance } = yield* accounts.credit("one", MicroUsd(5_000))
        assert.strictEqual(balance, 5_000)
        assert.isTrue(yield* charge(owner, "req_1", 1_500))
        assert.isTrue(yield* charge(owner, "req_2", 3_500))
        assert.isFalse(yield* charge(owner, "req_3", 1))
        const postings = yield* accounts.journal("one", 10)
        assert.deepStrictEqual(
          postings.map(({ at, micros, kind, endpoint }) => [at, micros, kind, endpoint]),
          [
            [1_000, -3_500, "charge", "weather_settlement"],
            [1_000, -1_500, "charge", "weather_settlement"],
            [500, 5_000, "credit", undefined],
          ],
        )
        assert.deepStrictEqual(
          postings.slice(0, 2).map(({ id }) => id),
          ["req_2", "req_1"],
        )
        assert.match(postings[2]!.id, /^txn_[0-9A-HJKMNP-TV-Z]{26}$/)
        assert.deepStrictEqual(yield* accounts.journal(owner.id, 2), postings.slice(0, 2))
        assert.strictEqual(yield* balanceOf(owner.id), 0)
        assert.deepStrictEqual(yield* ledgers, { cash: -5_000, revenue: 5_000, [`wallet:${owner.id}`]: 0 })
      }),
    ),
  )

  it.effect("is paged: every posting once, in one order, whatever the size of a page", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const owner = yield* funded("one", 0)
        const other = yield* funded("other", 10)
        yield* charge(other, "req_5", 5)
        for (const at of [500, 2_000, 2_000]) {
          yield* TestClock.setTime(at)
          yield* accounts.credit("one", MicroUsd(1_000))
          const [newest = ""] = yield* creditsOf("one")
          yield* accounts.reverse("one", newest, MicroUsd(10))
        }
        const id = (at: number, rest: string) => `req_${Ulid.encode(at, new Uint8Array(10))}${rest}`
        for (const at of [400, 500, 1_999, 2_000, 2_001]) {
          yield* Effect.forEach(["", "A", "B"], (rest) => charge(owner, id(at, rest), 7, at))
        }
        // A charge that PostgreSQL gave back: its credit has the same place in time.
        const sql = yield* SqlClient.SqlClient
        const given = {
          id: id(1_999, "A").replace("req_", "txn_"),
          at: 1_999,
          kind: "credit",
          account_id: owner.id,
          debit: "revenue",
          credit: `wallet:${owner.id}`,
          micros: 7,
        }
        yield* sql`INSERT INTO journal ${sql.insert(given)}`
        const all = yield* accounts.journal("one", 100)
        assert.lengthOf(all, 22)
        const places = all.map(({ id }) => id.slice(4))
        assert.deepStrictEqual(places, places.toSorted().reverse())
        for (const limit of [1, 2, 3, 7, 21, 22, 23]) {
          const seen: Array<(typeof all)[number]> = []
          for (;;) {
            const page = yield* accounts.journal("one", limit, seen.at(-1)?.id)
            if (page.length === 0) break
            assert.isAtMost(page.length, limit)
            seen.push(...page)
          }
          assert.deepStrictEqual(seen, all)
        }
        const transactions = all.filter(({ id }) => id.startsWith("txn_"))
        assert.isAbove(transactions.length, 1)
        assert.deepStrictEqual(yield* accounts.journal("one", 100, undefined, "transactions"), transactions)
        const [first, ...others] = transactions
        assert.deepStrictEqual(yield* accounts.journal("one", 100, first!.id, "transactions"), others)
      }),
    ),
  )

  it.effect("adds up by day what came from outside and what was taken back, its own alone", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const owner = yield* funded("one", 0)
        const other = yield* funded("other", 10)
        yield* TestClock.setTime(2 * day)
        yield* accounts.credit("one", MicroUsd(1_000))
        yield* TestClock.setTime(3 * day - 1)
        yield* accounts.credit("one", MicroUsd(500))
        const [newest = ""] = yield* creditsOf("one")
        yield* accounts.reverse("one", newest, MicroUsd(300))
        assert.isTrue(yield* charge(owner, "req_1", 7, 2 * day))
        yield* TestClock.setTime(3 * day)
        yield* accounts.credit("one", MicroUsd(7))
        yield* accounts.credit("other", MicroUsd(9))
        const sql = yield* SqlClient.SqlClient
        const back = { debit: "revenue", credit: `wallet:${owner.id}`, micros: 7 }
        yield* sql`INSERT INTO journal ${sql.insert({ id: "txn_1", at: 2 * day, kind: "credit", account_id: owner.id, ...back })}`
        assert.deepStrictEqual(yield* accounts.transfers(owner.id), [
          { at: 2 * day, kind: "credit", lines: 2, micros: 1_500 },
          { at: 2 * day, kind: "reversal", lines: 1, micros: -300 },
          { at: 3 * day, kind: "credit", lines: 1, micros: 7 },
        ])
        const [last] = (yield* accounts.transfers(other.id)).slice(-1)
        assert.deepStrictEqual(last, { at: 3 * day, kind: "credit", lines: 1, micros: 9 })
      }),
    ),
  )

  it.effect("is paged off the primary key, without a sort or a scan", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* funded("one", 0)
        yield* sql`
          INSERT INTO journal (id, at, kind, account_id, debit, credit, micros)
          WITH RECURSIVE n (i) AS (SELECT 1000000 UNION ALL SELECT i + 1 FROM n WHERE i < 1019999)
          SELECT 'req_' || CAST(i AS TEXT), i, 'charge', ${id}, ${`wallet:${id}`}, 'revenue', 1 FROM n`
        yield* sql`ANALYZE journal`
        const planOf = (query: Statement<unknown>) => {
          const [text, params] = query.compile()
          const explain = sql.onDialectOrElse({ sqlite: () => "EXPLAIN QUERY PLAN", orElse: () => "EXPLAIN" })
          return Effect.map(sql.unsafe<Record<string, unknown>>(`${explain} ${text}`, params), (rows) =>
            rows.map((row) => row["detail"] ?? row["QUERY PLAN"]).join("; "),
          )
        }
        for (const prefix of ["req_", "txn_"]) {
          const plan = yield* planOf(readPage(sql, id, prefix, "req_1010000", 501))
          assert.match(plan, /SEARCH journal USING PRIMARY KEY \(account_id=\? AND id>\? AND id<\?\)|Index Scan/)
          assert.notMatch(plan, /SCAN journal|Seq Scan|Sort|TEMP B-TREE/)
        }
        assert.match(
          yield* planOf(sumTakenBack(sql, id, "txn_1")),
          /SEARCH j USING INDEX journal_reverses|(Index|Bitmap Index) Scan (using|on) journal_reverses/,
        )
        const [first] = yield* (yield* Accounts).journal("one", 1, "req_1010000")
        assert.strictEqual(first?.id, "req_1009999")
      }),
    ),
  )

  it.effect("gives credits back: once, in parts, and never more than it has", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const store = yield* AccountStore
        const owner = yield* funded("one", 1_000)
        const other = yield* funded("other", 500)
        const [credit = ""] = yield* creditsOf("one")
        const reverse = (micros?: number) =>
          Effect.map(
            accounts.reverse("one", credit, micros === undefined ? undefined : MicroUsd(micros)),
            ({ taken, left, balance }) => [taken, left, balance],
          )
        assert.deepStrictEqual(yield* reverse(300), [300, 700, 700])
        assert.isTrue(yield* charge(owner, "req_1", 500))
        // All that is left, but no more than the balance.
        assert.deepStrictEqual(yield* reverse(), [200, 500, 0])
        assert.deepStrictEqual(yield* reverse(), [0, 500, 0])
        assert.isFalse(yield* charge(owner, "req_2", 1))
        yield* accounts.credit("one", MicroUsd(900))
        assert.deepStrictEqual(yield* reverse(10_000), [500, 0, 400])
        assert.deepStrictEqual(yield* reverse(), [0, 0, 400])
        const kinds = (yield* accounts.journal("one", 10)).map(({ kind, micros, reverses }) => [kind, micros, reverses])
        assert.sameDeepMembers(kinds, [
          ["credit", 900, undefined],
          ["credit", 1_000, undefined],
          ["charge", -500, undefined],
          ["reversal", -300, credit],
          ["reversal", -200, credit],
          ["reversal", -500, credit],
        ])
        const postings = yield* accounts.journal("one", 10)
        for (const id of [...postings.filter(({ kind }) => kind !== "credit").map(({ id }) => id), "txn_0"]) {
          assert.strictEqual((yield* Effect.flip(accounts.reverse("one", id))).code, "not_found")
        }
        assert.strictEqual((yield* Effect.flip(accounts.reverse("other", credit))).code, "not_found")
        assert.strictEqual((yield* Effect.flip(accounts.reverse("one", credit, MicroUsd(0)))).code, "invalid_parameter")
        // The same transaction again takes nothing more.
        const [newest = ""] = yield* creditsOf("other")
        const again = { id: "txn_dispute", accountId: other.id, credit: newest, micros: MicroUsd(100), at: 5 }
        for (const _ of [1, 2]) {
          assert.deepStrictEqual(yield* store.reverse(again), { taken: 100, left: 400, balance: 400 })
        }
        assert.deepStrictEqual(yield* ledgers, {
          cash: -1_300,
          revenue: 500,
          [`wallet:${owner.id}`]: 400,
          [`wallet:${other.id}`]: 400,
        })
      }),
    ),
  )

  it.scoped("gives a credit back once, whatever asks and charges at the same time", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const owner = yield* funded("one", 1_000)
      const [credit = ""] = yield* creditsOf("one")
      const [taken, paid] = yield* Effect.all(
        [
          Effect.forEach(Arr.range(1, 20), () => accounts.reverse("one", credit, MicroUsd(70)), {
            concurrency: "unbounded",
          }),
          Effect.forEach(Arr.range(1, 20), (n) => charge(owner, `req_${n}`, 30), { concurrency: "unbounded" }),
        ],
        { concurrency: "unbounded" },
      )
      const back = sum(taken.map(({ taken }) => taken))
      const spent = 30 * paid.filter((each) => each).length
      assert.isAtMost(back + spent, 1_000)
      assert.strictEqual(yield* balanceOf(owner.id), 1_000 - back - spent)
      assert.deepStrictEqual(yield* ledgers, {
        cash: back - 1_000,
        ...(spent === 0 ? {} : { revenue: spent }),
        [`wallet:${owner.id}`]: 1_000 - back - spent,
      })
    }).pipe(Effect.provide(anyAccountsOnDisk)),
  )

  it.effect("accepts only amounts above zero, up to the largest safe integer", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* funded("one", 0)
        for (const micros of [0, -1, -5_000_000]) {
          const failure = yield* Effect.flip(accounts.credit(id, MicroUsd(micros)))
          assert.strictEqual(suggestionsOf(failure), "micros must be above 0.")
        }
        assert.strictEqual((yield* accounts.credit(id, MicroUsd(Number.MAX_SAFE_INTEGER - 1))).balance, 2 ** 53 - 2)
        assert.strictEqual((yield* Effect.flip(accounts.credit(id, MicroUsd(2)))).code, "invalid_parameter")
        assert.strictEqual((yield* accounts.credit(id, MicroUsd(1))).balance, 2 ** 53 - 1)
        assert.strictEqual((yield* Effect.flip(accounts.credit(id, MicroUsd(1)))).code, "invalid_parameter")
        assert.strictEqual(yield* balanceOf(id), Number.MAX_SAFE_INTEGER)
        assert.strictEqual(sum((yield* accounts.journal(id, 10)).map(({ micros }) => micros)), Number.MAX_SAFE_INTEGER)
      }),
    ),
  )

  it.effect("is never charged twice for one request", () =>
    inMemory(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const one = yield* funded("one", 1_000)
        yield* accounts.setLowBalance(one.id, MicroUsd(900))
        assert.isTrue(yield* charge(one, "req_1", 100))
        const before = yield* accounts.journal(one.id, 10)
        for (const micros of [100, 7]) {
          const exit = yield* Effect.exit(charge(one, "req_1", micros))
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause), "a second charge is a bug of the caller")
        }
        assert.deepStrictEqual(yield* accounts.journal(one.id, 10), before)
        assert.strictEqual(yield* balanceOf(one.id), 900)
        assert.deepStrictEqual(yield* events, [])
        assert.isTrue(yield* charge(one, "req_2", 100))
      }),
    ),
  )

  it.effect("of an unknown account is empty and pays nothing", () =>
    inMemory(
      Effect.gen(function* () {
        assert.strictEqual(yield* balanceOf("acct_0"), 0)
        assert.isFalse(yield* charge({ id: "acct_0", keyId: "key_0" }, "req_1", 1))
        assert.strictEqual(yield* charges, 0)
      }),
    ),
  )
})
