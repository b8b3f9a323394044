import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { counted, make } from "../../../../../adapters/store/money/sqlite/replySums.ts"

const dayMs = 86_400_000

/** Free answers of a key on day 3, numbered from 1, of a byte each. */
const numbered = (count: number, keyId = "key_1") =>
  Array.from({ length: count }, (_, n) => counted(n + 1, keyId, 3 * dayMs, 1, false))

/** Sums over a new store, and what its table has of them. */
const inStore = <A>(use: (sums: ReturnType<typeof make>, table: () => ReadonlyArray<unknown>) => A) =>
  Effect.map(Sqlite, ({ db }) =>
    use(make(db), () => db.prepare("SELECT key_id, day, charged, free FROM reply_bytes ORDER BY 1, 2").raw().all()),
  ).pipe(Effect.provide(sqlite.layer(":memory:")))

describe("the bytes of a stored answer", () => {
  it("are its length and those of its row, in the UTC day of the call", () => {
    assert.deepStrictEqual(counted(7, "key_1", 3 * dayMs, 100, true), {
      seq: 7,
      keyId: "key_1",
      today: 3,
      bytes: { charged: 356, free: 0 },
    })
    assert.deepStrictEqual(counted(8, "key_1", 3 * dayMs - 1, 0, false), {
      seq: 8,
      keyId: "key_1",
      today: 2,
      bytes: { charged: 0, free: 256 },
    })
  })
})

describe("the sums of stored bytes", () => {
  it.effect("are nothing at first, and there is nothing to fold", () =>
    inStore((sums, table) => {
      assert.strictEqual(sums.size(), 0)
      assert.deepStrictEqual(sums.used("key_1", 3), { charged: 0, free: 0 })
      assert.isUndefined(sums.fold(100))
      assert.deepStrictEqual(table(), [])
    }),
  )

  it.effect("are of a key and a day, charged and free apart, and stay the same while rows are folded", () =>
    inStore((sums, table) => {
      sums.add(counted(1, "key_2", 3 * dayMs, 4, true))
      sums.add(counted(2, "key_1", 3 * dayMs, 44, false))
      sums.add(counted(3, "key_1", 3 * dayMs, 4, true))
      sums.add(counted(4, "key_1", 4 * dayMs, 0, true))
      const assertUsed = () => {
        assert.deepStrictEqual(sums.used("key_1", 3), { charged: 260, free: 300 })
        assert.deepStrictEqual(sums.used("key_1", 4), { charged: 256, free: 0 })
        assert.deepStrictEqual(sums.used("key_2", 3), { charged: 260, free: 0 })
        assert.deepStrictEqual(sums.used("key_2", 4), { charged: 0, free: 0 })
      }
      assertUsed()
      assert.strictEqual(sums.fold(2), 2)
      assert.strictEqual(sums.size(), 2)
      assert.deepStrictEqual(table(), [
        ["key_1", 3, 0, 300],
        ["key_2", 3, 260, 0],
      ])
      assertUsed()
      assert.isUndefined(sums.fold(2))
      assert.strictEqual(sums.fold(9), 4)
      assert.strictEqual(sums.size(), 0)
      assert.deepStrictEqual(table(), [
        ["key_1", 3, 260, 300],
        ["key_1", 4, 256, 0],
        ["key_2", 3, 260, 0],
      ])
      assertUsed()
    }),
  )

  it.effect("are folded in slices of a thousand rows", () =>
    inStore((sums, table) => {
      for (const row of numbered(1_001)) sums.add(row)
      assert.strictEqual(sums.fold(2_000), 1_000)
      assert.strictEqual(sums.size(), 1)
      assert.deepStrictEqual(table(), [["key_1", 3, 0, 257_000]])
      assert.deepStrictEqual(sums.used("key_1", 3), { charged: 0, free: 257_257 })
      assert.strictEqual(sums.fold(2_000), 1_001)
      assert.isUndefined(sums.fold(2_000))
      assert.deepStrictEqual(table(), [["key_1", 3, 0, 257_257]])
    }),
  )

  it.effect("are the table's alone when rows are forgotten", () =>
    inStore((sums) => {
      for (const row of numbered(3)) sums.add(row)
      assert.strictEqual(sums.fold(1), 1)
      sums.forget()
      assert.strictEqual(sums.size(), 0)
      assert.deepStrictEqual(sums.used("key_1", 3), { charged: 0, free: 257 })
      assert.isUndefined(sums.fold(3))
    }),
  )
})
