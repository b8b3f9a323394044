/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { domains } from "../../../core/record/scoreboard/Settled.ts"
import { count } from "../../../core/text.ts"
import type { Results, Stations } from "../../describe/figures.ts"
import { domainNames } from "../view/filters.tsx"
import { signed } from "../view/numbers.ts"
import { type Column, numeric, Table } from "../view/parts.tsx"
import { linkOf } from "./markets/asked.ts"
import { type Forecaster, number, type Score } from "./verdict.ts"

/*
 * The scoreboard's tables: at most four columns where they can, so that they fit a phone, and one figure per cell.
 */

/** Every column but the first has numbers. */
export const columns = (...names: ReadonlyArray<string>): ReadonlyArray<Column> =>
  names.map((name, at) => ({ name, isNumber: at > 0 }))

const money = (value: number | undefined): string =>
  value === undefined
    ? "–"
    : signed(value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }))

const difference = (model: number | undefined, market: number | undefined, digits = 4): string =>
  model === undefined || market === undefined ? "–" : signed(number(model - market, digits))

const rowOf = (name: ComponentChildren, model: number | undefined, market: number | undefined, digits = 4) => [
  name,
  number(model, digits),
  number(market, digits),
  difference(model, market, digits),
]

interface ScoreProps {
  readonly caption: string
  readonly score: Score
}

export const Scores = ({ caption, score }: ScoreProps) => {
  const { brier_model, brier_market, brier_pool, brier_difference, pool_difference, model, market, pool } = score
  const all = [model, market, pool]
  const row = (name: string, of: (forecaster: Forecaster) => number | undefined) => [
    name,
    ...all.map((each) => number(each && of(each))),
  ]
  const end = (name: "low" | "high") => [
    signed(number(brier_difference?.[name])),
    "",
    signed(number(pool_difference?.[name])),
  ]
  return (
    <Table
      caption={caption}
      columns={columns("Score", "Model", "Market", "Pool")}
      rows={[
        ["Brier score", number(brier_model), number(brier_market), number(brier_pool)],
        row("95 % interval from", ({ brier_interval }) => brier_interval?.low),
        row("95 % interval to", ({ brier_interval }) => brier_interval?.high),
        ["Against the market", difference(brier_model, brier_market), "", difference(brier_pool, brier_market)],
        ["95 % interval from", ...end("low")],
        ["95 % interval to", ...end("high")],
        row("Log score", ({ log_score }) => log_score),
        row("Calibration error", ({ calibration_error }) => calibration_error),
      ]}
    />
  )
}

const parts = {
  reliability: "Reliability",
  resolution: "Resolution",
  uncertainty: "Uncertainty of the outcomes",
  within_bin_variance: "Within-bin variance",
  within_bin_covariance: "Within-bin covariance",
} as const

/** The parts of both Brier scores. */
export const Decomposition = ({ caption, score: { model, market } }: ScoreProps) => (
  <Table
    caption={caption}
    columns={columns("Part", "Model", "Market", "Difference")}
    rows={Object.entries(parts).map(([key, name]) => {
      const part = key as keyof typeof parts
      return rowOf(name, model?.decomposition[part], market?.decomposition[part], 5)
    })}
  />
)

const domainOf = (name: string) => domains.find((domain) => domain === name)

/** Where the markets of a domain are, or of all. */
export const domainHref = (name: string): string => linkOf({ domain: domainOf(name) })

/** `Football`; `All` of any other name. */
export const nameOfDomain = (name: string): string => {
  const domain = domainOf(name)
  return domain === undefined ? "All" : domainNames[domain]
}

export const Domains = ({ domains: all, overall }: Pick<Results, "domains" | "overall">) => (
  <Table
    caption="Brier scores by subject"
    columns={columns("Subject", "Markets", "Model", "Market", "Pool")}
    rows={[["all", overall] as const, ...Object.entries(all)].map(
      ([name, { markets_scored, brier_model, brier_market, brier_pool }]) => [
        <a key={name} href={domainHref(name)}>
          {nameOfDomain(name)}
        </a>,
        count(markets_scored),
        ...[brier_model, brier_market, brier_pool].map((score) => number(score)),
      ],
    )}
  />
)

type Part = NonNullable<Results["by_edge"]>[number]

