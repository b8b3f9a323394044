import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as decode from "../../../../core/endpoint/decode.ts"
import { endpoints, pageOfLeaves } from "../../../../core/record/log/endpoints.ts"

const isTaken = (id: "leaves" | "consistency", params: Readonly<Record<string, number>>): boolean =>
  Either.isRight(
    decode.compile(endpoints[id])(
      { _tag: "Text", entries: Object.entries(params).map(([name, value]) => [name, String(value)]) },
      0,
    ),
  )

describe("the range of leaves", () => {
  it("has a leaf at least and a page at most, from the beginning where it has none", () => {
    for (const from of [undefined, 0, 7]) {
      const start = from === undefined ? {} : { from }
      const taken = [0, 1, pageOfLeaves, pageOfLeaves + 1].map((length) =>
        isTaken("leaves", { ...start, to: (from ?? 0) + length }),
      )
      assert.deepStrictEqual(taken, [false, true, true, false], `from ${from}`)
      assert.isTrue(isTaken("leaves", start))
    }
  })
})

describe("the trees of a proof of consistency", () => {
  it("are the smaller and the larger one, or one twice", () => {
    assert.deepStrictEqual(
      [4, 5, 6].map((to) => isTaken("consistency", { from: 5, to })),
      [false, true, true],
    )
    assert.isTrue(isTaken("consistency", { from: 5 }))
  })
})
