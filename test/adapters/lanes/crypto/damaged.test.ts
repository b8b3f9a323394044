// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedCrypto } from "../../../support/damagedCrypto.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("crypto over damaged sources", () => {
  sampled(damagedCrypto())
})
