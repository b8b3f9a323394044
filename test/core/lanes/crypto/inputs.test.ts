import { assert, describe, it } from "@effect/vitest"
import { minuteOf, subjectOf } from "../../../../core/lanes/crypto/inputs.ts"

const at = (text: string) => Date.parse(`2026-07-11T${text}Z`)

describe("the minute of a signal", () => {
  it("is the one that has begun", () => {
    assert.strictEqual(minuteOf(at("12:34:00.000")), at("12:34:00"))
    assert.strictEqual(minuteOf(at("12:34:59.999")), at("12:34:00"))
    assert.strictEqual(minuteOf(at("12:35:00.000")), at("12:35:00"))
  })
})

describe("the subject of a signal", () => {
  it("is the price at the full minute nearest to the horizon, the later one from half a minute on", () => {
    const found = (now: string) => subjectOf("BTC", 60, at(now))
    assert.deepStrictEqual(found("12:00:29.999"), { _tag: "AssetAt", asset: "BTC", at: at("13:00:00") })
    assert.deepStrictEqual(found("12:00:30.000"), { _tag: "AssetAt", asset: "BTC", at: at("13:01:00") })
  })
})
