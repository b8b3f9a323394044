import { assert, describe, it } from "@effect/vitest"
import { byKey, compare, count, plural } from "../../core/text.ts"
import { addDays, day, dayOf, hour, isDay, iso } from "../../core/time.ts"

describe("days", () => {
  it("are those that the calendar has, of every month and kind of year", () => {
    for (const year of ["0000", "1900", "1999", "2000", "2024", "2100", "9999"]) {
      for (let month = 0; month <= 13; month++) {
        for (let date = 0; date <= 32; date++) {
          const text = `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`
          const parsed = new Date(`${text}T00:00:00Z`)
          const known = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
          assert.strictEqual(isDay(text), known, text)
        }
      }
    }
  })

  for (const text of ["", "2026-7-08", "2026-07-08 ", "2026-07-08\n", "20260708", "2026-07-08T00:00:00Z"]) {
    it(`are not ${JSON.stringify(text)}`, () => assert.isFalse(isDay(text)))
  }

  for (const [from, days, to] of [
    ["2024-02-28", 1, "2024-02-29"],
    ["2026-02-28", 1, "2026-03-01"],
    ["2026-01-01", -1, "2025-12-31"],
    ["2026-11-01", 0, "2026-11-01"],
    ["2026-03-08", 365, "2027-03-08"],
  ] as const) {
    it(`${from} and ${days} is ${to}`, () => assert.strictEqual(addDays(from, days), to))
  }

  it("begin at midnight UTC", () => {
    const midnight = Date.UTC(2026, 6, 8)
    assert.deepStrictEqual([midnight - 1, midnight, midnight + day - 1, midnight + day].map(dayOf), [
      "2026-07-07",
      "2026-07-08",
      "2026-07-08",
      "2026-07-09",
    ])
    assert.strictEqual(iso(midnight + 12 * hour), "2026-07-08T12:00:00.000Z")
  })
})

describe("texts", () => {
  it("have the thousands of a count apart", () => {
    assert.strictEqual(count(1_234_567), "1,234,567")
  })

  it("are counted", () =>
    assert.deepStrictEqual(
      [0, 1, 2].map((count) => plural(count, "game")),
      ["0 games", "1 game", "2 games"],
    ))

  it("are ordered by their code units, in no locale", () => {
    assert.deepStrictEqual(["b", "ä", "B", "a", "a"].sort(compare), ["B", "a", "a", "b", "ä"])
    assert.strictEqual(compare("a", "a"), 0)
  })

  it("order the entries that they are the keys of", () =>
    assert.deepStrictEqual(Object.entries({ b: 1, a: 2, B: 3 }).sort(byKey), [
      ["B", 3],
      ["a", 2],
      ["b", 1],
    ]))
})
