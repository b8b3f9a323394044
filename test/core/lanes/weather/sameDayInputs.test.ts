import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { ClimateArchive } from "../../../../core/lanes/weather/ports.ts"
import { parse } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { ingest } from "../../../../core/lanes/weather/reports/ingest.ts"
import { correctionRate } from "../../../../core/lanes/weather/signal/extremes.ts"
import { parseGroups } from "../../../../core/lanes/weather/signal/metarGroups.ts"
import { findValidUntil } from "../../../../core/lanes/weather/signal/outlook.ts"
import { expectStep, measureStep, sumSteps, toVarianceScale } from "../../../../core/lanes/weather/signal/steps.ts"
import { day, hour, nyc, readings, start } from "./world.ts"

describe("the time up to which a report holds", () => {
  const newfoundland = { standardOffset: -3.5, tz: "America/St_Johns" }
  const zero = Date.parse(`${day}T00:00:00Z`)
  const table = [
    // Clocks of July are an hour ahead of standard time.
    ["as printed", nyc, "0400 PM", 15.6, 15],
    ["with a colon", nyc, "4:00 PM", 15.6, 15],
    ["missing", nyc, undefined, 15.6, 14.85],
    ["no clock", nyc, "NOON", 15.6, 14.85],
    ["later than the issue", nyc, "0500 PM", 15.6, 14.85],
    ["after midnight on the clocks", nyc, "1210 AM", 23.5, 23 + 10 / 60],
    ["before midnight, issued after it", nyc, "1159 PM", 23.5, 22 + 59 / 60],
    ["missing, issued as the day began", nyc, undefined, 0.25, 0],
    ["in a half-hour offset", newfoundland, "0430 PM", 16, 15.5],
  ] as const
  for (const [name, station, validAsOf, issued, until] of table) {
    it(name, () => {
      const begins = zero - station.standardOffset * hour
      const at = findValidUntil(station, day, {
        issuedAt: begins + issued * hour,
        ...(validAsOf === undefined ? {} : { validAsOf }),
      })
      assert.approximately((at - begins) / hour, until, 1e-9)
    })
  }
})

describe("the groups of a coded observation", () => {
  const of = (remarks: string) => parseGroups(`KNYC 091751Z AUTO 10SM CLR 23/12 A3005 RMK AO2 SLP176 ${remarks}`)
  const table = [
    ["T02280122 10244 20183", { sixHours: { high: 76, low: 65 } }],
    ["11006 21028", { sixHours: { high: 31, low: 27 } }],
    ["10244", { sixHours: { high: 76 } }],
    ["402441017", { day: { high: 76, low: 29 } }],
    ["T02280122 56012 60012 70023", {}],
    // Impossible: the low above the high, or nothing a thermometer says.
    ["10183 20244", {}],
    ["10999", {}],
    ["1024 102445 12244", {}],
  ] as const
  for (const [remarks, groups] of table) it(remarks, () => assert.deepStrictEqual(of(remarks), groups))
  it("are in its remarks alone", () => {
    assert.deepStrictEqual(parseGroups("KNYC 091751Z 10244 20183 A3005"), {})
    assert.deepStrictEqual(parseGroups("A clearly wrong code"), {})
  })
})

