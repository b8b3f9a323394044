import { assert, describe, it } from "@effect/vitest"
import { dayText, periodText, shortly, timeText } from "../../../../adapters/web/view/dates.ts"

const at = Date.UTC(2026, 10, 28, 14, 0, 59)

describe("dates of pages", () => {
  it("have one form, in UTC", () => {
    assert.deepStrictEqual([dayText(at), timeText(at)], ["28 Nov 2026", "28 Nov 2026, 14:00 UTC"])
    assert.strictEqual(shortly(at, Date.UTC(2026, 10, 28, 23, 59)), "14:00")
    assert.strictEqual(shortly(at, Date.UTC(2026, 10, 29)), "28 Nov 2026, 14:00 UTC")
  })

  it.each([
    ["2026-11-27", "27 Nov 2026"],
    ["2026-11-27T20:57Z", "27 Nov 2026, 20:57 UTC"],
    ["2026-11-27T20:10:00.000Z", "27 Nov 2026, 20:10 UTC"],
    ["week 11 of 2026", "week 11 of 2026"],
    ["300 minutes from 2026-11-27T20:57Z", "300 minutes from 2026-11-27T20:57Z"],
  ])("are that of the period %s too", (name, text) => {
    assert.strictEqual(periodText(name), text)
  })
})
