import { assert, describe, it } from "@effect/vitest"
import { describeSilence, toAgeFactor } from "../../../../../core/lanes/weather/signal/signalTexts.ts"

const minute = 60_000
const hour = 60 * minute
const from = Date.UTC(2026, 6, 9, 5)
const every = (count: number, length = hour) =>
  Array.from({ length: count }, (_, at) => ({ at: from + at * length, tempF: 70 }))

describe("observations of a day so far", () => {
  it("have no silence where three hours at most lie between two of them, and to now", () => {
    assert.isUndefined(describeSilence(every(10), from, from + 9 * hour))
    assert.isUndefined(describeSilence(every(4, 3 * hour), from, from + 12 * hour))
  })

  const silent: ReadonlyArray<readonly [what: string, readings: ReturnType<typeof every>, now: number, text: string]> =
    [
      [
        "the last one",
        every(4),
        from + 6 * hour + 1,
        "no observation between 2026-07-09T08:00:00.000Z and 2026-07-09T11:00:00.001Z",
      ],
      [
        "two of them",
        [...every(2), ...every(9).slice(5)],
        from + 9 * hour,
        "no observation between 2026-07-09T06:00:00.000Z and 2026-07-09T10:00:00.000Z",
      ],
      [
        "the beginning of the day",
        every(9).slice(4),
        from + 9 * hour,
        "no observation between 2026-07-09T05:00:00.000Z and 2026-07-09T09:00:00.000Z",
      ],
      ["the day", [], from + 4 * hour, "no observation between 2026-07-09T05:00:00.000Z and 2026-07-09T09:00:00.000Z"],
    ]
  for (const [what, readings, now, text] of silent) {
    it(`are silent after ${what}`, () => assert.strictEqual(describeSilence(readings, from, now), text))
  }

  it("may be silent before the day", () => {
    const before = { at: from - 5 * hour, tempF: 70 }
    assert.isUndefined(describeSilence([before, ...every(3)], from, from + 3 * hour))
  })
})

describe("the age of the last observation", () => {
  const at = (age: number) => toAgeFactor({ now: from + 3 * hour + age, readings: every(4) })
  it("takes nothing from the score for an hour and five minutes, nor without observations", () => {
    assert.deepStrictEqual([at(0), at(65 * minute), toAgeFactor({ now: from, readings: [] })], [[], [], []])
  })
  for (const [minutes, factor] of [
    [70, 0.975],
    [120, 0.85],
    [180, 0.7],
  ] as const) {
    it(`leaves ${factor} of it at ${minutes} minutes`, () => {
      const [[name, left]] = at(minutes * minute) as [readonly [string, number]]
      assert.strictEqual(name, `last observation ${minutes} min old`)
      assert.closeTo(left, factor, 1e-12)
    })
  }
})
