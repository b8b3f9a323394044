import { describe } from "@effect/vitest"
import { damagedWeather } from "../../../support/damagedLanes.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("weather over damaged sources", () => {
  sampled(damagedWeather())
})
