import { assert, describe, it } from "@effect/vitest"
import { readAlert } from "../../../../../adapters/lanes/weather/nws/alerts.ts"
import { readPeriod } from "../../../../../adapters/lanes/weather/nws/forecast.ts"
import { readExtreme, toHours } from "../../../../../adapters/lanes/weather/nws/grid.ts"
import { inOrder, readObservation } from "../../../../../adapters/lanes/weather/nws/observations.ts"
import {
  asNumber,
  parseInstant,
  parseInterval,
  toFahrenheit,
  toMph,
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

table<number | undefined>("a number", asNumber, [
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

table<number | undefined>("an instant", parseInstant, [
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

table<{ readonly from: number; readonly to: number } | undefined>("an interval", parseInterval, [
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

table<number | undefined>("a temperature", ([value, unit]: readonly [unknown, unknown]) => toFahrenheit(value, unit), [
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

table<number | undefined>("a wind", toMph, [
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
  [{ unitCode: "wmoUnit:constructor", value: 5 }, undefined],
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
    temp_f: 80,
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
    ["with a temperature between quotes", { temperature: "80" }, good],
    ["in degrees Celsius", { temperature: 26.7, temperatureUnit: "C" }, good],
    ["with a quantity", { temperature: { unitCode: "wmoUnit:degC", value: 26.7 }, temperatureUnit: null }, good],
    ["without a chance of rain", { probabilityOfPrecipitation: { value: null } }, without("precip_pct")],
    ["with a chance between quotes", { probabilityOfPrecipitation: { value: "20" } }, good],
    [
      "with a chance that cannot be",
      { probabilityOfPrecipitation: { value: 120 } },
      "probabilityOfPrecipitation is 120",
    ],
    ["of the older schema", { probabilityOfPrecipitation: undefined }, without("precip_pct")],
    ["without wind", { windSpeed: null, windDirection: "" }, without("wind_mph_max", "wind_dir")],
    ["with wind of another type", { windSpeed: 7, windDirection: 7 }, without("wind_mph_max", "wind_dir")],
    ["without a temperature", { temperature: null }, "temperature is null"],
    ["with a word for one", { temperature: "warm" }, 'temperature is "warm"'],
    ["with one that cannot be", { temperature: 900 }, "temperature is 900"],
    ["in another unit", { temperatureUnit: "K" }, "temperature is 80"],
    ["without a start", { startTime: null }, /^the period is \{/],
    ["with a start that is no time", { startTime: "soon" }, 'startTime is "soon"'],
    ["that ends before it starts", { endTime: period(now - hour, 1).startTime }, /^endTime is "/],
    ["of days", { endTime: period(now + 25 * hour, 1).startTime }, /^endTime is "/],
    ["that is neither day nor night", { isDaytime: null }, /^the period is \{/],
    ["without a summary", { shortForecast: null }, /^the period is \{/],
  ]
  for (const [what, changes, found] of cases) {
    it(`${what}: ${typeof found === "object" && !(found instanceof RegExp) ? "read" : found}`, () => {
      const read = readPeriod(period(now, 1, changes))
      if (found instanceof RegExp) assert.match(String(read), found)
      else assert.deepStrictEqual<unknown>(read, found)
    })
  }
  for (const value of [null, undefined, 1, "period", [], {}]) {
    it(`${JSON.stringify(value)} is none`, () => assert.match(String(readPeriod(value)), /^the period is /))
  }
})

describe("a raw grid", () => {
  const at = (hours: number): string => new Date(now + hours * hour).toISOString()
  const series = (...values: ReadonlyArray<readonly [validTime: unknown, value: unknown]>) => ({
    uom: "wmoUnit:degC",
    values: values.map(([validTime, value]) => ({ validTime, value })),
  })
  const extremes = ({ uom, values }: ReturnType<typeof series>) =>
    values.map(readExtreme(uom)).filter((read) => typeof read !== "string")
  const hours = (...values: ReadonlyArray<readonly [validTime: unknown, value: unknown]>) =>
    toHours(extremes(series(...values))).map(({ at: start, tempF }) => [(start - now) / hour, tempF])

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

  const refused: ReadonlyArray<readonly [value: unknown, unit: string | undefined, reason: string]> = [
    [{ validTime: `${at(0)}/PT1H`, value: 300 }, "wmoUnit:degC", 'value is [300,"wmoUnit:degC"]'],
    [{ validTime: `${at(0)}/PT1H`, value: 20 }, undefined, "value is [20,null]"],
    [{ validTime: "now", value: 20 }, "wmoUnit:degC", 'validTime is "now"'],
    [null, "wmoUnit:degC", "validTime is absent"],
  ]
  for (const [value, unit, reason] of refused) {
    it(`names what it cannot read: ${reason}`, () => assert.strictEqual(readExtreme(unit)(value), reason))
  }
})

describe("an alert", () => {
  it("is read with all its fields", () => {
    assert.deepStrictEqual(readAlert(alert(now)), {
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
    readonly [what: string, changes: Readonly<Record<string, unknown>>, found: object | RegExp]
  > = [
    ["a severity of another vocabulary", { severity: "Catastrophic" }, { severity: "Unknown" }],
    ["no certainty", { certainty: null }, { certainty: "Unknown" }],
    ["an urgency of another type", { urgency: 1 }, { urgency: "Unknown" }],
    ["no area", { areaDesc: null }, { area_desc: "" }],
    ["no id", { id: null }, /^the alert is \{/],
    ["an empty event", { event: "" }, /^the alert is \{/],
    ["no end", { expires: null }, /^the alert is /],
    ["an end that is no time", { expires: "later" }, /^expires is "later"$/],
    ["no beginning", { effective: null }, /^the alert is /],
    ["a status of another vocabulary", { status: "Maybe" }, /^the alert is \{/],
    ["a message type of another vocabulary", { messageType: "Shout" }, /^the alert is \{/],
  ]
  for (const [what, changes, found] of cases) {
    it(`with ${what} is ${found instanceof RegExp ? "none" : JSON.stringify(found)}`, () => {
      const read = readAlert(alert(now, changes))
      if (found instanceof RegExp) assert.match(String(read), found)
      else assert.deepInclude<unknown>(read, found)
    })
  }

  it("has no key for what it does not say", () => {
    const read = readAlert(
      alert(now, { headline: null, onset: null, ends: "soon", description: 1, instruction: null }),
    )!
    for (const key of ["headline", "onset", "ends", "description", "instruction"]) assert.notProperty(read, key)
  })
})

describe("readings", () => {
  const at = (minutes: number): number => now + minutes * 60_000
  const temperature = (value: unknown, more: object = {}) => ({
    temperature: { value, unitCode: "wmoUnit:degC", ...more },
  })
  const readAt = (minutes: number, changes: object = {}) =>
    readObservation(observation(at(minutes), { ...changes }), now)
  const read = (...rows: ReadonlyArray<readonly [minutes: number, changes?: object]>) => {
    const results = rows.map(([minutes, changes]) => readAt(minutes, changes))
    return inOrder(
      results.filter((result) => typeof result !== "string"),
      at(-180),
    ).map(({ at: instant, tempF }) => [(instant - now) / 60_000, tempF])
  }

  it("are in order, each instant once, from the one asked for on", () => {
    assert.deepStrictEqual(read([-9], [-69, temperature(15)], [-69, temperature(16)], [-240], [-129]), [
      [-129, 68],
      [-69, 59],
      [-9, 68],
    ])
  })

  const none: ReadonlyArray<readonly [what: string, changes: object]> = [
    ["null", temperature(null)],
    ["no temperature", { temperature: null }],
    ["a rejected one", temperature(20, { qualityControl: "qc:X" })],
    ["a questioned one", temperature(20, { qualityControl: "Q" })],
    ["one that an observer calls bad", temperature(20, { qualityControl: "qc:B" })],
    ["no time", { timestamp: null }],
  ]
  for (const [what, changes] of none) {
    it(`skip ${what}`, () => assert.deepStrictEqual(readAt(-69, changes), {}))
  }
  const bad: ReadonlyArray<readonly [minutes: number, changes: object, reason: RegExp]> = [
    [30, {}, /^timestamp is ".*", in the future$/],
    [-69, temperature(-100), /^temperature is \{"value":-100,/],
    [-69, temperature("cold"), /^temperature is \{"value":"cold",/],
    [-69, { temperature: { value: 20 } }, /^temperature is \{"value":20\}$/],
    [-69, { timestamp: "noon" }, /^timestamp is "noon"$/],
    [
      -69,
      { rawMessage: "KNYC 091651Z AUTO 10SM CLR 23/12 A3005" },
      /^temperature is 20\.0 °C, and its message has 23 °C$/,
    ],
    [
      -69,
      { rawMessage: "KNYC 092151Z AUTO 10SM CLR 20/12 A3005" },
      /^timestamp is .*, and its message is of 21:51 UTC$/,
    ],
  ]
  for (const [minutes, changes, reason] of bad) {
    it(`name what cannot be: ${reason.source}`, () => assert.match(String(readAt(minutes, changes)), reason))
  }
  for (const quality of ["V", "qc:V", "C", "Z", "qc:Z", null]) {
    it(`take what is checked as ${quality}`, () => {
      assert.deepStrictEqual(read([-9, temperature(20, { qualityControl: quality })]), [[-9, 68]])
    })
  }
})
