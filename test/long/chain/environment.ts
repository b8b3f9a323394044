import * as Redacted from "effect/Redacted"
import type { World } from "./world.ts"

/** The variables with which the programs take payments on a chain, also without a key. */
export const environmentOf = async (
  on: World,
  given: Parameters<World["settings"]>[0] = {},
): Promise<Readonly<Record<string, string>>> => {
  const { facilitator, payTo, network, asset, assetName, assetVersion, rpcUrl } = await on.settings(given)
  return {
    X402_KEYLESS: "true",
    X402_PAY_TO: payTo,
    X402_NETWORK: network,
    X402_ASSET: asset!,
    X402_ASSET_NAME: assetName!,
    X402_ASSET_VERSION: assetVersion!,
    X402_RPC_URL: Redacted.value(rpcUrl),
    X402_PRIVATE_KEY: "privateKey" in facilitator ? Redacted.value(facilitator.privateKey) : "",
  }
}
