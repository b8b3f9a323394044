/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { methodology } from "../../../core/lanes/markets/settled.ts"
import { count } from "../../../core/text.ts"
import type { Results, Stations } from "../../describe/figures.ts"
import type { Site } from "../../server/http/Site.ts"
import { reliability } from "../pictures/reliability.ts"
import * as Record from "../record/RecordPage.tsx"
import { pageScript } from "../view/assets.ts"
import { leadNames } from "../view/filters.tsx"
import { signed } from "../view/numbers.ts"
import { page as framed } from "../view/Page.tsx"
import { Table } from "../view/parts.tsx"
import { Challengers, type Models } from "./Challengers.tsx"
import * as charts from "./charts.tsx"
import { forms } from "./downloads.ts"
import { path as learnedPath } from "./Learned.tsx"
import { path as manifestPath } from "./manifest.ts"
import { linkOf } from "./markets/asked.ts"
import * as tables from "./tables.tsx"
import { demonstration, listDifferences, number, type Score, verdict } from "./verdict.ts"

/** Where the scoreboard is. */
export const path = "/scoreboard"

const Figure = ({
  name,
  value,
  children,
}: {
  readonly name: string
  readonly value: string
  readonly children: ComponentChildren
}) => (
  <div class="card">
    <dt>{name}</dt>
    <dd>
      <strong class="figure">{value}</strong>
      <small>{children}</small>
    </dd>
  </div>
)

const interval = ({ brier_difference: difference }: Score): string =>
  difference === undefined
    ? "no interval yet"
    : `95 % interval ${signed(number(difference.low))} to ${signed(number(difference.high))}`

const differenceOf = ({ brier_model, brier_market }: Score): string =>
  brier_model === undefined || brier_market === undefined ? "–" : signed(number(brier_model - brier_market))

const Headline = ({ overall, contested }: Pick<Results, "overall" | "contested">) => (
  <dl class="cards">
    <Figure name="Difference of Brier scores, model − market" value={differenceOf(overall)}>
      {interval(overall)}; below zero the model is ahead
    </Figure>
    <Figure name="Markets scored" value={count(overall.markets_scored)}>
      settled, each once
    </Figure>
    <Figure name="Contested (market between 5 and 95 %)" value={count(contested.markets_scored)}>
      difference {differenceOf(contested)}, {interval(contested)}
    </Figure>
  </dl>
)

/** The forest plot: who is ahead in which domain, and whether that is significant. */
export const Domains = (results: Pick<Results, "overall" | "domains">) => {
  const rows = listDifferences(results)
  return (
    <charts.Picture
      title="Difference by domain"
      words="Model minus market, with 95 % intervals; an interval that crosses zero decides nothing."
      drawn={rows.length === 0 ? undefined : charts.differences(rows, ["model", "market"], true, tables.domainHref)}
    >
      <tables.Domains {...results} />
    </charts.Picture>
  )
}

const Calibration = ({ overall: { model, market, pool } }: Pick<Results, "overall">) => {
  const binsOf = (of: typeof model) => (of?.bins ?? []).map((bin) => ({ ...bin, mean: bin.mean_probability }))
  const forecasters = [
    { name: "Model", as: "model", bins: binsOf(model) },
    { name: "Market", as: "market", shape: 1, bins: binsOf(market) },
    ...(pool === undefined ? [] : [{ name: "Pool", as: "official", shape: 2, bins: binsOf(pool) }]),
  ]
  return (
    <charts.Picture
      title="Reliability"
      words="A forecaster is calibrated where the curve is on the diagonal. Bars are 95 % bands (Wilson); markets of one event are dependent, so the true bands are slightly wider."
      drawn={model === undefined || market === undefined ? undefined : reliability(forecasters, "Markets")}
    >
      <tables.Bins who="model" forecaster={model} />
      <tables.Bins who="market" forecaster={market} />
      <tables.Bins who="pool" forecaster={pool} />
    </charts.Picture>
  )
}

const Leads = ({ by_lead = [] }: Pick<Results, "by_lead">) => {
  const rows = by_lead.map((row) => ({ ...row, label: leadNames[row.lead] }))
  const drawn = rows.flatMap(({ label, lead, markets_scored: markets, brier_model: model, brier_market: market }) =>
    model === undefined || market === undefined ? [] : [{ label, markets, model, market, href: linkOf({ lead }) }],
  )
  return (
    <charts.Picture
      title="Score by lead time"
      words="Brier scores by time from capture to close. The axis does not begin at zero."
      drawn={drawn.length === 0 ? undefined : charts.leads(drawn)}
    >
      <tables.Parts
        caption="Brier scores by time from capture to close"
        parts={rows.map(({ label, ...row }) => ({ ...row, part: <a href={linkOf(row)}>{label}</a> }))}
      />
    </charts.Picture>
  )
}

