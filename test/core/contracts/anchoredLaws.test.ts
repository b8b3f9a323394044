import { assert, describe, it } from "@effect/vitest"
import { strikeSpan } from "../../../core/contracts/anchored.ts"
import { type Anchorable, anchoredLaws } from "../../../core/contracts/anchoredLaws.ts"
import { book, contract, noon } from "../../support/contracts.ts"

const high: Anchorable = {
  of: "high",
  law: { first: 80, pmf: Float64Array.of(0.25, 0.25, 0.25, 0.25) },
  span: (one) => (one.series === "KXHIGHNY" ? strikeSpan(one) : undefined),
}

/** A contract that pays above a strike, for a middle price in cents. */
const above = (venue: string, floorStrike: number, cents: number, quotedAt = noon) =>
  contract({
    venue,
    strikeType: "greater",
    floorStrike,
    bidAsk: book(cents - 1, cents + 1),
    quotedAt,
    settlesOn: venue,
  })

describe("the laws of a signal with a market's prices", () => {
  it("have the prices at weight 0, the oldest quote's time and the law's differences", () => {
    const found = anchoredLaws([high])([above("kalshi", 81, 40, noon), above("kalshi", 82, 30, noon - 60_000)], 0)
    assert.deepStrictEqual(found, [
      {
        variable: "high",
        venue: "kalshi",
        venue_source: "kalshi",
        contracts: 2,
        as_of: "2026-07-11T11:59:00.000Z",
        from: 80,
        pmf: [0.3, 0.3, 0.1, 0.3],
        ge: [1, 0.7, 0.4, 0.3],
      },
    ])
  })

  it("are the model's own at weight 1", () => {
    const [found] = anchoredLaws([high])([above("kalshi", 81, 40)], 1)
    assert.deepStrictEqual(found?.pmf, [0.25, 0.25, 0.25, 0.25])
  })

  it("take one venue: the one with the most contracts, and of two the first by name", () => {
    const venueOf = (...contracts: ReadonlyArray<ReturnType<typeof above>>) =>
      anchoredLaws([high])(contracts, 0).map(({ venue, contracts: count }) => [venue, count])
    assert.deepStrictEqual(venueOf(above("b", 81, 40), above("a", 81, 40)), [["a", 1]])
    assert.deepStrictEqual(venueOf(above("a", 81, 40), above("b", 81, 40), above("b", 82, 30)), [["b", 2]])
  })

  it("leave out the ends that are served as 0", () => {
    const thin = { ...high, law: { first: 80, pmf: Float64Array.of(1e-9, 0.5, 0.5 - 2e-9, 1e-9) } }
    const [found] = anchoredLaws([thin])([above("kalshi", 81, 50)], 1)
    assert.deepStrictEqual(
      { from: found?.from, pmf: found?.pmf, ge: found?.ge },
      { from: 81, pmf: [0.5, 0.5], ge: [1, 0.5] },
    )
  })

  it("are none for a law on which no contract pays", () => {
    assert.deepStrictEqual(anchoredLaws([high])([contract({ series: "OTHER" })], 0), [])
    assert.deepStrictEqual(anchoredLaws([high])([], 0), [])
    const low = { ...high, of: "low", span: () => undefined }
    assert.deepStrictEqual(
      anchoredLaws([low, high])([above("kalshi", 81, 40)], 0).map(({ variable }) => variable),
      ["high"],
    )
  })
})
