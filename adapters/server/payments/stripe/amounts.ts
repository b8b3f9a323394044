import type { MicroUsd } from "../../../../core/account/Money.ts"
import type { Amount } from "../../../../core/payment/Order.ts"

/** Micro-dollars of a cent. */
const microsPerCent = 10_000

/**
 * Digits after the point of the currencies that Stripe counts in units other than hundredths. Some currencies without a
 * smaller coin (`isk`, `ugx`) are not here: Stripe goes on counting them in hundredths.
 */
const decimals: Readonly<Record<string, 0 | 3>> = {
  ...Object.fromEntries(
    "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ").map((code) => [code, 0] as const),
  ),
  ...Object.fromEntries("bhd jod kwd omr tnd".split(" ").map((code) => [code, 3] as const)),
}

/** The cents of micro-dollars; undefined: not a whole number of cents. */
export const centsOf = (micros: MicroUsd): number | undefined =>
  micros % microsPerCent === 0 ? micros / microsPerCent : undefined

/**
 * An amount of Stripe's, exactly.
 *
 * @param units of the currency's smallest coin as Stripe counts it, such as cents
 * @param currency lower-case ISO 4217 code
 */
export const amountOf = (units: number, currency: string): Amount => ({
  micros: units * 10 ** (6 - (decimals[currency] ?? 2)),
  currency,
})
