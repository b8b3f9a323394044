import { assert, describe, it } from "@effect/vitest"
import { read } from "../../../core/find/question.ts"

/** A Sunday. */
const today = "2026-11-29"

describe("a question in plain words", () => {
  it.each([
    ["high tomorrow", "2026-11-30", "high"],
    ["Tonight's low", "2026-11-29", "'s low"],
    ["day after tomorrow", "2026-12-01", ""],
    ["yesterday", "2026-11-28", ""],
    ["Sunday", "2026-11-29", ""],
    ["on Sat night", "2026-12-05", ""],
    ["last Sunday", "2026-11-22", ""],
    ["next tue", "2026-12-01", ""],
    ["29 Nov", "2026-11-29", ""],
    ["January 2nd", "2027-01-02", ""],
    ["the 3rd of october", "2026-10-03", "the"],
    ["Feb. 3, 2024 report", "2024-02-03", "report"],
    ["12/1", "2026-12-01", ""],
    ["2026-12-01 KNYC", "2026-12-01", "knyc"],
    ["high tomorow", "2026-11-30", "high"],
    ["low wensday", "2026-12-02", "low"],
    ["in 3 days", "2026-12-02", ""],
    ["2 days ago", "2026-11-27", ""],
  ])("%s", (text, day, words) => {
    const question = read(text)
    assert.deepStrictEqual([question.day?.(today), question.words], [day, words])
  })

  it.each([
    "Feb 31",
    "2026-02-30",
    "13/1",
    "sunny",
    "Phoenix Suns",
    "Golden Knights",
    "KXHIGHNY-26NOV30-T50",
    "may",
    "marlins 3",
  ])("names no day in %s", (text) => {
    assert.isUndefined(read(text).day)
    assert.strictEqual(read(text).words, text.toLowerCase())
  })

  it.each([
    ["above 50", [50], undefined, undefined],
    ["BTC > $100k", [100_000], undefined, undefined],
    ["between 60°F and 62 °F", [60, 62], undefined, undefined],
    ["ETH 2,500.50 in 30 minutes", [2_500.5], 30, undefined],
    ["in an hour", [], 60, undefined],
    ["next 4 hours", [], 240, undefined],
    ["24h ahead", [], 1_440, undefined],
    ["week 13 at least 40", [40], undefined, 13],
    ["2026_05_KC_DEN", [], undefined, undefined],
    ["49ers", [], undefined, undefined],
  ])("reads the figures of %s", (text, numbers, minutes, week) => {
    const question = read(text)
    assert.deepStrictEqual([question.numbers, question.minutes, question.week], [numbers, minutes, week])
  })
})
