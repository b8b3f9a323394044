import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Contract } from "../../../../core/contracts/Contract.ts"
import { pays } from "../../../../core/contracts/strikes.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { baseballMapping } from "../../../../core/lanes/baseball/contracts.ts"
import { cryptoMapping, listStrikes } from "../../../../core/lanes/crypto/contracts.ts"
import { footballMapping } from "../../../../core/lanes/football/contracts.ts"
import { weatherMapping } from "../../../../core/lanes/weather/contracts.ts"
import { contract } from "../../../support/contracts.ts"

const strikeTypes = ["greater", "greater_or_equal", "less", "less_or_equal", "between", "functional", undefined]

/** Terms as a venue may write them, sound or not, with strikes of this kind. */
const termsOf = (strike: fc.Arbitrary<number>) =>
  fc
    .record({
      strikeType: fc.constantFrom(...strikeTypes),
      floorStrike: fc.option(strike, { nil: undefined }),
      capStrike: fc.option(strike, { nil: undefined }),
    })
    .map(({ strikeType, floorStrike, capStrike }): Contract => {
      const { strikeType: _, floorStrike: __, ...rest } = contract()
      return {
        ...rest,
        ...ifDefined("strikeType", strikeType),
        ...ifDefined("floorStrike", floorStrike),
        ...ifDefined("capStrike", capStrike),
      }
    })

const certain = (happened: boolean | undefined): number | undefined =>
  happened === undefined ? undefined : Number(happened)

const holds = <A>(values: fc.Arbitrary<A>, law: (value: A) => void): void =>
  fc.assert(fc.property(values, law), { numRuns: 2_000, seed: 7 })

describe("what came true is the probability of a signal that is certain of it", () => {
  it("of a whole degree, with strikes on degrees and between them", () => {
    const halves = fc.integer({ min: 120, max: 140 }).map((twice) => twice / 2)
    const cases = fc.tuple(
      termsOf(halves),
      fc.integer({ min: 59, max: 71 }),
      fc.constantFrom("KXHIGHNY", "KXLOWTNYC", "KXHIGHTSEA"),
    )
    holds(cases, ([terms, degrees, series]) => {
      const [of, other]: [Contract, number] = [{ ...terms, series }, 200]
      const [high, low] = series === "KXLOWTNYC" ? [other, degrees] : [degrees, other]
      const output = { high: { [String(high)]: 1 }, low: { [String(low)]: 1 } }
      assert.strictEqual(certain(weatherMapping.isYes(of, { high, low })), weatherMapping.probability(of, output))
    })
  })

  it("of a price between the strikes", () => {
    const cases = fc
      .tuple(
        termsOf(fc.integer({ min: 60_000, max: 60_010 })),
        fc.integer({ min: 59_999, max: 60_010 }).map((dollars) => dollars + 0.5),
      )
      .filter(([{ floorStrike = 0, capStrike = floorStrike }]) => floorStrike <= capStrike)
    holds(cases, ([terms, price]) => {
      const of: Contract = { ...terms, series: "KXBTC" }
      const output = { p_above: listStrikes(of).map((strike) => ({ strike, p_above: Number(price > strike) })) }
      assert.strictEqual(certain(cryptoMapping.isYes(of, price)), cryptoMapping.probability(of, output))
    })
  })

  it("of a winner", () => {
    const score = fc.record({ home: fc.nat(9), away: fc.nat(9) })
    const [nfl, mlb] = ["KXNFLGAME-25SEP04KCLAC", "KXMLBGAME-26JUL09NYYBOS"] as const
    const games = [
      [footballMapping, { series: "KXNFLGAME", event: nfl, ticker: `${nfl}-KC` }],
      [footballMapping, { series: "KXNFLGAME", event: nfl, ticker: `${nfl}-LAC` }],
      [footballMapping, { series: "KXNFLGAME", event: nfl, ticker: `${nfl}-NYY` }],
      [baseballMapping, { series: "KXMLBGAME", event: mlb, ticker: `${mlb}-NYY` }],
      [baseballMapping, { series: "KXMLBGAME", event: mlb, ticker: `${mlb}-BOS` }],
    ] as const
    holds(fc.tuple(fc.constantFrom(...games), score), ([[mapping, changes], { home, away }]) => {
      const of = contract(changes)
      const expected = home === away ? undefined : mapping.probability(of, { win_prob_home: Number(home > away) })
      assert.strictEqual(certain(mapping.isYes(of, { home, away })), expected)
    })
  })
})

describe("what came true of a score is the probability of a distribution that is certain of it", () => {
  const halves = fc.integer({ min: -30, max: 90 }).map((twice) => twice / 2)
  const points = fc.integer({ min: 0, max: 30 })
  const endings = fc.constantFrom("KXNFLSPREAD KC4", "KXNFLSPREAD LAC4", "KXNFLTOTAL 45", "KXNFLSPREAD NYY4")

  it("for margins and totals, strikes on whole numbers and between them, ties and all", () => {
    holds(fc.tuple(termsOf(halves), endings, points, points), ([terms, which, home, away]) => {
      const [series, ending] = which.split(" ") as [string, string]
      const event = `${series}-25SEP04KCLAC`
      const of: Contract = { ...terms, domain: "nfl", series, event, ticker: `${event}-${ending}` }
      const output = {
        win_prob_home: 0.5,
        margin_distribution: { from: home - away, pmf: [1] },
        total_distribution: { from: home + away, pmf: [1] },
      }
      assert.strictEqual(certain(footballMapping.isYes(of, { home, away })), footballMapping.probability(of, output))
      if (ending.startsWith("NYY")) assert.isUndefined(footballMapping.isYes(of, { home, away }))
    })
  })
})

describe("a value at a strike", () => {
  const strikes = { floorStrike: 60_000, capStrike: 60_100 }
  const cases: ReadonlyArray<readonly [strikeType: string, at: readonly [floor: boolean, cap: boolean] | undefined]> = [
    ["greater", [false, true]],
    ["greater_or_equal", [true, true]],
    ["less", [true, false]],
    ["less_or_equal", [true, true]],
    ["between", [true, true]],
    ["functional", undefined],
  ]
  for (const [strikeType, at] of cases) {
    it(`${strikeType}: ${at ?? "not understood"}`, () => {
      const terms = { strikeType, ...strikes }
      assert.deepStrictEqual([pays(terms, 60_000), pays(terms, 60_100)], [...(at ?? [undefined, undefined])])
    })
  }

  it("decides nothing for a range upside down, for no number, and for a contract of another kind", () => {
    assert.isUndefined(pays({ strikeType: "between", floorStrike: 2, capStrike: 1 }, 1.5))
    assert.isUndefined(pays({ strikeType: "greater", floorStrike: 1 }, Number.NaN))
    for (const mapping of [footballMapping, baseballMapping])
      assert.isUndefined(mapping.isYes(contract(), { home: 1, away: 0 }))
    assert.isUndefined(cryptoMapping.isYes(contract(), 90))
    assert.isUndefined(weatherMapping.isYes(contract({ series: "KXBTC" }), { high: 90, low: 90 }))
  })
})