/** A part of too few clusters says nothing. */
const Divisions = ({ by_edge = [], by_month = [], by_hour = [] }: Results) =>
  Object.entries({ "By size of edge": by_edge, "By month": by_month, "By hour of the close": by_hour }).map(
    ([name, all]) => {
      const parts = all.filter(({ model_interval }) => model_interval !== undefined)
      return (
        <details key={name}>
          <summary>{name}</summary>
          {parts.length === 0 ? (
            <p>No part has ten weeks of weather or football, or days of baseball or crypto.</p>
          ) : (
            <tables.Parts caption={`${name}: Brier scores`} parts={parts} />
          )}
        </details>
      )
    },
  )

const Ledger = ({ hypothetical }: Pick<Results, "hypothetical">) => {
  const { curve = [] } = hypothetical
  return (
    <charts.Picture
      title="Hypothetical ledger"
      words="One trade of 1 USD per market on which model and market differ by 0.05 or more, at the captured asks, after the venue's fees. No orders were placed."
      drawn={
        curve.length === 0
          ? undefined
          : charts.ledger(curve.map(({ day, trades, pnl_after_fees: value }) => ({ day, trades, value })))
      }
    >
      <tables.Ledger {...hypothetical} />
    </charts.Picture>
  )
}

/** The scoreboard as an HTML page: the verdict and the pictures first, tables folded below. */
export const page = (results: Results, models: Models, stations: Stations, freshness: Freshness, site: Site): string =>
  framed(
    {
      title: "Scoreboard: model against market",
      description: verdict(results.overall),
      path,
      script: pageScript,
    },
    site,
    <>
      <h1>Scoreboard: model against market</h1>
      {freshness !== "live" && <p class="notice">{demonstration}</p>}
      <p class="lead">{verdict(results.overall)}</p>
      <Headline {...results} />
      <p class="soft">
        As of <time datetime={results.as_of}>{results.as_of.replace("T", " ").slice(0, 16)} UTC</time>. Settled rows as
        files:{" "}
        {forms.map((kind, at) => (
          <>
            {at > 0 && ", "}
            <a href={`${path}/settled.${kind}`} download={`settled.${kind}`}>
              {kind.toUpperCase()}
            </a>
          </>
        ))}
        , with a <a href={manifestPath}>manifest</a>. Data:{" "}
        <a href="/v1/markets/performance?verbose=true">/v1/markets/performance</a>. Markets:{" "}
        <a href={linkOf({})}>one by one</a>. Weather forecasts: <a href={learnedPath}>learned from past ones</a>.
        {site.served(Record.path) && (
          <>
            {" "}
            Proof: <a href={Record.path}>the record</a>.
          </>
        )}
      </p>
      <div class="columns board">
        <div>
          <Domains {...results} />
          <Leads {...results} />
        </div>
        <div>
          <Calibration {...results} />
          <Ledger {...results} />
        </div>
      </div>
      <Challengers models={models} />
      <section class="board">
        <h2>All figures</h2>
        <details>
          <summary>Scores</summary>
          <tables.Scores
            caption="Scores of all markets. Lower Brier and log scores are better."
            score={results.overall}
          />
          <tables.Scores caption="Scores of contested markets (market between 5 and 95 %)" score={results.contested} />
        </details>
        <Divisions {...results} />
        <details>
          <summary>Decomposition of the Brier score</summary>
          <tables.Decomposition caption="Decomposition, all markets" score={results.overall} />
          <tables.Decomposition
            caption="Decomposition, contested markets (market between 5 and 95 %)"
            score={results.contested}
          />
          <p class="soft">
            Brier = reliability − resolution + uncertainty + within-bin variance − 2 · within-bin covariance, over ten
            bins. A reliability of 0 is best; more resolution is better.
          </p>
        </details>
        <details>
          <summary>Settlement</summary>
          <tables.Settlement {...results} />
          <tables.Agreement stations={stations} />
        </details>
        <details>
          <summary>Model versions</summary>
          <Table
            caption="Brier scores by model version"
            columns={tables.columns("Version", "Markets", "Model", "Market")}
            rows={(results.by_version ?? []).map(({ domain, model_version, ...score }) => [
              `${domain}: ${model_version}`,
              count(score.markets_scored),
              number(score.brier_model),
              number(score.brier_market),
            ])}
          />
        </details>
      </section>
      <section>
        <h2>Method</h2>
        <p>{methodology}</p>
        <p>
          Intervals: 2,000 bootstrap resamples within each domain, with a fixed seed, of what comes out together: weeks
          of weather and football, days of baseball and crypto. Fewer than ten of these have no interval. Log scores
          take a probability as at least 0.001 and at most 0.999.
        </p>
      </section>
    </>,
  )
