// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedSample } from "../../../support/damagedFootball.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("football over damaged files", () => {
  sampled(damagedSample())
})
