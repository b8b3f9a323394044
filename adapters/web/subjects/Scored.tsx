/** @jsxRuntime automatic @jsxImportSource preact */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { type ClusteredEstimate, leastClusters, ratio } from "../../../core/math/clusters.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import * as Calibration from "../../../core/record/scoreboard/calibration.ts"
import { type Domain, domains } from "../../../core/record/scoreboard/Settled.ts"
import { count } from "../../../core/text.ts"
import { reliability } from "../pictures/reliability.ts"
import { marketPath } from "../view/addresses.ts"
import { percent } from "../view/numbers.ts"
import { Closer, closerOf, numeric } from "../view/parts.tsx"
import { type Mark, type Picture, plot } from "../view/plot.tsx"
import { round } from "../view/scale.ts"
import { readPages } from "./readPages.ts"
import type { View } from "./Subject.ts"
import { addReliability, binsOf, contractName, eventName } from "./words.ts"

type Row = Endpoint.Results<typeof markets.settled>["rows"][number]

/** Settled markets of a domain, newest first, as everybody may read them, and whether they are generated. */
export interface Settled {
  readonly rows: ReadonlyArray<Row>
  readonly isGenerated: boolean
}

/** The newest settled rows that are read for a page: so many pages of 500. */
const pages = 4

const readDomain = ({ call }: Gateway["Type"], domain: Domain): Effect.Effect<Settled, Failure> =>
  Effect.map(
    readPages(markets.settled, { domain }, pages, (page) =>
      Effect.map(
        call(markets.settled, { domain, limit: 500, ...page }, { authorization: undefined }),
        ({ answer }) => answer,
      ),
    ),
    (answers) => ({
      rows: answers.flatMap(({ results }) => results.rows),
      isGenerated: answers.at(-1)?.freshness === "mock",
    }),
  )

/** Reads the settled rows of a domain at most once a minute. */
export const make = (gateway: Gateway["Type"]): Effect.Effect<(domain: Domain) => Effect.Effect<Settled, Failure>> =>
  Effect.map(
    Cache.make({
      capacity: domains.length,
      timeToLive: "1 minute",
      lookup: (domain: Domain) => Effect.uninterruptible(readDomain(gateway, domain)),
    }),
    (cache) => (domain) => cache.get(domain),
  )

/** Fewer markets than these have figures and no picture. */
const least = 40

/** A curve of fewer markets than these is folded. */
export const leastOfCurve = 200

/** Fewer markets in a bin are drawn faint. */
const leastOfBin = 5

/** A mean of markets and its 95 % interval by event, whose markets are dependent; NaN of fewer than ten events. */
const estimate = (values: ReadonlyArray<number>, events: ReadonlyArray<string>): ClusteredEstimate => {
  const sampling = { replicates: 1_000, level: 0.95, generator: xoshiro128(1) }
  return ratio(
    values,
    values.map(() => 1),
    events,
    sampling,
  )
}

