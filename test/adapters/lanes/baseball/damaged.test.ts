// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedBaseball } from "../../../support/damagedBaseball.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("baseball over damaged sources", () => {
  sampled(damagedBaseball(), "first")
})
