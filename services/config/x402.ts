import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../../adapters/server/payments/x402/settings.ts"
import * as X402 from "../../adapters/server/payments/x402/x402.ts"
import { allOrNone, integerBetween, matching, parsed, secret, trueOrFalse, variable, webUrl } from "./values.ts"

const address = matching(/^0x[\da-fA-F]{40}$/, "Expected 0x and 40 hexadecimal digits.")

export const x402Variables = {
  payTo: variable(
    "X402_PAY_TO",
    address,
    "address that receives payments sent with calls (x402); no other installation may use it; without one such payments are off",
  ),
  network: variable(
    "X402_NETWORK",
    matching(/^eip155:[1-9]\d{0,14}$/, "Expected eip155: and the id of a chain, such as eip155:8453."),
    "chain of these payments, such as eip155:8453 (Base) or eip155:84532",
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
    "URL of a node of that chain, which tells whether payments arrived",
  ),
  privateKey: variable(
    "X402_PRIVATE_KEY",
    parsed(
      secret,
      (key) => (/^0x[\da-fA-F]{64}$/.test(Redacted.value(key)) ? key : undefined),
      "Expected 0x and 64 hexadecimal digits.",
    ),
    "private key of the account that sends payments to the chain and pays the gas; each server needs its own",
  ),
  facilitatorUrl: variable(
    "X402_FACILITATOR_URL",
    webUrl,
    "facilitator that sends payments to the chain, in place of a key",
  ),
  asset: variable(
    "X402_ASSET",
    address,
    "address of the dollar token, which must support signed transfers (EIP-3009)",
    {
      defaultText: "the network's, if it is known",
    },
  ),
  assetName: variable("X402_ASSET_NAME", Config.nonEmptyString, "the token's name in signatures (EIP-712)", {
    defaultText: "the known token's",
  }),
  assetVersion: variable("X402_ASSET_VERSION", Config.nonEmptyString, "the token's version in signatures", {
    defaultText: "the known token's",
  }),
  assetDecimals: variable("X402_ASSET_DECIMALS", integerBetween(6, 36), "the token's decimals, at least 6", {
    defaultText: "the known token's, or 6",
  }),
  confirmations: variable(
    "X402_CONFIRMATIONS",
    integerBetween(1, 100),
    "number of blocks after which a payment counts",
    {
      defaultText: "1",
    },
  ),
  keyless: variable("X402_KEYLESS", trueOrFalse, "true: a call with a payment needs no key", { defaultText: "false" }),
  gasPerHour: variable(
    "X402_GAS_PER_HOUR",
    integerBetween(1_000_000, 1_000_000_000_000),
    "units of gas that each server may spend on payments in an hour; when they are used up, payments are refused until the hour allows more",
    { defaultText: "100000000, about 1,400 payments" },
  ),
}

/** Payments sent with calls: off unless one of their variables is set. */
export const x402 = allOrNone(x402Variables, ["payTo", "network", "rpcUrl"]).pipe(
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

/** The service of these payments. A setting that the packages or the chain contradict is an error of its variable. */
export const callPayments = (settings: Settings, checkAtStart: boolean) =>
  Effect.mapError(X402.make(settings, { checkAtStart }), ({ setting = "network", reason }) =>
    ConfigError.InvalidData([x402Variables[setting === "facilitator" ? "privateKey" : setting].name], reason),
  )
