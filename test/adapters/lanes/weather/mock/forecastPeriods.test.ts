import { assert, describe, it } from "@effect/vitest"
import { halfDayPeriods, hourlyPeriods } from "../../../../../adapters/lanes/weather/mock/forecast.ts"
import type { Hour } from "../../../../../adapters/lanes/weather/mock/outlook.ts"
import { findSpot } from "../../../../../adapters/lanes/weather/mock/spot.ts"
import { byId } from "../../../../../core/lanes/weather/stations.ts"
import { hour } from "../../../../../core/time.ts"

const spot = findSpot(byId.get("KNYC")!.coordinates)

/** Midnight of Thursday, 9 July 2026, in New York. */
const midnight = Date.UTC(2026, 6, 9, 4)

const hourAt = (at: number, changes: Partial<Hour> = {}): Hour => ({
  at: midnight + at * hour,
  tempF: 70,
  precipPct: 0,
  windMph: 5,
  windDir: "N",
  falls: "Rain Showers",
  clouds: 0,
  ...changes,
})

/** Hours of the day from one up to, not including, another. */
const hours = (from: number, to: number, of: (at: number) => Partial<Hour> = () => ({})) =>
  Array.from({ length: to - from }, (_, at) => hourAt(from + at, of(from + at)))

describe("a period's words", () => {
  const summary = (changes: Partial<Hour>, at = 12) => hourlyPeriods(spot, [hourAt(at, changes)])[0]?.summary

  it.each([
    [75, "Rain Showers"],
    [74, "Rain Showers Likely"],
    [55, "Rain Showers Likely"],
    [54, "Chance Rain Showers"],
    [25, "Chance Rain Showers"],
    [24, "Slight Chance Rain Showers"],
    [15, "Slight Chance Rain Showers"],
    [14, "Sunny"],
  ])("%i %% of rain: %s", (precipPct, words) => {
    assert.strictEqual(summary({ precipPct }), words)
  })

  it.each([
    [0.39, "Sunny", "Clear"],
    [0.4, "Mostly Sunny", "Mostly Clear"],
    [0.74, "Mostly Sunny", "Mostly Clear"],
    [0.75, "Partly Sunny", "Partly Cloudy"],
  ])("%d of the sky in clouds: %s, at night %s", (clouds, byDay, byNight) => {
    assert.deepStrictEqual([summary({ clouds }), summary({ clouds }, 22)], [byDay, byNight])
  })
})

describe("hours", () => {
  it("are day from six to six by the clock of the place", () => {
    const isDay = hourlyPeriods(spot, hours(5, 19)).map(({ is_day }) => is_day)
    assert.deepStrictEqual(isDay, [false, ...Array.from({ length: 12 }, () => true), false])
  })

  it("last an hour and have no name", () => {
    const [one] = hourlyPeriods(spot, [hourAt(12, { tempF: 70.5 })])
    assert.deepStrictEqual([one?.name, one!.endsAt - one!.startsAt, one?.temp_f], ["", hour, 71])
  })
})

describe("half days", () => {
  const names = (from: number, to: number) => halfDayPeriods(spot, hours(from, to)).map(({ name }) => name)

  it("are named as offices do, by the hour in which they begin", () => {
    assert.deepStrictEqual(names(6, 43), ["Today", "Tonight", "Friday"])
    assert.deepStrictEqual(names(11, 31), ["Today", "Tonight"])
    assert.deepStrictEqual(names(12, 31), ["This Afternoon", "Tonight"])
    assert.deepStrictEqual(names(17, 31), ["This Afternoon", "Tonight"])
    assert.deepStrictEqual(names(18, 43), ["Tonight", "Friday"])
    assert.deepStrictEqual(names(23, 43), ["Tonight", "Friday"])
    assert.deepStrictEqual(names(0, 43), ["Overnight", "Today", "Tonight", "Friday"])
    assert.deepStrictEqual(names(5, 55), ["Overnight", "Today", "Tonight", "Friday", "Friday Night"])
  })

  it("end where the next one begins, and one that has not ended is left out", () => {
    const [today, ...others] = halfDayPeriods(spot, hours(7, 30))
    assert.isEmpty(others)
    assert.deepStrictEqual([today?.startsAt, today?.endsAt], [midnight + 7 * hour, midnight + 18 * hour])
  })

  it("have the warmest hour of a day, the coldest of a night, the wettest and the windiest", () => {
    const of = (at: number): Partial<Hour> => ({
      tempF: 60 + at,
      precipPct: at === 9 || at === 20 ? 60 : 10,
      windMph: at === 10 ? 20 : 5,
      windDir: at === 10 ? "SW" : "N",
    })
    const [day, night] = halfDayPeriods(spot, hours(6, 31, of))
    assert.deepStrictEqual(
      [day?.temp_f, day?.precip_pct, day?.wind_mph_max, day?.wind_dir, day?.summary],
      [77, 60, 20, "SW", "Rain Showers Likely"],
    )
    assert.deepStrictEqual([night?.temp_f, night?.is_day, night?.summary], [78, false, "Rain Showers Likely"])
  })
})
