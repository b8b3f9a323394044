import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { dailyExtremes, temperatureAt } from "../../../../../adapters/lanes/weather/mock/climate.ts"
import { byId, climateDayStart, listDays, stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../../core/time.ts"
import { describeRealData } from "../../../../support/realData.ts"

const minute = 60_000

/** Mean of what `value` says of the days. */
const mean = (days: ReadonlyArray<string>, value: (day: string) => number): number =>
  days.reduce((sum, day) => sum + value(day), 0) / days.length

describe("the generated climate", () => {
  it("reports as a day's extremes those of the thermometer's readings, each at its minute", () => {
    let atMidnight = 0
    for (const station of stations) {
      for (let n = 0; n < 60; n++) {
        // Every sixth day, through all seasons.
        const day = addDays("2025-03-01", 6 * n)
        const start = climateDayStart(station, day)
        const readings = Array.from({ length: 1440 }, (_, at) => temperatureAt(station, start + at * minute + 59_999))
        const { highF, lowF, highMinute, lowMinute } = dailyExtremes(station, day)
        const at = `${station.id} ${day}`
        assert.strictEqual(highF, Math.round(Math.max(...readings)), at)
        assert.strictEqual(lowF, Math.round(Math.min(...readings)), at)
        assert.strictEqual(readings[highMinute], Math.max(...readings), at)
        assert.strictEqual(readings[lowMinute], Math.min(...readings), at)
        if (highMinute === 0 || lowMinute === 1439) atMidnight++
        const noon = dailyExtremes(station, day, 720)
        assert.strictEqual(noon.highF, Math.round(Math.max(...readings.slice(0, 721))), at)
        assert.strictEqual(noon.lowF, Math.round(Math.min(...readings.slice(0, 721))), at)
      }
    }
    assert.isAbove(atMidnight, 20, "no front passes overnight")
  })

  // Mean high and low of January and July, 1991–2020 U.S. Climate Normals (NOAA), rounded.
  const normals: Readonly<Record<string, readonly [janHigh: number, janLow: number, julHigh: number, julLow: number]>> =
    {
      KNYC: [40, 28, 85, 70],
      KMDW: [33, 20, 85, 68],
      KMIA: [76, 62, 91, 78],
      KAUS: [62, 39, 96, 73],
      KLAX: [66, 50, 75, 64],
      KDEN: [45, 18, 90, 60],
      KPHL: [41, 27, 88, 70],
      KBOS: [37, 24, 82, 67],
      KHOU: [64, 46, 94, 76],
    }
  const years = Array.from({ length: 25 }, (_, n) => 2001 + n)
  for (const station of stations) {
    it(`is at ${station.id} in January and July what is usual there, over 25 years`, () => {
      const [janHigh, janLow, julHigh, julLow] = normals[station.id]!
      for (const [month, high, low] of [
        ["01", janHigh, janLow],
        ["07", julHigh, julLow],
      ] as const) {
        const days = years.flatMap((year) => listDays(`${year}-${month}-01`, `${year}-${month}-31`))
        const highF = mean(days, (day) => dailyExtremes(station, day).highF)
        assert.closeTo(highF, high, 2, `high, month ${month}`)
        const lowF = mean(days, (day) => dailyExtremes(station, day).lowF)
        assert.closeTo(lowF, low, 2, `low, month ${month}`)
      }
    })
  }
})

describeRealData("the generated climate beside the normals of each day", (root) => {
  for (const id of ["KNYC", "KMDW", "KPHL", "KHOU"]) {
    it(`is within 6 °F of them at ${id} in every month, and within 2 °F over the year`, () => {
      const station = byId.get(id)!
      const file = join(root, `weather/daily/fivethirtyeight-us-weather-history/${id}.csv`)
      const [header, ...rows] = readFileSync(file, "utf8").trim().split("\n")
      const columns = header!.trim().split(",")
      const byMonth = Array.from({ length: 12 }, () => ({ high: 0, low: 0, n: 0 }))
      for (const row of rows) {
        const cells = row.split(",")
        const cell = (name: string): number => Number(cells[columns.indexOf(name)])
        const [, month, day] = cells[0]!.split("-").map(Number)
        // Twenty years of that day of the year.
        const days = Array.from(
          { length: 20 },
          (_, n) => `${2001 + n}-${String(month).padStart(2, "0")}-${String(Math.min(day!, 28)).padStart(2, "0")}`,
        )
        const sum = byMonth[month! - 1]!
        sum.high += mean(days, (each) => dailyExtremes(station, each).highF) - cell("average_max_temp")
        sum.low += mean(days, (each) => dailyExtremes(station, each).lowF) - cell("average_min_temp")
        sum.n++
      }
      for (const side of ["high", "low"] as const) {
        for (const [month, sum] of byMonth.entries()) {
          assert.closeTo(sum[side] / sum.n, 0, 6, `${side}, month ${month + 1}`)
        }
        assert.closeTo(byMonth.reduce((all, sum) => all + sum[side], 0) / rows.length, 0, 2, side)
      }
    })
  }
})
