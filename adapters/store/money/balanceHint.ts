import type { Price } from "../../../core/account/decide.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { BoundedMap } from "../../../core/BoundedMap.ts"

/** The balance check before a call is skipped for a payer whose balance was at least this multiple of the price. */
const ampleMultiple = 1_000

/**
 * How long a hint holds. On several nodes each has calls of an account seldom: with a second, most calls of a thousand
 * accounts would read its balance.
 */
const hintMs = 30_000
const maxHints = 100_000

const payerOf = ({ agent, accountId, livemode }: Caller): string =>
  agent === undefined ? accountId : `${agent.id}/${livemode}`

/** The price whose payer gets a hint. */
export const hintPrice = (list: MicroUsd, micros: MicroUsd): Price => ({
  list: MicroUsd(list * ampleMultiple),
  micros: MicroUsd(micros * ampleMultiple),
})

/**
 * Accounts, and agents, that could pay 1,000 times the price half a minute ago: they skip the check before the work.
 * The charge still decides.
 */
export const make = () => {
  const until = new BoundedMap<string, number>(maxHints)
  return {
    set: (caller: Caller, at: number): void => until.set(payerOf(caller), at + hintMs),
    /** A clock that stepped back must not extend it. */
    has: (caller: Caller, at: number): boolean => {
      const end = until.get(payerOf(caller))
      return end !== undefined && at < end && end - at <= hintMs
    },
  }
}
