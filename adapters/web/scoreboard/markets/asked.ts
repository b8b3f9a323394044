import { keyOf, type Position, positionOf } from "../../../../core/lanes/markets/pages.ts"
import { leads } from "../../../../core/record/scoreboard/board.ts"
import { probabilityScale } from "../../../../core/record/scoreboard/calibration.ts"
import { type CurrentRow, type Domain, domains, marketOf } from "../../../../core/record/scoreboard/Settled.ts"
import { iso } from "../../../../core/time.ts"
import { choiceIn, dateIn } from "../../view/filters.tsx"

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

/** Which settled markets the reader asked for. */
export interface Asked {
  readonly domain?: Domain | undefined
  readonly lead?: (typeof leads)[number]["name"] | undefined
  readonly bin?: Bin | undefined
  /** Days of the close in UTC, both included, epoch milliseconds of their midnights. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Where the page before ended. */
  readonly after?: Required<Position> | undefined
}

const names = ["domain", "lead", "bin", "from", "to", "after"] as const

/** The filters in a query. One that is not understood is left out, and a sentence says so. */
export const askedIn = (
  query: URLSearchParams,
): { readonly asked: Asked; readonly problems: ReadonlyArray<string> } => {
  const asked: Asked = {
    domain: choiceIn(query, "domain", domains),
    lead: choiceIn(
      query,
      "lead",
      leads.map(({ name }) => name),
    ),
    bin: choiceIn(
      query,
      "bin",
      binNames.map(([bin]) => bin),
    ),
    from: dateIn(query, "from"),
    to: dateIn(query, "to"),
    after: positionOf(query.get("after") ?? ""),
  }
  return {
    asked,
    problems: names
      .filter((name) => (query.get(name) ?? "") !== "" && asked[name] === undefined)
      .map((name) => `The filter ${name} was not understood and is left out.`),
  }
}

const dayText = (at: number | undefined): string | undefined => (at === undefined ? undefined : iso(at).slice(0, 10))

/** The page of the markets that pass some filters. */
export const linkOf = ({ from, to, after, ...asked }: Asked): string => {
  const query = new URLSearchParams()
  const pairs = {
    ...asked,
    ...{ from: dayText(from), to: dayText(to), after: after === undefined ? undefined : keyOf(after) },
  }
  for (const [name, value] of Object.entries(pairs)) if (value !== undefined) query.set(name, value)
  const text = query.toString()
  return text === "" ? path : `${path}?${text}`
}

/** Whether a row is one of a bin, as the diagram counts it. */
export const isIn = ({ model, quotes }: Pick<CurrentRow, "model" | "quotes">, bin: Bin): boolean => {
  const [who, at] = bin.split("-")
  const probability = who === "model" ? model : quotes === undefined ? undefined : marketOf(quotes)
  return (
    probability !== undefined && Math.min(bins - 1, Math.floor((probability / probabilityScale) * bins)) === Number(at)
  )
}
