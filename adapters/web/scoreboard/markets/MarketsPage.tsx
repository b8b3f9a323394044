/** @jsxRuntime automatic @jsxImportSource preact */

import { probabilityScale } from "../../../../core/record/scoreboard/calibration.ts"
import { pool } from "../../../../core/record/scoreboard/pool.ts"
import { marketOf, type SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { iso } from "../../../../core/time.ts"
import type { Site } from "../../../server/http/Site.ts"
import { eventWords, termsWords } from "../../record/words.ts"
import { entryPath, marketPath } from "../../view/addresses.ts"
import { timeText } from "../../view/dates.ts"
import { Choice, DateField, DomainAndLead, Problems } from "../../view/filters.tsx"
import { percent } from "../../view/numbers.ts"
import { page as framed } from "../../view/Page.tsx"
import { demonstration } from "../verdict.ts"
import { type Asked, binNames, linkOf, path } from "./asked.ts"
import type { MarketPage } from "./readMarkets.ts"

const Filters = ({ asked }: { readonly asked: Asked }) => (
  <form class="filters" method="get" action={path}>
    <DomainAndLead {...asked} />
    <Choice name="bin" label="Probability" value={asked.bin ?? ""} options={[["", "Any"], ...binNames]} />
    <DateField name="from" label="Closed from" value={asked.from} />
    <DateField name="to" label="To" value={asked.to} />
    <button type="submit">Show</button>
  </form>
)

/** The market of a row in words. */
export const marketWords = (row: SettledMarket): string => `${eventWords(row)}, ${termsWords(row)}`

/** Leads to an entry of the record. */
export const EntryLink = ({ id }: { readonly id: string }) => (
  <a class="badge" href={entryPath(id)}>
    Entry
  </a>
)

interface Props {
  readonly asked: Asked
  readonly page: MarketPage
  readonly problems: ReadonlyArray<string>
  readonly isDemo: boolean
  /** Whether the record has the rows' entries. */
  readonly hasEntries: boolean
}

/** The settled markets behind a figure of the scoreboard, each with its entry of the record. */
export const marketsPage = ({ asked, page: { rows, next }, problems, isDemo, hasEntries }: Props, site: Site): string =>
  framed(
    {
      title: "Markets behind the scoreboard",
      description: "Every settled market: the model's probability, the market's, and the result.",
      path,
    },
    site,
    <>
      <h1>Markets behind the scoreboard</h1>
      {isDemo && <p class="notice">{demonstration}</p>}
      <p class="lead">Settled markets, latest close first: what the model said, the market, and the result.</p>
      <Filters asked={asked} />
      <Problems of={problems} />
      {rows.length === 0 ? (
        <p>{next === undefined ? "No settled market is one of these." : "None so far: the older ones may be."}</p>
      ) : (
        <ol class="entries">
          {rows.map((row) => (
            <li key={`${row.venue}/${row.ticker}`}>
              <time datetime={iso(row.closeTime)}>{timeText(row.closeTime)}</time> ·{" "}
              <a href={marketPath(row.ticker)}>{marketWords(row)}</a>: model{" "}
              <strong>{percent(row.model / probabilityScale)}</strong>, market{" "}
              {row.quotes !== undefined && <strong>{percent(marketOf(row.quotes) / probabilityScale)}</strong>}
              {row.quotes !== undefined && row.poolWeight > 0 && (
                <>
                  , together{" "}
                  <strong>{percent(pool(row.model, marketOf(row.quotes), row.poolWeight) / probabilityScale)}</strong>
                </>
              )}
              , <strong>{row.result === "yes" ? "Yes" : "No"}</strong> {hasEntries && <EntryLink id={row.captureId} />}
            </li>
          ))}
        </ol>
      )}
      <p class="actions">
        <a href="/scoreboard">Scoreboard</a>
        {asked.after !== undefined && <a href={linkOf({ ...asked, after: undefined })}>Newest</a>}
        {next !== undefined && <a href={linkOf({ ...asked, after: next })}>Older</a>}
      </p>
    </>,
  )
