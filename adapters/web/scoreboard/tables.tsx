/** @jsxRuntime automatic @jsxImportSource preact */

import type { ComponentChildren } from "preact"
import { domains } from "../../../core/record/scoreboard/Settled.ts"
import { count } from "../../../core/text.ts"
import type { Results, Stations } from "../../describe/figures.ts"
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

/** The scores of model, market and both together, and the differences to the market. */
export const Scores = ({
  caption,
  score: { brier_model, brier_market, brier_pool, brier_difference, pool_difference, model, market, pool },
}: ScoreProps) => {
  const bound = (name: string, end: "low" | "high") => [
    name,
    number(model?.brier_interval?.[end]),
    number(market?.brier_interval?.[end]),
    signed(number(brier_difference?.[end])),
  ]
  const pooled = (name: string, of: number | undefined, beside: number | undefined) => [
    name,
    number(of),
    difference(of, beside),
  ]
  return (
    <>
      <Table
        caption={caption}
        columns={columns("Score", "Model", "Market", "Difference")}
        rows={[
          rowOf("Brier score", brier_model, brier_market),
          bound("95 % interval from", "low"),
          bound("95 % interval to", "high"),
          rowOf("Log score", model?.log_score, market?.log_score),
          rowOf("Calibration error", model?.calibration_error, market?.calibration_error),
        ]}
      />
      <Table
        caption="Model and market together, by the weight at the capture, beside the market"
        columns={columns("Score", "Pool", "Difference")}
        rows={[
          pooled("Brier score", brier_pool, brier_market),
          ...(["low", "high"] as const).map((end) => [
            `95 % interval ${end === "low" ? "from" : "to"}`,
            number(pool?.brier_interval?.[end]),
            signed(number(pool_difference?.[end])),
          ]),
          pooled("Log score", pool?.log_score, market?.log_score),
          pooled("Calibration error", pool?.calibration_error, market?.calibration_error),
        ]}
      />
    </>
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

/** Where the markets of a domain are, or of all. */
export const domainHref = (name: string): string => linkOf({ domain: domains.find((domain) => domain === name) })

const domainLink = (name: string) => <a href={domainHref(name)}>{name}</a>

export const Domains = ({ domains, overall }: Pick<Results, "domains" | "overall">) => {
  const rows = [["all", overall] as const, ...Object.entries(domains)]
  return (
    <>
      <Table
        caption="Brier scores by domain"
        columns={columns("Domain", "Model", "Market", "Difference")}
        rows={rows.map(([name, { brier_model, brier_market }]) => rowOf(domainLink(name), brier_model, brier_market))}
      />
      <Table
        caption="95 % interval of the difference"
        columns={columns("Domain", "Markets", "From", "To")}
        rows={rows.map(([name, { markets_scored, brier_difference: found }]) => [
          name,
          count(markets_scored),
          signed(number(found?.low)),
          signed(number(found?.high)),
        ])}
      />
      <Table
        caption="Model and market together (pool): Brier score, and 95 % interval of its difference to the market's"
        columns={columns("Domain", "Pool", "Difference", "From", "To")}
        rows={rows.map(([name, { brier_pool, brier_market, pool_difference: found }]) => [
          name,
          number(brier_pool),
          difference(brier_pool, brier_market),
          signed(number(found?.low)),
          signed(number(found?.high)),
        ])}
      />
    </>
  )
}

export const Bins = ({
  who,
  forecaster,
}: {
  readonly who: "model" | "market" | "pool"
  readonly forecaster: Forecaster | undefined
}) =>
  forecaster === undefined ? null : (
    <Table
      caption={`Reliability of the ${who}: mean given, share that came true and its 95 % band`}
      columns={columns("Given", "Markets", "Mean", "True", "From", "To")}
      rows={forecaster.bins.map(({ from, to, count: markets, mean_probability, frequency, low, high }, at) => [
        who === "pool" ? (
          `${from.toFixed(1)} to ${to.toFixed(1)}`
        ) : (
          <a key={from} href={linkOf({ bin: `${who}-${at}` })}>{`${from.toFixed(1)} to ${to.toFixed(1)}`}</a>
        ),
        count(markets),
        number(mean_probability, 3),
        number(frequency, 3),
        number(low, 3),
        number(high, 3),
      ])}
    />
  )

type Part = NonNullable<Results["by_edge"]>[number]

/** The parts of a division, with intervals where there are clusters enough. */
export const Parts = ({
  caption,
  parts,
}: {
  readonly caption: string
  readonly parts: ReadonlyArray<Omit<Part, "part"> & { readonly part: ComponentChildren }>
}) => {
  const scored = (brier: number | undefined, interval: Part["model_interval"]) =>
    `${number(brier)}${interval === undefined ? "" : ` [${number(interval.low)}, ${number(interval.high)}]`}`
  return (
    <Table
      caption={`${caption}, with 95 % intervals`}
      columns={["Part", numeric("Markets"), "Model", "Market", "Pool"]}
      rows={parts.map(({ part, markets_scored, brier_model, brier_market, brier_pool, ...intervals }) => [
        ...[part, count(markets_scored), scored(brier_model, intervals.model_interval)],
        ...[scored(brier_market, intervals.market_interval), scored(brier_pool, intervals.pool_interval)],
      ])}
    />
  )
}

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
      caption={`Highs and lows of ${first.source} beside the first official climate report`}
      columns={columns("Station", "Compared", "Equal", "95 % interval", "Within 1 °F", "Days missing")}
      rows={measured.map(({ name, compared, equal, within_one, missing, equal_low, equal_high }) => [
        name,
        count(compared),
        count(equal),
        `${percent(equal_low)} to ${percent(equal_high)}`,
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
