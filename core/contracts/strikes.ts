import type { Contract } from "./Contract.ts"

/** The terms of a contract on a number. */
export type Strikes = Pick<Contract, "strikeType" | "floorStrike" | "capStrike">

/**
 * Whether a number is on the paying side: `greater` and `less` are strict, `between` includes both ends. Undefined for
 * unknown terms and for NaN.
 */
export const pays = (
  { strikeType, floorStrike: floor, capStrike: cap }: Strikes,
  value: number,
): boolean | undefined => {
  if (Number.isNaN(value)) return undefined
  switch (strikeType) {
    case "greater":
      return floor === undefined ? undefined : value > floor
    case "greater_or_equal":
      return floor === undefined ? undefined : value >= floor
    case "less":
      return cap === undefined ? undefined : value < cap
    case "less_or_equal":
      return cap === undefined ? undefined : value <= cap
    case "between":
      return floor === undefined || cap === undefined || cap < floor ? undefined : floor <= value && value <= cap
    default:
      return undefined
  }
}
