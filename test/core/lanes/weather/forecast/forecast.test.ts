import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { fail } from "../../../../../core/Failure.ts"
import * as Lane from "../../../../../core/lanes/Lane.ts"
import { type Alert, listInForce, whyNotInForce } from "../../../../../core/lanes/weather/forecast/alerts.ts"
import { forecast, scoreConfidence } from "../../../../../core/lanes/weather/forecast/forecast.ts"
import { coverage, cutToWindow, type Period, toLocalTimes } from "../../../../../core/lanes/weather/forecast/periods.ts"
import type { PointForecast } from "../../../../../core/lanes/weather/ports.ts"
import { distanceKm, findNearest } from "../../../../../core/lanes/weather/stations.ts"
import { findZone, offsetAt, offsetsOver, stampAt } from "../../../../../core/zones.ts"

const hour = 3_600_000
const now = Date.UTC(2026, 6, 9, 18, 20)

/** A period from so many hours after now to so many. */
const period = (from: number, to: number, changes: Partial<Period> = {}): Period => ({
  startsAt: now + from * hour,
  endsAt: now + to * hour,
  name: `${from}`,
  is_day: true,
  temp_f: 80,
  summary: "Sunny",
  ...changes,
})

const namesOf = (periods: ReadonlyArray<{ readonly name: string }>) => periods.map(({ name }) => name)

describe("the window", () => {
  const cases: ReadonlyArray<
    readonly [what: string, periods: ReadonlyArray<Period>, hours: number, names: ReadonlyArray<string>]
  > = [
    ["nothing", [], 48, []],
    ["what runs and what begins within it", [period(-6, 6), period(6, 18), period(18, 30)], 12, ["-6", "6"]],
    ["not what begins at its end", [period(0, 12), period(12, 24)], 12, ["0"]],
    ["not what ends now", [period(-12, 0), period(0, 12)], 12, ["0"]],
    ["not what is over", [period(-24, -12), period(-1, 1)], 12, ["-1"]],
    ["in order of time", [period(6, 7), period(4, 5), period(5, 6)], 12, ["4", "5", "6"]],
    ["a period that comes twice once", [period(4, 5), period(5, 6), period(4, 5)], 12, ["4", "5"]],
    ["the shorter of two that begin together", [period(4, 16), period(4, 5), period(5, 6)], 12, ["4", "5"]],
    ["nothing that overlaps", [period(0, 6), period(3, 9), period(6, 12)], 12, ["0", "6"]],
    ["nothing that ends before it begins", [period(4, 3), period(5, 5), period(6, 7)], 12, ["6"]],
    ["gaps as they are", [period(1, 2), period(4, 5)], 12, ["1", "4"]],
  ]
  for (const [what, periods, hours, names] of cases) {
    it(`takes ${what}`, () => assert.deepStrictEqual(namesOf(cutToWindow(periods, now, hours)), names))
  }

  it("is covered by as much as its periods reach into it", () => {
    assert.strictEqual(coverage([], now, 12), 0)
    assert.strictEqual(coverage([period(-6, 6)], now, 12), 0.5)
    assert.strictEqual(coverage([period(0, 6), period(6, 30)], now, 12), 1)
    assert.strictEqual(coverage([period(0, 3), period(9, 12)], now, 12), 0.5)
  })
})

describe("clocks", () => {
  const newYork = findZone("America/New_York")!
  it("show local time, daylight time included", () => {
    assert.strictEqual(stampAt(now, offsetAt(newYork, now)), "2026-07-09T14:20:00")
    assert.strictEqual(stampAt(Date.UTC(2026, 0, 1), offsetAt(newYork, Date.UTC(2026, 0, 1))), "2025-12-31T19:00:00")
    assert.isUndefined(findZone("America/Atlantis"))
  })

  it("are changed in the middle of a stretch where they are", () => {
    // Clocks are put back on 1 November at 6:00 UTC, and put forward on 8 March at 7:00 UTC.
    for (const [change, before, after] of [
      [Date.UTC(2026, 10, 1, 6), -4, -5],
      [Date.UTC(2026, 2, 8, 7), -5, -4],
    ] as const) {
      const offset = offsetsOver(newYork, change - 24 * hour, change + 144 * hour)
      assert.strictEqual(offset(change - 1) / hour, before)
      assert.strictEqual(offset(change) / hour, after)
    }
  })

  it("write the ends of periods, across a change as well", () => {
    const at = Date.UTC(2026, 10, 1, 4)
    const periods = [0, 1, 2, 3].map((index) => ({
      ...period(0, 0),
      startsAt: at + index * hour,
      endsAt: at + (index + 1) * hour,
    }))
    assert.deepStrictEqual(
      toLocalTimes(periods, newYork).map(({ start, end }) => [start.slice(11, 16), end.slice(11, 16)]),
      [
        ["00:00", "01:00"],
        ["01:00", "01:00"],
        ["01:00", "02:00"],
        ["02:00", "03:00"],
      ],
    )
    assert.notProperty(toLocalTimes(periods, newYork)[0], "startsAt")
  })
})

