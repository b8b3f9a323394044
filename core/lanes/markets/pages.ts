import type { SettledMarket } from "../../record/scoreboard/Settled.ts"
import { compare } from "../../text.ts"

/**
 * A position in the order of settled rows: close time falling, then ticker, then venue rising. Without ticker and venue it
 * is after every row of its close time.
 */
export interface Position {
  /** Epoch milliseconds. */
  readonly closeTime: number
  readonly ticker?: string
  readonly venue?: string
}

type Row = Pick<SettledMarket, "closeTime" | "ticker" | "venue">

/** The order of settled rows. */
export const inOrder = (a: Row, b: Row): number =>
  b.closeTime - a.closeTime || compare(a.ticker, b.ticker) || compare(a.venue, b.venue)

const isAfter = (row: Row, { closeTime, ticker, venue }: Position): boolean =>
  ticker === undefined || venue === undefined
    ? row.closeTime < closeTime
    : inOrder(row, { closeTime, ticker, venue }) > 0

/** The first `limit` rows after a position; the rows are in order. */
export const after = <A extends Row>(
  rows: ReadonlyArray<A>,
  position: Position | undefined,
  limit: number,
): ReadonlyArray<A> => {
  const from = position === undefined ? 0 : rows.findIndex((row) => isAfter(row, position))
  return from === -1 ? [] : rows.slice(from, from + limit)
}

/** A position as the text of a cursor. */
export const keyOf = ({ closeTime, ticker, venue }: Required<Position>): string =>
  JSON.stringify([closeTime, ticker, venue])

/** Undefined for an invalid text: cursors are not secret, so callers may write their own. */
export const positionOf = (key: string): Required<Position> | undefined => {
  try {
    const [closeTime, ticker, venue] = JSON.parse(key) as ReadonlyArray<unknown>
    return Number.isSafeInteger(closeTime) && typeof ticker === "string" && typeof venue === "string"
      ? { closeTime: closeTime as number, ticker, venue }
      : undefined
  } catch {
    return undefined
  }
}
