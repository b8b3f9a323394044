import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../../adapters/server/payments/x402/settings.ts"
import * as X402 from "../../adapters/server/payments/x402/x402.ts"
import type { CallPayments } from "../../core/payment/CallPayment.ts"
import { integerBetween, parsed, webUrl } from "./values.ts"

const matching = (name: string, pattern: RegExp, expected: string) =>
  Config.option(parsed(name, Config.string(name), (text) => (pattern.test(text) ? text : undefined), expected))

const address = (name: string) => matching(name, /^0x[\da-fA-F]{40}$/, "Expected 0x and 40 hexadecimal digits.")

const privateKey = Config.option(
  parsed(
    "X402_PRIVATE_KEY",
    Config.redacted("X402_PRIVATE_KEY"),
    (key) => (/^0x[\da-fA-F]{64}$/.test(Redacted.value(key)) ? key : undefined),
    "Expected 0x and 64 hexadecimal digits.",
  ),
)

/** A node's URL often contains a key: it is never quoted. */
const rpcUrl = Config.option(
  parsed(
    "X402_RPC_URL",
    Config.redacted("X402_RPC_URL"),
    (url) => {
      const text = Redacted.value(url)
      return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : "") ? url : undefined
    },
    "Expected a URL that begins with http: or https:.",
  ),
)

/** Variables without which nothing is taken, in the order in which they are asked for. */
const needed = ["X402_PAY_TO", "X402_NETWORK", "X402_RPC_URL"] as const

/** Payments with a call: off unless one of their variables is set. */
export const x402 = Config.all({
  X402_PAY_TO: address("X402_PAY_TO"),
  X402_NETWORK: matching(
    "X402_NETWORK",
    /^eip155:[1-9]\d{0,14}$/,
    "Expected eip155: and the id of a chain, such as eip155:8453.",
  ),
  X402_RPC_URL: rpcUrl,
  X402_ASSET: address("X402_ASSET"),
  X402_ASSET_NAME: Config.option(Config.nonEmptyString("X402_ASSET_NAME")),
  X402_ASSET_VERSION: Config.option(Config.nonEmptyString("X402_ASSET_VERSION")),
  X402_ASSET_DECIMALS: Config.option(integerBetween("X402_ASSET_DECIMALS", 6, 36)),
  X402_PRIVATE_KEY: privateKey,
  X402_FACILITATOR_URL: Config.option(webUrl("X402_FACILITATOR_URL")),
  X402_CONFIRMATIONS: Config.option(integerBetween("X402_CONFIRMATIONS", 1, 100)),
  X402_KEYLESS: Config.option(Config.boolean("X402_KEYLESS")),
  X402_GAS_PER_HOUR: Config.option(integerBetween("X402_GAS_PER_HOUR", 1_000_000, 1_000_000_000_000)),
}).pipe(
  Config.mapOrFail((given): Either.Either<Option.Option<Settings>, ConfigError.ConfigError> => {
    if (Object.values<Option.Option<unknown>>(given).every(Option.isNone)) return Either.right(Option.none())
    const missing = needed.find((name) => Option.isNone<unknown>(given[name]))
    if (missing !== undefined) {
      return Either.left(ConfigError.MissingData([missing], "X402_PAY_TO, X402_NETWORK and X402_RPC_URL go together."))
    }
    const [key, url] = [given.X402_PRIVATE_KEY, given.X402_FACILITATOR_URL]
    if (Option.isSome(key) === Option.isSome(url)) {
      const rule = "Set either X402_PRIVATE_KEY, which pays the gas, or X402_FACILITATOR_URL."
      return Either.left(
        Option.isNone(key)
          ? ConfigError.MissingData(["X402_PRIVATE_KEY"], rule)
          : ConfigError.InvalidData(["X402_FACILITATOR_URL"], rule),
      )
    }
    const optional = <K extends string, A>(name: K, value: Option.Option<A>) =>
      Option.match(value, { onNone: () => ({}), onSome: (found) => ({ [name]: found }) as { [_ in K]?: A } })
    return Either.right(
      Option.some({
        payTo: Option.getOrThrow(given.X402_PAY_TO),
        network: Option.getOrThrow(given.X402_NETWORK),
        rpcUrl: Option.getOrThrow(given.X402_RPC_URL),
        ...optional("asset", given.X402_ASSET),
        ...optional("assetName", given.X402_ASSET_NAME),
        ...optional("assetVersion", given.X402_ASSET_VERSION),
        ...optional("assetDecimals", given.X402_ASSET_DECIMALS),
        facilitator: Option.isSome(key) ? { privateKey: key.value } : { url: Option.getOrThrow(url) },
        confirmations: Option.getOrElse(given.X402_CONFIRMATIONS, () => 1),
        ...optional("gasPerHour", given.X402_GAS_PER_HOUR),
        keyless: Option.getOrElse(given.X402_KEYLESS, () => false),
      }),
    )
  }),
)

/** The variable of each setting. */
const variables: Readonly<Record<keyof Settings, string>> = {
  payTo: "X402_PAY_TO",
  network: "X402_NETWORK",
  asset: "X402_ASSET",
  assetName: "X402_ASSET_NAME",
  assetVersion: "X402_ASSET_VERSION",
  assetDecimals: "X402_ASSET_DECIMALS",
  rpcUrl: "X402_RPC_URL",
  facilitator: "X402_PRIVATE_KEY",
  confirmations: "X402_CONFIRMATIONS",
  keyless: "X402_KEYLESS",
  gasPerHour: "X402_GAS_PER_HOUR",
}

/**
 * The payments of the settings. A setting that the packages or the chain contradict is an error of its variable.
 *
 * @param isAsked whether the chain's node is asked at once
 */
export const callPayments = (
  settings: Settings,
  isAsked: boolean,
): Effect.Effect<CallPayments, ConfigError.ConfigError> =>
  Effect.mapError(X402.make(settings, { isAsked }), ({ setting, reason }) =>
    ConfigError.InvalidData([setting === undefined ? "X402_NETWORK" : variables[setting]], reason),
  )
