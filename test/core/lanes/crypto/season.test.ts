import { assert, describe, it } from "@effect/vitest"
import { hourlyProfile, hourlySeason } from "../../../../bench/open/lanes/crypto/hourly.ts"
import { meanMultiplier, quarterlySeason, toQuarterOfWeek } from "../../../../core/lanes/crypto/season.ts"

const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  weekday: "short",
  hour: "numeric",
})

/** The profile's index as the time zone database has it. */
const byDatabase = (hour: number): number => {
  const parts = Object.fromEntries(
    clock.formatToParts(new Date(hour * 3_600_000)).map(({ type, value }) => [type, value]),
  )
  return Number(parts["hour"]) + (parts["weekday"] === "Sat" || parts["weekday"] === "Sun" ? 24 : 0)
}

const hourOf = (...date: readonly [number, number, number, number]): number => Date.UTC(...date) / 3_600_000

describe("season", () => {
  it("averages to 1 over the week", () => {
    assert.lengthOf(hourlyProfile, 48)
    const sum = hourlyProfile.reduce((total, value, at) => total + value * (at < 24 ? 5 : 2), 0)
    assert.approximately(sum / 168, 1, 5e-4)
    const quarters = Array.from({ length: 672 }, (_, at) => quarterlySeason.multiplier(4 * hourOf(2025, 5, 1, 4) + at))
    assert.approximately(quarters.reduce((total, value) => total + value, 0) / 672, 1, 5e-4)
  })

  it("follows the clock of New York through every change of it and around New Year", () => {
    for (let year = 2008; year <= 2037; year++) {
      for (const [month, day, days] of [
        [0, 1, 1],
        [2, 6, 10],
        [9, 30, 10],
        [11, 31, 1],
      ] as const) {
        const from = hourOf(year, month, day, 0)
        for (let hour = from - 24; hour < from + 24 * days; hour++) {
          assert.strictEqual(
            hourlySeason.multiplier(hour),
            hourlyProfile[byDatabase(hour)],
            new Date(hour * 3_600_000).toISOString(),
          )
        }
      }
    }
  })

  it("has the quarters of its week in order, from Sunday on, through both changes of the clock", () => {
    for (const [month, first] of [
      [2, 9],
      [10, 2],
    ] as const) {
      for (let slot = 4 * hourOf(2025, month, first - 1, 0); slot < 4 * hourOf(2025, month, first + 2, 0); slot++) {
        const at = new Date(slot * 900_000)
        const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
        const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(parts["weekday"]!)
        const quarter = at.getUTCMinutes() / 15
        assert.strictEqual(toQuarterOfWeek(slot), 4 * (24 * day + Number(parts["hour"])) + quarter, at.toISOString())
      }
    }
  })

  it("knows the minute at which the stock market opens, within its hour", () => {
    const nine = 4 * hourOf(2025, 5, 3, 13)
    const [first, second, third, last] = [0, 1, 2, 3].map((at) => quarterlySeason.multiplier(nine + at))
    assert.isBelow(first! + second!, 0.6 * (third! + last!))
    assert.approximately(meanMultiplier(quarterlySeason, 15 * nine + 20, 15), (10 * second! + 5 * third!) / 15, 1e-12)
  })

  it("follows it through a whole year", () => {
    const from = hourOf(2025, 0, 1, 0)
    for (let hour = from; hour < from + 8760; hour++)
      assert.strictEqual(hourlySeason.multiplier(hour), hourlyProfile[byDatabase(hour)])
  })

  it("has a value for any hour, winter time where the rule is unknown", () => {
    for (const hour of [0, -1, -500_000, hourOf(2006, 6, 5, 12), hourOf(2150, 6, 6, 12)]) {
      assert.include(hourlyProfile, hourlySeason.multiplier(hour))
    }
    assert.strictEqual(hourlySeason.multiplier(0), hourlyProfile[19])
  })

  it("averages the minutes ahead", () => {
    const from = hourOf(2025, 5, 2, 13) * 60
    const byMinute = (start: number, minutes: number) =>
      Array.from({ length: minutes }, (_, at) => hourlySeason.multiplier(Math.floor((start + at) / 60))).reduce(
        (a, b) => a + b,
        0,
      ) / minutes
    for (const [start, minutes] of [
      [from, 60],
      [from + 59, 5],
      [from + 17, 90],
      [from - 700, 1440],
    ] as const) {
      assert.approximately(meanMultiplier(hourlySeason, start, minutes), byMinute(start, minutes), 1e-12)
    }
    assert.strictEqual(meanMultiplier(hourlySeason, from, 60), 2.22)
    assert.approximately(meanMultiplier(hourlySeason, from, 7.5), 2.22, 1e-15)
  })
})
