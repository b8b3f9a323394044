import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { weatherMapping } from "../../../../../core/lanes/weather/contracts.ts"
import type { Versions } from "../../../../../core/lanes/weather/ports.ts"
import {
  type Agreement,
  agreementText,
  countAgreement,
  isMeasured,
  pairValues,
  toBasis,
  toEqualInterval,
  toVenueLaw,
} from "../../../../../core/lanes/weather/venue/agreement.ts"
import type { VenueReading } from "../../../../../core/lanes/weather/venue/reading.ts"
import { contract } from "../../../../support/contracts.ts"
import { issuance } from "../../../../support/issuances.ts"

const reading = (day: string, highF: number | undefined, lowF?: number): readonly [string, VenueReading] => [
  day,
  {
    ...{ station: "KNYC", day, status: "official", issuedAt: 0 },
    ...(highF !== undefined && { highF }),
    ...(lowF !== undefined && { lowF }),
  },
]
const reported = (day: string, highF: number, lowF: number): Versions => [issuance(day, {}, { highF, lowF })]

const of = (changes: Partial<Agreement> = {}): Agreement => ({
  ...{ compared: 0, equal: 0, oneBelow: 0, oneAbove: 0, missing: 0, differences: [] },
  ...changes,
})

describe("the agreement of two settlement sources", () => {
  it("counts highs and lows that both state, and names the days that differ", () => {
    const pairs = pairValues(
      new Map([
        reading("2026-09-01", 80, 60),
        reading("2026-09-02", 79, 61),
        reading("2026-09-04", 84),
        reading("2026-09-05", 70, 52),
      ]),
      [
        reported("2026-09-01", 80, 60),
        reported("2026-09-02", 80, 60),
        reported("2026-09-03", 81, 61),
        reported("2026-09-04", 81, 61),
        [issuance("2026-09-05", {}, { status: "preliminary" })],
      ],
    )
    const agreement = countAgreement(pairs)
    assert.deepStrictEqual(agreement, {
      ...{ compared: 5, equal: 2, oneBelow: 1, oneAbove: 1, missing: 1 },
      differences: [
        { day: "2026-09-02", extreme: "high", report: 80, venue: 79 },
        { day: "2026-09-02", extreme: "low", report: 60, venue: 61 },
        { day: "2026-09-04", extreme: "high", report: 81, venue: 84 },
      ],
    })
    assert.strictEqual(agreementText(agreement), "2 of 5")
    assert.deepStrictEqual(countAgreement(pairValues(new Map(), [])), of())
  })

  it("has an interval of the share of equal values", () => {
    const { low, high } = toEqualInterval(of({ compared: 314, equal: 312 }))
    assert.closeTo(low, 0.97708, 1e-5)
    assert.closeTo(high, 0.99825, 1e-5)
  })
})

describe("the basis", () => {
  it("is the prior before anything is measured, and the measured shares after much", () => {
    assert.deepStrictEqual(
      toBasis(undefined).map((share) => share.toFixed(12)),
      ["0.015000000000", "0.970000000000", "0.015000000000"],
    )
    const [below, equal, above] = toBasis(of({ compared: 6_000, equal: 5_700, oneBelow: 240, oneAbove: 60 }))
    assert.closeTo(below, (240 + 0.9) / 6_060, 1e-12)
    assert.closeTo(equal, (5_700 + 58.2) / 6_060, 1e-12)
    assert.closeTo(above, (60 + 0.9) / 6_060, 1e-12)
  })

  it("is the prior until the interval of a measured share excludes it", () => {
    const same = of({ compared: 120, equal: 120 })
    assert.isFalse(isMeasured(of()))
    assert.isFalse(isMeasured(same))
    assert.deepStrictEqual(toBasis(same), toBasis(undefined))
    // Of 300 equal values the interval begins at .9874, of 20 with 4 that differ it ends at .92.
    assert.isTrue(isMeasured(of({ compared: 300, equal: 300 })))
    assert.isTrue(isMeasured(of({ compared: 20, equal: 16, oneBelow: 4 })))
    // 9 of 200 are one too high where 3 are assumed: the equal ones alone would not say so.
    const above = of({ compared: 200, equal: 191, oneAbove: 9 })
    assert.isTrue(isMeasured(above))
    assert.isAbove(toBasis(above)[2], 0.03)
  })

  it("adds up to 1, whatever was counted", () => {
    const count = fc.nat(1_000)
    fc.assert(
      fc.property(count, count, count, count, (equal, oneBelow, oneAbove, far) => {
        const shares = toBasis(of({ compared: equal + oneBelow + oneAbove + far, equal, oneBelow, oneAbove }))
        assert.closeTo(shares[0] + shares[1] + shares[2], 1, 1e-12)
        assert.isTrue(shares.every((share) => share > 0))
      }),
    )
  })

  const output = { high: { 88: 1, 89: 0.8, 90: 0.5, 91: 0.1 }, low: {}, basis: [0.1, 0.7, 0.2] } as const

  it("moves a law by a degree to both sides", () => {
    const ge = toVenueLaw((k) => (k <= 88 ? 1 : ({ 89: 0.8, 90: 0.5, 91: 0.1 }[k] ?? 0)), output.basis)
    // By hand: the venue states at least 90 where the report has 91 or more, 90 and not less, or 89 and more.
    assert.closeTo(ge(90), 0.1 * 0.1 + 0.7 * 0.5 + 0.2 * 0.8, 1e-12)
    assert.strictEqual(ge(80), 1)
    assert.closeTo(ge(92), 0.2 * 0.1, 1e-12)
    assert.strictEqual(ge(93), 0)
  })

  it("prices contracts on the venue's source, not those on the report, and none of a record without it", () => {
    const price = (settlesOn: string, basis: typeof output.basis | undefined) =>
      weatherMapping.probability(contract({ settlesOn }), { high: output.high, low: {}, ...(basis && { basis }) })
    assert.closeTo(price("The Weather Company", output.basis)!, 0.52, 1e-12)
    assert.strictEqual(price("The Weather Company", undefined), 0.5)
    assert.strictEqual(price("National Weather Service daily climate report", output.basis), 0.5)
  })
})
