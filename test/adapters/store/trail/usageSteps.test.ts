import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import { make, type Size } from "../../../../adapters/store/trail/usageSteps.ts"
import { run } from "../../../../core/Step.ts"
import { day, hour } from "../../../../core/time.ts"

interface Step {
  readonly step: "days" | "hours" | "months"
  readonly done: number
  readonly goal: number
  readonly account_id?: string
  readonly kind?: string
  readonly start?: number
}

const atRest: ReadonlyArray<Step> = (["days", "hours", "months"] as const).map((step) => ({ step, done: 0, goal: 0 }))

/** Steps over a new store, as far as given, and its connection. */
const over = <A, E>(rows: ReadonlyArray<Step>, work: (db: Sqlite["Type"]["db"]) => Effect.Effect<A, E, Transactions>) =>
  Effect.gen(function* () {
    const { db } = yield* Sqlite
    db.exec("DELETE FROM usage_steps")
    const insert = db.prepare("INSERT INTO usage_steps VALUES (@step, @done, @goal, @account_id, @kind, @start)")
    for (const row of rows) insert.run({ account_id: "", kind: "", start: 0, ...row })
    return yield* work(db)
  }).pipe(Effect.provide(sqlite.layer(":memory:")))

const stateOf = (rows: ReadonlyArray<Step>, accountId = "acct_5") =>
  over(rows, () => Effect.flatMap(Transactions, (store) => run(make(store).state(accountId))))

const [done, goal] = [3 * day, 5 * day]
const days = { step: "days", done, goal } as const

describe("the state of an account's sums of usage", () => {
  it.effect("begins with the first hours and days that were not put away", () =>
    Effect.gen(function* () {
      const none = yield* stateOf([])
      const spans = ["hour", "day", "month"] as const
      assert.deepStrictEqual(spans.map(none.oldest), [0, 0, 0])
      assert.strictEqual(none.since("key"), 0)
      const some = yield* stateOf([
        { step: "hours", done: day, goal: 2 * day },
        { step: "months", done: 0, goal: 9 * day },
      ])
      assert.deepStrictEqual(spans.map(some.oldest), [2 * day, 9 * day, 0])
    }),
  )

  it.effect(
    "has hours in their days as far as the step of days is: before the account, past it, or among its sums",
    () =>
      Effect.gen(function* () {
        for (const [row, since] of [
          [{ ...days, done: goal, account_id: "acct_9" }, goal],
          [{ ...days, account_id: "acct_4" }, done],
          [{ ...days, account_id: "acct_6" }, goal],
          [{ ...days, account_id: "acct_5", kind: "endpoint", start: 4 * day }, done],
          [{ ...days, account_id: "acct_5", kind: "status", start: 4 * day }, goal],
          [{ ...days, account_id: "acct_5", kind: "key", start: 4 * day }, 4 * day + hour],
          [{ ...days, account_id: "acct_5", kind: "key", start: day }, done],
        ] as ReadonlyArray<readonly [Step, number]>) {
          assert.strictEqual((yield* stateOf([row])).since("key"), since, JSON.stringify(row))
        }
      }),
  )

  it.effect("has a version that changes with what the steps do to the account, and only with that", () =>
    Effect.gen(function* () {
      const version = (row: Step) => Effect.map(stateOf([row]), (state) => state.version)
      const before = yield* version({ ...days, account_id: "acct_3" })
      assert.strictEqual(yield* version({ ...days, account_id: "acct_4", kind: "key" }), before)
      const others = yield* Effect.forEach(
        [
          { ...days, account_id: "acct_5", kind: "key", start: 1 },
          { ...days, account_id: "acct_5", kind: "key", start: 2 },
          { ...days, account_id: "acct_5", kind: "status", start: 1 },
          { ...days, account_id: "acct_6" },
          { ...days, done: goal },
          { ...days, done: goal, goal: goal + day },
        ],
        version,
      )
      assert.strictEqual(new Set([before, ...others]).size, 7)
      assert.strictEqual(
        yield* version({ ...days, done: goal, account_id: "acct_5" }),
        yield* version({ ...days, done: goal, account_id: "acct_9", kind: "key" }),
      )
    }),
  )
})

const june = Date.UTC(2026, 5, 30)
const now = Date.UTC(2026, 6, 2, 1)

