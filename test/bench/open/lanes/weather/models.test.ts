import { assert, describe, it } from "@effect/vitest"
import {
  climatology,
  lastErrors,
  prior,
  recalibrated,
  type WeatherFact,
} from "../../../../../bench/open/lanes/weather/models.ts"
import { historyAt } from "../../../../../core/History.ts"
import { addDays } from "../../../../../core/time.ts"

const day = 86_400_000

/** A forecast two days ahead of a high at New York, on so many days, whose errors are 2, 4, 2, 4 … degrees. */
const fact = (at: number, changes: Partial<WeatherFact> = {}): WeatherFact => {
  const on = addDays("2025-06-01", at)
  const forecastF = 70 + (at % 7)
  return {
    ...{ station: "KNYC", lat: 40.78, lon: -73.97, utcOffset: -5, variable: "high", source: "test", leadDays: 2 },
    ...{ day: on, issuedAt: Date.parse(on) - 2 * day, forecastF, actualF: forecastF + 2 + 2 * (at % 2) },
    ...changes,
  }
}
const known = (count: number, changes: Partial<WeatherFact> = {}) => {
  const facts = Array.from({ length: count }, (_, at) => fact(at, changes))
  return historyAt(
    facts.map((one) => ({ at: Date.parse(one.day) + day, fact: one })),
    Date.parse("2026-06-01"),
  )
}
const { actualF: _, ...question } = fact(400)

describe("the last 30 errors", () => {
  it("are none of fewer than ten, and then their mean and spread about the forecast", () => {
    assert.isUndefined(lastErrors.start()(question, known(9)))
    const law = lastErrors.start()(question, known(40)) as { readonly mean: number; readonly sd: number }
    assert.approximately(law.mean, question.forecastF + 3, 1e-12)
    assert.approximately(law.sd, Math.sqrt(30 / 29), 1e-12)
  })

  it("are those of the station, the variable and such a lead alone", () => {
    for (const changes of [{ station: "KMDW" }, { variable: "low" }, { leadDays: 6 }] as const) {
      assert.isUndefined(lastErrors.start()(question, known(40, changes)), JSON.stringify(changes))
    }
  })
})

describe("the climatology", () => {
  it("is the official values of days near in the year, whatever the forecast", () => {
    const ask = (forecastF: number) => climatology.start()({ ...question, forecastF }, known(60, { actualF: 80 }))
    assert.isUndefined(ask(70), "all the same: no spread")
    const law = climatology.start()({ ...question, forecastF: 20 }, known(60)) as { readonly mean: number }
    assert.approximately(law.mean, 76, 0.5)
    assert.deepStrictEqual(climatology.start()({ ...question, forecastF: 110 }, known(60)), law as never)
  })
})

describe("the served law", () => {
  it("is the published prior before any error, and follows the errors then", () => {
    const none = historyAt<WeatherFact>([], 0)
    const before = recalibrated.start()(question, none) as { readonly mean: number }
    assert.deepStrictEqual(before, prior.start()(question, known(200)) as never)
    const after = recalibrated.start()(question, known(200)) as { readonly mean: number }
    assert.isAbove(after.mean, before.mean + 1)
    assert.isBelow(after.mean, before.mean + 4)
  })

  it("counts the first forecast of a day and a lead alone", () => {
    const facts = Array.from({ length: 60 }, (_, at) => fact(at))
    const twice = facts.flatMap((one) => [one, { ...one, issuedAt: one.issuedAt + 1, forecastF: one.forecastF - 9 }])
    const over = (all: ReadonlyArray<WeatherFact>) =>
      recalibrated.start()(
        question,
        historyAt(
          all.map((one) => ({ at: Date.parse(one.day) + day, fact: one })),
          2e12,
        ),
      )
    assert.deepStrictEqual(over(twice), over(facts))
  })
})
