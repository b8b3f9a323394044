import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { any, every, most, type Policy, rows } from "../../../core/sources/rows.ts"

const Row = Schema.Struct({ id: Schema.Int })
const list = (good: number, bad: number) => [
  ...Array.from({ length: bad }, () => ({ id: "x" })),
  ...Array.from({ length: good }, (_, id) => ({ id })),
]

describe("rows that cannot be read", () => {
  const shares = [
    [0, 0],
    [3, 0],
    [0, 1],
    [1, 1],
    [1, 2],
    [18, 2],
    [17, 3],
    [0, 99],
  ] as const
  const cases: ReadonlyArray<readonly [name: string, policy: Policy, allowed: string]> = [
    ["every", every, "0+0 3+0"],
    ["most", most(0.1), "0+0 3+0 1+1 18+2"],
    ["any", any, "0+0 3+0 1+1 1+2 18+2 17+3"],
  ]
  for (const [name, policy, allowed] of cases) {
    it(`are refused alone or with their answer: ${name}`, () => {
      const read = shares.filter(([good, bad]) => Either.isRight(rows(Row, policy)(list(good, bad))))
      assert.strictEqual(read.map((each) => each.join("+")).join(" "), allowed)
    })
  }

  it("are counted with their reasons, and so are those that are not what was asked for", () => {
    const read = rows(Row, any)([...list(3, 1)], ({ id }) => (id === 2 ? "row 2 is foreign" : undefined))
    if (Either.isLeft(read)) return assert.fail(read.left)
    assert.deepStrictEqual(read.right.good, [{ id: 0 }, { id: 1 }])
    assert.match(read.right.refused[0]!, /^id: Expected/)
    assert.strictEqual(read.right.refused[1], "row 2 is foreign")
  })

  it("are read by a function too, and the answer's refusal tells of the first", () => {
    const read = rows((row) => (row === 1 ? { row } : `row is ${row}`), every)([1, 2, 3])
    assert.deepStrictEqual(read, Either.left("2 of 3 rows are refused; of the first, row is 2"))
  })
})
