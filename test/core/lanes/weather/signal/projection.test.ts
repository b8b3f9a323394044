import { assert, describe, it } from "@effect/vitest"
import type { Extreme, GridForecast } from "../../../../../core/lanes/weather/ports.ts"
import {
  coversPart,
  cutToDay,
  findBackedHours,
  projectHigh,
  projectLow,
} from "../../../../../core/lanes/weather/signal/projection.ts"
import { summarizeReadings, toSolarHour } from "../../../../../core/lanes/weather/signal/sameDay.ts"
import { byId, climateDayStart } from "../../../../../core/lanes/weather/stations.ts"
import { day, grid, hour, hourly, nyc, readings, start, usualAt } from "../world.ts"

const of = (changes: Partial<GridForecast>) => cutToDay(grid(changes), nyc, day)
/** From one local standard hour of the day to another, counted past 24. */
const interval = (from: number, to: number, tempF: number): Extreme => ({
  from: start + from * hour,
  to: start + to * hour,
  tempF,
})

describe("a grid cut to a climate day", () => {
  it("runs from local standard midnight to midnight, also in summer", () => {
    const { start: begins, hourly: hours } = of({ hourly: hourly(-30, 60) })
    // Midnight Eastern standard time, one o'clock on the clocks of July.
    assert.strictEqual(new Date(begins).toISOString(), "2026-07-09T05:00:00.000Z")
    assert.deepStrictEqual(
      [...hours],
      Array.from({ length: 24 }, (_, at) => usualAt(at)),
    )
  })

  it("selects the day's intervals: inside it, or across midnight with their extreme hour in it", () => {
    const cold = (at: number, tempF: number): GridForecast["hourly"] =>
      hourly(-24, 48).map((one) => (one.at === start + at * hour ? { ...one, tempF } : one))
    const table: ReadonlyArray<
      readonly [name: string, hours: GridForecast["hourly"], "maxima" | "minima", Extreme, belongs: boolean]
    > = [
      ["the day's maximum", hourly(0, 24), "maxima", interval(7, 20, 90), true],
      ["yesterday's", hourly(-24, 24), "maxima", interval(-17, -4, 90), false],
      ["tomorrow's", hourly(0, 48), "maxima", interval(31, 44, 90), false],
      ["from midnight to midnight", hourly(0, 24), "maxima", interval(0, 24, 90), true],
      ["the night that ends at dawn", hourly(-24, 48), "minima", interval(-5, 9, 60), true],
      ["the night that begins in the evening", hourly(-24, 48), "minima", interval(19, 33, 60), false],
      ["a front before midnight", cold(23, 40), "minima", interval(19, 33, 39), true],
      ["the same front, of tomorrow's day", cold(25, 40), "minima", interval(19, 33, 39), false],
      ["a night of which hours are missing", hourly(0, 24), "minima", interval(-5, 9, 60), false],
      ["an impossible maximum", hourly(0, 24), "maxima", interval(7, 20, 545.5), false],
      ["an impossible minimum", hourly(0, 24), "minima", interval(1, 8, -200), false],
    ]
    for (const [name, hours, series, one, belongs] of table) {
      assert.strictEqual(of({ hourly: hours, [series]: [one] })[series].length, belongs ? 1 : 0, name)
    }
  })

  it("takes an impossible hour for none", () => {
    const hours = hourly(0, 24).map((one, at) => (at === 4 ? { ...one, tempF: 545.5 } : one))
    assert.isNaN(of({ hourly: hours }).hourly[4])
  })
})

describe("the projected high", () => {
  it("is the higher of hours and maxima, at its hottest hour", () => {
    const table: ReadonlyArray<readonly [Partial<GridForecast>, tempF: number | undefined, hourOfDay: number]> = [
      [{}, 85, 15],
      [{ maxima: [interval(7, 20, 87.4)] }, 87.4, 15],
      [{ maxima: [interval(7, 20, 84)] }, 85, 15],
      [{ hourly: hourly(18, 24), maxima: [interval(7, 20, 87)] }, 87, 18],
      [{ hourly: hourly(0, 6), maxima: [interval(7, 20, 87)] }, 87, 13.5],
      [{ hourly: hourly(24, 48) }, undefined, 0],
    ]
    for (const [changes, tempF, at] of table) {
      const found = projectHigh(of(changes))
      assert.deepStrictEqual(found, tempF === undefined ? undefined : { tempF, at: start + at * hour })
    }
  })
})

describe("the projected low", () => {
  it("has a morning and an evening, each the lower of hours and minima", () => {
    const night = interval(-5, 9, 63.2)
    const table: ReadonlyArray<
      readonly [
        name: string,
        Partial<GridForecast>,
        since: number | undefined,
        morning: number | undefined,
        evening: number | undefined,
      ]
    > = [
      ["hours", {}, undefined, 65, usualAt(23)],
      ["the night's minimum", { hourly: hourly(-24, 48), minima: [night] }, undefined, 63.2, usualAt(23)],
      ["a warmer one", { hourly: hourly(-24, 48), minima: [interval(-5, 9, 68)] }, undefined, 65, usualAt(23)],
      ["a night that has begun", { hourly: hourly(-24, 48), minima: [night] }, 4, 65, usualAt(23)],
      ["what is left at seven", {}, 7.5, usualAt(7), usualAt(23)],
      ["what is left at nine", {}, 9, undefined, usualAt(23)],
      ["what is left at half past eleven", {}, 23.5, undefined, usualAt(23)],
      ["no evening", { hourly: hourly(0, 18) }, undefined, 65, undefined],
      [
        "a front at noon",
        { hourly: hourly(0, 24).map((one, at) => (at === 12 ? { ...one, tempF: 50 } : one)) },
        undefined,
        65,
        50,
      ],
    ]
    for (const [name, changes, since, morning, evening] of table) {
      const found = since === undefined ? projectLow(of(changes)) : projectLow(of(changes), start + since * hour, 65)
      assert.deepStrictEqual([found.morning, found.evening], [morning, evening], name)
    }
  })
})

