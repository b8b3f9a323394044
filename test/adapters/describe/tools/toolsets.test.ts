import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { entries } from "../../../../adapters/describe/tools/tools.ts"
import { isListed, isSelected, names, narrow, read } from "../../../../adapters/describe/tools/toolsets.ts"
import { catalogue } from "../../../../core/lanes/all.ts"

describe("a list of toolsets", () => {
  const known = ["weather", "crypto"]
  const refusal = (text: string) => Either.getOrThrow(Either.flip(read(known, text)))

  it("is separated by commas; an empty one selects all", () => {
    assert.deepStrictEqual(read(known, " crypto ,, weather,crypto"), Either.right(new Set(["crypto", "weather"])))
    assert.deepStrictEqual(read(known, " , "), Either.right(undefined))
  })

  it("with an unknown one says which there are", () => {
    assert.strictEqual(refusal("weather,Crypto"), 'Unknown toolset "Crypto". Toolsets: weather, crypto.')
  })

  it("is quoted up to eight names of 32 characters", () => {
    const many = refusal(Array.from({ length: 9 }, (_, at) => `x${at}`).join(","))
    assert.include(many, '"x7". Toolsets')
    assert.notInclude(many, "x8")
    assert.include(refusal("y".repeat(33)), `"${"y".repeat(32)}"`)
  })
})

describe("a tool", () => {
  const [free, keyed] = [
    { toolset: "weather", isKeyed: false },
    { toolset: "weather", isKeyed: true },
  ]

  it("is selected with its toolset, and always without one", () => {
    const crypto = { toolsets: new Set(["crypto"]) }
    assert.isTrue(isSelected(keyed, {}))
    assert.isTrue(isSelected(keyed, { toolsets: new Set(["weather"]) }))
    assert.isFalse(isSelected(keyed, crypto))
    assert.isTrue(isSelected({ isKeyed: true }, crypto))
  })

  it("is listed where the key's scopes allow its calls, or no key is needed", () => {
    const scopes = ["crypto"]
    assert.isTrue(isListed(keyed, {}))
    assert.isFalse(isListed(keyed, { scopes }))
    assert.isTrue(isListed(keyed, { scopes: ["weather"] }))
    assert.isTrue(isListed(free, { scopes }))
    assert.isTrue(isListed({ isKeyed: true }, { scopes }))
    assert.isFalse(isListed(free, { toolsets: new Set(["crypto"]), scopes: ["weather"] }))
  })
})

describe("the catalogue", () => {
  it("has each of its lanes with tools once", () => {
    const all = names(entries(catalogue))
    assert.includeMembers([...all], ["weather", "manage"])
    assert.strictEqual(new Set(all).size, all.length)
  })

  it("is narrowed to the named lanes, or to none", () => {
    const lanes = (...given: ReadonlyArray<string>) => narrow(catalogue, given).lanes.map(({ name }) => name)
    assert.deepStrictEqual(lanes("weather"), ["weather"])
    assert.strictEqual(narrow(catalogue), catalogue)
    assert.strictEqual(narrow(catalogue, []), catalogue)
  })
})
