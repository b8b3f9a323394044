import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../../adapters/server/payments/x402/settings.ts"
import * as X402 from "../../adapters/server/payments/x402/x402.ts"
import { integerBetween, matching, parsed, secret, together, truth, variable, webUrl } from "./values.ts"

const address = matching(/^0x[\da-fA-F]{40}$/, "Expected 0x and 40 hexadecimal digits.")

export const x402Variables = {
  payTo: variable(
    "X402_PAY_TO",
    address,
    "address that agents pay with a call (x402); no other installation may have it; without one it is off",
  ),
  network: variable(
    "X402_NETWORK",
    matching(/^eip155:[1-9]\d{0,14}$/, "Expected eip155: and the id of a chain, such as eip155:8453."),
    "chain on which they pay, such as eip155:8453 (Base) or eip155:84532",
  ),
  /** A node's URL often contains a key: it is never quoted. */
  rpcUrl: variable(
    "X402_RPC_URL",
    parsed(
      secret,
      (url) => {
        const text = Redacted.value(url)
        return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : "") ? url : undefined
      },
      "Expected a URL that begins with http: or https:.",
    ),
    "node of that chain, which says whether payments arrived",
  ),
  privateKey: variable(
    "X402_PRIVATE_KEY",
    parsed(
      secret,
      (key) => (/^0x[\da-fA-F]{64}$/.test(Redacted.value(key)) ? key : undefined),
      "Expected 0x and 64 hexadecimal digits.",
    ),
    "key of the account that sends payments to the chain and pays the gas, one for each node",
  ),
  facilitatorUrl: variable("X402_FACILITATOR_URL", webUrl, "service that sends them, in place of a key"),
  asset: variable("X402_ASSET", address, "address of the dollar token, with signed transfers (EIP-3009)", {
    otherwise: "the network's, if it is known",
  }),
  assetName: variable("X402_ASSET_NAME", Config.nonEmptyString, "its name in signatures (EIP-712)", {
    otherwise: "the known token's",
  }),
  assetVersion: variable("X402_ASSET_VERSION", Config.nonEmptyString, "its version in signatures", {
    otherwise: "the known token's",
  }),
  assetDecimals: variable("X402_ASSET_DECIMALS", integerBetween(6, 36), "its decimals, at least 6", {
    otherwise: "the known token's, or 6",
  }),
  confirmations: variable("X402_CONFIRMATIONS", integerBetween(1, 100), "blocks that must show a payment", {
    otherwise: "1",
  }),
  keyless: variable("X402_KEYLESS", truth, "true: a payment for one call stands in for a key", { otherwise: "false" }),
  gasPerHour: variable(
    "X402_GAS_PER_HOUR",
    integerBetween(1_000_000, 1_000_000_000_000),
    "units of gas that each server may spend on payments in an hour; beyond it they are refused until gas is free again",
    { otherwise: "100000000, about 1,400 payments" },
  ),
}

/** Payments with a call: off unless one of their variables is set. */
export const x402 = together(x402Variables, ["payTo", "network", "rpcUrl"]).pipe(
  Config.mapOrFail((given): Either.Either<Option.Option<Settings>, ConfigError.ConfigError> => {
    if (Option.isNone(given)) return Either.right(Option.none())
    const { privateKey, facilitatorUrl: url, confirmations = 1, keyless = false, ...rest } = given.value
    const rule = "Set either X402_PRIVATE_KEY, which pays the gas, or X402_FACILITATOR_URL."
    if (privateKey !== undefined && url !== undefined) {
      return Either.left(ConfigError.InvalidData(["X402_FACILITATOR_URL"], rule))
    }
    const facilitator = privateKey !== undefined ? { privateKey } : url !== undefined ? { url } : undefined
    return facilitator === undefined
      ? Either.left(ConfigError.MissingData(["X402_PRIVATE_KEY"], rule))
      : Either.right(Option.some({ ...rest, facilitator, confirmations, keyless }))
  }),
)

/**
 * The payments of the settings. A setting that the packages or the chain contradict is an error of its variable.
 *
 * @param isAsked whether the chain's node is asked at once
 */
export const callPayments = (settings: Settings, isAsked: boolean) =>
  Effect.mapError(X402.make(settings, { isAsked }), ({ setting = "network", reason }) =>
    ConfigError.InvalidData([x402Variables[setting === "facilitator" ? "privateKey" : setting].name], reason),
  )
