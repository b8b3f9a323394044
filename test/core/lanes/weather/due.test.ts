import { assert, describe, it } from "@effect/vitest"
import { calibrationCoverage, firstCoveredDay, lastDueDay, reportCoverage } from "../../../../core/lanes/weather/due.ts"
import { byId, listDays } from "../../../../core/lanes/weather/stations.ts"

const newYork = byId.get("KNYC")!
const losAngeles = byId.get("KLAX")!
/** Ten in New York by standard time, in summer too. */
const ten = Date.UTC(2026, 6, 10, 15)
const namesOf = (periods: ReadonlyArray<{ readonly name: string }>) => periods.map(({ name }) => name)

describe("the final report of a climate day", () => {
  it("is due by ten of the next day, local standard time, to the millisecond", () => {
    assert.deepStrictEqual([lastDueDay(newYork, ten), lastDueDay(newYork, ten - 1)], ["2026-07-09", "2026-07-08"])
    assert.strictEqual(lastDueDay(losAngeles, ten), "2026-07-08")
    assert.strictEqual(lastDueDay(losAngeles, ten + 3 * 3_600_000), "2026-07-09")
  })
})

describe("the coverage of a station's reports", () => {
  const whole = listDays("2026-05-01", "2026-07-09")
  const coverage = (finals: ReadonlyArray<string>) => {
    const { missing, gaps, newest, expected } = reportCoverage(newYork, finals, finals.at(-1), ten)
    return { missing: namesOf(missing), gaps: namesOf(gaps), newest: newest?.name, expected: expected?.name }
  }

  it("lacks nothing with every day up to the last one that is due", () => {
    assert.deepStrictEqual(coverage(whole), { missing: [], gaps: [], newest: "2026-07-09", expected: "2026-07-09" })
  })

  it("lacks the days of the last week that are due, and has gaps of the days before", () => {
    const without = (...days: ReadonlyArray<string>) => coverage(whole.filter((day) => !days.includes(day)))
    assert.deepStrictEqual(without("2026-07-09").missing, ["2026-07-09"])
    assert.strictEqual(without("2026-07-09").newest, "2026-07-08")
    assert.deepStrictEqual(without("2026-07-03").missing, ["2026-07-03"])
    const { missing, gaps } = without("2026-07-02", "2026-06-20")
    assert.deepStrictEqual([missing, gaps], [[], ["2026-06-20", "2026-07-02"]])
  })

  it("of an empty store lacks a week, and of a young one nothing before its first day", () => {
    assert.deepStrictEqual(coverage([]).missing, listDays("2026-07-03", "2026-07-09"))
    assert.isUndefined(coverage([]).newest)
    assert.deepStrictEqual(coverage(listDays("2026-06-28", "2026-07-09")).gaps, [])
  })

  it("looks a month farther back than the week", () => {
    assert.strictEqual(firstCoveredDay(newYork, ten), "2026-06-03")
  })
})

describe("the coverage of counted forecast errors", () => {
  const forecast = listDays("2026-07-01", "2026-07-09")
  const coverage = (counted: ReadonlyArray<string>) => calibrationCoverage(forecast, new Set(counted), "2026-07-10")

  it("lacks days that are three days old and not counted", () => {
    const { missing, newest, expected } = coverage(listDays("2026-07-01", "2026-07-05"))
    assert.deepStrictEqual(namesOf(missing), ["2026-07-06", "2026-07-07"])
    assert.deepStrictEqual([newest?.name, expected?.name], ["2026-07-05", "2026-07-07"])
    assert.deepStrictEqual(coverage(listDays("2026-07-01", "2026-07-07")).missing, [])
  })

  it("owes nothing before a day was forecast", () => {
    const { missing, expected } = calibrationCoverage([], new Set(), "2026-07-10")
    assert.deepStrictEqual([missing, expected], [[], undefined])
  })
})
