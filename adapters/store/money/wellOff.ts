import type { Price } from "../../../core/account/decide.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import { MicroUsd } from "../../../core/account/Money.ts"

/**
 * Multiple of a price that makes its payer well off, for this time in milliseconds. On several nodes each has calls of an
 * account seldom: with a second, most calls of a thousand accounts would read its balance.
 */
const ample = 1_000
const lastsMs = 30_000
const most = 100_000

const payerOf = ({ agent, accountId, livemode }: Caller): string =>
  agent === undefined ? accountId : `${agent.id}/${livemode}`

/** The price that a payer who is well off can pay. */
export const times = (list: MicroUsd, micros: MicroUsd): Price => ({
  list: MicroUsd(list * ample),
  micros: MicroUsd(micros * ample),
})

/**
 * Accounts, and agents, that could pay 1,000 times the price half a minute ago: they skip the check before the work.
 * The settlement still decides.
 */
export const make = () => {
  const until = new Map<string, number>()
  return {
    set: (caller: Caller, at: number): void => {
      if (until.size >= most) until.clear()
      until.set(payerOf(caller), at + lastsMs)
    },
    /** A clock that stepped back must not extend it. */
    has: (caller: Caller, at: number): boolean => {
      const end = until.get(payerOf(caller))
      return end !== undefined && at < end && end - at <= lastsMs
    },
  }
}
