import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { performance } from "../../../core/lanes/markets/endpoints.ts"
import { methodology } from "../../../core/lanes/markets/settled.ts"
import { escape } from "../wire.ts"
import * as charts from "./charts.ts"
import { style } from "./style.ts"

type Results = Endpoint.Results<typeof performance>
type Score = Results["overall"]
type Forecaster = NonNullable<Score["model"]>

const number = (value: number | undefined, digits = 4): string => (value === undefined ? "–" : value.toFixed(digits))
const count = (value: number): string => value.toLocaleString("en-US")
const range = (interval: { readonly low: number; readonly high: number } | undefined): string =>
  interval === undefined ? "–" : `${number(interval.low)} to ${number(interval.high)}`

/** A table of text cells; the first row and the first column are headings. */
const table = (caption: string, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [head = [], ...body] = rows
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escape(caption)}"><table><caption>${escape(caption)}</caption><thead><tr>${head
    .map((cell) => `<th scope="col">${escape(cell)}</th>`)
    .join("")}</tr></thead><tbody>${body
    .map(
      ([first = "", ...cells]) =>
        `<tr><th scope="row">${escape(first)}</th>${cells.map((cell) => `<td>${escape(cell)}</td>`).join("")}</tr>`,
    )
    .join("")}</tbody></table></div>`
}

const section = (title: string, ...parts: ReadonlyArray<string>): string =>
  `<section><h2>${escape(title)}</h2>${parts.join("\n")}</section>`

const paragraph = (words: string): string => `<p>${escape(words)}</p>`

/** A chart next to the table of its numbers. */
const chartWithData = (chart: string, data: string): string =>
  `<div class="pair"><figure>${chart}</figure><div>${data}</div></div>`

/** Who is ahead, and whether the difference is significant. */
export const verdict = ({ markets_scored, brier_model, brier_market, brier_difference }: Score): string => {
  if (brier_model === undefined || brier_market === undefined) return "Nothing has settled yet."
  const ahead = brier_model < brier_market ? "The model is ahead of the market" : "The market is ahead of the model"
  const by = Math.abs(brier_model - brier_market)
  const over = `over ${count(markets_scored)} settled markets`
  if (brier_model === brier_market) return `Model and market are level ${over}.`
  if (brier_difference === undefined) return `${ahead} by a Brier score of ${number(by)} ${over}.`
  const clear = brier_difference.low > 0 || brier_difference.high < 0
  return `${ahead} by a Brier score of ${number(by)} ${over}; the 95 % interval of the difference, model minus market, is ${range(brier_difference)}, which ${clear ? "does not include" : "includes"} zero.`
}

const headline = (overall: Score, contested: Score): string => {
  const row = (label: string, of: (score: Score) => string) => [label, of(overall), of(contested)]
  const parts = (who: "model" | "market") => {
    const of = (read: (found: Forecaster) => string) => (score: Score) => {
      const found = score[who]
      return found === undefined ? "–" : read(found)
    }
    const name = who === "model" ? "Model" : "Market"
    return [
      row(`${name}: Brier score`, (score) => number(score[`brier_${who}`])),
      row(
        `${name}: 95 % interval`,
        of((found) => range(found.brier_interval)),
      ),
      row(
        `${name}: log score`,
        of((found) => number(found.log_score)),
      ),
      row(
        `${name}: calibration error`,
        of((found) => number(found.calibration_error)),
      ),
      row(
        `${name}: reliability (0 is best)`,
        of(({ decomposition }) => number(decomposition.reliability, 5)),
      ),
      row(
        `${name}: resolution (more is better)`,
        of(({ decomposition }) => number(decomposition.resolution, 5)),
      ),
      row(
        `${name}: uncertainty of the outcomes`,
        of(({ decomposition }) => number(decomposition.uncertainty, 5)),
      ),
      row(
        `${name}: within bins, variance and covariance`,
        of(
          ({ decomposition: { within_bin_variance, within_bin_covariance } }) =>
            `${number(within_bin_variance, 5)}, ${number(within_bin_covariance, 5)}`,
        ),
      ),
    ]
  }
  return table("Lower Brier and log scores are better.", [
    ["", "All markets", "Contested: priced 5 % to 95 %"],
    row("Markets scored", ({ markets_scored }) => count(markets_scored)),
    ...parts("model"),
    ...parts("market"),
    row("Difference, model − market", ({ brier_difference }) => number(brier_difference?.estimate)),
    row("95 % interval of the difference", ({ brier_difference }) => range(brier_difference)),
  ])
}

const reliabilityOf = (who: "model" | "market", found: Forecaster | undefined): string =>
  found === undefined
    ? ""
    : chartWithData(
        charts.reliability(found.bins, who),
        table(`Reliability of the ${who}`, [
          ["Probability given", "Markets", "Mean given", "Came true", "95 % band"],
          ...found.bins.map(({ from, to, count: markets, mean_probability, frequency, low, high }) => [
            `${from.toFixed(1)} to ${to.toFixed(1)}`,
            count(markets),
            number(mean_probability, 3),
            number(frequency, 3),
            low === undefined || high === undefined ? "–" : `${low.toFixed(3)} to ${high.toFixed(3)}`,
          ]),
        ]),
      )

const domainsOf = ({ domains, overall }: Results): string => {
  const rows = [["all", overall] as const, ...Object.entries(domains)]
  const drawn = rows.flatMap(([label, { brier_difference }]) =>
    brier_difference === undefined ? [] : [{ label, ...brier_difference }],
  )
  const data = table("Brier scores by domain", [
    ["Domain", "Markets", "Model", "Market", "Difference", "95 % interval"],
    ...rows.map(([name, score]) => [
      name,
      count(score.markets_scored),
      number(score.brier_model),
      number(score.brier_market),
      number(score.brier_difference?.estimate),
      range(score.brier_difference),
    ]),
  ])
  return drawn.length === 0 ? data : chartWithData(charts.differences(drawn), data)
}

const leadNames = { over_24h: "over 24 h", "6_to_24h": "6 to 24 h", "1_to_6h": "1 to 6 h", under_1h: "under 1 h" }

const leadsOf = (leads: NonNullable<Results["by_lead"]>): string =>
  chartWithData(
    charts.bars(
      leads.flatMap(({ lead, brier_model: model, brier_market: market }) =>
        model === undefined || market === undefined ? [] : [{ label: leadNames[lead], model, market }],
      ),
      "Brier score of model and market by time from capture to close.",
    ),
    table("Brier scores by time from capture to close", [
      ["Lead", "Markets", "Model", "Market"],
      ...leads.map(({ lead, markets_scored, brier_model, brier_market }) => [
        leadNames[lead],
        count(markets_scored),
        number(brier_model),
        number(brier_market),
      ]),
    ]),
  )

const ledgerOf = ({
  trades,
  wins,
  losses,
  staked,
  fees,
  pnl_after_fees,
  roi_after_fees,
  unknown_fee,
  curve = [],
}: Results["hypothetical"]): string => {
  const days = table("Running totals by day of close", [
    ["Day", "Trades", "Result after fees, USD"],
    ...curve.map(({ day, trades: until, pnl_after_fees: pnl }) => [day, count(until), pnl.toFixed(2)]),
  ])
  return chartWithData(
    charts.curve(curve.map(({ day, pnl_after_fees: value }) => ({ day, value }))),
    [
      table("One trade of 1 USD per market on which model and market differ by 0.05 or more", [
        ["", "Figure"],
        ["Trades", count(trades)],
        ["Won, lost", `${count(wins)}, ${count(losses)}`],
        ["Staked, USD", number(staked, 2)],
        ["Fees, USD", number(fees, 2)],
        ["Result after fees, USD", number(pnl_after_fees, 2)],
        ["Per dollar staked", number(roi_after_fees)],
        ["Left out, fee not known", count(unknown_fee ?? 0)],
      ]),
      `<details><summary>Day by day</summary>${days}</details>`,
    ].join(""),
  )
}

const settlementOf = ({ by_settlement: bases, unanchored, corrected, excluded, live }: Results): string => {
  const basis = (name: string, score: NonNullable<Results["by_settlement"]>["venue_source"]) => [
    name,
    count(score.markets_scored),
    number(score.brier_model),
    number(score.brier_market),
  ]
  const counted = table("Markets by state", [
    ["", "Markets"],
    ["Open and tracked", count(live.open_tracked)],
    ["Closed, awaiting settlement", count(live.awaiting_settlement)],
    ["Not scored: voided by the venue", count(excluded?.void ?? 0)],
    ["Not scored: one-sided book at the capture", count(excluded?.no_quote ?? 0)],
    ["Scored, but no checkpoint covered it before the close", count(unanchored ?? 0)],
    ["Result changed by the venue afterwards", count(corrected ?? 0)],
  ])
  if (bases === undefined) return counted
  const rate = bases.disagreement_rate === undefined ? "–" : `${(100 * bases.disagreement_rate).toFixed(2)} %`
  return [
    table("Scored by the venue's result, and by the model's own source", [
      ["Settled by", "Markets", "Model", "Market"],
      basis("the venue", bases.venue_source),
      basis("the model's source", bases.model_source),
    ]),
    paragraph(`Of ${count(bases.compared)} markets with both outcomes ${count(bases.disagreed)} disagree (${rate}).`),
    counted,
  ].join("\n")
}

const versionsOf = (versions: NonNullable<Results["by_version"]>): string =>
  table("Brier scores by model version", [
    ["Version", "Domain", "Markets", "Model", "Market"],
    ...versions.map(({ domain, model_version, markets_scored, brier_model, brier_market }) => [
      model_version,
      domain,
      count(markets_scored),
      number(brier_model),
      number(brier_market),
    ]),
  ])

/** File formats of the settled rows. */
export const downloads = ["csv", "json", "ndjson"] as const

/** The scoreboard as an HTML page without scripts or external resources. */
export const page = (results: Results, freshness: Freshness): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><meta name="color-scheme" content="light dark"/><title>Scoreboard: model against market</title><style>${style}</style></head>
<body><main><h1>Scoreboard: model against market</h1>
${freshness === "live" ? "" : `<p class="notice">Demonstration: a generated market, which is the models' own probabilities with noise. Not a track record.</p>`}
<p class="verdict">${escape(verdict(results.overall))}</p>
<p>As of <time datetime="${results.as_of}">${results.as_of.replace("T", " ").slice(0, 16)} UTC</time>. Settled rows as files: ${downloads
  .map((kind) => `<a href="/scoreboard/settled.${kind}" download="settled.${kind}">${kind.toUpperCase()}</a>`)
  .join(", ")}. Data: <a href="/v1/markets/performance?verbose=true">/v1/markets/performance</a>.</p>
${section("Scores", headline(results.overall, results.contested))}
${section("By domain", domainsOf(results))}
${section("Reliability", paragraph("A forecaster is calibrated where the curve is on the diagonal. Bars are 95 % bands (Wilson); markets of one event are dependent, so the true bands are slightly wider."), reliabilityOf("model", results.overall.model), reliabilityOf("market", results.overall.market))}
${section("By lead time", leadsOf(results.by_lead ?? []))}
${section("Hypothetical ledger", paragraph("At the captured asks, after the venue's fees. No orders were placed."), ledgerOf(results.hypothetical))}
${section("Settlement", settlementOf(results))}
${section("Model versions", versionsOf(results.by_version ?? []))}
${section("Method", paragraph(methodology), paragraph("Intervals: 2,000 bootstrap resamples of events within each domain, with a fixed seed; each event's markets are drawn together, events in up to 128 fixed groups a domain. Log scores take a probability as at least 0.001 and at most 0.999. Brier = reliability − resolution + uncertainty + within-bin variance − 2 · within-bin covariance, over ten bins."))}
</main></body></html>
`