describe("what readings miss", () => {
  it("is learned as a factor, once the interval of observed by expected distance excludes 1", () => {
    /** Days whose expected distance is a half; each one's own distance is what `missed` says. */
    const steps = (n: number, missed: (day: number) => number) =>
      sumSteps(
        Array.from({ length: n }, (_, at) => ({ day: String(at), missedF: missed(at), expectedF: 0.5 })),
        1,
      )
    assert.strictEqual(toVarianceScale(undefined), 1)
    assert.isUndefined(steps(19, () => 0).ratio)
    assert.strictEqual(toVarianceScale(steps(19, () => 0)), 1)
    // Every second day a degree: as expected. A tenth more is no lesson yet.
    assert.strictEqual(toVarianceScale(steps(90, (at) => at % 2)), 1)
    assert.strictEqual(toVarianceScale(steps(90, (at) => 1.1 * (at % 2))), 1)
    assert.approximately(toVarianceScale(steps(90, () => 0)), (10 / 55) ** 2, 1e-12)
    const more = steps(90, (at) => 1.5 * (at % 2))
    assert.approximately(more.ratio!.estimate, 1.5, 1e-12)
    assert.isAbove(more.ratio!.low, 1)
    assert.approximately(toVarianceScale(more), (77.5 / 55) ** 2, 1e-12)
    assert.strictEqual(toVarianceScale(steps(1000, () => 4)), 4)
    assert.strictEqual(toVarianceScale(steps(1000, () => 0)), 0.02)
  })

  it("is counted of whole days alone, to their end and no further", () => {
    const all = readings(start + 24 * hour)
    const after = [...all, { at: start + 24.9 * hour, tempF: 120 }]
    const expected = expectStep(nyc, day, "high", after)!
    assert.deepStrictEqual(expected, expectStep(nyc, day, "high", all)!)
    assert.isTrue(expected.readF === 85 && expected.expectedF > 0.1 && expected.expectedF < 1)
    assert.isUndefined(
      expectStep(
        nyc,
        day,
        "high",
        all.filter(({ at }) => at < start || at > start + 3 * hour),
      ),
    )
    assert.deepStrictEqual(
      [
        measureStep("high", 85, 87),
        measureStep("low", 65, 64),
        measureStep("high", 85, 84),
        measureStep("high", 80, 99),
      ],
      [2, 1, 0, 4],
    )
  })
})

describe("the rate of corrected final reports", () => {
  it("is one in a hundred without an archive, and then the archive's", () => {
    assert.strictEqual(correctionRate(), 0.01)
    assert.strictEqual(correctionRate({ days: 300, changed: 19 }), 0.05)
  })
})

const grayfield = readFileSync(new URL("../../../fixtures/weather/grayfield.txt", import.meta.url), "utf8")

describe("a text without its end", () => {
  const taken: Array<string> = []
  const archive = Layer.succeed(ClimateArchive, {
    append: (received) =>
      Effect.sync(() => {
        taken.push(...received.map(({ issuance }) => issuance.productId))
        return received.map(() => "stored" as const)
      }),
    compare: () => Effect.succeed([]),
    unasked: () => Effect.succeed([]),
    noteAsked: () => Effect.void,
  })
  it.effect("is refused, so that the whole one is taken when it comes", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 6, 10))
      const ours = grayfield
        .replace(/^CLI[A-Z]{3}$/m, "CLINYC")
        .replace(/THE .* CLIMATE/, "THE CENTRAL PARK NY CLIMATE")
      for (const cut of [ours.slice(0, ours.indexOf("85") + 1), ours.slice(0, ours.indexOf("$$"))]) {
        const [outcome] = yield* ingest(cut, "a file")
        assert.strictEqual(outcome?._tag, "Refused")
      }
      assert.deepStrictEqual(taken, [])
      assert.strictEqual((yield* ingest(ours, "a file"))[0]?._tag, "Stored")
      assert.lengthOf(taken, 1)
    }).pipe(Effect.provide(archive)),
  )
})

describe("a table whose values stand left of their header words", () => {
  const moved = (by: number) =>
    grayfield
      .split("\n")
      .map((line) =>
        /^ {2}M(?:AX|IN)IMUM/.test(line) ? `${line.slice(0, 9)}${line.slice(9).replace(" ".repeat(by), "")}` : line,
      )
      .join("\n")
  it("is read up to two columns, and refused beyond", () => {
    for (const by of [1, 2]) {
      const { highF, lowF } = Either.getOrThrow(parse(moved(by))).reports[0]!
      assert.deepStrictEqual([highF, lowF], [85, 64])
    }
    assert.isTrue(Either.isLeft(parse(moved(6))))
  })
})
