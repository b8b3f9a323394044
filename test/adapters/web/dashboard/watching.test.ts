import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { diffValues, encoded, listValues } from "../../../../adapters/web/dashboard/live/values.ts"
import { everyMs, make, type Watcher } from "../../../../adapters/web/dashboard/live/watching.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"

/** Readings that are counted, of a store whose answers a test sets. */
const counted = () => {
  const reads: Array<string> = []
  const store = { value: "1", takes: 0, failure: undefined as Failure | undefined, defect: false }
  const readOf = (accountId: string) =>
    Effect.gen(function* () {
      reads.push(accountId)
      const { value, takes, failure, defect } = store
      if (takes > 0) yield* Effect.sleep(takes)
      if (failure !== undefined) return yield* failure
      if (defect) return yield* Effect.dieMessage("The reading has a bug.")
      return new Map([
        ["same", '{"text":"same"}'],
        [accountId, JSON.stringify({ text: value })],
      ])
    })
  return { reads, store, readOf }
}

/** A watcher that keeps what it is told. */
const watcher = () => {
  const told: Array<unknown> = []
  const is: Watcher = {
    changed: (values) => void told.push(JSON.parse(values)),
    failed: () => void told.push("failed"),
  }
  return { told, is }
}

/** Lets the fibers run without any time passing. */
const settle = Effect.repeatN(Effect.yieldNow(), 20)
const pass = (ms: number) => Effect.zipRight(TestClock.adjust(ms), settle)

const over = (
  body: (
    given: ReturnType<typeof counted> & { readonly watch: (accountId: string, watcher: Watcher) => () => void },
  ) => Effect.Effect<void, never, Scope>,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const given = counted()
      // A reading that has begun ends before the scope does.
      yield* Effect.ensuring(body({ ...given, watch: yield* make(given.readOf) }), TestClock.adjust(10_000))
    }),
  )

describe("an account that is watched", () => {
  it.effect("is read once a second for all who watch, who are told what changed", () =>
    over(({ watch, reads, store }) =>
      Effect.gen(function* () {
        const [one, two] = [watcher(), watcher()]
        watch("a", one.is)
        yield* settle
        const all = { same: { text: "same" }, a: { text: "1" } }
        assert.deepStrictEqual(one.told, [all])
        watch("a", two.is)
        assert.deepStrictEqual(two.told, [all])
        yield* pass(everyMs)
        assert.deepStrictEqual([reads.length, one.told.length, two.told.length], [2, 1, 1])
        store.value = "2"
        yield* pass(everyMs)
        assert.deepStrictEqual([one.told.at(-1), two.told.at(-1)], [{ a: { text: "2" } }, { a: { text: "2" } }])
        yield* pass(10 * everyMs)
        assert.deepStrictEqual([reads.length, one.told.length, two.told.length], [13, 2, 2])
      }),
    ),
  )

  it.effect("is read no more when the last has left, and anew for the next", () =>
    over(({ watch, reads }) =>
      Effect.gen(function* () {
        const [one, two] = [watcher(), watcher()]
        const leave = watch("a", one.is)
        const other = watch("a", two.is)
        yield* settle
        leave()
        yield* pass(everyMs)
        assert.strictEqual(reads.length, 2)
        other()
        other()
        yield* pass(10 * everyMs)
        assert.strictEqual(reads.length, 2)
        assert.notInclude(two.told, "failed")
        const again = watcher()
        watch("a", again.is)
        yield* settle
        assert.deepStrictEqual([reads.length, again.told.length], [3, 1])
      }),
    ),
  )

  it.effect("has nothing of another", () =>
    over(({ watch, reads }) =>
      Effect.gen(function* () {
        const [one, two] = [watcher(), watcher()]
        watch("a", one.is)
        watch("b", two.is)
        yield* settle
        assert.deepStrictEqual(reads, ["a", "b"])
        assert.deepStrictEqual(Object.keys(two.told[0] as object), ["same", "b"])
      }),
    ),
  )

  it.effect("is read less often by a store that is slow, one account at a time", () =>
    over(({ watch, reads, store }) =>
      Effect.gen(function* () {
        store.takes = 500
        watch("a", watcher().is)
        watch("b", watcher().is)
        yield* settle
        assert.deepStrictEqual(reads, ["a"])
        yield* pass(500)
        assert.deepStrictEqual(reads, ["a", "b"])
        yield* pass(4_999)
        assert.strictEqual(reads.length, 2)
        yield* pass(1)
        assert.deepStrictEqual(reads, ["a", "b", "a"])
      }),
    ),
  )

  it.effect("is read again five seconds after a reading, however slow that was", () =>
    over(({ watch, reads, store }) =>
      Effect.gen(function* () {
        store.takes = 3_000
        watch("a", watcher().is)
        yield* settle
        yield* pass(3_000)
        yield* pass(4_999)
        assert.strictEqual(reads.length, 1)
        yield* pass(1)
        assert.strictEqual(reads.length, 2)
        yield* pass(3_000)
      }),
    ),
  )

  it.effect.each([
    ["does not answer", { failure: fail("storage_unavailable") }],
    ["answers with a bug", { defect: true }],
  ] as const)("whose store %s: all are told, and it is read again for the next", ([_, wrong]) =>
    over(({ watch, reads, store }) =>
      Effect.gen(function* () {
        const [one, two, late] = [watcher(), watcher(), watcher()]
        const leave = watch("a", one.is)
        watch("a", two.is)
        yield* settle
        Object.assign(store, wrong)
        yield* pass(everyMs)
        assert.deepStrictEqual([one.told.at(-1), two.told.at(-1)], ["failed", "failed"])
        yield* pass(10 * everyMs)
        assert.strictEqual(reads.length, 2)
        Object.assign(store, { failure: undefined, defect: false })
        watch("a", late.is)
        // Of a reading that is over already.
        leave()
        yield* pass(everyMs)
        assert.deepStrictEqual([reads.length, late.told.length], [4, 1])
      }),
    ),
  )
})

describe("values", () => {
  const figures = {
    now: 0,
    account: {},
    balance: 5_000_000,
    usage: {
      month: { calls: 3, charged: MicroUsd(20_000) },
      today: { calls: 2, charged: MicroUsd(10_000) },
      failed: { calls: 1, charged: MicroUsd(0) },
    },
    agents: [],
    keys: [],
    call: undefined,
    posting: undefined,
    urgent: [],
  }

  it("are sent by name, and only those that differ", () => {
    const before = encoded(listValues(figures))
    assert.isUndefined(diffValues(before, before))
    const after = encoded(listValues({ ...figures, balance: 4_990_000, call: "req_1" }))
    assert.deepStrictEqual(JSON.parse(diffValues(before, after)!), {
      balance: { text: "4.99 USD" },
      "newest.call": { text: "req_1" },
    })
  })

  it("have one name each", () => {
    const all = listValues(figures).map(({ name }) => name)
    assert.strictEqual(new Set(all).size, all.length)
  })
})
