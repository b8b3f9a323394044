import * as Effect from "effect/Effect"
import type { MicroUsd } from "../../../../core/account/Money.ts"
import type { Accept } from "../../../../core/call/Accept.ts"
import type { Packages } from "./packages.ts"
import { InvalidX402Settings, type Settings } from "./settings.ts"

/** Terms that all payments share. */
export interface Terms extends Omit<Accept, "amount" | "network"> {
  readonly network: `eip155:${number}`
  readonly chainId: number
  readonly asset: `0x${string}`
  readonly payTo: `0x${string}`
  readonly extra: { readonly name: string; readonly version: string }
  readonly decimals: number
  readonly confirmations: number
}

/** How long a payment should be valid, as clients are told, seconds. */
const advisedValiditySeconds = 300

/** The longest validity of a payment from now, seconds: its order stays open until then. */
export const maxValiditySeconds = 3_600

/** The shortest remaining validity, seconds: the payment has to be sent and mined. */
export const minValiditySeconds = 10

/** With fewer decimals the token could not express prices in millionths of a dollar. */
export const minDecimals = 6

const parseAddress = (
  { viem }: Packages,
  setting: keyof Settings,
  text: string,
): Effect.Effect<`0x${string}`, InvalidX402Settings> =>
  viem.isAddress(text)
    ? Effect.succeed(viem.getAddress(text))
    : Effect.fail(
        new InvalidX402Settings({
          setting,
          reason: "Expected an address, 0x and 40 hexadecimal digits. Capital letters are its checksum.",
        }),
      )

/** The terms of the settings, with what is known of the token. */
export const makeTerms = (packages: Packages, settings: Settings): Effect.Effect<Terms, InvalidX402Settings> =>
  Effect.gen(function* () {
    const chainId = Number(/^eip155:([1-9]\d{0,14})$/.exec(settings.network)?.[1])
    if (!Number.isSafeInteger(chainId)) {
      return yield* new InvalidX402Settings({ setting: "network", reason: "Expected eip155: and the id of a chain." })
    }
    const network = `eip155:${chainId}` as const
    const tokens = packages.evm.DEFAULT_ASSETS[network] ?? []
    const { asset: named } = settings
    const known =
      named === undefined
        ? tokens.find(({ assetTransferMethod }) => assetTransferMethod === undefined)
        : tokens.find(({ asset }) => asset.toLowerCase() === named.toLowerCase())
    const token = named ?? known?.asset
    if (token === undefined) {
      return yield* new InvalidX402Settings({
        setting: "asset",
        reason: `Name the token: none is known for ${network}.`,
      })
    }
    if (known?.assetTransferMethod !== undefined) {
      return yield* new InvalidX402Settings({
        setting: "asset",
        reason: `${known.symbol} has no signed transfers (EIP-3009).`,
      })
    }
    const name = settings.assetName ?? known?.name
    if (name === undefined) {
      return yield* new InvalidX402Settings({
        setting: "assetName",
        reason: "Name the token as its signatures do (EIP-712).",
      })
    }
    const version = settings.assetVersion ?? known?.version
    if (version === undefined) {
      return yield* new InvalidX402Settings({
        setting: "assetVersion",
        reason: "Give the version in its signatures (EIP-712).",
      })
    }
    const decimals = settings.assetDecimals ?? known?.decimals ?? minDecimals
    if (!Number.isSafeInteger(decimals) || decimals < minDecimals || decimals > 36) {
      return yield* new InvalidX402Settings({
        setting: "assetDecimals",
        reason: `Expected ${minDecimals} to 36: prices are whole millionths of a dollar. Got ${decimals}.`,
      })
    }
    return {
      scheme: "exact",
      network,
      chainId,
      asset: yield* parseAddress(packages, "asset", token),
      payTo: yield* parseAddress(packages, "payTo", settings.payTo),
      maxTimeoutSeconds: advisedValiditySeconds,
      extra: { name, version },
      decimals,
      confirmations: settings.confirmations,
    } as const
  })

const unitsPerMicro = (decimals: number): bigint => 10n ** BigInt(decimals - minDecimals)

/** An amount in whole units of the token; exact. */
export const toUnits = (micros: MicroUsd, decimals: number): bigint => BigInt(micros) * unitsPerMicro(decimals)

/**
 * Units of the token as micro-dollars, rounded down: never more than was paid. An amount beyond the safe integers becomes the
 * largest of them, which no order has.
 */
export const toMicros = (units: bigint, decimals: number): number => {
  const micros = units / unitsPerMicro(decimals)
  return micros > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(micros)
}

export const toAccept = (
  { scheme, network, asset, payTo, maxTimeoutSeconds, extra, decimals }: Terms,
  micros: MicroUsd,
): Accept => ({
  scheme,
  network,
  amount: String(toUnits(micros, decimals)),
  asset,
  payTo,
  maxTimeoutSeconds,
  extra,
})
