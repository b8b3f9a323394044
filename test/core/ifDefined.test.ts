import { assert, describe, it } from "@effect/vitest"
import { ifDefined } from "../../core/ifDefined.ts"

describe("an optional field", () => {
  it("is absent where there is no value, not undefined", () => {
    assert.deepStrictEqual(Object.keys(ifDefined("detail", undefined)), [])
  })

  it("is there with any other value, empty ones too", () => {
    for (const value of ["text", "", 0, false, null, Number.NaN]) {
      assert.deepStrictEqual(ifDefined("detail", value), { detail: value })
    }
  })
})
