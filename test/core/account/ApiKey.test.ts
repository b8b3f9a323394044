import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import * as ApiKey from "../../../core/account/ApiKey.ts"

/** Made with Python's int.from_bytes and zlib.crc32. */
const fixtures = [
  ["live", Uint8Array.from({ length: 32 }, (_, i) => i), "svk_live_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2ywzxO"],
  ["test", new Uint8Array(32), "svk_test_00000000000000000000000000000000000000000002kyxK2"],
  ["live", new Uint8Array(32).fill(255), "svk_live_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10fJ7xO"],
] as const

const key = fixtures[0][2]
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. "

describe("ApiKey", () => {
  it("matches keys made elsewhere from the same bytes", () => {
    for (const [environment, bytes, expected] of fixtures) {
      assert.strictEqual(ApiKey.fromBytes(environment, bytes), expected)
      assert.strictEqual(ApiKey.parseEnvironment(expected), environment)
    }
  })

  it("refuses every single mistyped, missing or doubled character", () => {
    for (let at = 0; at < key.length; at++) {
      for (const char of alphabet) {
        if (char === key[at]) continue
        assert.isUndefined(ApiKey.parseEnvironment(key.slice(0, at) + char + key.slice(at + 1)), `${char} at ${at}`)
      }
      assert.isUndefined(ApiKey.parseEnvironment(key.slice(0, at) + key.slice(at + 1)))
      assert.isUndefined(ApiKey.parseEnvironment(key.slice(0, at) + key[at] + key.slice(at)))
    }
  })

  it("refuses arbitrary text and reads back every key it makes", () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => ApiKey.parseEnvironment(text) === undefined))
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom(...ApiKey.environments),
        (bytes, environment) => {
          const made = ApiKey.fromBytes(environment, bytes)
          return made.length === 58 && ApiKey.parseEnvironment(made) === environment
        },
      ),
    )
  })

  it.effect("is never printed in plaintext", () =>
    Effect.gen(function* () {
      const issued = yield* ApiKey.generate("live")
      const plaintext = Redacted.value(issued.plaintext)
      assert.strictEqual(ApiKey.parseEnvironment(plaintext), "live")
      assert.notInclude(JSON.stringify(issued) + String(issued.plaintext), plaintext)
      assert.strictEqual(issued.lastFour, plaintext.slice(-4))
      assert.match(issued.hash, /^[0-9a-f]{64}$/)
    }).pipe(Effect.provide(secrets.layer)),
  )
})
