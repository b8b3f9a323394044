import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Decoded } from "../../../core/endpoint/decode.ts"
import * as ParamsHash from "../../../core/gateway/paramsHash.ts"
import { filing } from "../../../core/lanes/filings/mod.ts"
import { asEffect } from "../../support/steps.ts"

const decoded = (changes: Partial<Decoded> = {}): Decoded =>
  ({ params: { a: 1 }, options: { verbose: true }, ...changes }) as unknown as Decoded

describe("the hash of a call", () => {
  it.effect("is that of endpoint, parameters and options, and is kept with them", () =>
    Effect.gen(function* () {
      const hashOf = asEffect(ParamsHash.make(yield* PlatformCrypto))
      const call = decoded()
      const expected = createHash("sha256").update(`["${filing.id}",{"a":1},{"verbose":true}]`).digest("hex")
      assert.strictEqual(yield* hashOf(filing, call), expected)
      assert.strictEqual(call.paramsHash, expected)
      assert.strictEqual(yield* hashOf(filing, decoded({ paramsHash: "known" })), "known")
    }).pipe(Effect.provide(secrets.layer)),
  )
})
