/** @jsxRuntime automatic @jsxImportSource preact */
import { probabilityScale } from "../../../../core/record/scoreboard/calibration.ts"
import { pool } from "../../../../core/record/scoreboard/pool.ts"
import { type SettledMarket, toMarketProbability } from "../../../../core/record/scoreboard/Settled.ts"
import { iso } from "../../../../core/time.ts"
import type { Site } from "../../../server/http/Site.ts"
import { resultNames } from "../../record/parts.tsx"
import { eventWords, termsWords } from "../../record/words.ts"
import { entryPath, marketPath } from "../../view/addresses.ts"
import { pageScript } from "../../view/assets.ts"
import { timeText } from "../../view/dates.ts"
import { Filters, type Wrong } from "../../view/filters.tsx"
import { percent } from "../../view/numbers.ts"
import { page as framed } from "../../view/Page.tsx"
import { List, numeric } from "../../view/parts.tsx"
import { demonstration } from "../verdict.ts"
import { type Asked, filters, linkOf, path } from "./asked.ts"
import type { MarketPage } from "./readMarkets.ts"

export const marketWords = (row: SettledMarket): string => `${eventWords(row)}, ${termsWords(row)}`

/** Leads to an entry of the record. */
export const EntryLink = ({ id }: { readonly id: string }) => (
  <a class="badge" href={entryPath(id)}>
    Entry
  </a>
)

const share = (millionths: number): string => percent(millionths / probabilityScale)

interface Props {
  readonly asked: Asked
  readonly page: MarketPage
  readonly query: URLSearchParams
  readonly wrong: ReadonlyArray<Wrong>
  readonly isDemo: boolean
  /** Whether the record has the rows' entries. */
  readonly hasEntries: boolean
}

/** The settled markets behind a figure of the scoreboard, each with its entry of the record. */
export const marketsPage = (
  { asked, page: { rows, next }, query, wrong, isDemo, hasEntries }: Props,
  site: Site,
): string =>
  framed(
    {
      title: "Markets behind the scoreboard",
      description: "Every settled market: the model's probability, the market's, and the result.",
      path,
      script: pageScript,
    },
    site,
    <>
      <h1>Markets behind the scoreboard</h1>
      <p class="lead">
        What the model said, the market, and the result, latest close first.{isDemo && ` ${demonstration}`}
      </p>
      <Filters filters={filters} query={query} wrong={wrong} path={path} />
      {rows.length === 0 ? (
        <p>{next === undefined ? "No settled market is one of these." : "None so far: the older ones may be."}</p>
      ) : (
        <List
          caption="Settled markets, latest close first"
          isCards={false}
          rows={rows}
          columns={[
            ["Contract", (row) => <a href={marketPath(row.ticker)}>{marketWords(row)}</a>],
            [numeric("Model"), ({ model }) => share(model)],
            [numeric("Market"), ({ quotes }) => (quotes === undefined ? "–" : share(toMarketProbability(quotes)))],
            [
              { name: "Pool", isNumber: true, isWide: true },
              ({ model, quotes, poolWeight }) =>
                quotes === undefined || poolWeight === 0
                  ? "–"
                  : share(pool(model, toMarketProbability(quotes), poolWeight)),
            ],
            ["Result", ({ result }) => resultNames[result]],
            [
              { name: "Closed", isWide: true },
              ({ closeTime }) => <time datetime={iso(closeTime)}>{timeText(closeTime)}</time>,
            ],
            hasEntries && [{ name: "Record", isWide: true }, ({ captureId }) => <EntryLink id={captureId} />],
          ]}
        />
      )}
      <p class="actions">
        <a href="/scoreboard">Scoreboard</a>
        {asked.after !== undefined && <a href={linkOf({ ...asked, after: undefined })}>Newest</a>}
        {next !== undefined && <a href={linkOf({ ...asked, after: next })}>Older</a>}
      </p>
    </>,
  )
