import { assert, describe, it } from "@effect/vitest"
import { columns } from "../../../../adapters/store/engine/columns.ts"

interface Reading {
  readonly id: string
  readonly takenAt: number
  readonly highF?: number
  readonly isFinal: boolean
}

const reading = columns<Reading>()(["id", "takenAt", "highF", "isFinal"], {
  own: { id: "reading_id" },
  flags: ["isFinal"],
})

const cases: ReadonlyArray<readonly [value: Reading, row: Parameters<typeof reading.fromRow>[0]]> = [
  [
    { id: "a", takenAt: 1, highF: 0, isFinal: true },
    { reading_id: "a", taken_at: 1, high_f: 0, is_final: 1 },
  ],
  [
    { id: "", takenAt: 0, isFinal: false },
    { reading_id: "", taken_at: 0, high_f: null, is_final: 0 },
  ],
]

describe("the columns of a value", () => {
  it("are its fields in snake case, but for those with names of their own", () => {
    assert.strictEqual(reading.list, "reading_id, taken_at, high_f, is_final")
    assert.deepStrictEqual([...reading.names], ["reading_id", "taken_at", "high_f", "is_final"])
  })

  it.each(cases)("hold %o as a row and give it back: absent is NULL, booleans are bits", (value, row) => {
    assert.deepStrictEqual(reading.toRow(value), row)
    const found = reading.fromRow(row)
    assert.deepStrictEqual(found, value)
    assert.deepStrictEqual(Object.keys(found), Object.keys(value))
  })

  it("leave out what is in no list of theirs, and add what comes beside them", () => {
    const [[value, row]] = cases as [(typeof cases)[number]]
    assert.deepStrictEqual(reading.toRow({ ...value, secret: "s" } as Reading, { revision: 2 }), {
      ...row,
      revision: 2,
    })
    assert.deepStrictEqual(reading.fromRow({ ...row, revision: 2 } as never, { note: "n" }), { ...value, note: "n" })
  })
})
