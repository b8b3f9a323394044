import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PrivateKeyAccount } from "viem"
import { InvalidX402Settings } from "./settings.ts"

/** Optional peers of the package, which operators without payments do not install. */
const installNames = "@x402/core@2.27.0 @x402/evm@2.27.0 viem@2.57.20"

const importPeers = () => import("./peers.ts")

/** The packages of the protocol and of the chain. */
export type Packages = Awaited<ReturnType<typeof importPeers>>

/** Loads the packages, which takes a third of a second: only if payments are configured. */
export const load = (packages: () => Promise<Packages> = importPeers): Effect.Effect<Packages, InvalidX402Settings> =>
  Effect.tryPromise({
    try: packages,
    catch: (error) =>
      new InvalidX402Settings({
        reason: `Payments by x402 need packages that do not load: ${error instanceof Error ? error.message.split("\n")[0] : error}. Install them: npm install ${installNames}`,
      }),
  })

export const readAccount = (
  { accounts }: Packages,
  key: Redacted.Redacted,
): Effect.Effect<PrivateKeyAccount, InvalidX402Settings> =>
  Effect.try({
    try: () => accounts.privateKeyToAccount(Redacted.value(key) as `0x${string}`),
    // The error of the package quotes the key.
    catch: () =>
      new InvalidX402Settings({
        setting: "facilitator",
        reason: "Expected a private key: 0x and 64 hexadecimal digits.",
      }),
  })
