import { keyOf, type Position, positionOf } from "../../../../core/lanes/markets/ports.ts"
import { probabilityScale } from "../../../../core/record/scoreboard/calibration.ts"
import { type CurrentRow, marketOf } from "../../../../core/record/scoreboard/Settled.ts"
import { addressWith } from "../../view/addresses.ts"
import { choiceIn, dayField, type MarketFilters, marketFiltersIn, problemsIn } from "../../view/filters.tsx"

/** The markets behind the scoreboard's figures. */
export const path = "/scoreboard/markets"

/** Bins of the reliability diagram. */
const bins = 10

/** Whose probabilities, and the bin that they are in: `model-3` is those of the model from 30 to 40 %. */
export type Bin = `${"model" | "market"}-${number}`

export const binNames: ReadonlyArray<readonly [bin: Bin, label: string]> = (["model", "market"] as const).flatMap(
  (who) =>
    Array.from({ length: bins }, (_, at): readonly [Bin, string] => [
      `${who}-${at}`,
      `${who} ${at * 10} to ${at * 10 + 10} %`,
    ]),
)

/** Which settled markets the reader asked for; the days are those of the close. */
export interface Asked extends MarketFilters {
  readonly bin?: Bin | undefined
  /** Where the page before ended. */
  readonly after?: Required<Position> | undefined
}

/** The filters in a query. One that is not understood is left out, and a sentence says so. */
export const askedIn = (
  query: URLSearchParams,
): { readonly asked: Asked; readonly problems: ReadonlyArray<string> } => {
  const { from, to, ...common } = marketFiltersIn(query)
  const asked = {
    ...common,
    bin: choiceIn(
      query,
      "bin",
      binNames.map(([bin]) => bin),
    ),
    ...{ from, to },
    after: positionOf(query.get("after") ?? ""),
  }
  return { asked, problems: problemsIn(query, asked) }
}

/** The page of the markets that pass some filters. */
export const linkOf = ({ domain, lead, bin, from, to, after }: Asked): string =>
  addressWith(path, {
    ...{ domain, lead, bin, from: dayField(from), to: dayField(to) },
    after: after === undefined ? undefined : keyOf(after),
  })

/** Whether a row is one of a bin, as the diagram counts it. */
export const isIn = ({ model, quotes }: Pick<CurrentRow, "model" | "quotes">, bin: Bin): boolean => {
  const [who, at] = bin.split("-")
  const probability = who === "model" ? model : quotes === undefined ? undefined : marketOf(quotes)
  return (
    probability !== undefined && Math.min(bins - 1, Math.floor((probability / probabilityScale) * bins)) === Number(at)
  )
}