/** Markets and scores of a part, with intervals where there are clusters enough. */
export const partCells = ({
  markets_scored,
  brier_model,
  brier_market,
  brier_pool,
  ...intervals
}: Omit<Part, "part">): ReadonlyArray<string> => {
  const scored = (brier: number | undefined, interval: Part["model_interval"]) =>
    `${number(brier)}${interval === undefined ? "" : ` [${number(interval.low)}, ${number(interval.high)}]`}`
  return [
    count(markets_scored),
    scored(brier_model, intervals.model_interval),
    scored(brier_market, intervals.market_interval),
    scored(brier_pool, intervals.pool_interval),
  ]
}

export const partColumns: ReadonlyArray<Column> = [numeric("Markets"), "Model", "Market", "Pool"]

export const Ledger = ({ pool, curve: _, ...own }: Results["hypothetical"]) => {
  const total = (name: string, of: (trades: typeof own) => string) => [name, of(own), of(pool)]
  return (
    <Table
      caption="Hypothetical ledger: by the model's rule, and by the pool's (where its expected gain is above 0)"
      columns={columns("Total", "Model", "Pool")}
      rows={[
        total("Trades", ({ trades }) => count(trades)),
        total("Won", ({ wins }) => count(wins)),
        total("Lost", ({ losses }) => count(losses)),
        total("Staked, USD", ({ staked }) => money(staked)),
        total("Fees, USD", ({ fees }) => money(fees)),
        total("Result after fees, USD", ({ pnl_after_fees }) => money(pnl_after_fees)),
        total("Per dollar staked", ({ roi_after_fees }) => signed(number(roi_after_fees))),
        total("Left out, fee not known", ({ unknown_fee = 0 }) => count(unknown_fee)),
      ]}
    />
  )
}

/** How the venue's settlement source agrees with the official reports, by station. */
export const Agreement = ({ stations }: { readonly stations: Stations }) => {
  const measured = stations.flatMap(({ id, city, settles: { agreement } }) =>
    agreement === undefined ? [] : [{ name: `${city} (${id})`, ...agreement }],
  )
  const [first] = measured
  if (first === undefined)
    return <p>No values of the venue's source of temperatures are stored: it is off on this server.</p>
  const percent = (share: number | undefined) => (share === undefined ? "–" : `${(100 * share).toFixed(1)} %`)
  return (
    <Table
      caption={`Highs and lows of ${first.venue_source} beside the first official climate report`}
      columns={columns("Station", "Compared", "Equal", "95 % interval", "Within 1 °F", "Days missing")}
      rows={measured.map(({ name, compared, equal, within_one, missing, equal_share: share }) => [
        name,
        count(compared),
        count(equal),
        `${percent(share?.low)} to ${percent(share?.high)}`,
        count(within_one),
        count(missing),
      ])}
    />
  )
}

export const Settlement = ({ by_settlement: bases, unanchored, corrected, excluded, live }: Results) => {
  const basis = (name: string, score: NonNullable<Results["by_settlement"]>["venue_source"]) => [
    name,
    count(score.markets_scored),
    number(score.brier_model),
    number(score.brier_market),
  ]
  return (
    <>
      {bases !== undefined && (
        <>
          <Table
            caption="Scored by the venue's result, and by the model's own source"
            columns={columns("Settled by", "Markets", "Model", "Market")}
            rows={[basis("the venue", bases.venue_source), basis("the model's source", bases.model_source)]}
          />
          <p>
            Of {count(bases.compared)} markets with both outcomes {count(bases.disagreed)} disagree (
            {bases.disagreement_rate === undefined ? "–" : `${(100 * bases.disagreement_rate).toFixed(2)} %`}).
          </p>
        </>
      )}
      <Table
        caption="Markets by state"
        columns={columns("State", "Markets")}
        rows={[
          ["Open and tracked", count(live.open_tracked)],
          ["Closed, awaiting settlement", count(live.awaiting_settlement)],
          ["Not scored: voided by the venue", count(excluded?.void ?? 0)],
          ["Not scored: one-sided book at the capture", count(excluded?.no_quote ?? 0)],
          ["Scored, but no checkpoint covered it before the close", count(unanchored ?? 0)],
          ["Result changed by the venue afterwards", count(corrected ?? 0)],
        ]}
      />
    </>
  )
}
