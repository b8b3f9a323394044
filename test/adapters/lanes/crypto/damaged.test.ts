import { describe } from "@effect/vitest"
import { damagedCrypto } from "../../../support/damagedCrypto.ts"
import { sampled } from "../../../support/damageSuite.ts"

describe("crypto over damaged sources", () => {
  sampled(damagedCrypto())
})
