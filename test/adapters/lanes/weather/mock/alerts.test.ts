import { assert, describe, it } from "@effect/vitest"
import { alertsAt } from "../../../../../adapters/lanes/weather/mock/alerts.ts"
import { dailyExtremes } from "../../../../../adapters/lanes/weather/mock/climate.ts"
import { findSpot } from "../../../../../adapters/lanes/weather/mock/spot.ts"
import { byId, climateDayStart } from "../../../../../core/lanes/weather/stations.ts"
import { addDays } from "../../../../../core/time.ts"

const hour = 3_600_000
const station = byId.get("KAUS")!
const spot = findSpot(station.coordinates)
const days = Array.from({ length: 365 }, (_, at) => addDays("2026-01-01", at))
const at = (day: string, hours: number) => alertsAt(spot, climateDayStart(station, day) + hours * hour)
const year = days.map((day) => [day, at(day, 12)] as const)

describe("the alerts of a mock office", () => {
  it("are those of the day and the day before, each once, and the same whenever they are asked for", () => {
    for (const [day, alerts] of year) {
      assert.strictEqual(new Set(alerts.map(({ id }) => id)).size, alerts.length)
      for (const { id } of alerts)
        assert.isTrue(
          [addDays(day, -1), day].some((on) => id.includes(on)),
          id,
        )
      assert.deepStrictEqual(at(day, 12), alerts)
    }
    assert.isAbove(year.filter(([, alerts]) => alerts.length > 0).length, 10)
  })

  it("are not issued before four in the morning, and are in force from nine to midnight", () => {
    for (const [day] of year) assert.isFalse(at(day, 3.99).some(({ id }) => id.includes(day)))
    const [day, alerts] = year.find(([on, all]) => all.some(({ id }) => id.includes(on)))!
    const { effective, onset, ends } = alerts.find(({ id }) => id.includes(day))!
    const hours = (time: string) => (Date.parse(time) - climateDayStart(station, day)) / hour
    assert.deepStrictEqual([hours(effective), hours(onset!), hours(ends!)], [4, 9, 24])
  })

  it("warn of heat on hot days alone, and of the hottest always", () => {
    const hot = (day: string) => dailyExtremes(station, day).highF
    const warned = (event: string) => (day: string) =>
      at(day, 12).some((alert) => alert.event === event && alert.id.includes(day))
    for (const day of days) {
      assert.strictEqual(warned("Extreme Heat Warning")(day), hot(day) >= 103, day)
      if (warned("Heat Advisory")(day)) assert.isTrue(hot(day) >= 97 && hot(day) < 103, day)
    }
  })

  it("have tests and cancelled ones among them, which are marked as such", () => {
    const all = year.flatMap(([, alerts]) => alerts)
    for (const { event, status, message_type } of all)
      assert.strictEqual(status === "Test", event === "Test Message", message_type)
    assert.isTrue(all.some(({ status }) => status === "Test"))
    assert.isTrue(all.some(({ message_type }) => message_type === "Cancel"))
  })
})
