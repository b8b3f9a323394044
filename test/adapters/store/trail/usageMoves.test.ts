import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import { make, type Size, spanAt } from "../../../../adapters/store/trail/usageMoves.ts"
import { run } from "../../../../core/Step.ts"
import { day, hour } from "../../../../core/time.ts"

interface Move {
  readonly done: number
  readonly goal: number
  readonly account_id?: string
  readonly slices?: number
}

const stateOf = (move: Move, accountId = "acct_5") =>
  Effect.gen(function* () {
    const { db } = yield* Sqlite
    db.prepare(`
      UPDATE usage_moves SET done = @done, goal = @goal, account_id = @account_id, slices = @slices WHERE span = ${hour}`).run(
      {
        account_id: "",
        slices: 0,
        ...move,
      },
    )
    const store = yield* Transactions
    return yield* run(make(store).state(accountId))
  }).pipe(Effect.provide(sqlite.layer(":memory:")))

const [done, goal] = [3 * day, 5 * day]

describe("the state of an account's sums of usage", () => {
  it.effect("is how far those of hours and of days are moved", () =>
    Effect.gen(function* () {
      const state = yield* stateOf({ done, goal })
      assert.deepStrictEqual(
        (["hour", "day", "month"] as const).map((span) => [state.done(span), state.goal(span)]),
        [
          [done, goal],
          [0, 0],
          [0, 0],
        ],
      )
    }),
  )

  it.effect("has a version that changes with what is moved of the account, and only with that", () =>
    Effect.gen(function* () {
      const version = (move: Partial<Move>) => Effect.map(stateOf({ done, goal, ...move }), (state) => state.version)
      const before = yield* version({ account_id: "acct_3" })
      assert.strictEqual(yield* version({ account_id: "acct_4", slices: 7 }), before)
      const others = yield* Effect.forEach(
        [
          { account_id: "acct_5", slices: 1 },
          { account_id: "acct_5", slices: 2 },
          { account_id: "acct_6" },
          { done: goal },
          { done: goal, goal: goal + day },
        ],
        version,
      )
      assert.strictEqual(new Set([before, ...others]).size, 6)
      assert.strictEqual(
        yield* version({ done: goal, account_id: "acct_5" }),
        yield* version({ done: goal, account_id: "acct_9", slices: 3 }),
      )
    }),
  )

  it("says in which span a call is counted", () => {
    const goals = [
      { span: hour, goal: 40 * day },
      { span: day, goal: 31 * day },
    ]
    assert.deepStrictEqual(
      [40 * day, 40 * day - 1, 31 * day, 31 * day - 1].map((time) => spanAt(goals, time)),
      ["hour", "day", "day", "month"],
    )
  })
})

const june = Date.UTC(2026, 5, 30)

/** Sums of hours: the account, the start, the calls. */
type Hour = readonly [account: string, start: number, calls: number]

/** Moves sums at some times until there is nothing left; gives back the number of slices and the sums of each span. */
const moved = (hours: ReadonlyArray<Hour>, times: ReadonlyArray<number>, size?: Size) =>
  Effect.gen(function* () {
    const { db } = yield* Sqlite
    const insert = db.prepare("INSERT INTO usage_sums VALUES (?, ?, ?, ?, '2xx', 1, ?, ?)")
    for (const kind of ["agent", "status"])
      for (const [account, start, calls] of hours) insert.run(account, hour, kind, start, calls, 10 * calls)
    const store = yield* Transactions
    const { slice } = make(store, size)
    let slices = 0
    for (const time of times) while (yield* store.write(() => slice(time))) slices++
    const sums = (span: number, kind: string) =>
      db
        .prepare(
          "SELECT account_id, start, calls, charged_micros FROM usage_sums WHERE span = ? AND kind = ? ORDER BY 1, 2",
        )
        .raw()
        .all(span, kind)
    for (const span of [hour, day, 31 * day]) assert.deepStrictEqual(sums(span, "agent"), sums(span, "status"))
    return { slices, hours: sums(hour, "status"), days: sums(day, "status"), months: sums(31 * day, "status") }
  }).pipe(Effect.provide(sqlite.layer(":memory:")))

const some: ReadonlyArray<Hour> = [
  ["acct_1", june, 1],
  ["acct_1", june + 23 * hour, 2],
  ["acct_1", june + day, 4],
  ["acct_2", june + 5 * hour, 8],
  ["acct_3", june + 6 * hour, 16],
]
const added = (hours: ReadonlyArray<Hour>) =>
  hours.map(([account, start, calls]) => [account, start, calls, 10 * calls])
const ofJune = (start: number) =>
  added([
    ["acct_1", start, 3],
    ["acct_2", start, 8],
    ["acct_3", start, 16],
  ])

describe("sums of usage", () => {
  it.effect("become sums of days after 32 days", () =>
    Effect.gen(function* () {
      const time = june + 33 * day
      assert.deepStrictEqual(yield* moved(some, [time - 1]), { slices: 2, hours: added(some), days: [], months: [] })
      const after = yield* moved(some, [time, time])
      assert.deepStrictEqual(after.days, ofJune(june))
      assert.deepStrictEqual(after.hours, added([["acct_1", june + day, 4]]))
      assert.deepStrictEqual(after.months, [])
    }),
  )

  it.effect("become sums of months when they are older than 550 days", () =>
    Effect.gen(function* () {
      const time = june + day + 550 * day
      const before = yield* moved(some, [time - 1])
      assert.lengthOf(before.days, 4)
      assert.deepStrictEqual([before.hours, before.months], [[], []])
      const after = yield* moved(some, [time])
      assert.deepStrictEqual(after.months, ofJune(Date.UTC(2026, 5)))
      assert.deepStrictEqual(after.days, added([["acct_1", june + day, 4]]))
    }),
  )

  it.effect("are moved alike in slices of any size", () =>
    Effect.gen(function* () {
      const time = june + 600 * day
      const whole = yield* moved(some, [time])
      assert.strictEqual(whole.slices, 2)
      for (const size of [
        { sums: 1, accounts: 2 },
        { sums: 2, accounts: 3 },
        { sums: 1_000, accounts: 2 },
      ]) {
        const small = yield* moved(some, [time], size)
        assert.isAbove(small.slices, 4)
        assert.deepStrictEqual({ ...small, slices: 0 }, { ...whole, slices: 0 })
      }
    }),
  )

  it.effect("stay where there is nothing to move", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* moved([], [june, june]), { slices: 2, hours: [], days: [], months: [] })
      assert.strictEqual((yield* moved(some, [hour])).slices, 0)
    }),
  )
})
