import * as Either from "effect/Either"
import { numberIn, optionalNumberIn, type Row, type RowError } from "../../../csv/row.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { americanPrice, multiplicative } from "../../../math/devig.ts"

/** The consensus lines of a game; no model reads them. */
export interface MarketLines {
  /** Points; positive: the home team is favoured. */
  readonly spread?: number
  readonly total?: number
  /** American odds. */
  readonly homeMoneyline?: number
  readonly awayMoneyline?: number
}

/** American odds are never between −100 and 100. */
const oddsIn = (row: Row, field: string): Either.Either<number | undefined, RowError> =>
  Either.filterOrLeft(
    numberIn(row, field),
    (odds) => odds === undefined || Math.abs(odds) >= 100,
    (odds): RowError => ({ field, reason: `${odds} is not American odds.` }),
  )

/** Reads the closing (or, before the game, the present) lines of a row of nflverse's games file. */
export const linesOf = (row: Row): Either.Either<MarketLines, RowError> =>
  Either.gen(function* () {
    return {
      ...ifDefined("spread", yield* optionalNumberIn(row, "spread_line", -40, 40)),
      ...ifDefined("total", yield* optionalNumberIn(row, "total_line", 20, 90)),
      ...ifDefined("homeMoneyline", yield* oddsIn(row, "home_moneyline")),
      ...ifDefined("awayMoneyline", yield* oddsIn(row, "away_moneyline")),
    }
  })

/**
 * The market's probability of a home win, with the bookmaker's margin removed in proportion; undefined unless both
 * moneylines are known.
 *
 * @example
 * ```ts
 * import { impliedHomeWin } from "./lines.ts"
 *
 * impliedHomeWin({ homeMoneyline: -150, awayMoneyline: 130 }) // 0.5798…
 * ```
 */
export const impliedHomeWin = ({ homeMoneyline, awayMoneyline }: MarketLines): number | undefined => {
  if (homeMoneyline === undefined || awayMoneyline === undefined) return undefined
  return multiplicative([americanPrice(homeMoneyline), americanPrice(awayMoneyline)])[0]!
}
