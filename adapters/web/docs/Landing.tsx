/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../core/account/ApiKey.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Release from "../../../core/release.ts"
import { count } from "../../../core/text.ts"
import { path as installPath } from "../../describe/clients.ts"
import { type Board, priceRange } from "../../describe/figures.ts"
import { docsPath, getKeyPath, groupDocsPath } from "../../describe/paths.ts"
import * as Protocol from "../../describe/tools/protocol.ts"
import type { Site } from "../../server/http/Site.ts"
import * as Record from "../record/RecordPage.tsx"
import * as Scoreboard from "../scoreboard/page.tsx"
import { headline } from "../scoreboard/verdict.ts"
import { Card } from "../subjects/Card.tsx"
import { listPath } from "../subjects/pages.tsx"
import { Happened } from "../subjects/Scored.tsx"
import type { Card as CardOf, SettledRow, Shown } from "../subjects/Subject.ts"
import { pageScript } from "../view/assets.ts"
import { percent } from "../view/numbers.ts"
import { page } from "../view/Page.tsx"
import { Code, numeric, Samples, Table } from "../view/parts.tsx"
import { round } from "../view/scale.ts"
import { paidRange } from "./GetKey.tsx"
import { addressOfRun } from "./reference/running.ts"
import { chooseShown, makeSamples } from "./reference/samples.ts"

/** What the page shows of the product at work. */
export interface Today {
  /** Absent: nothing can be shown yet. */
  readonly card?: CardOf | undefined
  /** Of a real lane: the one that is open, its number sealed. */
  readonly open?: CardOf | undefined
  /** What happened last in each domain. */
  readonly results: ReadonlyArray<SettledRow>
  /** The parameters of the call that is shown, and its answer, cut. */
  readonly params: Readonly<Record<string, unknown>>
  readonly answer: unknown
  /** Epoch milliseconds. */
  readonly now: number
}

interface Props {
  readonly catalogue: Catalogue.Any
  readonly site: Site
  readonly baseUrl: string
  /** Absent: the catalogue has no scoreboard, or it could not be read. */
  readonly board: Board | undefined
  /** Absent: there is none, or it could not be read yet. */
  readonly today: Today | undefined
  /** It is there, or will be. */
  readonly hasToday: boolean
}

const Prices = ({ catalogue }: Pick<Props, "catalogue">) => (
  <Table
    caption="Prices of a call by lane"
    columns={["Lane", numeric("Data"), numeric("Forecasts")]}
    rows={catalogue.lanes.flatMap(({ name }) => {
      const endpoints = Catalogue.live(catalogue).flatMap(({ endpoint, lane }) =>
        lane.name === name ? [endpoint] : [],
      )
      if (endpoints.length === 0) return []
      const row = [
        <a key={name} class="lane" href={groupDocsPath(name)}>
          {name}
        </a>,
        priceRange(endpoints.filter(({ kind }) => kind !== "Signal").map(Endpoint.charge), "–"),
        priceRange(endpoints.filter(({ kind }) => kind === "Signal").map(Endpoint.charge), "–"),
      ]
      return [row]
    })}
  />
)

/** Observed frequency against forecast, a dot for each tenth of probability: on the line both are equal. */
const Strip = ({ bins }: { readonly bins: NonNullable<Board["results"]["overall"]["model"]>["bins"] }) => {
  const dots = bins.flatMap(({ mean_probability: said, frequency: came }) =>
    said === undefined || came === undefined ? [] : [{ said, came }],
  )
  const words = dots.map(({ said, came }) => `said ${percent(said)}, happened ${percent(came)}`).join("; ")
  return (
    <figure class="strip wide">
      <svg viewBox="-6 -6 212 92" role="img" aria-label={words}>
        <line class="perfect" y1="80" x2="200" />
        {dots.map(({ said, came }) => (
          <circle key={said} class="dot model" cx={round(200 * said)} cy={round(80 - 80 * came)} r="4" />
        ))}
      </svg>
      <figcaption class="soft">Said, to the right, and happened, upwards: on the line both agree.</figcaption>
    </figure>
  )
}