const alert = (id: string, changes: Partial<Alert> = {}): Alert => ({
  id,
  event: "Flood Watch",
  severity: "Moderate",
  certainty: "Likely",
  urgency: "Expected",
  area_desc: "Here",
  effective: "2026-07-09T06:00:00-04:00",
  expires: "2026-07-09T20:00:00-04:00",
  sender_name: "Office",
  status: "Actual",
  message_type: "Alert",
  ...changes,
})

describe("alerts in force", () => {
  const cases: ReadonlyArray<readonly [what: string, changes: Partial<Alert>, why: RegExp | undefined]> = [
    ["an actual one", {}, undefined],
    ["an update", { message_type: "Update" }, undefined],
    ["one that has not begun", { onset: "2026-07-09T18:00:00-04:00" }, undefined],
    ["one whose event goes on after its message", { ends: "2026-07-10T18:00:00-04:00" }, undefined],
    ["a cancelled one", { message_type: "Cancel" }, /message type is Cancel/],
    ["an acknowledgement", { message_type: "Ack" }, /message type is Ack/],
    ["a test", { status: "Test" }, /status is Test/],
    ["an exercise", { status: "Exercise" }, /status is Exercise/],
    ["one that expired", { expires: "2026-07-09T14:19:59-04:00" }, /expired at 2026-07-09T14:19:59-04:00/],
    ["one that expires this moment", { expires: "2026-07-09T18:20:00Z" }, /expired/],
    ["one whose event is over", { ends: "2026-07-09T14:00:00-04:00" }, /event ended/],
  ]
  for (const [what, changes, why] of cases) {
    it(`${what}: ${why === undefined ? "yes" : "no"}`, () => {
      const found = whyNotInForce(alert("1", changes), now)
      if (why === undefined) assert.isUndefined(found)
      else assert.match(found!, why)
      assert.strictEqual(listInForce([alert("1", changes)], now).length, why === undefined ? 1 : 0)
    })
  }

  it("are listed once, the most severe first, then the oldest", () => {
    const listed = [
      alert("minor", { severity: "Minor" }),
      alert("new", { severity: "Severe", effective: "2026-07-09T10:00:00-04:00" }),
      alert("old", { severity: "Severe" }),
      alert("unknown", { severity: "Unknown" }),
      alert("old", { severity: "Severe" }),
      alert("extreme", { severity: "Extreme" }),
    ]
    assert.deepStrictEqual(
      listInForce(listed, now).map(({ id }) => id),
      ["extreme", "old", "new", "minor", "unknown"],
    )
  })
})

describe("distance", () => {
  it("is that of a sphere", () => {
    // A quarter of the way round, and one degree of latitude.
    assert.closeTo(distanceKm({ lat: 0, lon: 0 }, { lat: 0, lon: 90 }), 10_007.6, 0.1)
    assert.closeTo(distanceKm({ lat: 40, lon: -74 }, { lat: 41, lon: -74 }), 111.195, 0.001)
    assert.strictEqual(distanceKm({ lat: 40, lon: -74 }, { lat: 40, lon: -74 }), 0)
    assert.closeTo(distanceKm({ lat: 52, lon: 179.9 }, { lat: 52, lon: -179.9 }), 13.69, 0.01)
    const [west, east] = [
      { lat: 0, lon: 0 },
      { lat: 0, lon: 10 },
    ]
    assert.strictEqual(findNearest([west!, east!], { lat: 1, lon: 6 }, (each) => each).place, east)
  })
})

const found = (changes: Partial<PointForecast> = {}): PointForecast => ({
  location: {
    lat: 40.7789,
    lon: -73.9692,
    name: "New York, NY",
    grid: { office: "OKX", x: 34, y: 45 },
    timezone: "America/New_York",
  },
  updatedAt: now - hour,
  periods: [period(-6, 6), period(6, 18, { temp_f: 99 }), period(18, 30, { temp_f: 36 })],
  alerts: [alert("1"), alert("2", { status: "Test", event: "Test Message" })],
  source: "a service",
  locator: "grid",
  alertSource: "a list",
  alertLocator: "list",
  flags: [],
  ...changes,
})

