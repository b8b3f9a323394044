import { decodePosition, encodePosition, type Position } from "../../../../core/lanes/markets/ports.ts"
import { probabilityScale } from "../../../../core/record/scoreboard/calibration.ts"
import { type CurrentRow, toMarketProbability } from "../../../../core/record/scoreboard/Settled.ts"
import { addressWith } from "../../view/addresses.ts"
import {
  badPlace,
  byName,
  dayField,
  type Filter,
  type MarketFilters,
  makeFilterReader,
  marketFilters,
  marketFiltersIn,
  type Wrong,
} from "../../view/filters.tsx"

/** The markets behind the scoreboard's figures. */
export const path = "/scoreboard/markets"

/** Bins of the reliability diagram. */
const bins = 10

/** Whose probabilities, and the bin that they are in: `model-3` is those of the model from 30 to 40 %. */
export type Bin = `${"model" | "market"}-${number}`

const binNames: ReadonlyArray<readonly [bin: Bin, label: string]> = (["model", "market"] as const).flatMap((who) =>
  Array.from({ length: bins }, (_, at): readonly [Bin, string] => [
    `${who}-${at}`,
    `${who} ${at * 10} to ${at * 10 + 10} %`,
  ]),
)

/** The reader's filters of settled markets; the days are those of the close. */
export interface Asked extends MarketFilters {
  readonly bin?: Bin | undefined
  /** Where the page before ended. */
  readonly after?: Required<Position> | undefined
}

export const filters: ReadonlyArray<Filter> = [
  ...marketFilters,
  { name: "bin", label: "Probability", all: "Any", choices: binNames },
  { name: "from", label: "Closed from", isDay: true },
  { name: "to", label: "To", isDay: true },
]

/** The filters in a query. One that is wrong is left out, and its field says so. */
export const askedIn = (query: URLSearchParams): { readonly asked: Asked; readonly wrong: ReadonlyArray<Wrong> } => {
  const read = makeFilterReader(query)
  const cursor = read.text("after")
  const after = decodePosition(cursor ?? "")
  if (cursor !== undefined && after === undefined) read.refuse("after", badPlace)
  const asked = { ...marketFiltersIn(read), bin: read.one("bin", byName(binNames.map(([bin]) => bin))), after }
  return { asked, wrong: read.wrong }
}

/** The page of the markets that pass some filters. */
export const linkOf = ({ domain, lead, bin, from, to, after }: Asked): string =>
  addressWith(path, {
    ...{ domain, lead, bin, from: dayField(from), to: dayField(to) },
    after: after === undefined ? undefined : encodePosition(after),
  })

/** Whether a row is one of a bin, as the diagram counts it. */
export const isIn = ({ model, quotes }: Pick<CurrentRow, "model" | "quotes">, bin: Bin): boolean => {
  const [who, at] = bin.split("-")
  const probability = who === "model" ? model : quotes === undefined ? undefined : toMarketProbability(quotes)
  return (
    probability !== undefined && Math.min(bins - 1, Math.floor((probability / probabilityScale) * bins)) === Number(at)
  )
}
