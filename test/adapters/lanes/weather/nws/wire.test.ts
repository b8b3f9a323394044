import { assert, describe, it } from "@effect/vitest"
import { alertOf } from "../../../../../adapters/lanes/weather/nws/alerts.ts"
import { periodOf } from "../../../../../adapters/lanes/weather/nws/forecast.ts"
import { extremesOf, hoursOf } from "../../../../../adapters/lanes/weather/nws/grid.ts"
import { readingsOf } from "../../../../../adapters/lanes/weather/nws/observations.ts"
import {
  fahrenheitOf,
  instantOf,
  intervalOf,
  numberOf,
  windMphOf,
} from "../../../../../adapters/lanes/weather/nws/wire.ts"
import { alert, observation, period } from "../../../../support/nws.ts"

const hour = 3_600_000
const now = Date.UTC(2026, 6, 9, 18)

/** What a reader makes of values. */
const table = <A>(
  name: string,
  read: (value: never) => A,
  rows: ReadonlyArray<readonly [value: unknown, found: A]>,
) => {
  describe(name, () => {
    for (const [value, found] of rows) {
      it(`${JSON.stringify(value) ?? String(value)} is ${JSON.stringify(found) ?? "nothing"}`, () => {
        assert.deepStrictEqual(read(value as never), found)
      })
    }
  })
}

