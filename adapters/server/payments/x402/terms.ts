import * as Effect from "effect/Effect"
import type { MicroUsd } from "../../../../core/account/Money.ts"
import type { Accept } from "../../../../core/call/Accept.ts"
import type { Packages } from "./packages.ts"
import { InvalidSettings, type Settings } from "./settings.ts"

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

/** Seconds that a client is told to let its payment be valid. */
const validSeconds = 300

/** Seconds from now at which the validity of a payment may end at most: until then its order is open. */
export const furthestSeconds = 3_600

/** Seconds that a payment must be valid yet, to be sent and mined. */
export const leastSeconds = 10

/** Fewer decimals than a dollar's millionths have would make prices that the token cannot express. */
export const leastDecimals = 6

const addressOf = (
  { viem }: Packages,
  setting: keyof Settings,
  text: string,
): Effect.Effect<`0x${string}`, InvalidSettings> =>
  viem.isAddress(text)
    ? Effect.succeed(viem.getAddress(text))
    : Effect.fail(
        new InvalidSettings({
          setting,
          reason: "Expected an address, 0x and 40 hexadecimal digits. Capital letters are its checksum.",
        }),
      )

/** The terms of the settings, with what is known of the token. */
export const makeTerms = (packages: Packages, settings: Settings): Effect.Effect<Terms, InvalidSettings> =>
  Effect.gen(function* () {
    const chainId = Number(/^eip155:([1-9]\d{0,14})$/.exec(settings.network)?.[1])
    if (!Number.isSafeInteger(chainId)) {
      return yield* new InvalidSettings({ setting: "network", reason: "Expected eip155: and the id of a chain." })
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
      return yield* new InvalidSettings({ setting: "asset", reason: `Name the token: none is known for ${network}.` })
    }
    if (known?.assetTransferMethod !== undefined) {
      return yield* new InvalidSettings({
        setting: "asset",
        reason: `${known.symbol} has no signed transfers (EIP-3009).`,
      })
    }
    const name = settings.assetName ?? known?.name
    if (name === undefined) {
      return yield* new InvalidSettings({
        setting: "assetName",
        reason: "Name the token as its signatures do (EIP-712).",
      })
    }
    const version = settings.assetVersion ?? known?.version
    if (version === undefined) {
      return yield* new InvalidSettings({
        setting: "assetVersion",
        reason: "Give the version in its signatures (EIP-712).",
      })
    }
    const decimals = settings.assetDecimals ?? known?.decimals ?? leastDecimals
    if (!Number.isSafeInteger(decimals) || decimals < leastDecimals || decimals > 36) {
      return yield* new InvalidSettings({
        setting: "assetDecimals",
        reason: `Expected ${leastDecimals} to 36: prices are whole millionths of a dollar. Got ${decimals}.`,
      })
    }
    return {
      scheme: "exact",
      network,
      chainId,
      asset: yield* addressOf(packages, "asset", token),
      payTo: yield* addressOf(packages, "payTo", settings.payTo),
      maxTimeoutSeconds: validSeconds,
      extra: { name, version },
      decimals,
      confirmations: settings.confirmations,
    } as const
  })

const unitsPerMicro = (decimals: number): bigint => 10n ** BigInt(decimals - leastDecimals)

/** An amount in whole units of the token; exact. */
export const unitsOf = (micros: MicroUsd, decimals: number): bigint => BigInt(micros) * unitsPerMicro(decimals)

/**
 * Units of the token as micro-dollars, as far as they are whole: never more than was paid. An amount that no number holds
 * is the largest one, which no order is for.
 */
export const microsOf = (units: bigint, decimals: number): number => {
  const micros = units / unitsPerMicro(decimals)
  return micros > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(micros)
}

/** The terms for an amount. */
export const accept = (
  { scheme, network, asset, payTo, maxTimeoutSeconds, extra, decimals }: Terms,
  micros: MicroUsd,
): Accept => ({
  scheme,
  network,
  amount: String(unitsOf(micros, decimals)),
  asset,
  payTo,
  maxTimeoutSeconds,
  extra,
})
