import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { daily, every, hourly, lastSlot, nextSlot, type Schedule, slotsBetween } from "../../../core/jobs/schedule.ts"

const at = (text: string): number => Date.parse(text)
const shown = (slots: ReadonlyArray<number>): ReadonlyArray<string> => slots.map((slot) => new Date(slot).toISOString())

describe("slots", () => {
  it("of every five minutes, twenty seconds in, are counted from the epoch", () => {
    const schedule = every(5, 20)
    assert.deepStrictEqual(shown(slotsBetween(schedule, at("2026-07-08T23:50:20Z"), at("2026-07-09T00:05:20Z"))), [
      "2026-07-08T23:55:20.000Z",
      "2026-07-09T00:00:20.000Z",
      "2026-07-09T00:05:20.000Z",
    ])
    assert.strictEqual(lastSlot(schedule, at("2026-07-09T00:00:19.999Z")), at("2026-07-08T23:55:20Z"))
    assert.strictEqual(nextSlot(every(7), 0), 7 * 60_000)
  })

  it("of an hour follow each other through a night on which local clocks change", () => {
    // 2026-03-08 07:00 UTC: daylight time begins in New York.
    assert.deepStrictEqual(shown(slotsBetween(hourly(5), at("2026-03-08T05:30:00Z"), at("2026-03-08T08:30:00Z"))), [
      "2026-03-08T06:05:00.000Z",
      "2026-03-08T07:05:00.000Z",
      "2026-03-08T08:05:00.000Z",
    ])
  })

  it("of a day are met at month ends, on a leap day and at the turn of the year", () => {
    const schedule = daily("06:30")
    const next = (text: string) => new Date(nextSlot(schedule, at(text))).toISOString()
    assert.strictEqual(next("2026-04-30T06:30:00Z"), "2026-05-01T06:30:00.000Z")
    assert.strictEqual(next("2028-02-28T12:00:00Z"), "2028-02-29T06:30:00.000Z")
    assert.strictEqual(next("2028-02-29T12:00:00Z"), "2028-03-01T06:30:00.000Z")
    assert.strictEqual(next("2026-12-31T23:59:59.999Z"), "2027-01-01T06:30:00.000Z")
    assert.strictEqual(slotsBetween(schedule, at("2028-01-01T00:00:00Z"), at("2029-01-01T00:00:00Z")).length, 366)
  })

  it("are named for people", () => {
    assert.deepStrictEqual(
      [every(1), every(5, 20), hourly(5), daily("06:30")].map(({ text }) => text),
      ["every minute", "every 5 minutes, 20 s in", "hourly at :05", "daily at 06:30 UTC"],
    )
  })

  it("are refused where there are none", () => {
    for (const wrong of [
      () => every(0),
      () => every(1.5),
      () => every(Number.NaN),
      () => every(5, 300),
      () => every(5, -1),
      () => hourly(60),
      () => hourly(-1),
      () => daily("24:00"),
      () => daily("6:30"),
      () => daily("06:60"),
    ]) {
      assert.throws(wrong, RangeError)
    }
  })

  const schedules: FastCheck.Arbitrary<Schedule> = FastCheck.oneof(
    FastCheck.tuple(FastCheck.integer({ min: 1, max: 2_000 }), FastCheck.nat(59)).map(([minutes, offset]) =>
      every(minutes, offset),
    ),
    FastCheck.nat(59).map(hourly),
    FastCheck.tuple(FastCheck.nat(23), FastCheck.nat(59)).map(([hour, minute]) =>
      daily(`${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`),
    ),
  )
  const instants = FastCheck.integer({ min: 0, max: at("2100-01-01T00:00:00Z") })

  it("agree with each other, whatever the schedule and the time", () => {
    FastCheck.assert(
      FastCheck.property(
        schedules,
        instants,
        FastCheck.nat(3 * 86_400_000),
        FastCheck.nat(3 * 86_400_000),
        (s, t, d, e) => {
          assert.isTrue(lastSlot(s, t) <= t && t < nextSlot(s, t))
          assert.strictEqual(nextSlot(s, t) - lastSlot(s, t), s.period)
          assert.strictEqual(lastSlot(s, nextSlot(s, t)), nextSlot(s, t))
          // Adjoining stretches: every slot once.
          const [first, second] = [slotsBetween(s, t, t + d), slotsBetween(s, t + d, t + d + e)]
          assert.deepStrictEqual([...first, ...second], slotsBetween(s, t, t + d + e))
          // Walking from slot to slot meets the same ones.
          const walked: Array<number> = []
          for (let slot = nextSlot(s, t); slot <= t + d && walked.length < 50; slot = nextSlot(s, slot))
            walked.push(slot)
          assert.deepStrictEqual(first.slice(0, 50), walked)
        },
      ),
      { numRuns: 500 },
    )
  })

  it("are none in a stretch that ends before it begins", () => {
    assert.deepStrictEqual(slotsBetween(every(1), 600_000, 0), [])
  })
})
