import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../endpoint/Failure.ts"
import { MicroUsd, zero } from "./Money.ts"

/** What one call costs, and whose it is. */
export interface Charge {
  readonly accountId: string
  readonly keyId: string
  readonly requestId: string
  readonly endpoint: string
  readonly micros: MicroUsd
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * The prepaid wallet. One atomic conditional statement decides whether a charge is affordable; the balance never goes
 * below zero and always equals the sum of the journal.
 */
export class Wallets extends Context.Tag("core/account/Wallets")<
  Wallets,
  {
    /** A look before the work. The charge decides. */
    readonly balance: (accountId: string) => Effect.Effect<MicroUsd, Failure>
    /** False: refused, nothing written. Returns only when the charge is durable. */
    readonly charge: (charge: Charge) => Effect.Effect<boolean, Failure>
  }
>() {
  /** Balances that live as long as the layer, for embedders and tests. */
  static layerMemory(balances: Iterable<readonly [string, number]>): Layer.Layer<Wallets> {
    return Layer.sync(Wallets, () => {
      const open = new Map([...balances].map(([id, micros]) => [id, MicroUsd(micros)]))
      return {
        balance: (accountId) => Effect.sync(() => open.get(accountId) ?? zero),
        charge: ({ accountId, micros }) =>
          Effect.sync(() => {
            const balance = open.get(accountId) ?? zero
            if (balance < micros) return false
            open.set(accountId, MicroUsd(balance - micros))
            return true
          }),
      }
    })
  }
}