table<number | undefined>("a number", numberOf, [
  [41, 41],
  [-3.5, -3.5],
  ["41", 41],
  ["-3.5", -3.5],
  ["", undefined],
  ["1e3", undefined],
  ["NaN", undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [null, undefined],
  [true, undefined],
  [[1], undefined],
])

table<number | undefined>("an instant", instantOf, [
  ["2026-07-09T14:00:00-04:00", now],
  ["2026-07-09T18:00:00+00:00", now],
  ["2026-07-09T18:00:00Z", now],
  ["2026-07-09T18:00:00", undefined],
  ["2026-07-09", undefined],
  ["2026-13-09T18:00:00Z", undefined],
  ["", undefined],
  [now, undefined],
  [null, undefined],
])

table<{ readonly from: number; readonly to: number } | undefined>("an interval", intervalOf, [
  ["2026-07-09T18:00:00+00:00/PT1H", { from: now, to: now + hour }],
  ["2026-07-09T18:00:00+00:00/PT13H", { from: now, to: now + 13 * hour }],
  ["2026-07-09T18:00:00+00:00/P1D", { from: now, to: now + 24 * hour }],
  ["2026-07-09T18:00:00+00:00/P7DT14H", { from: now, to: now + (7 * 24 + 14) * hour }],
  ["2026-07-09T18:00:00+00:00/PT30M", { from: now, to: now + hour / 2 }],
  ["2026-07-09T18:00:00+00:00/P", undefined],
  ["2026-07-09T18:00:00+00:00/PT", undefined],
  ["2026-07-09T18:00:00+00:00/PT0H", undefined],
  ["2026-07-09T18:00:00+00:00/P1Y", undefined],
  ["2026-07-09T18:00:00+00:00/-PT1H", undefined],
  ["2026-07-09T18:00:00+00:00", undefined],
  ["/PT1H", undefined],
  [null, undefined],
])

table<number | undefined>("a temperature", ([value, unit]: readonly [unknown, unknown]) => fahrenheitOf(value, unit), [
  [[20, "wmoUnit:degC"], 68],
  [[28.88888888888889, "wmoUnit:degC"], 84],
  [["10", "unit:degC"], 50],
  [[10, "unit:degF"], 10],
  [[-40, "C"], -40],
  [[72, "F"], 72],
  [[290, "wmoUnit:K"], undefined],
  [[20, undefined], undefined],
  [[20, null], undefined],
  [[null, "F"], undefined],
  // Colder and hotter than it ever was.
  [[-100, "wmoUnit:degC"], undefined],
  [[141, "F"], undefined],
])

table<number | undefined>("a wind", windMphOf, [
  ["10 mph", 10],
  ["10 to 15 mph", 15],
  ["0 mph", 0],
  ["16 km/h", 10],
  ["5 to 10 km/h", 6],
  ["20 kt", 23],
  [{ unitCode: "wmoUnit:km_h-1", value: 64.37376 }, 40],
  [{ unitCode: "wmoUnit:km_h-1", value: null, minValue: 8, maxValue: 16.09344 }, 10],
  [{ unitCode: "wmoUnit:m_s-1", value: 5 }, undefined],
  [{ unitCode: null, value: null }, undefined],
  ["breezy", undefined],
  ["10", undefined],
  ["999 mph", undefined],
  ["", undefined],
  [null, undefined],
])

describe("a period", () => {
  const good = {
    startsAt: now,
    endsAt: now + hour,
    name: "",
    is_day: true,
    temp_f: 78,
    precip_pct: 20,
    wind_mph_max: 10,
    wind_dir: "SW",
    summary: "Mostly Sunny",
  }
  const without = (...keys: ReadonlyArray<keyof typeof good>) =>
    Object.fromEntries(Object.entries(good).filter(([key]) => !keys.includes(key as never)))

  const cases: ReadonlyArray<readonly [what: string, changes: Readonly<Record<string, unknown>>, found: unknown]> = [
    ["as it is printed", {}, good],
    ["with a name", { name: "This Afternoon" }, { ...good, name: "This Afternoon" }],
    ["with a name that is null", { name: null }, good],
    ["with a temperature between quotes", { temperature: "78" }, good],
    ["in degrees Celsius", { temperature: 25.5, temperatureUnit: "C" }, good],
    ["with a quantity", { temperature: { unitCode: "wmoUnit:degC", value: 25.5 }, temperatureUnit: null }, good],
    ["without a chance of rain", { probabilityOfPrecipitation: { value: null } }, without("precip_pct")],
    ["with a chance between quotes", { probabilityOfPrecipitation: { value: "20" } }, good],
    ["with a chance that cannot be", { probabilityOfPrecipitation: { value: 120 } }, without("precip_pct")],
    ["of the older schema", { probabilityOfPrecipitation: undefined }, without("precip_pct")],
    ["without wind", { windSpeed: null, windDirection: "" }, without("wind_mph_max", "wind_dir")],
    ["with wind of another type", { windSpeed: 7, windDirection: 7 }, without("wind_mph_max", "wind_dir")],
    ["without a temperature", { temperature: null }, undefined],
    ["with a word for one", { temperature: "warm" }, undefined],
    ["with one that cannot be", { temperature: 900 }, undefined],
    ["in another unit", { temperatureUnit: "K" }, undefined],
    ["without a start", { startTime: null }, undefined],
    ["with a start that is no time", { startTime: "soon" }, undefined],
    ["that ends before it starts", { endTime: period(now - hour, 1).startTime }, undefined],
    ["of days", { endTime: period(now + 25 * hour, 1).startTime }, undefined],
    ["that is neither day nor night", { isDaytime: null }, undefined],
    ["without a summary", { shortForecast: null }, undefined],
  ]
  for (const [what, changes, found] of cases) {
    it(`${what}: ${found === undefined ? "none" : "read"}`, () => {
      assert.deepStrictEqual(periodOf(period(now, 1, changes)), found)
    })
  }
  for (const value of [null, undefined, 1, "period", [], {}]) {
    it(`${JSON.stringify(value)} is none`, () => assert.isUndefined(periodOf(value)))
  }
})

describe("a raw grid", () => {
  const at = (hours: number): string => new Date(now + hours * hour).toISOString()
  const series = (...values: ReadonlyArray<readonly [validTime: unknown, value: unknown]>) => ({
    uom: "wmoUnit:degC",
    values: values.map(([validTime, value]) => ({ validTime, value })),
  })
  const hours = (...values: ReadonlyArray<readonly [validTime: unknown, value: unknown]>) =>
    hoursOf(extremesOf(series(...values))).map(({ at: start, tempF }) => [(start - now) / hour, tempF])

  it("has one temperature for each full hour of its intervals", () => {
    assert.deepStrictEqual(hours([`${at(0)}/PT1H`, 20], [`${at(1)}/PT3H`, 25]), [
      [0, 68],
      [1, 77],
      [2, 77],
      [3, 77],
    ])
  })

  const cases: ReadonlyArray<readonly [what: string, bad: readonly [unknown, unknown]]> = [
    ["null", [`${at(1)}/PT1H`, null]],
    ["a word", [`${at(1)}/PT1H`, "warm"]],
    ["a temperature that cannot be", [`${at(1)}/PT1H`, 300]],
    ["no interval", [at(1), 20]],
    ["an interval without end", [`${at(1)}/P99D`, 20]],
    ["an hour that is there", [`${at(0)}/PT1H`, 99]],
  ]
  for (const [what, bad] of cases) {
    it(`loses no other hour over ${what}`, () => {
      const row =
        what === "an hour that is there" ? [[`${at(0)}/PT1H`, 20] as const, bad] : [bad, [`${at(0)}/PT1H`, 20] as const]
      assert.deepStrictEqual(hours(...row, [`${at(2)}/PT1H`, 25]), [
        [0, 68],
        [2, 77],
      ])
    })
  }

  it("is put in order", () => {
    assert.deepStrictEqual(hours([`${at(2)}/PT1H`, 25], [`${at(0)}/PT1H`, 20]), [
      [0, 68],
      [2, 77],
    ])
  })

  it("without a unit has no temperatures", () => {
    assert.isEmpty(extremesOf({ values: series([`${at(0)}/PT1H`, 20]).values }))
    assert.isEmpty(extremesOf(undefined))
    assert.isEmpty(extremesOf({ uom: "wmoUnit:degC", values: [null, 1, "x", [], {}] }))
  })
})

describe("an alert", () => {
  it("is read with all its fields", () => {
    assert.deepStrictEqual(alertOf(alert(now)), {
      id: "urn:oid:2.49.0.1.840.0.1",
      event: "Heat Advisory",
      severity: "Moderate",
      certainty: "Likely",
      urgency: "Expected",
      headline: "Heat Advisory until this evening",
      area_desc: "New York (Manhattan)",
      effective: "2026-07-09T08:00:00-04:00",
      onset: "2026-07-09T12:00:00-04:00",
      expires: "2026-07-09T19:00:00-04:00",
      ends: "2026-07-09T19:00:00-04:00",
      sender_name: "NWS Upton NY",
      description: "Heat index values up to 97.",
      instruction: "Drink plenty of fluids.",
      status: "Actual",
      message_type: "Alert",
    })
  })

  const cases: ReadonlyArray<
    readonly [what: string, changes: Readonly<Record<string, unknown>>, found: object | undefined]
  > = [
    ["a severity of another vocabulary", { severity: "Catastrophic" }, { severity: "Unknown" }],
    ["no certainty", { certainty: null }, { certainty: "Unknown" }],
    ["an urgency of another type", { urgency: 1 }, { urgency: "Unknown" }],
    ["no area", { areaDesc: null }, { area_desc: "" }],
    ["no id", { id: null }, undefined],
    ["an empty event", { event: "" }, undefined],
    ["no end", { expires: null }, undefined],
    ["an end that is no time", { expires: "later" }, undefined],
    ["no beginning", { effective: null }, undefined],
    ["a status of another vocabulary", { status: "Maybe" }, undefined],
    ["a message type of another vocabulary", { messageType: "Shout" }, undefined],
  ]
  for (const [what, changes, found] of cases) {
    it(`with ${what} is ${found === undefined ? "none" : JSON.stringify(found)}`, () => {
      const read = alertOf(alert(now, changes))
      if (found === undefined) assert.isUndefined(read)
      else assert.deepInclude(read, found)
    })
  }

  it("has no key for what it does not say", () => {
    const read = alertOf(alert(now, { headline: null, onset: null, ends: "soon", description: 1, instruction: null }))!
    for (const key of ["headline", "onset", "ends", "description", "instruction"]) assert.notProperty(read, key)
  })
})

describe("readings", () => {
  const at = (minutes: number): number => now + minutes * 60_000
  const temperature = (value: unknown, more: object = {}) => ({
    temperature: { value, unitCode: "wmoUnit:degC", ...more },
  })
  const read = (...rows: ReadonlyArray<readonly [minutes: number, changes?: object]>) =>
    readingsOf(rows.map(([minutes, changes]) => observation(at(minutes), { ...changes })) as never, at(-180), now).map(
      ({ at: instant, tempF }) => [(instant - now) / 60_000, tempF],
    )

  it("are in order, each instant once, from the one asked for to now", () => {
    assert.deepStrictEqual(read([-9], [-69, temperature(15)], [-69, temperature(16)], [-240], [30], [-129]), [
      [-129, 68],
      [-69, 59],
      [-9, 68],
    ])
  })

  const none: ReadonlyArray<readonly [what: string, changes: object]> = [
    ["null", temperature(null)],
    ["a temperature that cannot be", temperature(-100)],
    ["a word", temperature("cold")],
    ["no temperature", { temperature: null }],
    ["no unit", { temperature: { value: 20 } }],
    ["a rejected one", temperature(20, { qualityControl: "qc:X" })],
    ["a questioned one", temperature(20, { qualityControl: "Q" })],
    ["one that an observer calls bad", temperature(20, { qualityControl: "qc:B" })],
    ["no time", { timestamp: null }],
  ]
  for (const [what, changes] of none) {
    it(`skip ${what}`, () => assert.deepStrictEqual(read([-69, changes], [-9]), [[-9, 68]]))
  }
  for (const quality of ["V", "qc:V", "C", "Z", "qc:Z", null]) {
    it(`take what is checked as ${quality}`, () => {
      assert.deepStrictEqual(read([-9, temperature(20, { qualityControl: quality })]), [[-9, 68]])
    })
  }
})
