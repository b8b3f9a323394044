import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { digesting, lineOf, type Row } from "../../../adapters/store/upkeep/copy/canonical.ts"
import type { Kind, Table } from "../../../adapters/store/upkeep/copy/catalogue.ts"

const tableOf = (...kinds: ReadonlyArray<Kind>): Table => ({
  name: "things",
  columns: kinds.map((kind, at) => ({ name: `c${at}`, kind })),
  key: ["c0"],
})

const options = { mayHaveNul: false }

describe("a canonical row", () => {
  const lines: ReadonlyArray<readonly [kinds: ReadonlyArray<Kind>, row: Row, line: string]> = [
    [["text"], [null], "[null]"],
    [["text"], ["null"], '["null"]'],
    [["text"], ['a "b" \\ \n\u2028 \u{1f31e} é'], '["a \\"b\\" \\\\ \\n\u2028 \u{1f31e} é"]'],
    [["text"], [""], '[""]'],
    [["text"], ["1"], '["1"]'],
    [["whole"], [1], "[1]"],
    [["whole"], [-9_007_199_254_740_991], "[-9007199254740991]"],
    [["real"], [0.1 + 0.2], "[0.30000000000000004]"],
    [["real"], [5e-324], "[5e-324]"],
    [["real"], [2], "[2]"],
    [["real"], [-0], "[0]"],
    [["bytes"], [Uint8Array.of(0, 255, 16)], '["00ff10"]'],
    [["bytes"], [new Uint8Array(0)], '[""]'],
    [["bytes"], [Buffer.from("xyz").subarray(1, 2)], '["79"]'],
    [["text", "whole", "bytes"], ["a", null, null], '["a",null,null]'],
    [["whole or text", "whole or text"], ["7", 7], '["7",7]'],
  ]
  for (const [kinds, row, line] of lines) {
    it(line, () => {
      assert.strictEqual(lineOf(tableOf(...kinds), row, options), `${line}\n`)
    })
  }

  const refused: ReadonlyArray<readonly [kinds: ReadonlyArray<Kind>, row: Row, message: RegExp]> = [
    [["text", "whole"], ["k", 1.5], /^things, row k: c1 is not a whole number below 2\^53$/],
    [["text", "whole"], ["k", 2 ** 53], /c1 is not a whole number below 2\^53/],
    [["text", "whole"], ["k", "1"], /c1 is not a whole number/],
    [["text", "real"], ["k", Number.NaN], /c1 is not a finite number/],
    [["text", "real"], ["k", Number.POSITIVE_INFINITY], /c1 is not a finite number/],
    [["text", "text"], ["k", 1], /c1 is not a text/],
    [["text", "text"], ["k", "a\0"], /c1 has a NUL character, which PostgreSQL cannot store/],
    [["text", "bytes"], ["k", "ab"], /c1 is not bytes/],
    [["text", "whole or text"], ["k", 1.5], /c1 is not a whole number/],
    [["text", "unknown"], ["k", "x"], /c1 has a type that is not copied/],
  ]
  for (const [kinds, row, message] of refused) {
    it(`is refused: ${kinds.at(-1)} ${JSON.stringify(row.at(-1))}`, () => {
      assert.throws(() => lineOf(tableOf(...kinds), row, options), message)
    })
  }

  it("may have NUL between two files", () => {
    assert.strictEqual(lineOf(tableOf("text"), ["a\0"], { mayHaveNul: true }), '["a\\u0000"]\n')
  })

  it("is named by its key, in the order of the key", () => {
    const table = { ...tableOf("text", "whole", "whole"), key: ["c1", "c0"] }
    assert.throws(() => lineOf(table, ["k", 3, 0.5], options), /^things, row 3\/k: c2/)
  })

  it("is digested in order, whatever the pages", () => {
    const table = tableOf("whole")
    const digest = (...pages: ReadonlyArray<ReadonlyArray<number>>) => {
      const { add, end } = digesting(table, options)
      for (const page of pages) add(page.map((value) => [value]))
      return end()
    }
    const sha256 = createHash("sha256").update("[1]\n[2]\n[3]\n").digest("hex")
    assert.deepStrictEqual(digest([1, 2, 3]), { rows: 3, sha256 })
    assert.deepStrictEqual(digest([1], [2, 3]), { rows: 3, sha256 })
    assert.notStrictEqual(digest([2, 1, 3]).sha256, sha256)
    assert.notStrictEqual(digest([12, 3]).sha256, digest([1, 23]).sha256)
  })
})
