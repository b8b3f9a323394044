import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { fitClimatology } from "../../../../../bench/open/backtest/weatherClimatology.ts"
import { readDaily } from "../../../../../bench/open/backtest/weatherData.ts"
import {
  climateNormal,
  dayOfYear,
  fittedClimatologies,
  leadDays,
  priorSigma,
  seasonFactor,
  type Variable,
} from "../../../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDayStart, stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../../core/time.ts"
import { describeRealData } from "../../../../support/realData.ts"

const nyc = byId.get("KNYC")!
const day = "2026-07-09"

describe("lead", () => {
  it("is counted to the local standard hour at which an extreme is due", () => {
    const table: ReadonlyArray<readonly [station: string, Variable, now: string, expected: number]> = [
      // 15:00 EST is 20:00 UTC, also in summer.
      ["KNYC", "high", "2026-07-09T20:00:00Z", 0],
      ["KNYC", "high", "2026-07-09T08:00:00Z", 0.5],
      ["KNYC", "high", "2026-07-08T12:00:00Z", 32 / 24],
      ["KNYC", "high", "2026-07-09T23:59:00Z", 0],
      ["KNYC", "low", "2026-07-09T11:00:00Z", 0],
      ["KNYC", "low", "2026-07-08T11:00:00Z", 1],
      ["KLAX", "high", "2026-07-08T23:00:00Z", 1],
      ["KMDW", "low", "2026-07-03T12:00:00Z", 6],
    ]
    for (const [id, variable, now, expected] of table) {
      const found = leadDays(byId.get(id)!, variable, "2026-07-09", Date.parse(now))
      assert.approximately(found, expected, 1e-12, `${id} ${variable} ${now}`)
    }
  })
})

describe("the prior spread", () => {
  it("is the table times the factors of station and season, and 1.05 of it for lows", () => {
    const phl = byId.get("KPHL")!
    const factor = 1.05 * seasonFactor(day)
    for (const [lead, sigma] of [
      [0, 1.5],
      [0.25, 1.7],
      [1, 2.25],
      [1.5, 2.5],
      [3, 3.35],
      [6.5, 5.35],
      [9, 5.6],
    ] as const) {
      assert.approximately(priorSigma(phl, "high", day, lead), sigma * factor, 1e-12, `${lead}`)
      assert.approximately(priorSigma(phl, "low", day, lead), 1.05 * sigma * factor, 1e-12, `${lead}`)
    }
    // Where a climatology caps it, a day ahead is hardly touched.
    assert.approximately(priorSigma(nyc, "high", day, 1) / (2.25 * seasonFactor(day)), 1, 0.01)
  })

  it("has the measured season factors at mid-season, and no steps", () => {
    for (const [day, factor] of [
      ["2026-01-15", 1.11],
      ["2026-04-15", 1.09],
      ["2026-07-16", 0.84],
      ["2026-10-15", 0.93],
    ] as const) {
      assert.approximately(seasonFactor(day), factor, 1e-12)
    }
    for (let n = 0; n < 366; n++) {
      const [today, tomorrow] = [addDays("2028-01-01", n), addDays("2028-01-01", n + 1)]
      assert.isBelow(Math.abs(seasonFactor(tomorrow) - seasonFactor(today)), 0.004, today)
    }
  })

  it("widens with the days ahead, for every station, extreme and day of the year", () => {
    for (const station of stations) {
      for (let n = 0; n < 366; n++) {
        const today = addDays("2028-01-01", n)
        const now = climateDayStart(station, today) + 5 * 3_600_000
        for (const variable of ["high", "low"] as const) {
          let before = 0
          for (let ahead = 0; ahead <= 6; ahead++) {
            const day = addDays(today, ahead)
            const sigma = priorSigma(station, variable, day, leadDays(station, variable, day, now))
            // As published, in hundredths.
            const shown = Math.round(100 * sigma)
            assert.isAbove(shown, before, `${station.id} ${variable} ${today} + ${ahead}`)
            before = shown
          }
        }
      }
    }
  })

  it("stays below nine tenths of the climatological one where that is fitted", () => {
    for (const id of Object.keys(fittedClimatologies)) {
      for (let n = 0; n < 365; n += 7) {
        const day = addDays("2026-01-01", n)
        assert.isBelow(
          priorSigma(byId.get(id)!, "high", day, 7),
          0.9 * climateNormal(fittedClimatologies[id]!, day).sd,
          `${id} ${day}`,
        )
      }
    }
    // Without the cap the table would say 5.6 · 0.77 · 0.84 in mid-July, more than Miami's highs vary.
    assert.isBelow(priorSigma(byId.get("KMIA")!, "high", "2026-07-16", 7), 2.45)
  })
})

describe("climatology", () => {
  it("counts days from 1 January", () => {
    assert.deepStrictEqual(["2026-01-01", "2026-12-31", "2028-12-31"].map(dayOfYear), [1, 365, 366])
  })

  it("has New York's July and January", () => {
    const july = climateNormal(fittedClimatologies["KNYC"]!, "2026-07-20")
    const january = climateNormal(fittedClimatologies["KNYC"]!, "2026-01-20")
    assert.approximately(july.mean, 86, 0.5)
    assert.approximately(january.mean, 42, 1.5)
    assert.isAbove(january.sd, july.sd)
  })

  it("is found again from days that were drawn from one", () => {
    const truth = { mean: [60, -20, -8, -1, 0.5], logVariance: [4, 0.5, 0.4, 0, -0.2] }
    const generator = new PCGRandom(7)
    const normal = () => Array.from({ length: 12 }, () => generator.number()).reduce((sum, value) => sum + value, -6)
    const records = Array.from({ length: 40 * 365 }, (_, n) => {
      const day = addDays("1980-01-01", n)
      const { mean, sd } = climateNormal(truth, day)
      return { day, tempF: mean + sd * normal() }
    })
    const found = fitClimatology(records)
    for (const day of ["2026-01-10", "2026-04-10", "2026-07-10", "2026-10-10"]) {
      assert.approximately(climateNormal(found, day).mean, climateNormal(truth, day).mean, 0.35, day)
      assert.approximately(climateNormal(found, day).sd / climateNormal(truth, day).sd, 1, 0.03, day)
    }
  })
})

describeRealData("climatology of 2020–22", (root) => {
  it("is what the committed coefficients are", () => {
    const { rows } = readDaily(join(root, "weather/daily/ghcnd_tmax_4stations_20200101_20241031.csv.gz"))
    for (const [id, ghcn] of [
      ["KNYC", "USW00094728"],
      ["KMIA", "USW00012839"],
    ] as const) {
      const found = fitClimatology(rows.filter(({ station, day }) => station === ghcn && day < "2023"))
      for (const part of ["mean", "logVariance"] as const) {
        found[part].forEach((value, at) => {
          assert.approximately(value, fittedClimatologies[id]![part][at]!, 0.00501, `${id} ${part} ${at}`)
        })
      }
    }
  })
})
