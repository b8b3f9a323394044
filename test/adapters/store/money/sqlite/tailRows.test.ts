import { assert, describe, it } from "@effect/vitest"
import { make } from "../../../../../adapters/store/money/sqlite/tailRows.ts"
import type { TailRow } from "../../../../../adapters/store/trail/rows.ts"

const june = Date.UTC(2026, 5, 30, 23, 59)
const july = Date.UTC(2026, 6, 1)

const row = (seq: number, more: Partial<TailRow> = {}): TailRow => ({
  month: "2026-07",
  seq,
  at: july + seq,
  account: 1,
  accountId: "acct_1",
  keyId: "key_1",
  micros: 10,
  ...more,
})

/** A tail with some rows. */
const tailOf = (...rows: ReadonlyArray<TailRow>) => {
  const tail = make()
  for (const each of rows) tail.add(each)
  return tail
}

describe("rows of the trail that are not folded", () => {
  it("are none at first", () => {
    const tail = make()
    assert.strictEqual(tail.size(), 0)
    assert.isUndefined(tail.own("acct_1"))
    assert.deepStrictEqual(tail.accountIds(), [])
    assert.isUndefined(tail.lastUsed("key_1"))
    assert.strictEqual(tail.keySpent("key_1", "2026-07"), 0)
    assert.isUndefined(tail.oldest("acct_1", 10, new Map([["2026-07", 10]])))
    assert.strictEqual(tail.place("acct_1", "2026-07"), 0)
    assert.deepStrictEqual(tail.upTo("acct_1", "2026-07", 10), [])
    assert.strictEqual(tail.passes("acct_1"), 0)
    assert.isFalse(tail.hasLong())
  })

  it("are counted and added up by account, by key, and by the month of the call, not by that of their table", () => {
    const tail = tailOf(
      row(1, { at: june }),
      row(2, { keyId: "key_2", micros: 5 }),
      row(3, { micros: 0 }),
      row(4, { accountId: "acct_0", account: 2, keyId: "key_3", micros: 7 }),
      row(1, { month: "2026-08" }),
    )
    assert.strictEqual(tail.size(), 5)
    assert.deepStrictEqual(tail.accountIds(), ["acct_0", "acct_1"])
    assert.deepStrictEqual(tail.own("acct_1"), {
      account: 1,
      rows: new Map([
        ["2026-07", [1, 2, 3]],
        ["2026-08", [1]],
      ]),
      count: 4,
      micros: 25,
      spent: new Map([
        ["2026-06", 10],
        ["2026-07", 15],
      ]),
    })
    assert.strictEqual(tail.keySpent("key_1", "2026-06"), 10)
    assert.strictEqual(tail.keySpent("key_1", "2026-07"), 10)
    assert.strictEqual(tail.keySpent("key_2", "2026-07"), 5)
    assert.strictEqual(tail.keySpent("key_2", "2026-06"), 0)
    assert.deepStrictEqual(
      [...tail.ends],
      [
        ["2026-07", 4],
        ["2026-08", 1],
      ],
    )
  })

  it("have the newest call of a key, free ones too, in whatever order they come", () => {
    const tail = tailOf(row(1, { at: july + 5, micros: 0 }), row(2, { at: july + 3 }))
    assert.strictEqual(tail.lastUsed("key_1"), july + 5)
    tail.add(row(3, { at: july + 6 }))
    assert.strictEqual(tail.lastUsed("key_1"), july + 6)
  })

  it("give the oldest of one month, up to a count and to the end of the month", () => {
    const tail = tailOf(row(2), row(4), row(7), row(1, { month: "2026-08" }))
    const oldest = (most: number, july: number, august = 0) =>
      tail.oldest(
        "acct_1",
        most,
        new Map([
          ["2026-07", july],
          ["2026-08", august],
        ]),
      )
    assert.deepStrictEqual(oldest(10, 7, 1), { month: "2026-07", seqs: [2, 4, 7] })
    assert.deepStrictEqual(oldest(2, 7), { month: "2026-07", seqs: [2, 4] })
    assert.deepStrictEqual(oldest(10, 4), { month: "2026-07", seqs: [2, 4] })
    assert.deepStrictEqual(oldest(10, 3), { month: "2026-07", seqs: [2] })
    assert.deepStrictEqual(oldest(10, 1, 1), { month: "2026-08", seqs: [1] })
    assert.isUndefined(oldest(10, 1))
    assert.isUndefined(tail.oldest("acct_1", 10, new Map()))
    assert.isUndefined(tail.oldest("acct_2", 10, new Map([["2026-07", 7]])))
  })

  it("have a place before the first of an account, or at the end of the month", () => {
    const tail = tailOf(row(4), row(5), row(6, { accountId: "acct_2" }))
    assert.strictEqual(tail.place("acct_1", "2026-07"), 3)
    assert.strictEqual(tail.place("acct_2", "2026-07"), 5)
    assert.strictEqual(tail.place("acct_3", "2026-07"), 6)
    assert.strictEqual(tail.place("acct_1", "2026-08"), 0)
    tail.reach("2026-08", 9)
    assert.strictEqual(tail.place("acct_1", "2026-08"), 9)
  })

  it("are given up to a number", () => {
    const tail = tailOf(row(2), row(4))
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map((seq) => tail.upTo("acct_1", "2026-07", seq)),
      [[], [2], [2], [2, 4], [2, 4]],
    )
    assert.deepStrictEqual(tail.upTo("acct_1", "2026-08", 5), [])
  })

  it("are gone when they are folded, with their charges; the last use stays", () => {
    const all = [row(1, { at: june }), row(2, { micros: 0 }), row(3, { keyId: "key_2", micros: 5 })]
    const tail = tailOf(...all)
    tail.pass("acct_1", "2026-07", all.slice(0, 2))
    assert.strictEqual(tail.size(), 1)
    assert.deepStrictEqual(tail.own("acct_1"), {
      account: 1,
      rows: new Map([["2026-07", [3]]]),
      count: 1,
      micros: 5,
      spent: new Map([["2026-07", 5]]),
    })
    assert.strictEqual(tail.keySpent("key_1", "2026-06"), 0)
    assert.strictEqual(tail.lastUsed("key_1"), july + 2)
    assert.strictEqual(tail.passes("acct_1"), 1)
    tail.pass("acct_1", "2026-07", all.slice(2))
    assert.isUndefined(tail.own("acct_1"))
    assert.deepStrictEqual(tail.accountIds(), [])
    assert.strictEqual(tail.size(), 0)
    assert.strictEqual(tail.passes("acct_1"), 2)
    assert.strictEqual(tail.place("acct_1", "2026-07"), 3)
  })

  it("stay where those that were folded are of an account or month that has none", () => {
    const tail = tailOf(row(1))
    tail.pass("acct_2", "2026-07", [row(1)])
    tail.pass("acct_1", "2026-08", [row(1)])
    assert.strictEqual(tail.size(), 1)
    assert.strictEqual(tail.own("acct_1")?.micros, 10)
    assert.strictEqual(tail.passes("acct_1") + tail.passes("acct_2"), 0)
  })

  it("keep an account while another month has rows of it", () => {
    const tail = tailOf(row(1), row(1, { month: "2026-08" }))
    tail.pass("acct_1", "2026-07", [row(1)])
    assert.deepStrictEqual([...tail.own("acct_1")!.rows], [["2026-08", [1]]])
  })

  it("of an account that comes to 5,000 are told of once", () => {
    const tail = make()
    for (let seq = 1; seq < 5_000; seq++) tail.add(row(seq))
    assert.isFalse(tail.hasLong())
    tail.add(row(5_000))
    assert.isTrue(tail.hasLong())
    assert.deepStrictEqual(tail.takeLong(), ["acct_1"])
    assert.isFalse(tail.hasLong())
    tail.add(row(5_001))
    assert.deepStrictEqual(tail.takeLong(), [])
  })

  it("are all gone when the tail is cleared", () => {
    const tail = tailOf(row(1), row(2))
    tail.pass("acct_1", "2026-07", [row(1)])
    tail.clear()
    assert.strictEqual(tail.size(), 0)
    assert.deepStrictEqual(tail.accountIds(), [])
    assert.strictEqual(tail.keySpent("key_1", "2026-07"), 0)
    assert.isUndefined(tail.lastUsed("key_1"))
    assert.strictEqual(tail.ends.size, 0)
    assert.strictEqual(tail.passes("acct_1"), 0)
  })
})