const asked: Array<ReadonlyArray<unknown>> = []
const over = (point: PointForecast) =>
  Lane.method(forecast, {
    forecasts: {
      freshness: "live",
      point: (...args) => Effect.sync(() => asked.push(args)).pipe(Effect.as(point)),
      grid: () => Effect.fail(fail("not_found")),
    },
  })

const query = { lat: 40.778888888, lon: -73.96921111, hours: 24, hourly: false }

describe("the forecast", () => {
  it.effect("is cut, dated and flagged", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const answer = yield* over(found())(query)
      assert.deepStrictEqual(asked.at(-1), [40.7789, -73.9692, false])
      const { periods, alerts, risk_flags, generated_at, granularity } = answer.results
      assert.deepStrictEqual([generated_at, granularity], ["2026-07-09T13:20:00", "12h"])
      assert.deepStrictEqual(periods[0], {
        name: "-6",
        start: "2026-07-09T08:20:00",
        end: "2026-07-09T20:20:00",
        is_day: true,
        temp_f: 80,
        summary: "Sunny",
      })
      assert.deepStrictEqual(namesOf(periods), ["-6", "6", "18"])
      assert.deepStrictEqual(
        alerts.map(({ id }) => id),
        ["1"],
      )
      assert.deepStrictEqual(risk_flags, ["active_alert", "flood"])
      for (const { step } of answer.citations) assert.isDefined(answer.reasoning[step - 1])
      assert.deepStrictEqual(answer.links[0]!.id, "OKX/34,45")
    }),
  )

  it.effect("has what was left out and what five degrees less would change on request", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { extras } = yield* over(found())(query)
      const [alternatives, counterfactual] = yield* Effect.all([extras!.alternatives!, extras!.counterfactual!])
      assert.deepStrictEqual(
        alternatives.map(({ id, why }) => [id, why]),
        [["2", "Not in force: its status is Test."]],
      )
      assert.deepStrictEqual(counterfactual.delta, { freeze: 1 })
      assert.deepStrictEqual(
        extras!.suggestions!.map(({ endpoint }) => endpoint),
        ["weather_signal", "weather_settlement", "weather_forecast"],
      )
      const far = yield* over(found({ location: { ...found().location, lat: 44, lon: -100 } }))(query)
      assert.deepStrictEqual(
        far.extras!.suggestions!.map(({ endpoint }) => endpoint),
        ["weather_forecast"],
      )
    }),
  )

  it.effect("without a period of its window is no answer", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      for (const periods of [[], [period(-24, -12)], [period(30, 42)]]) {
        const failure = yield* Effect.flip(over(found({ periods }))(query))
        assert.deepStrictEqual([failure.code, failure.retryAfterMs], ["upstream_unavailable", 60_000])
      }
      const nowhere = found({ location: { ...found().location, timezone: "Mars/Olympus" } })
      assert.strictEqual((yield* Effect.flip(over(nowhere)(query))).code, "upstream_unavailable")
    }),
  )

  it("leans less on what is older, farther, thinner or in doubt", () => {
    const score = (age: number, hours: number, covered: number, flags: ReadonlyArray<string> = []) =>
      scoreConfidence(age, hours, covered, flags).score
    assert.strictEqual(score(0, 0, 1), 0.95)
    assert.strictEqual(score(12 * hour, 0, 1), 0.67)
    assert.strictEqual(score(0, 168, 1), 0.71)
    assert.strictEqual(score(0, 0, 0.5), 0.48)
    assert.strictEqual(score(0, 0, 1, ["periods_skipped"]), 0.86)
    assert.strictEqual(score(-hour, 12, 1), score(0, 12, 1))
    assert.deepStrictEqual(scoreConfidence(hour, 48, 0.755, ["last_good"]).factors, [
      "base 0.95 of a score judged by hand: not a probability, not calibrated",
      "grid 60 min old: ×0.97",
      "48 h window: ×0.93",
      "periods cover 75 % of the window: ×0.76",
      "quality flag last_good: ×0.90",
    ])
    assert.strictEqual(scoreConfidence(hour, 48, 1, []).label, "reasoned")
  })
})
