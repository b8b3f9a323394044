/** @jsxRuntime automatic @jsxImportSource preact */
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { methodology as challengeMethodology } from "../../../core/lanes/markets/challenge/endpoints.ts"
import { methodology } from "../../../core/lanes/markets/settled.ts"
import { domains } from "../../../core/record/scoreboard/Settled.ts"
import { count, enumeration } from "../../../core/text.ts"
import type { Results, Stations } from "../../describe/figures.ts"
import type { Site } from "../../server/http/Site.ts"
import { reliability } from "../pictures/reliability.ts"
import * as Record from "../record/RecordPage.tsx"
import { saidAndHappened } from "../subjects/words.ts"
import { pageScript } from "../view/assets.ts"
import { timeText } from "../view/dates.ts"
import { domainNames, leadNames } from "../view/filters.tsx"
import { signed } from "../view/numbers.ts"
import { page as framed } from "../view/Page.tsx"
import { Table } from "../view/parts.tsx"
import { Challengers, type Models } from "./Challengers.tsx"
import * as charts from "./charts.tsx"
import { forms } from "./downloads.ts"
import { path as manifestPath } from "./manifest.ts"
import { linkOf } from "./markets/asked.ts"
import * as tables from "./tables.tsx"
import { demonstration, headline, listDifferences, number, type Score, verdict } from "./verdict.ts"

/** Where the scoreboard is. */
export const path = "/scoreboard"

/** The main score, beside the market's, with the difference in words. */
const Lead = ({ overall }: Pick<Results, "overall">) => (
  <>
    {overall.brier_model !== undefined && (
      <div class="says">
        <p class="we">
          <span>Our Brier score, lower is better</span> <strong>{number(overall.brier_model)}</strong>
        </p>
        <p class="they">
          <span>Market</span> <strong>{number(overall.brier_market)}</strong>
        </p>
        <p class="gap">
          <span>Pool of both</span> <strong>{number(overall.brier_pool)}</strong>
        </p>
      </div>
    )}
    <p>{verdict(overall)}</p>
  </>
)

/** The forest plot: who is ahead in which domain, and whether that is significant; and the domains with too few markets. */
export const Domains = (results: Pick<Results, "overall" | "domains">) => {
  const rows = listDifferences(results)
  const others = domains.flatMap((domain) => {
    const markets = results.domains[domain]?.markets_scored ?? 0
    if (rows.some(({ label }) => label === domain)) return []
    return [`${domainNames[domain]} (${markets === 0 ? "none settled yet" : `n = ${count(markets)}`})`]
  })
  const few = others.length === 0 ? "" : ` Too few independent events for an interval: ${enumeration(others, "and")}.`
  return (
    <charts.Picture
      title="By subject"
      words={`Model minus market, with 95 % intervals; intervals that cross zero are not significant.${few}`}
      drawn={rows.length === 0 ? undefined : charts.differences(rows, ["model", "market"], true, tables.domainHref)}
    >
      <tables.Domains {...results} />
    </charts.Picture>
  )
}

const binsOf = (of: Score["model"]) => (of?.bins ?? []).map((bin) => ({ ...bin, mean: bin.mean_probability }))

const Calibration = ({ overall: { model, market, pool } }: Pick<Results, "overall">) => {
  const forecasters = [
    { name: "Model", as: "model", bins: binsOf(model) },
    { name: "Market", as: "market", bins: binsOf(market) },
    ...(pool === undefined ? [] : [{ name: "Pool", as: "official", bins: binsOf(pool) }]),
  ]
  const drawn = model === undefined || market === undefined ? undefined : reliability(forecasters, "Markets")
  return (
    <charts.Picture
      title="Reliability"
      words="On the diagonal a forecast comes true as often as it says. The band is the model's 95 % interval (Wilson); markets of one event are dependent, so the true one is slightly wider."
      drawn={
        drawn && { ...drawn, rows: drawn.rows.map((row, at) => ({ ...row, href: linkOf({ bin: `model-${at}` }) })) }
      }
    />
  )
}

const Leads = ({ by_lead = [] }: Pick<Results, "by_lead">) => {
  const drawn = by_lead.flatMap((row) => {
    const { lead, brier_model: model, brier_market: market } = row
    if (model === undefined || market === undefined) return []
    return [{ label: leadNames[lead], model, market, href: linkOf({ lead }), cells: tables.partCells(row) }]
  })
  return (
    <charts.Picture
      title="By time before the close"
      words="Brier scores by time from forecast to close. The axis does not begin at zero."
      drawn={drawn.length === 0 ? undefined : charts.leads(drawn)}
    />
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
            <Table
              caption={`${name}: Brier scores, with 95 % intervals`}
              columns={["Part", ...tables.partColumns]}
              rows={parts.map(({ part, ...score }) => [part, ...tables.partCells(score)])}
            />
          )}
        </details>
      )
    },
  )

