import { assert, describe, it } from "@effect/vitest"
import { decode, encode } from "../../../../../adapters/store/upkeep/archive/rows.ts"
import type { Row, Table, Type } from "../../../../../adapters/store/upkeep/archive/tables.ts"

const tableOf = (...types: ReadonlyArray<Type>): Table => ({
  name: "things",
  columns: types.map((_, index) => `c${index}`),
  types,
  key: ["c0"],
  queries: [],
})

describe("a row of an archive", () => {
  const lines: ReadonlyArray<readonly [types: ReadonlyArray<Type>, row: Row, line: string]> = [
    [["text"], [null], "[null]"],
    [["text"], ["null"], '["null"]'],
    [["text"], ['a "b" \\ \n\u2028 \u{1f31e} é\0'], '["a \\"b\\" \\\\ \\n\u2028 \u{1f31e} é\\u0000"]'],
    [["text"], [""], '[""]'],
    [["text"], ["1"], '["1"]'],
    [["bigint"], [1], "[1]"],
    [["bigint"], [-9_007_199_254_740_991], "[-9007199254740991]"],
    [["double precision"], [0.1 + 0.2], "[0.30000000000000004]"],
    [["double precision"], [5e-324], "[5e-324]"],
    [["double precision"], [2 ** 1001], `[${2 ** 1001}]`],
    [["bytea"], [Uint8Array.of(0, 255, 16)], '["00ff10"]'],
    [["bytea"], [new Uint8Array(0)], '[""]'],
    [["bytea"], [Buffer.from("xyz").subarray(1, 2)], '["79"]'],
    [["text", "bigint", "bytea"], ["a", null, null], '["a",null,null]'],
  ]
  it.each(lines)("of %j is one line, and read again: %j", (types, row, line) => {
    const table = tableOf(...types)
    assert.strictEqual(encode(table, row), `${line}\n`)
    assert.deepStrictEqual(
      decode(table, JSON.parse(line)),
      row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
    )
  })

  it("has a zero without a sign", () => {
    assert.strictEqual(encode(tableOf("double precision"), [-0]), "[0]\n")
  })

  const refused: ReadonlyArray<readonly [type: Type, value: Row[number], message: RegExp]> = [
    ["bigint", 1.5, /^things, row k: c1 is not a whole number below 2\^53\.$/],
    ["bigint", 2 ** 53, /c1 is not a whole number below 2\^53/],
    ["bigint", "1", /c1 is not a whole number/],
    ["double precision", Number.NaN, /c1 is not a finite number/],
    ["double precision", Number.POSITIVE_INFINITY, /c1 is not a finite number/],
    ["text", 1, /c1 is not a text/],
    ["bytea", "ab", /c1 is not bytes/],
  ]
  it.each(refused)("is refused: a column of %s has %j", (type, value, message) => {
    assert.throws(() => encode(tableOf("text", type), ["k", value]), message)
  })

  it("is named by its key, in the order of the key", () => {
    const table = { ...tableOf("bytea", "bigint", "bigint"), key: ["c1", "c0"] }
    assert.throws(() => encode(table, [Uint8Array.of(171), 3, 0.5]), /^things, row 3\/ab: c2/)
  })
})
