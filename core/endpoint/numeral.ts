const numeral = /^-?(0|[1-9]\d*)(\.\d+)?$/

const [minus, point, zero] = [0x2d, 0x2e, 0x30]

/** Digits that a double holds exactly. */
const exact = 15
const powers = Array.from({ length: exact + 1 }, (_, at) => 10 ** at)

/**
 * The number of a decimal text in JSON's form without an exponent; undefined for any other text.
 *
 * Up to 15 digits the number is the quotient of two exact doubles, and so the nearest to the text, at half of the cost
 * of a parser that must round: lists of strikes are long.
 *
 * @example
 * ```ts
 * import { read } from "./numeral.ts"
 *
 * read("-12.50") // -12.5
 * read("012") // undefined
 * read("1e3") // undefined
 * ```
 */
export const read = (text: string): number | undefined => {
  const sign = text.charCodeAt(0) === minus ? 1 : 0
  const { length } = text
  if (length - sign > exact) return numeral.test(text) ? Number(text) : undefined
  let digits = 0
  let decimals = -1
  for (let at = sign; at < length; at++) {
    const code = text.charCodeAt(at)
    const digit = code - zero
    if (digit >= 0 && digit <= 9) {
      digits = 10 * digits + digit
      if (decimals >= 0) decimals++
    } else if (code === point && decimals === -1 && at > sign) decimals = 0
    else return undefined
  }
  const whole = length - sign - (decimals === -1 ? 0 : decimals + 1)
  if (whole === 0 || decimals === 0 || (whole > 1 && text.charCodeAt(sign) === zero)) return undefined
  const size = decimals > 0 ? digits / powers[decimals]! : digits
  return sign === 1 ? -size : size
}
