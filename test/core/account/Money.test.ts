import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Money from "../../../core/account/Money.ts"
import * as Tier from "../../../core/account/Tier.ts"
import * as Ulid from "../../../core/account/Ulid.ts"

describe("Money", () => {
  it("reads dollars exactly and refuses everything else", () => {
    const good = [
      ["5", 5_000_000],
      ["0.1", 100_000],
      ["0.000001", 1],
      ["4.35", 4_350_000],
      ["999999999.999999", 999_999_999_999_999],
    ] as const
    for (const [text, micros] of good) assert.equal<number | undefined>(Money.parseUsd(text), micros)
    for (const text of [
      "",
      "-5",
      "+5",
      "5.",
      ".5",
      "1e3",
      "1,000",
      "5 ",
      "$5",
      "0.0000001",
      "1000000000",
      "NaN",
      "0x10",
    ]) {
      assert.isUndefined(Money.parseUsd(text), text)
    }
  })

  it("shows a price so that reading it back gives the same amount", () => {
    assert.deepStrictEqual([0, 1, 1_000, 10_000, 5_250_000, 10_000_000].map(Money.display), [
      "free",
      "0.000001 USD",
      "0.001 USD",
      "0.01 USD",
      "5.25 USD",
      "10 USD",
    ])
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999_999_999 }),
        (micros) => Money.parseUsd(Money.display(micros).replace(" USD", "")) === micros,
      ),
    )
  })

  it("shows amounts with cents at least, all decimals of them, and separators", () => {
    assert.deepStrictEqual(
      [0, 5_000_000, 51_965_000, 250_007, -1_000, 1_234_567_890_000].map((each) => Money.usd(each)),
      ["0.00 USD", "5.00 USD", "51.965 USD", "0.250007 USD", "−0.001 USD", "1,234,567.89 USD"],
    )
    // Those of a list have the decimals of the finest.
    const list = [10_000, 1_500, 2_000_000]
    const decimals = Money.exactDecimals(list)
    assert.deepStrictEqual(
      list.map((each) => Money.usd(each, decimals)),
      ["0.0100 USD", "0.0015 USD", "2.0000 USD"],
    )
    assert.strictEqual(Money.exactDecimals([]), 2)
  })

  it("refuses parts of a micro-dollar", () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) assert.throws(() => Money.MicroUsd(value))
  })
})

describe("Tier", () => {
  it("fixes the limit of every tier but enterprise", () => {
    const rows = [
      ["indie", undefined, 60],
      ["studio", undefined, 600],
      ["pro", undefined, 6_000],
      ["enterprise", 12_345, 12_345],
      ["enterprise", undefined, undefined],
      ["enterprise", 0, undefined],
      ["enterprise", 1.5, undefined],
      ["indie", 61, undefined],
    ] as const
    for (const [tier, rpm, expected] of rows) assert.strictEqual(Tier.perMinute(tier, rpm), expected)
  })
})

describe("Ulid", () => {
  it("writes time and randomness in Crockford base32", () => {
    assert.strictEqual(Ulid.encode(0, new Uint8Array(10)), "0".repeat(26))
    assert.strictEqual(Ulid.encode(2 ** 48 - 1, new Uint8Array(10).fill(255)), `7${"Z".repeat(25)}`)
    // The example of the ULID specification's time part.
    assert.strictEqual(Ulid.encode(1_469_918_176_385, new Uint8Array(10)).slice(0, 10), "01ARYZ6S41")
    assert.strictEqual(Ulid.encode(1, Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])), "0000000001041061050R3GG28A")
  })

  it("sorts by time", () => {
    const at = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(
        at,
        at,
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        (a, b, bytes) => a === b || a < b === Ulid.encode(a, bytes) < Ulid.encode(b, bytes),
      ),
    )
  })
})
