import type * as Clock from "effect/Clock"
import type { Counting } from "../../../../core/telemetry/Meter.ts"
import { hour } from "../../../../core/time.ts"
import type { Hex } from "./payload.ts"

/** Units of gas for our transactions in an hour, unless the settings say otherwise: about 1,400 payments. */
export const defaultGasPerHour = 100_000_000

/** A transaction of ours in a block. */
export interface Mined {
  readonly gas: bigint
  /** Wei for one unit of it. */
  readonly gasPrice: bigint
  readonly isReverted: boolean
}

/**
 * The gas of this process's transactions of the last hour, against a budget: a transaction counts with its gas limit until it
 * is mined, then with the gas it used.
 */
export const make = (perHour: number, meter: Counting, clock: Clock.Clock) => {
  const sent = new Map<Hex, { readonly at: number; gas: number; isMined: boolean }>()

  const remaining = (): number => {
    const since = clock.unsafeCurrentTimeMillis() - hour
    let rest = perHour
    for (const [hash, { at, gas }] of sent) {
      if (at <= since) sent.delete(hash)
      else rest -= gas
    }
    return rest
  }

  return {
    /** Whether the budget allows one more payment of this much gas. */
    allows: (gas: bigint): boolean => {
      const isAllowed = remaining() >= Number(gas)
      if (!isAllowed) meter.withoutGas()
      return isAllowed
    },
    /** Milliseconds until gas of the oldest transaction is free again. */
    waitMs: (): number => {
      const [oldest] = sent.values()
      return oldest === undefined ? 0 : Math.max(1_000, oldest.at + hour - clock.unsafeCurrentTimeMillis())
    },
    send: (hash: Hex, gas: bigint): void =>
      void sent.set(hash, { at: clock.unsafeCurrentTimeMillis(), gas: Number(gas), isMined: false }),
    /** The node rejected it. */
    unsent: (hash: Hex): void => void sent.delete(hash),
    /** It is in a block. Transactions of others are ignored. */
    mined: (hash: Hex, { gas, gasPrice, isReverted }: Mined): void => {
      const ours = sent.get(hash)
      if (ours === undefined || ours.isMined) return
      ours.gas = Number(gas)
      ours.isMined = true
      meter.sentPayment(isReverted, Number(gas), Number(gas * gasPrice))
    },
  }
}

export type Gas = ReturnType<typeof make>
