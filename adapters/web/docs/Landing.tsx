/** @jsxRuntime automatic @jsxImportSource preact */
import { display } from "../../../core/account/Money.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Release from "../../../core/release.ts"
import { enumeration } from "../../../core/text.ts"
import { docs, docsOf } from "../../describe/describe.ts"
import { examples } from "../../describe/examples.ts"
import type { Board } from "../../describe/figures.ts"
import { curl } from "../../describe/operation.ts"
import * as Configuration from "../../describe/tools/configuration.ts"
import * as Protocol from "../../describe/tools/protocol.ts"
import type { Site } from "../../server/http/Site.ts"
import * as Record from "../record/RecordPage.tsx"
import * as Scoreboard from "../scoreboard/page.tsx"
import { demonstration, verdict } from "../scoreboard/verdict.ts"
import { copyScript } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { Code, numeric, Table } from "../view/parts.tsx"
import { EditorLinks } from "./EditorLinks.tsx"
import { chooseShown, samplesOfEndpoint } from "./reference/samples.ts"

interface Props {
  readonly catalogue: Catalogue.Any
  readonly site: Site
  readonly baseUrl: string
  /** Absent: the catalogue has no scoreboard, or it could not be read. */
  readonly board: Board | undefined
}

const recordedAnswer = ({ id }: Endpoint.Any): string | undefined => {
  const example = examples[id]?.["application/json"]
  return example === undefined ? undefined : JSON.stringify(example, null, 2)
}

const Prices = ({ catalogue }: Pick<Props, "catalogue">) => (
  <Table
    caption="Lanes and their prices"
    columns={["Lane", "Data and signals", numeric("Endpoints"), "Price of a call"]}
    rows={catalogue.lanes.map(({ name, description }) => {
      const own = Catalogue.live(catalogue).flatMap(({ endpoint, lane }) => (lane.name === name ? [endpoint] : []))
      const prices = own.map(Endpoint.charge)
      const [low, high] = [Math.min(...prices), Math.max(...prices)]
      return [
        <a key={name} class="lane" href={docsOf(name)}>
          {name}
        </a>,
        description,
        own.length,
        own.length === 0 ? "in development" : low === high ? display(low) : `${display(low)} to ${display(high)}`,
      ]
    })}
  />
)

/** Who is ahead, model or market, with the forest plot. */
const Verdict = ({ board: { results, freshness }, site }: { readonly board: Board; readonly site: Site }) => (
  <div class="columns board">
    <section>
      <h2>Model against market</h2>
      <p class="lead">{verdict(results.overall)}</p>
      {freshness !== "live" && <p class="notice">{demonstration}</p>}
      {site.served(Scoreboard.path) && (
        <p>
          <a href={Scoreboard.path}>The scoreboard</a>: reliability, lead times, the hypothetical ledger and every
          settled market.
        </p>
      )}
      {site.served(Record.path) && (
        <p>
          <a href={Record.path}>The record</a>: how predictions are written down before the outcome, and how to verify
          one in your browser.
        </p>
      )}
    </section>
    <Scoreboard.Domains {...results} />
  </div>
)

/** Settings and programs to copy. */
const Begin = ({
  site,
  baseUrl,
  forms,
}: Pick<Props, "site" | "baseUrl"> & { readonly forms: ReturnType<typeof samplesOfEndpoint> | undefined }) => (
  <section>
    <h2>Three ways to begin</h2>
    <ul class="cards">
      <li class="card">
        <h3>HTTP</h3>
        <p>
          One GET with a key in the header. <a href={docs}>The reference</a> has every endpoint as curl, TypeScript,
          Python and MCP.
        </p>
        {forms !== undefined && <Code text={forms.Python} />}
      </li>
      <li class="card">
        <h3>TypeScript client</h3>
        <p>Typed, retries lost calls under one idempotency key, so that each is charged once.</p>
        {forms !== undefined && <Code text={forms.TypeScript} />}
      </li>
      {site.served(Protocol.paths.streamable) && (
        <li class="card">
          <h3>MCP</h3>
          <p>
            Every endpoint as a tool, with its price. <EditorLinks baseUrl={baseUrl} />.
          </p>
          <Code text={Configuration.claudeCode(baseUrl, "$MARKET_SIGNALS_KEY")} />
          <Code text={Configuration.textOf(Configuration.overHttp(baseUrl, "$MARKET_SIGNALS_KEY"))} />
        </li>
      )}
    </ul>
  </section>
)

/** The first page: what is sold, one answer, how to begin and what it costs. */
export const landing = ({ catalogue, site, baseUrl, board }: Props): string => {
  const subjects = enumeration(
    catalogue.lanes.map(({ name }) => name),
    "and",
  )
  const shown = chooseShown(catalogue)
  const answer = shown === undefined ? undefined : recordedAnswer(shown)
  const forms = shown === undefined ? undefined : samplesOfEndpoint(shown, baseUrl)
  return page(
    {
      title: `${Release.name}: market data and model signals for software agents`,
      description: Release.description,
      path: "/",
      script: copyScript,
    },
    site,
    <>
      <h1>Market data and model signals for software agents</h1>
      <p class="lead">
        Forecasts and official data for prediction markets, as an API for your agents: {subjects}. Calls cost from{" "}
        {display(Catalogue.counts(catalogue).lowestPaidMicros)}. Failed calls are free. Every prediction is recorded
        before its outcome and scored in public, misses included.
      </p>
      {shown !== undefined && (
        <section class="columns">
          <div>
            <h2>{shown.summary}</h2>
            <Code text={curl(shown, baseUrl)} />
            <p class="soft">
              <span class="badge">{display(shown.priceMicros)}</span> Free with a test key. Sample data.{" "}
              <a href={`${docsOf(findSection(catalogue, shown))}#${shown.id}`}>See every field</a>.
            </p>
          </div>
          {answer !== undefined && <Code text={answer} isLong />}
        </section>
      )}
      {board !== undefined && board.results.overall.markets_scored > 0 && <Verdict board={board} site={site} />}
      <Begin site={site} baseUrl={baseUrl} forms={forms} />
      <section class="listing">
        <h2>Prices</h2>
        <Prices catalogue={catalogue} />
        <p class="soft">
          Failed calls, quotes (<code>dry_run=true</code>), HEAD, 304 and repeats under one <code>Idempotency-Key</code>{" "}
          are free.
        </p>
      </section>
    </>,
  )
}

const findSection = (catalogue: Catalogue.Any, { id }: Endpoint.Any): string => {
  const { endpoint, lane } = catalogue.byId.get(id)!
  return Endpoint.sectionOf(endpoint, lane)
}
