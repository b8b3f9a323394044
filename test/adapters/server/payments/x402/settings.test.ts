import { assert, describe, it } from "@effect/vitest"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { callPayments, x402 } from "../../../../../services/config/x402.ts"

const key = `0x${"5e".repeat(32)}`
const complete = {
  X402_PAY_TO: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  X402_NETWORK: "eip155:84532",
  X402_RPC_URL: "http://127.0.0.1:1/v2/s3cret",
  X402_PRIVATE_KEY: key,
}

const read = (given: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(x402, ConfigProvider.fromMap(new Map(Object.entries(given))))

const toldBy = (error: ConfigError.ConfigError): string =>
  ConfigError.isConfigError(error) && "path" in error && "message" in error
    ? `${error.path.at(-1)}: ${error.message}`
    : String(error)

const without = (name: keyof typeof complete) => {
  const { [name]: _, ...rest } = complete
  return rest
}

describe("the variables of payments", () => {
  it.effect("are all absent: nothing can be paid", () =>
    Effect.map(read({}), (found) => assert.deepStrictEqual(found, Option.none())),
  )

  it.effect("need four for a known network", () =>
    Effect.map(read(complete), (found) => {
      const { facilitator, rpcUrl, ...rest } = Option.getOrThrow(found)
      assert.deepStrictEqual(rest, {
        payTo: complete.X402_PAY_TO,
        network: "eip155:84532",
        confirmations: 1,
        keyless: false,
      })
      assert.strictEqual(Redacted.value(rpcUrl), complete.X402_RPC_URL)
      assert.strictEqual("privateKey" in facilitator && Redacted.value(facilitator.privateKey), key)
      assert.notMatch(JSON.stringify(found), /s3cret|5e5e/)
    }),
  )

  it.effect("reach the settings", () =>
    Effect.map(
      read({
        ...without("X402_PRIVATE_KEY"),
        X402_FACILITATOR_URL: "https://facilitator.example/v1/",
        X402_ASSET: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        X402_ASSET_NAME: "Dollar",
        X402_ASSET_VERSION: "3",
        X402_ASSET_DECIMALS: "18",
        X402_CONFIRMATIONS: "4",
        X402_KEYLESS: "true",
      }),
      (found) => {
        const { rpcUrl: _, ...rest } = Option.getOrThrow(found)
        assert.deepStrictEqual(rest, {
          payTo: complete.X402_PAY_TO,
          network: "eip155:84532",
          asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
          assetName: "Dollar",
          assetVersion: "3",
          assetDecimals: 18,
          facilitator: { url: "https://facilitator.example/v1" },
          confirmations: 4,
          keyless: true,
        })
      },
    ),
  )

  const together = "X402_PAY_TO, X402_NETWORK and X402_RPC_URL go together."
  const either = "Set either X402_PRIVATE_KEY, which pays the gas, or X402_FACILITATOR_URL."
  for (const [given, expected] of [
    [without("X402_PAY_TO"), `X402_PAY_TO: ${together}`],
    [without("X402_NETWORK"), `X402_NETWORK: ${together}`],
    [without("X402_RPC_URL"), `X402_RPC_URL: ${together}`],
    [{ X402_KEYLESS: "true" }, `X402_PAY_TO: ${together}`],
    [without("X402_PRIVATE_KEY"), `X402_PRIVATE_KEY: ${either}`],
    [{ ...complete, X402_FACILITATOR_URL: "https://a.example" }, `X402_FACILITATOR_URL: ${either}`],
    [{ ...complete, X402_PAY_TO: "0x12" }, "X402_PAY_TO: Expected 0x and 40 hexadecimal digits."],
    [
      { ...complete, X402_NETWORK: "base" },
      "X402_NETWORK: Expected eip155: and the id of a chain, such as eip155:8453.",
    ],
    [{ ...complete, X402_PRIVATE_KEY: "5e5e5e" }, "X402_PRIVATE_KEY: Expected 0x and 64 hexadecimal digits."],
    [{ ...complete, X402_RPC_URL: "s3cret" }, "X402_RPC_URL: Expected a URL that begins with http: or https:."],
    [{ ...complete, X402_ASSET_DECIMALS: "2" }, 'X402_ASSET_DECIMALS: Expected a whole number from 6 to 36. Got "2".'],
    [{ ...complete, X402_CONFIRMATIONS: "0" }, 'X402_CONFIRMATIONS: Expected a whole number from 1 to 100. Got "0".'],
  ] as ReadonlyArray<readonly [Readonly<Record<string, string>>, string]>) {
    it.effect(`are refused with: ${expected}`, () =>
      Effect.map(Effect.flip(read(given)), (error) => assert.strictEqual(toldBy(error), expected)),
    )
  }

  it.live("whose value the packages do not take are named too", () =>
    Effect.gen(function* () {
      const known = Option.getOrThrow(yield* read(complete))
      const error = yield* Effect.flip(callPayments({ ...known, network: "eip155:31337" }, true))
      assert.strictEqual(toldBy(error), "X402_ASSET: Name the token: none is known for eip155:31337.")
    }),
  )
})
