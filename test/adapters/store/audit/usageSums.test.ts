import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { make, type Part, type Range, reading } from "../../../../adapters/store/audit/usageSums.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import * as Moves from "../../../../adapters/store/trail/usageMoves.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { type Span, spans, type UsageGroup } from "../../../../core/account/Usage.ts"
import * as Step from "../../../../core/Step.ts"
import { day, hour } from "../../../../core/time.ts"

const july = Date.UTC(2026, 6, 1)

interface Sum {
  readonly account?: string
  readonly span: Span
  readonly kind?: UsageGroup
  readonly start: number
  readonly name?: string
  readonly livemode?: number
  readonly calls: number
}

const whole: Range = { from: july, to: july + 2 * day, livemode: undefined }

interface Asked {
  readonly range?: Range
  /** Up to when sums of hours and of days are moved. */
  readonly moved?: { readonly hour?: number; readonly day?: number }
  /** Changes with each fold. */
  readonly folds?: () => string
}

/** Reads the sums of an account over a store that has some. */
const collected = (
  rows: ReadonlyArray<Sum>,
  parts: ReadonlyArray<Part>,
  { range = whole, moved = {}, folds = () => "" }: Asked = {},
) =>
  Effect.gen(function* () {
    const { db } = yield* Sqlite
    const move = db.prepare("UPDATE usage_moves SET done = @to, goal = @to WHERE span = @span")
    for (const span of ["hour", "day"] as const) move.run({ span: spans[span], to: moved[span] ?? 0 })
    const insert = db.prepare("INSERT INTO usage_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    for (const { account = "acct_1", span, kind = "status", start, name = "2xx", livemode = 1, calls } of rows) {
      insert.run(account, spans[span], kind, start, name, livemode, calls, 10 * calls)
    }
    const store = yield* Transactions
    const { state } = Moves.make(store)
    const read = reading(store, (id) => Step.map(state(id), (found) => ({ ...found, version: folds() })))
    return yield* make(read, store.read)("acct_1", range, parts)
  }).pipe(Effect.provide(sqlite.layer(":memory:")))

const sum = (at: number, calls: number, group = "2xx") => ({ at, group, calls, charged: MicroUsd(10 * calls) })

