import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { BenchError } from "../../../../bench/open/compare/BenchError.ts"
import { casesById, decoder } from "../../../../bench/open/compare/decode.ts"

const Probability = Schema.Number.pipe(Schema.between(0, 1, { message: () => "not a probability" }))

const forecast = Schema.Union(
  Schema.Struct({ p: Probability }),
  Schema.Struct({ law: Schema.Struct({ from: Schema.Int, pmf: Schema.Array(Probability) }) }),
)

const decode = decoder({ forecast })

const messageOf = (value: unknown): string => {
  const found = decode("line 7", value)
  assert.isTrue(Either.isLeft(found), JSON.stringify(value))
  const error = Either.getOrThrow(Either.flip(found))
  assert.instanceOf(error, BenchError)
  return error.message
}

describe("a forecast that others wrote", () => {
  it("is read in any of its forms", () => {
    for (const value of [{ p: 0 }, { p: 1 }, { law: { from: -1, pmf: [0.5, 0.5] } }]) {
      assert.deepStrictEqual(decode("line 7", value), Either.right(value))
    }
  })

  it("is refused with the row, the path and the value that is wrong", () => {
    assert.strictEqual(messageOf({ p: 1.1 }), "line 7, p: not a probability")
    assert.strictEqual(messageOf({ law: { from: 0, pmf: [0.5, 1.5] } }), "line 7, law, pmf, 1: not a probability")
  })

  it("is refused for a name too many and for one too few", () => {
    assert.match(messageOf({ p: 0.5, q: 0.5 }), /^line 7, q: is unexpected/)
    assert.match(messageOf({ law: { from: 0 } }), /^line 7, law, pmf: is missing$/)
  })
})

describe("the cases of a task", () => {
  it("are found by their ids", () => {
    const one = (id: string) => ({ id, at: 0, cluster: "", groups: [], question: {}, outcome: 1 })
    const found = casesById({ cases: [one("a"), one("b")] })
    assert.deepStrictEqual([...found.keys()], ["a", "b"])
    assert.deepStrictEqual(found.get("b"), one("b"))
    assert.isUndefined(found.get("c"))
  })
})
