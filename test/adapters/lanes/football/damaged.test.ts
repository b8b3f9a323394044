// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedSample } from "../../../support/damagedFootball.ts"
import { foreign, sampled } from "../../../support/damageSuite.ts"

describe("football over damaged files", () => {
  sampled(damagedSample())
})

describe("football, where a source answers another question", () => {
  foreign(damagedSample())
})
