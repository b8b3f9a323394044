/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { methodology } from "../../../core/lanes/markets/settled.ts"
import { count } from "../../../core/text.ts"
import type { Results, Stations } from "../../describe/figures.ts"
import type { Site } from "../../server/http/Site.ts"
import * as Record from "../record/RecordPage.tsx"
import { Chart, gridAcross, Line, Mark, scale, signed, ticks, width, words } from "../view/chart.tsx"
import { leadNames } from "../view/filters.tsx"
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

const monthName = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" })

/** The first days of months within a time, at most seven: else those of every second, third or sixth month or of years. */
export const months = (from: number, to: number): ReadonlyArray<number> => {
  const first = new Date(from)
  const all: Array<number> = []
  for (let month = 0; ; month++) {
    const at = Date.UTC(first.getUTCFullYear(), month, 1)
    if (at > to) break
    if (at >= from) all.push(at)
  }
  const every = [1, 2, 3, 6].find((step) => all.length / step <= 7) ?? 12 * Math.ceil(all.length / 84)
  return all.filter((at) => (12 * new Date(at).getUTCFullYear() + new Date(at).getUTCMonth()) % every === 0)
}

/** A cumulative sum by day, as steps: nothing changes between days with trades. */
export const Steps = ({
  points,
}: {
  readonly points: ReadonlyArray<{ readonly day: string; readonly value: number }>
}) => {
  const [left, right, top, height] = [44, width - 62, 12, 200]
  const times = points.map(({ day }) => Date.parse(day))
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0]
  const values = [0, ...points.map(({ value }) => value)]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = scale([from, to], [left, right])
  const y = scale([low, high], [top + height, top])
  const last = points.at(-1)
  const path = points.map(({ value }, at) =>
    at === 0 ? `M${x(times[at]!)} ${y(0)}V${y(value)}` : `H${x(times[at]!)}V${y(value)}`,
  )
  return (
    <Chart
      height={top + height + 40}
      label={`Running result of the hypothetical ledger after fees, US dollars, by day of close${
        last === undefined ? "" : `, from ${points[0]!.day} to ${last.day}, at last ${last.value.toFixed(2)}`
      }.`}
    >
      {gridAcross(ticks(low, high), y, left, right, "zero")}
      {months(from, to).map((at, index) => {
        const date = new Date(at)
        return (
          <g key={at}>
            <Line from={[x(at), top + height]} to={[x(at), top + height + 5]} kind="axis" />
            {words(x(at), top + height + 18, monthName.format(date))}
            {(index === 0 || date.getUTCMonth() === 0) && words(x(at), top + height + 32, date.getUTCFullYear())}
          </g>
        )
      })}
      <Line from={[left, top + height]} to={[right, top + height]} kind="axis" />
      <path class="curve ledger" d={path.join("")} />
      {last !== undefined && (
        <>
          <Mark who="model" x={x(to)} y={y(last.value)} title={`${last.day}: ${signed(last.value.toFixed(2))} USD`} />
          {words(right + 8, Math.max(y(last.value) + 4, top + 8), signed(last.value.toFixed(2)), "start", "name")}
        </>
      )}
    </Chart>
  )
}

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
      words="Model minus market, with 95 % intervals; an interval that crosses zero decides nothing. Grey: number of markets."
      chart={
        rows.length === 0 ? undefined : (
          <charts.Differences rows={rows} of={["model", "market"]} hasTotal hrefOf={tables.domainHref} />
        )
      }
    >
      <tables.Domains {...results} />
    </charts.Picture>
  )
}

const Calibration = ({ overall: { model, market, pool } }: Pick<Results, "overall">) => (
  <charts.Picture
    title="Reliability"
    words="A forecaster is calibrated where the curve is on the diagonal. Bars are 95 % bands (Wilson); markets of one event are dependent, so the true bands are slightly wider."
    chart={
      model === undefined || market === undefined ? undefined : (
        <charts.Reliability model={model.bins} market={market.bins} />
      )
    }
  >
    <tables.Bins who="model" forecaster={model} />
    <tables.Bins who="market" forecaster={market} />
    <tables.Bins who="pool" forecaster={pool} />
  </charts.Picture>
)

const Leads = ({ by_lead = [] }: Pick<Results, "by_lead">) => {
  const rows = by_lead.map((row) => ({ ...row, label: leadNames[row.lead] }))
  const drawn = rows.flatMap(({ label, lead, markets_scored: markets, brier_model: model, brier_market: market }) =>
    model === undefined || market === undefined ? [] : [{ label, markets, model, market, href: linkOf({ lead }) }],
  )
  return (
    <charts.Picture
      title="Score by lead time"
      words="Brier scores by time from capture to close. The axis does not begin at zero."
      chart={drawn.length === 0 ? undefined : <charts.Leads rows={drawn} />}
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
      chart={
        curve.length === 0 ? undefined : (
          <Steps points={curve.map(({ day, pnl_after_fees: value }) => ({ day, value }))} />
        )
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
