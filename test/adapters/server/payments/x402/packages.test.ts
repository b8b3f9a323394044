import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { load, readAccount } from "../../../../../adapters/server/payments/x402/packages.ts"

describe("packages of payments", () => {
  it.effect.each([[new Error("Cannot find package 'viem'\nRequire stack:")], ["Cannot find package 'viem'"]])(
    "that do not load are named with the command that installs them",
    ([error]) =>
      Effect.gen(function* () {
        const { reason } = yield* Effect.flip(load(() => Promise.reject(error)))
        assert.match(
          reason,
          /^Payments by x402 need packages that do not load: Cannot find package 'viem'\. Install them: npm install @x402\/core@/,
        )
      }),
  )

  it.effect("read a private key, and never quote what is none", () =>
    Effect.gen(function* () {
      const packages = yield* load()
      const key = `0x${"0".repeat(63)}1`
      const { address } = yield* readAccount(packages, Redacted.make(key))
      assert.strictEqual(address, "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
      const error = yield* Effect.flip(readAccount(packages, Redacted.make(`${key}23`)))
      assert.strictEqual(error.setting, "facilitator")
      assert.strictEqual(error.reason, "Expected a private key: 0x and 64 hexadecimal digits.")
    }),
  )
})
