import { assert, describe, it } from "@effect/vitest"
import {
  findRiskFlags,
  type RiskPeriod,
  rules,
  vocabulary,
} from "../../../../../core/lanes/weather/forecast/riskFlags.ts"

const calm: RiskPeriod = { temp_f: 60, precip_pct: 20, wind_mph_max: 10, summary: "Sunny" }

describe("risk flags", () => {
  const periods: ReadonlyArray<readonly [what: string, changes: Partial<RiskPeriod>, flags: ReadonlyArray<string>]> = [
    ["a calm day", {}, []],
    ["33 °F", { temp_f: 33 }, []],
    ["32 °F", { temp_f: 32 }, ["freeze"]],
    ["1 °F", { temp_f: 1 }, ["freeze"]],
    ["0 °F", { temp_f: 0 }, ["extreme_cold", "freeze"]],
    ["99 °F", { temp_f: 99 }, []],
    ["100 °F", { temp_f: 100 }, ["extreme_heat"]],
    ["69 %", { precip_pct: 69 }, []],
    ["70 %", { precip_pct: 70 }, ["heavy_precip"]],
    ["39 mph", { wind_mph_max: 39 }, []],
    ["40 mph", { wind_mph_max: 40 }, ["high_wind"]],
    ["thunder in the summary", { summary: "Chance Showers And Thunderstorms" }, ["thunderstorm"]],
    ["thunder, abbreviated", { summary: "Slight Chance T-storms" }, ["thunderstorm"]],
    ["smoke", { summary: "Areas Of Smoke" }, ["air_quality"]],
    ["heavy snow", { summary: "Heavy Snow" }, ["winter_storm"]],
    ["snow", { summary: "Chance Light Snow" }, []],
    ["a hurricane", { summary: "Hurricane Conditions Possible" }, ["tropical"]],
  ]
  for (const [what, changes, flags] of periods) {
    it(`of a period: ${what}`, () => assert.deepStrictEqual(findRiskFlags([calm, { ...calm, ...changes }], []), flags))
  }

  it("of a period without wind and rain are those of its temperature", () => {
    assert.deepStrictEqual(findRiskFlags([{ temp_f: 20, summary: "" }], []), ["freeze"])
  })

  // Names as the weather service issues them.
  const events: ReadonlyArray<readonly [event: string, ...flags: ReadonlyArray<string>]> = [
    ["Air Quality Alert", "air_quality"],
    ["Air Stagnation Advisory", "air_quality"],
    ["Dense Smoke Advisory", "air_quality"],
    ["Blowing Dust Warning", "air_quality"],
    ["Dust Storm Warning", "air_quality"],
    ["Ashfall Advisory", "air_quality"],
    ["Red Flag Warning", "fire_weather"],
    ["Fire Weather Watch", "fire_weather"],
    ["Extreme Fire Danger", "fire_weather"],
    ["Flood Watch", "flood"],
    ["Flash Flood Warning", "flood"],
    ["Coastal Flood Advisory", "flood"],
    ["High Wind Watch", "high_wind"],
    ["Extreme Wind Warning", "high_wind"],
    ["Wind Advisory", "high_wind"],
    ["Lake Wind Advisory"],
    ["Hurricane Force Wind Warning", "high_wind"],
    ["Severe Thunderstorm Warning", "thunderstorm"],
    ["Tornado Watch", "thunderstorm", "tornado"],
    ["Hurricane Warning", "tropical"],
    ["Tropical Storm Watch", "tropical"],
    ["Typhoon Warning", "tropical"],
    ["Storm Surge Watch", "tropical"],
    ["Winter Storm Watch", "winter_storm"],
    ["Winter Weather Advisory", "winter_storm"],
    ["Blizzard Warning", "winter_storm"],
    ["Ice Storm Warning", "winter_storm"],
    ["Lake Effect Snow Warning", "winter_storm"],
    ["Snow Squall Warning", "winter_storm"],
    // Temperature flags are raised by temperatures.
    ["Heat Advisory"],
    ["Extreme Cold Warning"],
    ["Freeze Warning"],
    ["Rip Current Statement"],
    ["Special Weather Statement"],
  ]
  for (const [event, ...flags] of events) {
    it(`of an alert: ${event}`, () => {
      assert.deepStrictEqual(findRiskFlags([calm], [{ event }]), ["active_alert", ...flags].sort())
    })
  }

  it("are sorted, each once, and all in the vocabulary", () => {
    const everything = findRiskFlags(
      periods.map(([, changes]) => ({ ...calm, ...changes })),
      events.map(([event]) => ({ event })),
    )
    assert.deepStrictEqual(everything, Object.keys(rules).sort())
    for (const flag of everything) assert.include(vocabulary, flag)
    assert.match(vocabulary, /extreme_cold \(≤ 0 °F\), .*, high_wind \(≥ 40 mph or such an alert\), thunderstorm/)
  })
})
