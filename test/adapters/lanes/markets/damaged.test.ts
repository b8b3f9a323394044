// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedMarkets } from "../../../support/damagedMarkets.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("markets over damaged sources", () => {
  sampled(damagedMarkets(), "first")
})
