import { describe } from "@effect/vitest"
import { damagedMarkets } from "../../../support/damagedLanes.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("markets over damaged sources", () => {
  sampled(damagedMarkets())
})
