import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { floorToMinute, serializeInputs, toSubject } from "../../../../core/lanes/crypto/inputs.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

const at = (text: string) => Date.parse(`2026-07-11T${text}Z`)

describe("the minute of a signal", () => {
  it("is the one that has begun", () => {
    assert.strictEqual(floorToMinute(at("12:34:00.000")), at("12:34:00"))
    assert.strictEqual(floorToMinute(at("12:34:59.999")), at("12:34:00"))
    assert.strictEqual(floorToMinute(at("12:35:00.000")), at("12:35:00"))
  })
})

describe("the subject of a signal", () => {
  it("is the price at the full minute nearest to the horizon, the later one from half a minute on", () => {
    const found = (now: string) => toSubject("BTC", 60, at(now))
    assert.deepStrictEqual(found("12:00:29.999"), { _tag: "AssetAt", asset: "BTC", at: at("13:00:00") })
    assert.deepStrictEqual(found("12:00:30.000"), { _tag: "AssetAt", asset: "BTC", at: at("13:01:00") })
  })
})

describe("the stored inputs of a signal", () => {
  const of = (lastMinute: number, closes: ReadonlyArray<number>, strikes?: ReadonlyArray<number>) => {
    const window = { closes: Float64Array.from(closes), lastMinute, source: "tape", flags: ["late"] }
    const { text, putShared } = serializeInputs(window, at("12:34:56"), strikes)(sha256)
    return { kept: JSON.parse(text), shared: putShared }
  }
  const blocksOf = (lastMinute: number, closes: ReadonlyArray<number>) =>
    of(lastMinute, closes).shared.map((part) => JSON.parse(part.text()))

  it("have the closes in quarters of a UTC day, null for a minute without one", () => {
    assert.deepStrictEqual(blocksOf(720, [1, Number.NaN, 3]), [[1, null], [3]])
    assert.deepStrictEqual(blocksOf(719, [1, 2]), [[1, 2]])
    assert.deepStrictEqual(
      blocksOf(
        1_080,
        Array.from({ length: 362 }, (_, minute) => minute),
      ).map(({ length }) => length),
      [1, 360, 1],
    )
  })

  it("name the blocks by their hashes, with the minute and the strikes that were asked for", () => {
    const { kept, shared } = of(720, [1, 2], [100])
    assert.deepStrictEqual(kept, {
      now: at("12:34:00"),
      source: "tape",
      flags: ["late"],
      last_minute: 720,
      closes: shared.map(({ hash }) => hash),
      strikes: [100],
    })
    assert.lengthOf(shared, 2)
    assert.notProperty(of(720, [1]).kept, "strikes")
  })
})