const Ledger = ({ hypothetical }: Pick<Results, "hypothetical">) => {
  const { curve = [] } = hypothetical
  const last = curve.at(-1)
  return (
    <charts.Picture
      title="Hypothetical ledger"
      words={`${last === undefined ? "" : `${signed(last.pnl_after_fees.toFixed(2))} USD so far: `}one trade of 1 USD per market on which model and market differ by 0.05 or more, at the captured asks, after the venue's fees. No orders were placed.`}
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

/** Calibration in one sentence for everybody. */
export const sentence = ({ model }: Score, freshness: Freshness): string | undefined => {
  const words = saidAndHappened(binsOf(model))
  const start = freshness === "live" ? "When" : "In sample data, when"
  return words && `${start} we said ${words.said}, it happened ${words.happened} of the time.`
}

const Files = ({ results, site }: { readonly results: Results; readonly site: Site }) => (
  <p class="soft">
    As of {timeText(Date.parse(results.as_of))}. Every settled market:{" "}
    {forms.map((kind, at) => (
      <>
        {at > 0 && ", "}
        <a href={`${path}/settled.${kind}`} download={`settled.${kind}`}>
          {kind.toUpperCase()}
        </a>
      </>
    ))}
    , with a <a href={manifestPath}>manifest</a>; these figures by API:{" "}
    <a href="/v1/markets/performance?verbose=true">/v1/markets/performance</a>.
    {site.served(Record.path) && (
      <>
        {" "}
        Proof: <a href={Record.path}>the record</a>.
      </>
    )}
  </p>
)

const Decompositions = ({ overall, contested }: Results) => (
  <details>
    <summary>Decomposition of the Brier score</summary>
    <tables.Decomposition caption="Decomposition, all markets" score={overall} />
    <tables.Decomposition caption="Decomposition, contested markets (market between 5 and 95 %)" score={contested} />
    <p class="soft">
      Brier = reliability − resolution + uncertainty + within-bin variance − 2 · within-bin covariance, over ten bins. A
      reliability of 0 is best; more resolution is better.
    </p>
  </details>
)

const Versions = ({ by_version = [] }: Results) => (
  <details>
    <summary>Model versions</summary>
    <Table
      caption="Brier scores by model version"
      columns={tables.columns("Version", "Markets", "Model", "Market")}
      rows={by_version.map(({ domain, model_version, ...score }) => [
        `${domainNames[domain]}: ${model_version}`,
        count(score.markets_scored),
        number(score.brier_model),
        number(score.brier_market),
      ])}
    />
  </details>
)

/** The scoreboard as an HTML page: a sentence, calibration and who is ahead first, all other figures folded below. */
export const page = (
  results: Results,
  models: Models,
  stations: Stations,
  freshness: Freshness,
  site: Site,
): string => {
  const { overall, contested } = results
  return framed(
    { title: "Scoreboard: model against market", description: verdict(overall), path, script: pageScript },
    site,
    <>
      <h1>{headline(overall)}</h1>
      <Lead overall={overall} />
      <p class="lead">
        {sentence(overall, "live")} Over <a href={linkOf({})}>{count(overall.markets_scored)} settled markets</a>,
        misses included. {freshness !== "live" && <span class="badge test">{demonstration}</span>}
      </p>
      <div class="columns board">
        <Calibration {...results} />
        <div>
          <Domains {...results} />
          <Leads {...results} />
        </div>
      </div>
      <div class="board">
        <Ledger {...results} />
      </div>
      <Challengers models={models} />
      <section class="board">
        <h2>All figures</h2>
        <div class="folded">
          <details>
            <summary>Scores</summary>
            <tables.Scores caption="Scores of all markets. Lower Brier and log scores are better." score={overall} />
            <tables.Scores
              caption={`Scores of the ${count(contested.markets_scored)} contested markets (market between 5 and 95 %)`}
              score={contested}
            />
          </details>
          <Divisions {...results} />
          <Decompositions {...results} />
          <details>
            <summary>Settlement</summary>
            <tables.Settlement {...results} />
            <tables.Agreement stations={stations} />
          </details>
          <Versions {...results} />
          <details>
            <summary>Method</summary>
            <p>{methodology}</p>
            {models.length > 0 && <p>Challengers: {challengeMethodology}</p>}
            <p>
              Intervals: 2,000 bootstrap resamples within each subject, with a fixed seed, of what comes out together:
              weeks of weather and football, days of baseball and crypto. Fewer than ten of these have no interval. Log
              scores take a probability as at least 0.001 and at most 0.999.
            </p>
          </details>
        </div>
        <Files results={results} site={site} />
      </section>
    </>,
  )
}
