import { assert, describe, it } from "@effect/vitest"
import { byId, stations } from "../../../../core/lanes/weather/stations.ts"

/** The station that the rules of each city's contracts named in 2026; undefined where no rules were read. */
const named: Readonly<Record<string, readonly [slug: string, station: string] | undefined>> = {
  "New York": ["highest-temperature-in-nyc", "KLGA"],
  Chicago: ["highest-temperature-in-chicago", "KORD"],
  Denver: ["highest-temperature-in-denver", "KBKF"],
  Miami: ["highest-temperature-in-miami", "KMIA"],
  Austin: ["highest-temperature-in-austin", "KAUS"],
  "Los Angeles": ["highest-temperature-in-los-angeles", "KLAX"],
  Houston: ["highest-temperature-in-houston", "KHOU"],
  Philadelphia: undefined,
  Boston: undefined,
}

describe("Polymarket's contracts of a station", () => {
  for (const { id, city, settles } of stations) {
    it(`${id}: ${settles.polymarket ?? "none"}`, () => {
      assert.isTrue(Object.hasOwn(named, city), city)
      const [slug, station] = named[city] ?? []
      assert.strictEqual(settles.polymarket, station === id ? slug : null)
    })
  }

  it("New York's are LaGuardia's, which is no station of ours", () => {
    assert.isNull(byId.get("KNYC")!.settles.polymarket)
    assert.isFalse(byId.has("KLGA"))
  })
})