describe("hours that are backed", () => {
  const counted = (changes: Partial<GridForecast>, read: ReturnType<typeof readings>, at: number) =>
    findBackedHours(of(changes), read, start + at * hour)

  it("are read when over, forecast when to come, either while they run", () => {
    const noon = start + 12.5 * hour
    const read = readings(noon).filter(({ at }) => at >= start)
    const table: ReadonlyArray<readonly [Partial<GridForecast>, typeof read, at: number, count: number]> = [
      [{}, [], 0, 24],
      [{}, read, 12.5, 24],
      [{ hourly: hourly(12, 24) }, read, 12.5, 24],
      [{ hourly: hourly(13, 24) }, read, 12.5, 23],
      [{}, [], 12.5, 12],
      [{ hourly: [] }, read, 12.5, 12],
      [{ hourly: hourly(0, 20) }, read, 12.5, 20],
    ]
    for (const [changes, of, at, count] of table) {
      assert.strictEqual(counted(changes, of, at).filter(Boolean).length, count)
    }
  })

  it("must be two thirds of a stretch", () => {
    const except = (...missing: ReadonlyArray<number>) => Array.from({ length: 24 }, (_, at) => !missing.includes(at))
    assert.isTrue(coversPart(except(0, 1, 2), "morning"))
    assert.isFalse(coversPart(except(0, 1, 2, 8), "morning"))
    assert.isTrue(coversPart(except(9, 12, 17), "afternoon"))
    assert.isFalse(coversPart(except(9, 10, 12, 17), "afternoon"))
    assert.isTrue(coversPart(except(18, 23), "evening"))
    assert.isFalse(coversPart(except(18, 20, 23), "evening"))
  })
})

describe("the readings so far", () => {
  const at = (minutes: number, tempF: number) => ({ at: start + minutes * 60_000, tempF })

  it("have extremes of the day alone, as far as they are proven, and a trend over about an hour", () => {
    const found = summarizeReadings(
      [at(-60, 95), at(-9, 64), at(51, 66.2), at(111, 71.5), at(165, 71.5), at(171, 70.9)],
      start,
    )
    assert.deepStrictEqual(found, {
      at: start + 171 * 60_000,
      high: 71,
      low: 66,
      highAt: start + 111 * 60_000,
      tempF: 70.9,
      trendF: -0.5999999999999943,
    })
  })

  it("prove no degree that rounding to Celsius may have made", () => {
    const celsius = (value: number) => (value * 9) / 5 + 32
    const table: ReadonlyArray<readonly [celsius: ReadonlyArray<number>, high: number, low: number]> = [
      // 54.5 °F: of 54.41 there is no 55.
      [[12.1, 12.5], 54, 54],
      [[21.1, 21.7, 20.6], 71, 69],
      // Whole by itself, among tenths: 68 °F.
      [[20, 18.9, 19.4], 68, 66],
      // Whole degrees throughout: 22 may have been 70.7 to 72.5 °F.
      [[20, 21, 22], 71, 69],
    ]
    for (const [values, high, low] of table) {
      const found = summarizeReadings(
        values.map((value, index) => at(60 * index, celsius(value))),
        start,
      )!
      assert.deepStrictEqual([found.high, found.low], [high, low], `${values}`)
    }
  })

  it("take the reading nearest to an hour older, within half an hour, and say how fast an hour it changed", () => {
    const table: ReadonlyArray<readonly [earlier: ReadonlyArray<number>, trend: number]> = [
      [[], 0],
      [[20], 0],
      [[95], 0],
      [[30], 8],
      [[90], 8 / 3],
      [[45, 70, 90], 24 / 7],
      [[40, 90], 6],
    ]
    for (const [earlier, trend] of table) {
      const before = earlier.map((minutes) => at(600 - minutes, 70)).sort((a, b) => a.at - b.at)
      assert.approximately(summarizeReadings([...before, at(600, 74)], start)!.trendF, trend, 1e-12, `${earlier}`)
    }
  })

  it("are none before the day's first", () => {
    assert.isUndefined(summarizeReadings([], start))
    assert.isUndefined(summarizeReadings([at(-30, 70)], start))
    assert.strictEqual(summarizeReadings([at(0, 70)], start)!.high, 70)
  })

  it("are dated in mean solar time", () => {
    for (const [id, standardHour, solar] of [
      ["KNYC", 12, 12.0687],
      ["KHOU", 12, 11.6478],
      ["KBOS", 23.9, 24.166],
    ] as const) {
      const station = byId.get(id)!
      assert.approximately(toSolarHour(station, climateDayStart(station, day) + standardHour * hour), solar, 1e-3, id)
    }
  })
})
