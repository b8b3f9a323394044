import { assert, describe, it } from "@effect/vitest"
import { whyTooShort } from "../../../../../core/lanes/weather/forecast/plausibleGrid.ts"

const now = Date.UTC(2026, 6, 9, 18)
const day = 86_400_000

describe("a forecast", () => {
  it("is due for five days from now, in any order of its periods", () => {
    assert.isUndefined(whyTooShort("forecast", [now + 5 * day, now + day], now))
    assert.strictEqual(
      whyTooShort("forecast", [now + day, now + 5 * day - 1, now], now),
      "the forecast ends at 2026-07-14T17:59:59.999Z.",
    )
  })

  it("of the past, or without periods, ends now", () => {
    for (const ends of [[], [now - day]]) {
      assert.strictEqual(whyTooShort("grid", ends, now), "the grid ends at 2026-07-09T18:00:00.000Z.")
    }
  })
})
