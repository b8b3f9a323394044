import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { parse } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { edited, grayfield, grayfieldLines } from "../../../support/climateReport.ts"

describe("any text as a climate report", () => {
  /** 60 kB of what a regular expression or a loop could stumble over, alone and where the parser looks for something. */
  const floods = [
    " ",
    "\t",
    "\r",
    "\n",
    "\r\n",
    ".",
    "...",
    "...A\n",
    "1",
    "1 ",
    "A ",
    "AM ",
    "R",
    "(E)",
    "\u0001",
    "THE ",
    " CLIMATE SUMMARY ",
    " CLIMATE SUMMARY FOR JULY 8 2026",
    "...THE A CLIMATE SUMMARY FOR JULY 8 2026...\n",
    "WEATHER ITEM   OBSERVED\n",
    "&&\n",
    "VALID AS OF ",
    "CDUS41 KZZZ 090626 ",
    "226 AM EDT THU JUL 09 2026 /",
  ]
  const flooded = (flood: string): ReadonlyArray<readonly [string, string]> => {
    const long = flood.repeat(Math.floor(60_000 / flood.length))
    return [
      ["alone", long],
      ["in the heading", edited({ 2: `CDUS41 KZZZ 090626${long}X` })],
      ["in the issue line", edited({ 7: `226 AM EDT THU JUL${long}X` })],
      ["in the headline", edited({ 11: `...THE ${long}X` })],
      ["in the table header", edited({ 13: `WEATHER ITEM${long}X` })],
      ["in a row", edited({ 19: `  MAXIMUM ${long}X` })],
      // Blanks would leave the amount as it is.
      ...(flood.trim() === "" ? [] : [["in an amount", edited({ 25: `  YESTERDAY        0${long}X` })] as const]),
    ]
  }

  it.each(
    floods.flatMap((flood) => flooded(flood).map(([where, text]) => [JSON.stringify(flood), where, text] as const)),
  )("60 kB of %s %s are rejected", (_flood, _where, text) => assert.isTrue(Either.isLeft(parse(text))))

  const inRange = (value: number | undefined, least: number, most: number) =>
    assert.isTrue(value === undefined || (value >= least && value <= most), String(value))

  const assertSound = (text: string) => {
    const parsed = parse(text)
    if (Either.isLeft(parsed)) {
      const { line, reason, text: shown } = parsed.left
      assert.isTrue(line >= 1 && line <= text.split("\n").length && reason.endsWith(".") && shown.length <= 120)
      return
    }
    assert.isNotEmpty(parsed.right.reports)
    for (const { day, highF, lowF, precipIn, snowIn, flags } of parsed.right.reports) {
      assert.strictEqual(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10), day)
      inRange(highF, lowF ?? -80, 140)
      inRange(lowF, -80, highF ?? 140)
      inRange(precipIn, 0, 50)
      inRange(snowIn, 0, 100)
      for (const value of [highF, lowF]) assert.isTrue(value === undefined || Number.isInteger(value))
      assert.deepStrictEqual(flags, [...new Set(flags)].sort())
      assert.strictEqual(highF === undefined, flags.includes("high_missing"))
      assert.strictEqual(lowF === undefined, flags.includes("low_missing"))
    }
  }

  it("never throws", () => fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), assertSound)))

  const at = fc.nat({ max: 4_000 })
  const character = fc.constantFrom(..." \n\t\r.-*()/:0123456789AEFMNPRTY\u0001\u0003é")
  const edit = fc.oneof(
    fc.record({ kind: fc.constant("insert" as const), at, character }),
    fc.record({ kind: fc.constant("delete" as const), at, length: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constant("replace" as const), at, character }),
    fc.record({ kind: fc.constant("dropLine" as const), at }),
    fc.record({ kind: fc.constant("moveLine" as const), at, to: at }),
  )

  it("a damaged report is parsed to valid values or rejected", () =>
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let text = grayfield
        for (const each of edits) {
          const place = each.at % (text.length + 1)
          const lines = text.split("\n")
          const index = each.at % lines.length
          if (each.kind === "insert") text = text.slice(0, place) + each.character + text.slice(place)
          else if (each.kind === "delete") text = text.slice(0, place) + text.slice(place + each.length)
          else if (each.kind === "replace") text = text.slice(0, place) + each.character + text.slice(place + 1)
          else {
            const [line = ""] = lines.splice(index, 1)
            if (each.kind === "moveLine") lines.splice(each.to % (lines.length + 1), 0, line)
            text = lines.join("\n")
          }
        }
        assertSound(text)
      }),
      { numRuns: 1_000 },
    ))

  const shift = fc.record({
    line: fc.constantFrom(13, 19, 21, 25, 29),
    at: fc.nat({ max: 70 }),
    by: fc.integer({ min: -6, max: 6 }),
  })

  it("never takes another column's number when columns are shifted", () =>
    fc.assert(
      fc.property(fc.array(shift, { minLength: 1, maxLength: 3 }), (shifts) => {
        const lines = [...grayfieldLines]
        for (const { line, at, by } of shifts) {
          const before = lines[line - 1]!
          const place = at % before.length
          const blanks = / */y
          blanks.lastIndex = place
          const width = blanks.exec(before)![0].length
          // At least one blank stays and no word is split: joined and split words are other words.
          const kept = width === 0 ? 0 : Math.max(1, width + by)
          lines[line - 1] = before.slice(0, place) + " ".repeat(kept) + before.slice(place + width)
        }
        const parsed = parse(lines.join("\n"))
        if (Either.isLeft(parsed)) return
        const { highF, lowF, precipIn, snowIn, flags } = parsed.right.reports[0]!
        assert.deepStrictEqual([highF, lowF], [85, 64])
        assert.isTrue(precipIn === undefined ? flags.includes("precip_missing") : precipIn === 0.12)
        assert.isTrue(snowIn === undefined ? flags.includes("snow_missing") : snowIn === 0.3)
      }),
      { numRuns: 2_000 },
    ))
})