/** The record in one sentence for everybody, and where it is proven. */
const Honest = ({
  board: { results, freshness },
  site,
  today,
}: Pick<Props, "site" | "today"> & { readonly board: Board }) => {
  const { overall } = results
  return (
    <section class="honest">
      <h2>{Scoreboard.sentence(overall, freshness) ?? "Every forecast is scored, misses included."}</h2>
      {overall.model !== undefined && <Strip bins={overall.model.bins} />}
      <p>
        Measured on {count(overall.markets_scored)} settled contracts, misses included.{" "}
        {overall.model !== undefined && `${headline(overall)}. `}
        {site.served(Scoreboard.path) && (
          <>
            <a href={Scoreboard.path}>The scoreboard</a> compares us with the market.{" "}
          </>
        )}
        {site.served(Record.path) && (
          <>
            <a href={Record.path}>The record</a> proves that each forecast was written down before its outcome.
          </>
        )}
      </p>
      {today !== undefined && today.results.length > 0 && (
        <>
          <h3>Settled last</h3>
          <Happened rows={today.results} />
        </>
      )}
    </section>
  )
}

/** One call, which runs as it stands. */
const Call = ({ catalogue, site, baseUrl, today }: Omit<Props, "board" | "hasToday">) => {
  const first = chooseShown(catalogue)
  if (first === undefined) return null
  const sample = { ...first, example: today?.params ?? first.example }
  return (
    <div>
      <Samples id={sample.id} samples={makeSamples(sample, baseUrl, demoKey)} />
      <p class="soft">
        Runs as it stands, or{" "}
        <a href={addressOfRun(catalogue, first, sample.example as Shown["params"])}>run it here</a>: the demo key is
        free and answers sample data.
        {site.served(Protocol.paths.streamable) && (
          <>
            {" "}
            Every endpoint is an MCP tool too:{" "}
            <a href={site.served(installPath) ? installPath : docsPath}>a line for each client</a>.
          </>
        )}
      </p>
    </div>
  )
}

/** The first screen: what it is, for whom, the main buttons, and the product at work. */
const Hero = ({ catalogue, site, baseUrl, today, hasToday }: Omit<Props, "board">) => (
  <section class="hero">
    <div>
      <h1>Probabilities for prediction markets, by API</h1>
      <p class="lead">
        For developers and agents that trade or study weather, football, baseball and crypto contracts: what we say,
        what the market says, and the official data that decides. {paidRange(catalogue)} a call.
      </p>
      <p class="actions">
        <a class="button" href={getKeyPath}>
          Get a key
        </a>
        {site.served(listPath) && <a href={listPath}>See today's forecasts</a>}
      </p>
    </div>
    {hasToday && today === undefined && (
      <p class="wait" data-reload="true">
        Today's forecast is not ready yet: reload the page in a few seconds.
      </p>
    )}
    {today?.card !== undefined && (
      <div class="cards">
        <Card card={today.card} place={{ site, catalogue, now: today.now }} isShort />
        {today.open !== undefined && <Card card={today.open} place={{ site, catalogue, now: today.now }} isShort />}
      </div>
    )}
    <Call catalogue={catalogue} site={site} baseUrl={baseUrl} today={today} />
  </section>
)

/** The first page: the product at work, one call, why to trust it and what it costs. */
export const landing = ({ catalogue, site, baseUrl, board, today, hasToday }: Props): string =>
  page(
    {
      title: `${Release.name}: probabilities for prediction markets, by API`,
      description: Release.description,
      path: "/",
      script: pageScript,
    },
    site,
    <div class="front">
      <Hero catalogue={catalogue} site={site} baseUrl={baseUrl} today={today} hasToday={hasToday} />
      {board !== undefined && board.results.overall.markets_scored > 0 && (
        <Honest board={board} site={site} today={today} />
      )}
      <div class="columns">
        <section class="listing">
          <h2>Prices of a call</h2>
          <Prices catalogue={catalogue} />
          <p class="soft">
            Failed calls, quotes (<code>dry_run=true</code>), HEAD, 304 and repeats under one{" "}
            <code>Idempotency-Key</code> are free.
          </p>
        </section>
        {today !== undefined && (
          <section class="wide">
            <h2>What comes back</h2>
            <Code text={JSON.stringify(today.answer, null, 2)} lang="json" />
          </section>
        )}
      </div>
    </div>,
  )
