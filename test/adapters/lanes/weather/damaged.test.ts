// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedWeather } from "../../../support/damagedWeather.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("weather over damaged sources", () => {
  sampled(damagedWeather())
})
