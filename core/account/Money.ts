import * as Brand from "effect/Brand"

/** Micro-dollars: millionths of a dollar, always a safe integer. No other unit of money exists in the code. */
export type MicroUsd = number & Brand.Brand<"MicroUsd">

export const MicroUsd: Brand.Brand.Constructor<MicroUsd> = Brand.refined<MicroUsd>(
  (value) => Number.isSafeInteger(value),
  (value) => Brand.error(`Expected a whole number of micro-dollars, got ${value}`),
)

export const zero: MicroUsd = MicroUsd(0)

/**
 * The display form of a price.
 *
 * @example
 * ```ts
 * import { display, MicroUsd } from "./Money.ts"
 *
 * display(MicroUsd(1_000)) // "0.001 USD"
 * display(MicroUsd(0)) // "free"
 * ```
 */
export const display = (micros: number): string => (micros === 0 ? "free" : `${micros / 1e6} USD`)

/** The decimals that show all amounts exactly, at least two: amounts of a list then align. */
export const exactDecimals = (amounts: Iterable<number>): number => {
  let decimals = 2
  for (const micros of amounts) while (decimals < 6 && micros % 10 ** (6 - decimals) !== 0) decimals++
  return decimals
}

const formats = Array.from(
  { length: 7 },
  (_, decimals) => new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
)

/**
 * An amount of dollars. Unlike a price it can be negative, and zero is shown as a number.
 *
 * @param decimals those of all amounts of a list (`exactDecimals`); absent: those of this amount
 *
 * @example
 * ```ts
 * import { usd } from "./Money.ts"
 *
 * usd(1_234_500_000) // "1,234.50 USD"
 * usd(-1_000) // "−0.001 USD"
 * ```
 */
export const usd = (micros: number, decimals = exactDecimals([micros])): string =>
  `${micros < 0 ? "−" : ""}${formats[decimals]!.format(Math.abs(micros) / 1e6)} USD`

/**
 * Parses dollars exactly: at most six decimals, no sign, no exponent. Undefined for anything else.
 *
 * @example
 * ```ts
 * import { parseUsd } from "./Money.ts"
 *
 * parseUsd("5.25") // 5250000
 * ```
 */
export const parseUsd = (text: string): MicroUsd | undefined => {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  return match === null ? undefined : MicroUsd(Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0")))
}
