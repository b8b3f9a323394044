import { assert, describe, it } from "@effect/vitest"
import { halfDayPeriods, hourlyPeriods } from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import { outlook } from "../../../../../adapters/lanes/weather/mock/outlook.ts"
import { findSpot } from "../../../../../adapters/lanes/weather/mock/spot.ts"
import { type Period, whyImplausiblePeriods } from "../../../../../core/lanes/weather/forecast/periods.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"

const hour = 3_600_000
/** An afternoon in summer, a morning in winter, and the days around both changes of the clocks. */
const instants = [
  ...[Date.UTC(2026, 6, 9, 18), Date.UTC(2026, 0, 20, 14), Date.UTC(2026, 2, 6, 9), Date.UTC(2026, 9, 30, 3)],
]

const spots = stations.map(({ coordinates }) => findSpot(coordinates))
const of = (spot: (typeof spots)[number], at: number, hourly: boolean): ReadonlyArray<Period> =>
  (hourly ? hourlyPeriods : halfDayPeriods)(spot, outlook(spot, at, at, 150))

const newYork = spots[0]!
const halves = of(newYork, instants[0]!, false)
const hours = of(newYork, instants[0]!, true)
const judged = (periods: ReadonlyArray<Period>) => whyImplausiblePeriods(periods, newYork.zone)

const moved = (periods: ReadonlyArray<Period>, by: number): ReadonlyArray<Period> =>
  periods.map((period) => ({ ...period, startsAt: period.startsAt + by * hour, endsAt: period.endsAt + by * hour }))
/** Each temperature in the place of the one before it. */
const shifted = (periods: ReadonlyArray<Period>): ReadonlyArray<Period> =>
  periods.map((period, at) => ({ ...period, temp_f: periods[(at + 1) % periods.length]!.temp_f }))

describe("the periods of a point", () => {
  it("are plausible at every station, in every season and over changes of the clocks", () => {
    for (const spot of spots) {
      for (const at of instants) {
        for (const hourly of [true, false]) {
          assert.isUndefined(
            whyImplausiblePeriods(of(spot, at, hourly), spot.zone),
            `${spot.station.id} ${at} ${hourly}`,
          )
        }
      }
    }
  })

  for (const by of [-8, -5, -2, 2, 5, 8]) {
    it(`are refused with times of ${by} hours beside`, () => {
      for (const periods of [halves, hours]) {
        assert.match(
          judged(moved(periods, by)) ?? "",
          /^\d+ of \d+ periods have an isDaytime that contradicts local time/,
        )
      }
    })
  }

  it("may keep the clock of the first over a change, and are an hour beside it at no other time", () => {
    const springs = Date.UTC(2026, 2, 6, 9)
    for (const hourly of [true, false]) {
      const periods = of(newYork, springs, hourly)
      const changed = periods.map((period) =>
        period.startsAt < Date.UTC(2026, 2, 8, 7) ? period : moved([period], 1)[0]!,
      )
      assert.isUndefined(judged(changed))
      for (const by of [-1, 1]) assert.isDefined(judged(moved(hourly ? hours : halves, by)))
    }
  })

  it("name the first that is beside the clock", () => {
    const wrong = halves.map((period, at) => (at < 3 ? { ...period, is_day: !period.is_day } : period))
    assert.strictEqual(
      judged(wrong),
      `3 of ${halves.length} periods have an isDaytime that contradicts local time: from 2026-07-09T18:00:00.000Z it is false.`,
    )
    assert.isUndefined(judged(wrong.slice(2)), "one may be")
  })

  it("are refused where days are no warmer than nights", () => {
    assert.match(
      judged(shifted(halves)) ?? "",
      /^temperature is \d+ °F by day and \d+ °F by night: its values are shifted\.$/,
    )
    const level = halves.map((period) => ({ ...period, temp_f: 70 }))
    assert.isDefined(judged(level))
  })

  it("may be colder by day over two days, as behind a front", () => {
    const front = halves.slice(0, 5).map((period) => ({ ...period, temp_f: period.is_day ? 30 : 40 }))
    assert.isUndefined(judged(front))
    assert.isUndefined(judged([]))
  })
})
