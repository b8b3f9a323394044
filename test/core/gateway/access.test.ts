import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { demoKey } from "../../../core/account/ApiKey.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { authentication, takeWithBlock } from "../../../core/gateway/access.ts"
import * as Step from "../../../core/Step.ts"

describe("an effect that is run again", () => {
  it.effect("looks at the key again, which may have been revoked", () =>
    Effect.gen(function* () {
      const caller = { accountId: "acct_1", keyId: "key_1", livemode: true, perMinute: 60 }
      const found = [caller, undefined]
      const keyring = Layer.succeed(Keyring, { find: Step.methodSync(() => found.shift()) })
      const authenticate = yield* Effect.provide(authentication, Layer.merge(keyring, secrets.layer))
      const look = authenticate(`Bearer ${demoKey}`)
      assert.strictEqual(yield* look, caller)
      assert.strictEqual((yield* Effect.flip(look)).code, "invalid_api_key")
    }),
  )

  it.effect("takes from the limit of its address again", () =>
    Effect.gen(function* () {
      const take = takeWithBlock(yield* RateLimits, "requests", "192.0.2.1", 2)
      assert.deepStrictEqual([(yield* take).ok, (yield* take).ok, (yield* take).ok], [true, true, false])
    }).pipe(Effect.provide(RateLimits.layerMemory)),
  )
})