/** The Brier scores of model and market as bars with their intervals. */
const brierScores = (name: string, scores: ReadonlyArray<ClusteredEstimate>): Picture => ({
  title: `Brier score over ${name}, better to the left`,
  isAcross: true,
  marks: [
    ...scores.map(
      ({ value }, at): Mark => ({ kind: "bar", as: at === 0 ? "model" : "market", rows: [[at, 0, value]] }),
    ),
    {
      kind: "rule",
      as: "focus",
      name: "95 % interval by event",
      rows: scores.map(({ low, high }, at) => [at, low, high]),
    },
  ],
  columns: ["Of", numeric("Brier score"), numeric("95 % interval")],
  rows: scores.map(({ value, low, high }, at) => ({
    ...{ at, cells: [at === 0 ? "Model" : "Market", value.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`] },
  })),
})

/** How good the model has been on a subject's settled markets, next to the market itself. */
export const Scored = ({
  of: { name, domain },
  rows,
}: {
  readonly of: NonNullable<View["scored"]>
  /** The subject's rows. */
  readonly rows: Settled["rows"]
}) => {
  if (rows.length === 0) return <p>No market of {name} has settled yet.</p>
  const [model, market] = [addReliability(rows, "model_prob"), addReliability(rows, "market_prob")]
  const errors = (who: "model_prob" | "market_prob") =>
    rows.map((row) => (row[who] - Number(row.result === "yes")) ** 2)
  const [ours, theirs] = [errors("model_prob"), errors("market_prob")]
  const events = rows.map(eventIn)
  const hasInterval = rows.length >= least && new Set(events).size >= leastClusters
  const difference = hasInterval
    ? estimate(
        ours.map((error, at) => error - theirs[at]!),
        events,
      )
    : undefined
  const markets = `${count(rows.length)} settled markets of ${name}`
  const forecasters = [
    { name: "Model", as: "model", bins: binsOf(model) },
    { name: "Market", as: "market", bins: binsOf(market) },
  ]
  const curve = rows.length >= least && (
    <>
      {plot({
        title: `Reliability of model and market over ${markets}`,
        ...reliability(forecasters, "Markets", leastOfBin),
      })}
      {forecasters.some(({ bins }) => bins.some(({ count: n }) => n > 0 && n < leastOfBin)) && (
        <p class="soft">Faint points are of fewer than {leastOfBin} markets, and no line joins them.</p>
      )}
    </>
  )
  return (
    <>
      <p>
        Over the last {markets} the model's Brier score is {Calibration.brier(model).toFixed(4)}, the market's{" "}
        {Calibration.brier(market).toFixed(4)}; lower is better.{" "}
        {difference !== undefined &&
          (difference.low < 0 && difference.high > 0
            ? "Chance alone can explain the difference."
            : `The ${difference.value < 0 ? "model" : "market"} is ahead by more than chance explains.`)}{" "}
        The <a href={`/scoreboard#${domain}`}>scoreboard</a> has all markets.
      </p>
      {rows.length < leastOfCurve && hasInterval ? (
        <>
          {plot(
            brierScores(
              markets,
              [ours, theirs].map((each) => estimate(each, events)),
            ),
          )}
          <details>
            <summary>Reliability</summary>
            {curve}
          </details>
        </>
      ) : (
        curve
      )}
    </>
  )
}

const eventIn = (row: Row): string => row.event ?? row.market_ticker.replace(/-[^-]*$/, "")

/** The contract that best describes an event's outcome: the narrowest that paid. */
export const winnerOf = (rows: ReadonlyArray<Row>): Row | undefined => {
  const paid = rows.filter(({ result }) => result === "yes")
  return paid.find(({ strike_type }) => strike_type === "between") ?? paid.at(-1)
}

/** What happened in the newest events of settled rows: of each its contract that paid. */
export const happened = (rows: ReadonlyArray<Row>, wanted: number): ReadonlyArray<Row> =>
  [...new Set(rows.map(eventIn))]
    .flatMap((event) => winnerOf(rows.filter((row) => eventIn(row) === event)) ?? [])
    .slice(0, wanted)

/** The outcome, the probabilities that we and the market gave it, and who was closer. */
export const Happened = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => (
  <ul class="tiles results">
    {rows.map(({ market_ticker: ticker, title, model_prob: model, market_prob: market }) => (
      <li key={ticker}>
        <a class="tile" href={marketPath(ticker)}>
          <span>{eventName(title, ticker)}</span>
          <strong>{contractName(title, ticker)}</strong>
          <small>
            We <b>{percent(model)}</b>, market {percent(market)}
          </small>
          <svg class="bars" width="100%" height="12" aria-hidden="true">
            <rect class="model" width={`${round(100 * model)}%`} height="5" />
            <rect class="market" y="7" width={`${round(100 * market)}%`} height="5" />
          </svg>
          <small>
            <Closer who={closerOf(model, market)} />
          </small>
        </a>
      </li>
    ))}
  </ul>
)
