// Proof: a sample of what `npm run damages` does whole.
import { describe } from "@effect/vitest"
import { damagedCrypto } from "../../../support/damagedCrypto.ts"
import { foreign, sampled } from "../../../support/damageSuite.ts"

describe("crypto over damaged sources", () => {
  sampled(damagedCrypto())
})

describe("crypto, where a source answers another question", () => {
  foreign(damagedCrypto())
})