/** Sums of hours: the account, the start, the calls. */
type Hour = readonly [account: string, start: number, calls: number]

/** Runs the steps until there is nothing left; gives back the number of slices and the sums of a span. */
const stepped = (hours: ReadonlyArray<Hour>, times: ReadonlyArray<number>, size?: Size) =>
  over(atRest, (db) =>
    Effect.gen(function* () {
      const insert = db.prepare("INSERT INTO usage_sums VALUES (?, ?, 'status', ?, '2xx', 1, ?, ?)")
      for (const [account, start, calls] of hours) insert.run(account, hour, start, calls, 10 * calls)
      const store = yield* Transactions
      const { slice } = make(store, size)
      let slices = 0
      for (const time of times) while (yield* store.write(() => slice(time))) slices++
      const sums = (span: number) =>
        db
          .prepare("SELECT account_id, start, calls, charged_micros FROM usage_sums WHERE span = ? ORDER BY 1, 2")
          .raw()
          .all(span)
      return { slices, hours: sums(hour), days: sums(day), months: sums(31 * day) }
    }),
  )

const some: ReadonlyArray<Hour> = [
  ["acct_1", june, 1],
  ["acct_1", june + 23 * hour, 2],
  ["acct_1", june + day, 4],
  ["acct_2", june + 5 * hour, 8],
  ["acct_3", june + 6 * hour, 16],
]
const added = (hours: ReadonlyArray<Hour>) =>
  hours.map(([account, start, calls]) => [account, start, calls, 10 * calls])

describe("the steps of usage", () => {
  it.effect("add the hours of past days to their days, an hour after the day is over, and keep them", () =>
    Effect.gen(function* () {
      const before = yield* stepped(some, [now - 1])
      assert.deepStrictEqual(
        before.days,
        added([
          ["acct_1", june, 3],
          ["acct_2", june, 8],
          ["acct_3", june, 16],
        ]),
      )
      assert.deepStrictEqual(before.hours, added(some))
      const after = yield* stepped(some, [now - 1, now, now])
      assert.deepStrictEqual(
        after.days,
        added([
          ["acct_1", june, 3],
          ["acct_1", june + day, 4],
          ["acct_2", june, 8],
          ["acct_3", june, 16],
        ]),
      )
      assert.deepStrictEqual(after.months, [])
    }),
  )

  it.effect("do the same in slices of any size", () =>
    Effect.gen(function* () {
      const whole = yield* stepped(some, [now])
      assert.strictEqual(whole.slices, 3)
      const small = yield* stepped(some, [now], { sums: 1, accounts: 2 })
      assert.isAbove(small.slices, 6)
      assert.deepStrictEqual({ ...small, slices: 0 }, { ...whole, slices: 0 })
    }),
  )

  it.effect("delete hours after 32 days", () =>
    Effect.gen(function* () {
      const at = june + 33 * day
      assert.deepStrictEqual((yield* stepped(some, [at - 1])).hours, added(some))
      assert.deepStrictEqual((yield* stepped(some, [at])).hours, added([["acct_1", june + day, 4]]))
      assert.strictEqual((yield* stepped(some, [at])).days.length, 4)
    }),
  )

  it.effect("make months of days when these are older than 550 days", () =>
    Effect.gen(function* () {
      const at = Date.UTC(2026, 6, 1) + 550 * day
      const before = yield* stepped(some, [at - 1])
      assert.strictEqual(before.days.length, 4)
      assert.deepStrictEqual(before.months, [])
      const after = yield* stepped(some, [at])
      const month = Date.UTC(2026, 5)
      assert.deepStrictEqual(
        after.months,
        added([
          ["acct_1", month, 3],
          ["acct_2", month, 8],
          ["acct_3", month, 16],
        ]),
      )
      assert.deepStrictEqual(after.days, added([["acct_1", june + day, 4]]))
    }),
  )

  it.effect("do nothing where there is nothing to do", () =>
    Effect.gen(function* () {
      const none = yield* stepped([], [now, now])
      assert.deepStrictEqual(none, { slices: 3, hours: [], days: [], months: [] })
      assert.strictEqual((yield* stepped(some, [hour])).slices, 0)
    }),
  )
})