describe("the sums of usage", () => {
  it.effect("are none where there are no calls", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* collected([], []), [])
      assert.deepStrictEqual(
        yield* collected(
          [],
          [
            { kind: "status", span: "hour" },
            { kind: "key", span: "day", isWhole: true },
          ],
        ),
        [[], []],
      )
    }),
  )

  it.effect("are in order of span and group, of the account, the kind and the range alone", () =>
    Effect.gen(function* () {
      const [sums] = yield* collected(
        [
          { span: "hour", start: july + hour, calls: 1 },
          { span: "hour", start: july, name: "4xx", calls: 2 },
          { span: "hour", start: july, calls: 4, livemode: 0 },
          { span: "hour", start: july, calls: 8 },
          { span: "hour", start: july - hour, calls: 16 },
          { span: "hour", start: july + 2 * day, calls: 32 },
          { span: "hour", start: july + 2 * day - hour, calls: 64 },
          { span: "hour", start: july, calls: 128, kind: "key", name: "key_1" },
          { span: "hour", start: july, calls: 256, account: "acct_2" },
        ],
        [{ kind: "status", span: "hour" }],
      )
      assert.deepStrictEqual(sums, [
        sum(july, 12),
        sum(july, 2, "4xx"),
        sum(july + hour, 1),
        sum(july + 2 * day - hour, 64),
      ])
    }),
  )

  it.effect("are of live keys, of test keys, or of both", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<Sum> = [
        { span: "hour", start: july, calls: 1 },
        { span: "hour", start: july, calls: 2, livemode: 0 },
      ]
      for (const [livemode, calls] of [
        [true, 1],
        [false, 2],
        [undefined, 3],
      ] as const) {
        for (const isWhole of [true, false]) {
          const parts = [{ kind: "status", span: "day", isWhole }] as const
          assert.deepStrictEqual(yield* collected(rows, parts, { range: { ...whole, livemode } }), [[sum(july, calls)]])
        }
      }
    }),
  )

  it.effect("are one for the whole range where that is asked for", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<Sum> = [
        { span: "hour", start: july + hour, calls: 1 },
        { span: "hour", start: july + day, calls: 2 },
        { span: "hour", start: july + day, calls: 4, name: "4xx" },
      ]
      assert.deepStrictEqual(
        yield* collected(rows, [
          { kind: "status", span: "day", isWhole: true },
          { kind: "status", span: "day" },
        ]),
        [
          [sum(july, 3), sum(july, 4, "4xx")],
          [sum(july, 1), sum(july + day, 2), sum(july + day, 4, "4xx")],
        ],
      )
    }),
  )

  it.effect("count a call in its hour, or in its day once it was moved there", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<Sum> = [
        { span: "day", start: july, calls: 3 },
        { span: "hour", start: july + 3 * hour, calls: 2 },
        { span: "hour", start: july + day, calls: 2 },
      ]
      for (const [span, sums] of [
        ["day", [sum(july, 5), sum(july + day, 2)]],
        ["month", [sum(july, 7)]],
      ] as const) {
        const parts = [
          { kind: "status", span },
          { kind: "status", span, isWhole: true },
        ] as const
        assert.deepStrictEqual(yield* collected(rows, parts), [[...sums], [sum(july, 7)]])
      }
    }),
  )

  it.effect("count days that became a month once", () =>
    Effect.gen(function* () {
      const range = { ...whole, to: july + 62 * day }
      const rows: ReadonlyArray<Sum> = [
        { span: "month", start: july, calls: 1 },
        { span: "day", start: july + 31 * day, calls: 2 },
        { span: "hour", start: july + 33 * day, calls: 4 },
      ]
      const moved = { hour: july + 33 * day }
      const [months, one] = yield* collected(
        rows,
        [
          { kind: "status", span: "month" },
          { kind: "status", span: "month", isWhole: true },
        ],
        { range, moved },
      )
      assert.deepStrictEqual(months, [sum(july, 1), sum(july + 31 * day, 6)])
      assert.deepStrictEqual(one, [sum(july, 7)])
    }),
  )

  it.effect("are refused before the first span that is kept, with the longer ones as a way out", () =>
    Effect.gen(function* () {
      const moved = { hour: july, day: july + day }
      const ask = (span: Span, from: number) =>
        Effect.either(collected([], [{ kind: "status", span }], { moved, range: { ...whole, from } }))
      const refused = yield* ask("hour", july - hour)
      assert.strictEqual(refused._tag, "Left")
      assert.include(
        JSON.stringify(refused),
        "Usage by the hour is kept from 2026-07-01T00:00:00.000Z; ask for longer spans.",
      )
      assert.include(JSON.stringify(yield* ask("day", july)), "Usage by the day is kept from 2026-07-02T00:00:00.000Z")
      for (const [span, from] of [
        ["hour", july],
        ["day", july + day],
        ["month", 0],
      ] as const) {
        assert.strictEqual((yield* ask(span, from))._tag, "Right", span)
      }
    }),
  )

  it.effect("begin anew when a fold comes in between", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<Sum> = [{ span: "hour", start: july, calls: 1 }]
      for (const isWhole of [true, false]) {
        let asked = 0
        // A fold between the first two looks, and none later.
        const folds = () => (asked++ === 0 ? "1" : "2")
        const parts = [{ kind: "status", span: "day", isWhole }] as const
        assert.deepStrictEqual(yield* collected(rows, parts, { folds }), [[sum(july, 1)]])
        assert.isAbove(asked, 3)
      }
    }),
  )

  it.effect("are all read, however many there are", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 4_001 }, (_, n): Sum => {
        const start = july + (n % 2) * hour
        return { span: "hour", start, name: `status ${String(n).padStart(4, "0")}`, calls: 1 }
      })
      const sums = (span: Span, isWhole: boolean) =>
        Effect.map(collected(rows, [{ kind: "status", span, isWhole }]), ([all]) => all!)
      assert.strictEqual((yield* sums("hour", false)).length, 4_001)
      const one = yield* sums("day", true)
      assert.strictEqual(one.length, 4_001)
      assert.strictEqual(
        one.reduce((total, { calls }) => total + calls, 0),
        4_001,
      )
    }),
  )
})
