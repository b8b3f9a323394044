import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Failure } from "../../../../core/Failure.ts"
import * as Chain from "./chain.ts"
import * as Packages from "./packages.ts"
import { unreachable } from "./refusals.ts"
import { type Settings, Unusable } from "./settings.ts"
import { termsOf } from "./terms.ts"

/**
 * Reads the balance of the account that pays the gas, in the chain's currency, such as ether; undefined: a service pays it.
 */
export const make = (settings: Settings): Effect.Effect<Effect.Effect<number, Failure> | undefined, Unusable> =>
  Effect.gen(function* () {
    const { facilitator } = settings
    if (!("privateKey" in facilitator)) return undefined
    const packages = yield* Packages.load()
    const client = Chain.clientOf(packages, yield* termsOf(packages, settings), settings)
    const { address } = yield* Effect.try({
      try: () => packages.accounts.privateKeyToAccount(Redacted.value(facilitator.privateKey) as `0x${string}`),
      // The error of the package quotes the key.
      catch: () => new Unusable({ setting: "facilitator", reason: "The private key cannot be read." }),
    })
    return Effect.tryPromise({
      try: async () => Number(packages.viem.formatEther(await client.getBalance({ address }))),
      catch: () => unreachable("The payment network"),
    })
  })
